// An election: who stands, what was promised, and how it came out.

import { when } from "../society.ts";
import type { Election } from "../upcoming.ts";
import { capitalised } from "../words.ts";
import { dayOf, type Of } from "./card.tsx";
import { Says, See } from "./see.tsx";

/** An election: candidates, promises and result, all of it as citizens have said it. */
export function ElectionCard({ viewer, election }: Of & { election: Election }) {
  const { time } = viewer;
  const day = dayOf(viewer);
  const { election_state: state, office, candidates, votes, winner, next_tick } = election;
  const words = { called: "called", open: "voting", decided: "decided" }[state];
  const next = { called: "the vote opens", open: "the vote ends", decided: "the next one" }[state];
  return (
    <article class="paper" id="election">
      <p class="label">Election</p>
      <h3>
        {capitalised(office || "mayor")} of <See viewer={viewer} id={election.town} />{" "}
        <span class="pill" data-mood={state === "decided" ? "good" : "wait"}>
          {words}
        </span>
      </h3>
      <ul class="candidates">
        {candidates.map(({ id, name, promise }) => (
          <li>
            {viewer.world?.crowd.get(id) ? <See viewer={viewer} id={id} /> : <bdi>{name || id}</bdi>}
            {state === "decided" && Object.hasOwn(votes, id) && <b> {votes[id]}</b>}
            {id === winner && <strong> elected</strong>}
            {promise && (
              <>
                {" "}
                <Says viewer={viewer} text={promise} />
              </>
            )}
          </li>
        ))}
      </ul>
      <p>
        <small>
          said by <See viewer={viewer} id={election.said_by} />, {when(election.tick, day)}
          {next_tick > time.tick && `; ${next}: ${when(next_tick, day)}`} <i class="told">told</i>
        </small>
      </p>
    </article>
  );
}

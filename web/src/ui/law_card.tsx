// A law: who proposed it, how the vote went, and what it has brought since it is in force.

import { goods, type Items, type Law, sense, when } from "../society.ts";
import { stateWord } from "../words.ts";
import { dayOf, type Of, State } from "./card.tsx";
import { useAnswer } from "./council.tsx";
import { Moment } from "./lane.tsx";
import { See } from "./see.tsx";

/** How many have voted and how many are needed; the votes themselves only after they were counted. */
function Turnout({ law: { tally, voted, members, quorum, status } }: { law: Law }) {
  if (status === "NOTICE") return null;
  const share = (count: number) => `${(100 * count) / Math.max(1, members)}%`;
  return (
    <div class="turnout" role="img" aria-label={`${voted} of ${members} have voted, ${quorum} are enough`}>
      {tally ? (
        <>
          <i data-vote="yes" style={{ width: share(tally.yes) }} />
          <i data-vote="no" style={{ width: share(tally.no) }} />
          <i style={{ width: share(tally.abstain) }} />
        </>
      ) : (
        <i style={{ width: share(voted) }} />
      )}
      <b style={{ left: share(quorum) }} />
    </div>
  );
}

export function LawCard({ viewer, law }: Of & { law: Law }) {
  const day = dayOf(viewer);
  const { tally } = law;
  return (
    <article class="paper" id={law.id}>
      <h3>
        <See viewer={viewer} id={law.id}>
          <bdi>{law.title}</bdi>
        </See>{" "}
        <State of={law.status} />
      </h3>
      <p>{sense(law)}</p>
      <p>
        <small>
          proposed by <See viewer={viewer} id={law.proposer} />, {when(law.proposed_tick, day)}; on{" "}
          <See viewer={viewer} id={law.land_id} />
        </small>
      </p>
      <ol class="stages">
        <li data-on={law.status === "NOTICE"}>
          notice<small>{when(law.proposed_tick, day)}</small>
        </li>
        <li data-on={law.status === "VOTING"}>
          voting<small>{when(law.notice_ends_tick, day)}</small>
        </li>
        <li data-on={tally !== null}>
          {tally ? stateWord(law.status).word : "in force or rejected"}
          <small>{when(law.vote_ends_tick, day)}</small>
        </li>
      </ol>
      <Turnout law={law} />
      {tally ? (
        <p>
          <strong>{tally.yes} yes</strong>, {tally.no} no, {tally.abstain} abstained{" "}
          <small>of {law.members} members</small>
        </p>
      ) : (
        <p>
          <strong>
            {law.voted} of {law.members}
          </strong>{" "}
          have voted; {law.quorum} are enough. <small>Counted when the voting ends.</small>
        </p>
      )}
      {law.status === "ACTIVE" && <Effects viewer={viewer} law={law} />}
    </article>
  );
}

const VERBS: Record<string, [once: string, times: string]> = {
  MARKET_TAX: ["taxed one trade", "trades were taxed"],
  FINE_BREAK_PER_BLOCK: ["fined once", "times somebody was fined"],
  ACCESS_PASS_CORE: ["one ticket was sold", "tickets were sold"],
};

/** The effects of a law: since when it is in force, what it has brought in, and who paid last. */
function Effects({ viewer, law }: Of & { law: Law }) {
  const { time } = viewer;
  const day = dayOf(viewer);
  const verbs = VERBS[law.template_id];
  // While the past plays, it is requested now and then.
  const upTo = time.past.world ? `?tick=${time.askedTick}` : "";
  const enforcement = useAnswer<{ times: number; paid: Items; newest: [tick: number, who: string, goods: Items][] }>(
    verbs ? `${time.tape.of}laws/${law.id}/effects${upTo}` : null,
  );
  const since = (
    <>
      In force since{" "}
      <Moment viewer={viewer} tick={law.vote_ends_tick}>
        {when(law.vote_ends_tick, day)}
      </Moment>
    </>
  );
  if (!verbs)
    return (
      <p class="effects">
        <small>{since}. It takes nothing from anyone: whoever acts against it is refused.</small>
      </p>
    );
  if (!enforcement)
    return (
      <p class="effects">
        <small>{since}.</small>
      </p>
    );
  return (
    <details class="effects">
      <summary>
        <small>
          {since}.{" "}
          {enforcement.times === 0 ? (
            "Nobody has paid because of it."
          ) : (
            <>
              {enforcement.times === 1 ? verbs[0] : `${enforcement.times} ${verbs[1]}`}
              {Object.keys(enforcement.paid).length > 0 && <>, which brought {goods(enforcement.paid)}</>}.
            </>
          )}
        </small>
      </summary>
      <ol class="lately">
        {enforcement.newest.map(([tick, who, paid]) => (
          <li>
            <Moment viewer={viewer} tick={tick}>
              {when(tick, day).replace("day ", "")}
            </Moment>{" "}
            <span>
              <See viewer={viewer} id={who} />{" "}
              {Object.keys(paid).length ? `paid ${goods(paid)}` : "traded too little to be taxed"}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}

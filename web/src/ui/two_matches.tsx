// Two matches on one lane: both boards at the same move, the first that differs, and what differs in sentences.

import { type ComponentChildren, Fragment } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { pathFor } from "../address.ts";
import { asked } from "../asked.ts";
import { parting, type Told } from "../match/two.ts";
import { Followed, type Listing, type MatchRow } from "../matches.ts";
import { Seat, Stage } from "./replay.tsx";
import "./beside.css";

interface Props {
  ids: readonly [here: string, there: string];
  crumbs: ComponentChildren;
  proof(id: string): ComponentChildren;
  /** The address of both worlds beside each other; null if such a match is not played in one. */
  worldsOf(scenario: string): string | null;
}

const SIDES = ["here", "there"] as const;

export function TwoMatches({ ids, crumbs, proof, worldsOf }: Props) {
  const [, redraw] = useState(0);
  const [both] = useState(() => ids.map((id) => new Followed(id, () => redraw((n) => n + 1))));
  useEffect(() => () => both.forEach((one) => void one.close()), []);
  const named = Number(new URLSearchParams(location.search).get("move")) || null;
  const [chosen, choose] = useState<number | null>(named === null ? null : named - 1);
  const [here, there] = both.map(({ log }) => log);
  const revision = both.map((one) => one.revision).join();
  const found = useMemo(() => parting(here, there), [revision]);
  const why = both.find((one) => one.why)?.why;
  const worlds = worldsOf(here.scenario);
  const last = Math.max(here.moves.length, there.moves.length) - 1;
  const at = Math.max(0, Math.min(chosen ?? found.at ?? last, last));
  const go = (to: number) => {
    const next = Math.max(0, Math.min(to, last));
    choose(next);
    history.replaceState(null, "", pathFor("matches", null, `beside=${ids[1]}&move=${next + 1}`, ids[0]));
  };
  useEffect(() => {
    const steps: Record<string, number> = { ",": -1, ".": 1 };
    const key = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement || !Object.hasOwn(steps, event.key)) return;
      go(at + steps[event.key]);
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [at, last]);
  if (why || last < 0)
    return (
      <main class="matches">
        <nav>{crumbs}</nav>
        <p class={why ? "fault" : "none"} role={why ? "alert" : undefined} id="trouble">
          {why ?? "Opening the matches…"}
        </p>
      </main>
    );
  return (
    <main class="matches two" id="two-matches" data-split={found.at === null ? "" : found.at + 1}>
      <nav aria-label="Where">{crumbs}</nav>
      <div class="sides">
        {both.map(({ log, id }, side) => (
          <section data-side={SIDES[side]}>
            <h2>
              <small class={`key ${SIDES[side]}`}>{SIDES[side]}</small> <bdi>{id}</bdi> {proof(id)}
            </h2>
            <ul class="seats">
              {log.seats.map((one, seat) => (
                <Seat log={log} id={one} seat={seat} at={Math.min(at, log.moves.length - 1)} />
              ))}
            </ul>
            <div class="stage" data-view={log.view}>
              {log.moves.length > 0 && <Stage log={log} at={Math.min(at, log.moves.length - 1)} />}
            </div>
            {at >= log.moves.length && <p class="none">It ended with move {log.moves.length}.</p>}
          </section>
        ))}
      </div>
      <div class="scrub">
        {found.at !== null && (
          <i class="split" title="split" style={{ left: `${(found.at / Math.max(1, last)) * 100}%` }} />
        )}
        <input
          id="scrub"
          type="range"
          min={0}
          max={last}
          value={at}
          aria-label="Moves of both"
          aria-valuetext={`Move ${at + 1} of ${last + 1}`}
          onInput={(event) => go(Number(event.currentTarget.value))}
        />
      </div>
      <p class="moves-said">
        Move <b id="move-shown">{at + 1}</b> of {last + 1}. {found.text}.{" "}
        <button type="button" id="to-split" disabled={found.at === null} onClick={() => go(found.at ?? 0)}>
          To the split
        </button>{" "}
        {worlds && (
          <a class="see" id="watch-both" href={worlds}>
            Watch both in 3D
          </a>
        )}
      </p>
      <Tellings told={found.told} go={go} />
    </main>
  );
}

function Tellings({ told, go }: { told: readonly Told[]; go(at: number): void }) {
  return (
    <section class="differences" id="differences" aria-label="What differs">
      <ol>
        {told.map((one) => (
          <li>
            <button type="button" onClick={() => go(one.at)}>
              <bdi>{one.text}</bdi> <small>move {one.at + 1}</small>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Choose a match of the same game to see beside this one. */
export function ChooseBeside({ id, scenario }: { id: string; scenario: string }) {
  const [rows, take] = useState<MatchRow[] | null>(null);
  const look = async () => {
    const answer = await asked<Listing>("v1/matches");
    const matches = "matches" in answer ? answer.matches.filter(({ running }) => !running) : [];
    const game = matches.find((row) => row.id === id)?.scenario ?? scenario;
    take(matches.filter((row) => row.scenario === game && row.id !== id));
  };
  if (rows === null)
    return (
      <button type="button" id="beside-match" onClick={() => void look()}>
        Beside another…
      </button>
    );
  if (!rows.length) return <small class="none">no other match of this game is kept here</small>;
  return (
    <Fragment>
      {rows.slice(0, 8).map((row) => (
        <a class="see beside-choice" href={pathFor("matches", null, `beside=${row.id}`, id)}>
          <bdi>{row.id}</bdi>
        </a>
      ))}
    </Fragment>
  );
}

// The council of a city: what each governor saw, why it ordered what it did, what it weighed, and what came of it.

import { useEffect, useState } from "preact/hooks";
import { ask, asks, type Decision, type Organisation, when } from "../society.ts";
import type { Viewer } from "../viewer.ts";
import { meterWord, orderWords, outcomeWords, reasonInWords, stateWord, targetWords } from "../words.ts";
import { See } from "./see.tsx";

const ASK_EVERY_MS = 15_000;
const SHOWN = 6;
// While the past plays, decisions and worth are requested again after this many ticks.
const ASK_PAST_TICKS = 250;

const METERS = ["threat", "scarcity", "hope", "dread"];

/** What was ordered and why, without the ids of the command. */
const order = (type: string, target = "") => {
  const account = targetWords(target);
  return account !== target.toLowerCase() ? `${orderWords(type)}, ${account}` : orderWords(type);
};
const office = (actor: string) => actor.replace(/-\d+$/, "").replace(/^./, (letter) => letter.toUpperCase());

/** An answer of the server, refreshed while it is shown; null until it has come. */
export function useAnswer<T>(path: string | null, every = ASK_EVERY_MS): T | null {
  const [latest, setLatest] = useState<{ path: string; answer: T } | null>(null);
  useEffect(() => {
    if (path === null) return;
    let left = false;
    const look = async () => {
      const answer = document.hidden ? null : await ask<T>(path);
      if (answer && !left) setLatest({ path, answer });
    };
    void look();
    const timer = setInterval(look, every);
    return () => {
      left = true;
      clearInterval(timer);
    };
  }, [path, every]);
  return latest?.path === path ? latest.answer : null;
}

/** The contract that a decision led to and its state, or why there is none. */
function CameOfIt({ viewer, one }: { viewer: Viewer; one: Decision }) {
  const contract = viewer.society?.contracts.find(({ id }) => id === one.contract);
  if (contract)
    return (
      <>
        <See viewer={viewer} id={contract.id} />: {asks(contract)}, {stateWord(contract.state).word}
        {contract.acceptor && (
          <>
            {" "}
            by <See viewer={viewer} id={contract.acceptor} />
          </>
        )}
      </>
    );
  if (one.contract) return <See viewer={viewer} id={one.contract} />;
  return one.status === "executed" ? (
    <>it was done</>
  ) : (
    <span class="refusal">
      <bdi>{one.detail || outcomeWords(one.status)}</bdi>
    </span>
  );
}

function DecisionCard({ viewer, one, folded, day }: { viewer: Viewer; one: Decision; folded: boolean; day: number }) {
  const done = one.status === "executed";
  const meters = METERS.filter((name) => name in one.saw);
  return (
    <article class="paper decision">
      <details open={!folded}>
        <summary>
          <h3>
            <span>
              {office(one.actor)}: {order(one.type)}
            </span>{" "}
            <span class="pill" data-mood={done ? "good" : "bad"}>
              {done ? "done" : one.status === "failed" ? "failed" : "refused"}
            </span>
          </h3>
          <small>
            {when(one.tick, day)}
            <span class="brief">
              {" "}
              · <CameOfIt viewer={viewer} one={one} />
            </span>
          </small>
        </summary>
        <dl class="facts">
          <div>
            <dt>Saw</dt>
            <dd>
              {meters.length
                ? meters.map((name, i) => (
                    <>
                      {i > 0 && ", "}
                      {meterWord(name)} {Math.round(one.saw[name] * 100)} %
                    </>
                  ))
                : "a day that had passed"}{" "}
              <i class="seen">seen</i>
            </dd>
          </div>
          <div>
            <dt>Why</dt>
            <dd>
              <q title={one.reason}>
                <bdi>{reasonInWords(one.reason)}</bdi>
              </q>{" "}
              <i class="told">told</i>
            </dd>
          </div>
          <div>
            <dt>Weighed</dt>
            <dd>
              {one.weighed.length
                ? one.weighed.map(({ type, target, priority, selected }, i) => (
                    <>
                      {i > 0 && " · "}
                      <span title={target}>{order(type)}</span>{" "}
                      {selected ? <strong>{priority.toFixed(2)}</strong> : priority.toFixed(2)}
                    </>
                  ))
                : `priority ${one.priority.toFixed(2)} of 1; what else it weighed is its own`}
            </dd>
          </div>
          <div>
            <dt>Ordered</dt>
            <dd>
              <span title={one.command}>{order(one.type, one.target)}</span>
            </dd>
          </div>
          <div>
            <dt>Came of it</dt>
            <dd>
              <CameOfIt viewer={viewer} one={one} />
            </dd>
          </div>
        </dl>
      </details>
    </article>
  );
}

/** The newest decisions, up to the tick that is shown. */
export function useDecisions({ time }: Viewer, org: Organisation): Decision[] | null {
  const upTo = time.past.world ? Math.floor(time.tick / ASK_PAST_TICKS + 1) * ASK_PAST_TICKS : null;
  const decisions = useAnswer<Decision[]>(
    `admin/v1/towns/${encodeURIComponent(org.id)}/decisions${upTo === null ? "" : `?before=${upTo}`}`,
  );
  return decisions && upTo !== null ? decisions.filter(({ tick }) => tick <= time.tick) : decisions;
}

export function Council({ viewer, org }: { viewer: Viewer; org: Organisation }) {
  const decisions = useDecisions(viewer, org);
  const day = viewer.society?.day_ticks ?? 6000;
  if (!decisions?.length)
    return <p class="none">{decisions ? "The council has ordered nothing yet." : "Looking for its decisions…"}</p>;
  return (
    <div id="council">
      {decisions.slice(0, SHOWN).map((one, i) => (
        <DecisionCard key={`${one.tick} ${one.actor}`} viewer={viewer} one={one} folded={i > 0} day={day} />
      ))}
    </div>
  );
}

/** What a treasury was worth, as a line from the first point to the last. */
export function TreasuryLine({ viewer, org }: { viewer: Viewer; org: Organisation }) {
  const all = useAnswer<[tick: number, worth: number][]>(
    `${viewer.time.tape.of}series?what=treasury:${encodeURIComponent(org.id)}`,
  );
  const points = viewer.time.past.world ? all?.filter(([tick]) => tick <= viewer.time.tick) : all;
  if (!points || points.length < 2) return null;
  const day = viewer.society?.day_ticks ?? 6000;
  const [from, to] = [points[0][0], points[points.length - 1][0]];
  const most = Math.max(1, ...points.map(([, worth]) => worth));
  const line = points
    .map(
      ([tick, worth]) => `${((300 * (tick - from)) / (to - from)).toFixed(1)},${(40 - (36 * worth) / most).toFixed(1)}`,
    )
    .join(" ");
  const now = points[points.length - 1][1];
  return (
    <figure class="series" id="treasury-line">
      <svg
        viewBox="0 0 300 44"
        preserveAspectRatio="none"
        role="img"
        aria-label={`worth ${now} at last, at most ${most}, since ${when(from, day)}`}
      >
        <polyline points={line} />
      </svg>
      <figcaption>
        <small>{when(from, day)}</small>{" "}
        <small>
          worth {now}, at most {most}
        </small>
      </figcaption>
    </figure>
  );
}

export const Moods = ({ of }: { of: Record<string, number> }) => (
  <dl class="standing">
    {METERS.map((name) => {
      const share = of[name] ?? 0;
      return (
        <div>
          <dt>{meterWord(name)}</dt>
          <dd class="bar">
            <i style={{ width: `${share * 100}%` }} />
          </dd>
          <dd class="figure">{Math.round(share * 100)} %</dd>
        </div>
      );
    })}
  </dl>
);

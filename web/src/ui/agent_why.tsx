// Why somebody does what they do: what they knew, and which job they were at, as the journal gives it again.

import { useEffect, useState } from "preact/hooks";
import { IS_FILM, matchShown } from "../address.ts";
import { request } from "../answers.ts";
import { when } from "../society.ts";
import type { Viewer } from "../viewer.ts";
import { Moment } from "./lane.tsx";

// A replay takes seconds, and longer on a busy machine.
const TIMEOUT_MS = 150_000;
const SHOWN_HEARD = 4;
const SHOWN_CHARS = 240;

interface Job {
  name: string;
  is_due: boolean;
  put_off_until: number | null;
  chosen: boolean;
}

interface Reasons {
  tick: number;
  heard: { t: number; type: string; text?: string; message?: string }[];
  memory: { key: string; value: string; chars: number }[];
  last_act: { tick: number; intent: string; actions: { type: string }[] } | null;
  script: {
    basis: "recomputed" | "not recorded";
    why_not: string | null;
    job: string | null;
    since: number | null;
    need: string | null;
    thought: string | null;
    wish: string | null;
    jobs: Job[];
    acts: number;
  };
  replies: { tick: number; said: string }[] | null;
  council: { tick: number; actor: string; command: string; reason: string }[];
}

type Told = Reasons | string | null;

/** What the server says of it, or why it says nothing. */
async function askReasons(id: string, tick: number): Promise<Reasons | string> {
  try {
    const path = `admin/v1/observer/agents/${id}/why?at=${tick}`;
    const answer = await request(path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const document = await answer.json();
    if (answer.ok) return document as Reasons;
    return typeof document.details === "string" ? document.details : "This could not be found out.";
  } catch {
    return "No answer came; try again.";
  }
}

function Job({ viewer, script }: { viewer: Viewer; script: Reasons["script"] }) {
  const day = viewer.society?.day_ticks ?? 6000;
  if (script.basis !== "recomputed")
    return (
      <p class="none" id="why-job">
        Job and need: not recorded ({script.why_not})
      </p>
    );
  const due = script.jobs.filter((one) => one.is_due && !one.chosen && one.put_off_until === null);
  return (
    <p id="why-job">
      At the job <strong>{script.job}</strong>
      {script.since !== null && (
        <>
          {" "}
          since{" "}
          <Moment viewer={viewer} tick={script.since}>
            {when(script.since, day)}
          </Moment>
        </>
      )}
      ; needed {script.need}. <bdi>{script.thought}</bdi>{" "}
      <small>
        {due.length > 0 && `Also due: ${due.map(({ name }) => name).join(", ")}. `}
        {script.wish && `Wishes for: ${script.wish}. `}
        Recomputed by replay: {script.acts} acts are those of the journal.
      </small>
    </p>
  );
}

/** The panel within the inspector. It is asked for, since it takes a replay. */
export function AgentWhy({ viewer, id }: { viewer: Viewer; id: string }) {
  const [told, setTold] = useState<{ of: string; answer: Told } | null>(null);
  const [asking, setAsking] = useState(false);
  useEffect(() => setTold(null), [id]);
  if (IS_FILM || matchShown() !== null) return null;
  const find = () => {
    // The newest tick may not be in the journal yet.
    const tick = viewer.time.isPast ? viewer.time.tick : Math.max(1, viewer.time.liveTick - 1);
    setAsking(true);
    void askReasons(id, tick).then((answer) => {
      setAsking(false);
      setTold({ of: id, answer });
    });
  };
  const answer = told?.of === id ? told.answer : null;
  return (
    <div id="agent-why" aria-live="polite">
      <h3>Why</h3>
      <p>
        <button type="button" disabled={asking} onClick={find}>
          {asking ? "Replaying…" : answer ? "Ask again" : "Why this?"}
        </button>{" "}
        <small>what they knew and weighed {viewer.time.isPast ? "then" : "now"}</small>
      </p>
      {typeof answer === "string" && <p class="none">{answer}</p>}
      {answer && typeof answer !== "string" && <Answer viewer={viewer} why={answer} />}
    </div>
  );
}

function Answer({ viewer, why }: { viewer: Viewer; why: Reasons }) {
  const day = viewer.society?.day_ticks ?? 6000;
  return (
    <>
      <p>
        After{" "}
        <Moment viewer={viewer} tick={why.tick}>
          {when(why.tick, day)}
        </Moment>{" "}
        <small>tick {why.tick}</small>
      </p>
      <Job viewer={viewer} script={why.script} />
      {why.last_act && (
        <p>
          Did last:{" "}
          {why.last_act.actions.map(({ type }) => type.toLowerCase().replaceAll("_", " ")).join(", ") || "think"}{" "}
          <small>
            <Moment viewer={viewer} tick={why.last_act.tick}>
              {when(why.last_act.tick, day)}
            </Moment>
          </small>
        </p>
      )}
      <h4>What they knew</h4>
      <ol class="lately" id="why-heard">
        {why.heard.slice(-SHOWN_HEARD).map((one) => (
          <li>
            <small>{when(one.t, day).split(", ")[1]}</small>{" "}
            <span>
              {one.type.toLowerCase().replaceAll("_", " ")}{" "}
              <bdi>{(one.text ?? one.message ?? "").slice(0, SHOWN_CHARS)}</bdi>
            </span>
          </li>
        ))}
        {!why.heard.length && <li class="none">They were told nothing.</li>}
      </ol>
      {why.memory.map((note) => (
        <details>
          <summary>
            Memory <bdi>{note.key}</bdi> <small>{note.chars} characters</small>
          </summary>
          <p class="memory">
            <bdi>{note.value}</bdi>
          </p>
        </details>
      ))}
      {why.replies === null ? (
        <p class="none">A model's replies: not recorded here.</p>
      ) : (
        why.replies.map((one) => (
          <p>
            A model said: <bdi>{one.said.slice(0, SHOWN_CHARS)}</bdi>
          </p>
        ))
      )}
      {why.council.length > 0 && (
        <>
          <h4>What their council weighed</h4>
          <ol class="lately">
            {why.council.map((one) => (
              <li>
                <Moment viewer={viewer} tick={one.tick}>
                  {when(one.tick, day)}
                </Moment>{" "}
                <span>
                  {one.actor}: <bdi>{one.command}</bdi>, because <bdi>{one.reason}</bdi>
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}

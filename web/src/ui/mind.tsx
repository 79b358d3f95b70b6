// A mind among the villagers: what the language model read, chose and weighed lately, and what came of it.

import { type MindDecision, mindWords, type ShownMind, when } from "../society.ts";
import type { Viewer } from "../viewer.ts";
import { useAnswer } from "./council.tsx";
import { Moment } from "./lane.tsx";

const ASK_EVERY_MS = 3000;
const SHOWN_DECISIONS = 5;
const SHOWN_OPTIONS = 8;

const percent = (probability: number | null) => (probability === null ? "–" : `${Math.round(probability * 100)} %`);

/** The options of a decision with their probabilities; beyond the likeliest few only how many there were. */
function Weighed({ one }: { one: MindDecision }) {
  const shown = one.weighed.slice(0, SHOWN_OPTIONS);
  const more = one.weighed.length - shown.length;
  return (
    <ol class="weighed">
      {shown.map(({ letter, name, probability }) => (
        <li key={letter} data-chosen={name === one.chose}>
          <kbd>{letter}</kbd> {mindWords(name)}
          <span class="bar">
            <i style={{ width: `${(probability ?? 0) * 100}%` }} />
          </span>
          <span class="figure">{percent(probability)}</span>
        </li>
      ))}
      {more > 0 && <li class="none">and {more} more</li>}
    </ol>
  );
}

function DecisionOfMind({ viewer, one, open, day }: { viewer: Viewer; one: MindDecision; open: boolean; day: number }) {
  return (
    <details class="mind-decision" open={open}>
      <summary>
        <Moment viewer={viewer} tick={one.tick}>
          {when(one.tick, day).split(", ")[1]}
        </Moment>{" "}
        <strong>{mindWords(one.chose)}</strong>{" "}
        <small>{one.by === "rule" ? "the only option" : percent(one.weighed[0]?.probability ?? null)}</small>
      </summary>
      <h4>Read</h4>
      <pre class="read">
        <bdi>{one.read}</bdi>
      </pre>
      <h4>Weighed</h4>
      <Weighed one={one} />
      <p>
        <small>
          {one.came ? `Came of it: ${one.came}.` : "It is at it now."}
          {one.seconds ? ` The model took ${one.seconds.toFixed(1)} s.` : ""}
        </small>
      </p>
    </details>
  );
}

/** The panel of a mind in the inspector; nothing for somebody of whom the server knows no mind. */
export function MindPanel({ viewer, id }: { viewer: Viewer; id: string }) {
  const mind = useAnswer<ShownMind>(`admin/v1/observer/minds/${id}`, ASK_EVERY_MS);
  const day = viewer.society?.day_ticks ?? 6000;
  if (!mind) return null;
  return (
    <div id="mind">
      <h3>What it read, chose and weighed</h3>
      {mind.decisions === null ? (
        <p>kept private here</p>
      ) : (
        <>
          <details class="mind-rules">
            <summary>What it is always told</summary>
            <pre class="read">{mind.rules}</pre>
          </details>
          {mind.decisions.slice(0, SHOWN_DECISIONS).map((one, i) => (
            <DecisionOfMind key={one.number} viewer={viewer} one={one} open={i === 0} day={day} />
          ))}
          {!mind.decisions.length && <p class="none">It has not decided anything yet.</p>}
        </>
      )}
    </div>
  );
}

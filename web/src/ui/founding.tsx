// Shown while a village lives its first days: how far it has come, and what has happened.

import { useRef } from "preact/hooks";
import { when } from "../society.ts";
import type { Founding as Progress } from "../stream.ts";

const number = (n: number) => n.toLocaleString("en-GB");

/** The seconds that are left, estimated from the progress since the page was opened. */
function useSecondsLeft({ tick, of }: Progress): number | null {
  const first = useRef({ tick, at: performance.now() });
  const gone = tick - first.current.tick;
  if (gone < 1) return null;
  return Math.ceil((((performance.now() - first.current.at) / gone) * (of - tick)) / 1000);
}

export function Founding({ founding }: { founding: Progress }) {
  const { tick, of, day_ticks, milestones } = founding;
  const left = useSecondsLeft(founding);
  const first = milestones.findIndex((one) => one.tick === null);
  return (
    <section class="founding" id="founding" role="status" aria-label="The village is being founded">
      <h2>The village is living its first days</h2>
      <p>
        <small>
          They are lived before you come in, by the same rules, without a picture.
          {left !== null && left > 0 && ` Some ${left} s more.`}
        </small>
      </p>
      <div class="bar">
        <i style={{ width: `${(100 * tick) / of}%` }} />
      </div>
      <p class="far">
        <strong>{when(tick, day_ticks).replace("day", "Day")}</strong>{" "}
        <small>
          tick {number(tick)} of {number(of)}
        </small>
      </p>
      <ol>
        {milestones.map(({ text, tick: at }, i) => (
          <li data-state={at !== null ? "done" : i === first ? "next" : "to come"}>
            <span>{text}</span> <small>{at !== null ? when(at, day_ticks) : i === first ? "soon" : ""}</small>
          </li>
        ))}
      </ol>
    </section>
  );
}

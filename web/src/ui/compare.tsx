// Two moments seen from the same place: the kept picture at the right, the present picture at the left.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { when } from "../society.ts";
import type { Viewer } from "../viewer.ts";

/** A picture of the scene, with its moment and the place of the camera. */
export interface Kept {
  picture: HTMLCanvasElement;
  tick: number;
  wasLive: boolean;
  camera: string;
}

export function Compare({ viewer, kept, end }: { viewer: Viewer; kept: Kept; end: () => void }) {
  const [share, setShare] = useState(50);
  const frame = useRef<HTMLDivElement>(null);
  // Before the first paint, so that the place of the picture is never seen empty.
  useLayoutEffect(() => frame.current!.replaceChildren(kept.picture), [kept]);
  const { time } = viewer;
  const { tick, dayTicks, loading, problem } = time;
  const before = (ticks: number) => () => time.jump(Math.max(1, kept.tick - ticks));
  return (
    <div class="compare" id="compare" style={{ "--share": `${share}%` }}>
      <div class="kept" data-live={kept.wasLive} ref={frame} />
      <input
        type="range"
        min="0"
        max="100"
        value={share}
        aria-label="Where the two moments meet"
        aria-valuetext={`${share} % of ${when(tick, dayTicks)}`}
        onInput={({ currentTarget }) => setShare(Number(currentTarget.value))}
      />
      <p class="moment-shown">
        <strong>{when(tick, dayTicks)}</strong> <small>{problem ?? (loading ? "loading…" : `tick ${tick}`)}</small>{" "}
        <button type="button" id="hour-before" onClick={before(Math.round(dayTicks / 24))}>
          an hour before
        </button>{" "}
        <button type="button" id="day-before" disabled={kept.tick <= dayTicks} onClick={before(dayTicks)}>
          a day before
        </button>
      </p>
      <p class="moment-kept">
        <strong>{when(kept.tick, dayTicks)}</strong> <small>tick {kept.tick}</small>{" "}
        <button type="button" onClick={end}>
          End <kbd>C</kbd>
        </button>
      </p>
    </div>
  );
}

// Two runs seen from the same place at the same tick: this one at the left, the other at the right; and what differs.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Curve, Difference, SecondSide, Side } from "../past/second.ts";
import { when } from "../society.ts";
import type { Viewer } from "../viewer.ts";
import "./beside.css";

const number = (n: number) => n.toLocaleString("en-GB");
// The size of a curve, in its own units.
const WIDE = 240;
const TALL = 56;

interface Props {
  viewer: Viewer;
  second: SecondSide;
}

/** The pictures, the handle between them, and what each side is. */
export function Beside({
  viewer,
  second,
  attach,
  compareMoments,
  end,
}: Props & {
  attach(canvas: HTMLCanvasElement, overlay: HTMLCanvasElement): void;
  compareMoments(): void;
  end(): void;
}) {
  const [share, setShare] = useState(50);
  const canvas = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  useEffect(() => attach(canvas.current!, overlay.current!), [second]);
  const { time } = viewer;
  const { comparison } = second;
  const isShared = second.isShared;
  const split = comparison?.split.tick ?? null;
  const hasEnded = second.time.tape.state !== null && time.tick > second.time.liveTick;
  const said = second.why || second.time.problem || (second.world ? "" : "loading…");
  return (
    <div
      class="compare beside"
      id="beside"
      style={{ "--share": `${share}%` }}
      data-shared={isShared}
      data-ready={second.world !== null}
      data-label={comparison?.there.label}
    >
      <div class="kept" data-hidden={!second.isShown}>
        <canvas class="second" aria-label="The other run" ref={canvas} />
        <canvas class="overlay" aria-hidden="true" ref={overlay} />
      </div>
      <input
        type="range"
        min="0"
        max="100"
        value={share}
        aria-label="Where the two runs meet"
        aria-valuetext={`${share} % of this run`}
        onInput={({ currentTarget }) => setShare(Number(currentTarget.value))}
      />
      <p class="side-name here">
        <small>here</small> <strong>{label(comparison?.here, "this run")}</strong>
      </p>
      <p class="side-name there" role="status">
        <small>there</small> <strong>{label(comparison?.there, "the other run")}</strong>
        {comparison?.there.changed && <bdi> {comparison.there.changed}</bdi>}
        {said && <em> {said}</em>}
        {hasEnded && <em> ended with tick {number(second.time.liveTick)}</em>}
      </p>
      <p class="moment-shown">
        <strong>{when(time.tick, time.dayTicks)}</strong>{" "}
        <small>{isShared ? "both are one up to here" : `tick ${number(time.tick)}`}</small>{" "}
        <button type="button" id="to-split" disabled={split === null} onClick={() => go(viewer, (split ?? 0) + 1)}>
          To the split
        </button>{" "}
        <button type="button" id="two-moments" onClick={compareMoments}>
          Two moments
        </button>{" "}
        <button type="button" id="end-beside" onClick={end}>
          End <kbd>C</kbd>
        </button>
      </p>
    </div>
  );
}

const label = (side: Side | undefined, otherwise: string): string => side?.label ?? otherwise;

function go(viewer: Viewer, tick: number): void {
  viewer.time.playing = false;
  viewer.time.jump(tick);
}

/** What differs, in sentences that lead to where it begins. */
export function Differences({ viewer, second }: Props) {
  const { comparison, why } = second;
  const open = (one: Difference) => () => {
    const body = viewer.world?.crowd.list.find(({ agent }) => agent.name === one.who);
    if (body) viewer.along(body.id);
    go(viewer, one.tick);
  };
  if (!comparison)
    return (
      <section class="differences" id="differences" aria-label="What differs">
        <h2>What differs</h2>
        <p class="none">{why || "Looking where the two runs part…"}</p>
      </section>
    );
  const { here, there, split, differences, note, curves } = comparison;
  const changed = [here, there].filter((side) => side.changed);
  return (
    <section class="differences" id="differences" aria-label="What differs" data-split={split.tick}>
      <h2>What differs</h2>
      <p class="split">{sentence(split.text)}</p>
      {changed.map((side) => (
        <p>
          <b>{side === here ? "Changed here" : "Changed there"}:</b> <bdi>{side.changed}</bdi>
        </p>
      ))}
      <ol>
        {differences.map((one) => (
          <li data-side={one.side} data-kind={one.kind}>
            <button type="button" onClick={open(one)}>
              <bdi>{one.text}</bdi> <small>{when(one.tick, viewer.time.dayTicks)}</small>
            </button>
          </li>
        ))}
      </ol>
      {note && (
        <p class="none" id="differences-note">
          {sentence(note)}
        </p>
      )}
      <h3>
        Since the split <small class="key here">here</small> <small class="key there">there</small>
      </h3>
      <div class="curves">
        {curves.map((curve) => (
          <CurveShown curve={curve} />
        ))}
      </div>
    </section>
  );
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Two counts over the same time, one over the other. */
function CurveShown({ curve: { key, title, here, there } }: { curve: Curve }) {
  const most = Math.max(1, ...here, ...there);
  const steps = Math.max(1, Math.max(here.length, there.length) - 1);
  const points = (counts: number[]) =>
    counts
      .map((count, i) => `${((i / steps) * WIDE).toFixed(1)},${(TALL - (count / most) * TALL).toFixed(1)}`)
      .join(" ");
  const [now, then] = [here.at(-1) ?? 0, there.at(-1) ?? 0];
  return (
    <figure data-curve={key}>
      <figcaption>
        {title}{" "}
        <small>
          <b class="here">{number(now)}</b> · <b class="there">{number(then)}</b>
        </small>
      </figcaption>
      <svg viewBox={`-2 -3 ${WIDE + 4} ${TALL + 6}`} role="img" aria-label={`${title}: ${now} here, ${then} there`}>
        <polyline class="there" points={points(there)} />
        <polyline class="here" points={points(here)} />
      </svg>
    </figure>
  );
}

// Two runs seen from the same place at the same tick: this one at the left, the other at the right; and what differs.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Course, Curve, Difference, Point, SecondSide, Side } from "../past/second.ts";
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
  const [share, setShare] = useState(second.share);
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
        onInput={({ currentTarget }) => {
          second.share = Number(currentTarget.value);
          setShare(second.share);
        }}
      />
      <p class="side-name here">
        <small>here</small> <strong>{label(comparison?.here, "this run")}</strong> <Verified side={comparison?.here} />
      </p>
      <p class="side-name there" role="status">
        <small>there</small> <strong>{label(comparison?.there, "the other run")}</strong>
        {comparison?.there.changed && <bdi> {comparison.there.changed}</bdi>} <Verified side={comparison?.there} />
        {said && <em> {said}</em>}
        {hasEnded && (
          <em>
            {" "}
            {second.hasGrown ? "has come to" : "ended with"} tick {number(second.time.liveTick)}
          </em>
        )}
        {second.notice && (
          <em id="beside-notice">
            {" "}
            <bdi>{second.notice}</bdi>
          </em>
        )}
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

/** Whether the log of a match was verified; nothing of a world. */
function Verified({ side }: { side: Side | undefined }) {
  if (!side || side.verified === null) return null;
  return (
    <em class="verified" data-verified={side.verified}>
      {side.verified ? "verified" : `not verified: ${side.unverified}`}
    </em>
  );
}

/** Which of two runs a panel tells of. */
export function OfRun({ second, isThere }: { second: SecondSide; isThere: boolean }) {
  const side = isThere ? second.comparison?.there : second.comparison?.here;
  return (
    <p class={`of-run ${isThere ? "there" : "here"}`} id="of-run">
      <small>{isThere ? "there" : "here"}</small> <strong>{label(side, isThere ? "the other run" : "this run")}</strong>
      {side?.changed && <bdi> {side.changed}</bdi>}
    </p>
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
  const { here, there, split, differences, note, society } = comparison;
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
        The society <small class="key here">{label(here, "here")}</small>{" "}
        <small class="key there">{label(there, "there")}</small>
      </h3>
      <div class="curves">
        {society.curves.map((curve) => (
          <CurveShown
            curve={curve}
            of={society}
            split={split.tick}
            viewer={viewer}
            labels={[here.label, there.label]}
          />
        ))}
      </div>
      {society.note && (
        <p class="none" id="curves-note">
          {sentence(society.note)}
        </p>
      )}
    </section>
  );
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** A figure of a society as text: an inequality in hundredths, everything else whole. */
const figure = (key: string, value: number): string => (key === "gini" ? value.toFixed(2) : number(Math.round(value)));

interface CurveProps {
  curve: Curve;
  of: Course;
  split: number | null;
  viewer: Viewer;
  labels: readonly [here: string, there: string];
}

/** One figure of both societies over the same time, one over the other; a click goes to its moment. */
function CurveShown({ curve: { key, title, here, there }, of, split, viewer, labels }: CurveProps) {
  const values = [...here, ...there].map(([, value]) => value);
  const most = Math.max(...values, key === "gini" ? 0.01 : 1);
  const span = Math.max(1, of.last - of.first);
  const across = (tick: number) => ((tick - of.first) / span) * WIDE;
  const line = (points: Point[]) =>
    points.map(([tick, value]) => `${across(tick).toFixed(1)},${(TALL - (value / most) * TALL).toFixed(1)}`).join(" ");
  const [now, then] = [here, there].map((points) => figure(key, points.at(-1)?.[1] ?? 0));
  const name = labels[0] === labels[1] ? ["here", "there"] : labels;
  const visit = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
    go(viewer, Math.round(of.first + share * span));
  };
  return (
    <figure data-curve={key}>
      <figcaption>
        {title}{" "}
        <small>
          <b class="here">{now}</b> · <b class="there">{then}</b>
        </small>
      </figcaption>
      <svg
        viewBox={`-2 -3 ${WIDE + 4} ${TALL + 6}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${now} ${name[0]}, ${then} ${name[1]}`}
        onClick={visit}
      >
        {split !== null && split >= of.first && (
          <line class="split" x1={across(split)} x2={across(split)} y1={-3} y2={TALL + 3}>
            <title>the split</title>
          </line>
        )}
        <polyline class="there" points={line(there)} />
        <polyline class="here" points={line(here)} />
      </svg>
    </figure>
  );
}

// The time lane: what happened when, where in time the page is, and the ways to go elsewhere.

import { useEffect, useMemo, useRef } from "preact/hooks";
import { eventAddress, IS_FILM, matchShown, momentAt, pathFor } from "../address.ts";
import { type Apart, paint, type View } from "../lane.ts";
import { typedTime } from "../moment.ts";
import type { SecondSide } from "../past/second.ts";
import { SPEEDS } from "../playhead.ts";
import { when } from "../society.ts";
import type { Mark, Marks } from "../tape.ts";
import type { Viewer } from "../viewer.ts";

const SPEED_NAMES: Record<number, string> = { 0.25: "¼", 0.5: "½" };
const RANGES = ["Last hours", "Today", "All"] as const;
type Range = (typeof RANGES)[number] | "Zoomed";
const HOURS = 6;
// Marks are requested again when the lane has grown by this, or by a fraction of the visible range.
const GROWN_TICKS = 50;
const ASK_AFTER_MS = 120;
const BIN_PIXELS = 6;
const NEAR_PIXELS = 7;
const LEAST_TICKS = 100;
const LISTED_MARKS = 12;

// By position on the keyboard, since other layouts have other letters there.
const PLACES: Record<string, string> = { BracketLeft: "[", BracketRight: "]" };

const number = (n: number) => n.toLocaleString("en-GB");

/** How long ago something was, in the world's days and hours. */
function ago(ticks: number, dayTicks: number, rate: number): string {
  const hours = Math.floor((ticks * 24) / dayTicks);
  const [days, rest] = [Math.floor(hours / 24), hours % 24];
  const parts = [
    days && `${days} ${days === 1 ? "day" : "days"}`,
    rest && `${rest} ${rest === 1 ? "hour" : "hours"}`,
  ].filter(Boolean);
  return parts.length ? `${parts.join(" and ")} ago` : `${Math.round(ticks / rate)} s ago`;
}

/** The lane's own state: the range it shows, and what is known about it. It outlives the component. */
export class Lane {
  range: Range = "All";
  view: View = { from: 0, to: 1 };
  marks: Marks | null = null;
  /** The range that the marks were requested for. */
  of: View = { from: 0, to: 0 };
  pointer: number | null = null;
  /** Why the typed text is not a time. */
  complaint = "";
  private timer = 0;
  /** The tick that the lane showed last. When it changes, the lane brings it into view. */
  private shownTick = -1;

  constructor(
    private readonly viewer: Viewer,
    private readonly changed: () => void,
  ) {
    addEventListener("keydown", (event) => this.key(event));
  }

  /** The range to show, moved on with the present. */
  settle(width: number): void {
    const { time } = this.viewer;
    const { liveTick, dayTicks } = time;
    const { state } = time.tape;
    // Of another run, nothing before its beginning is of interest.
    const gone = time.isOver ? Infinity : (state?.missing[0]?.first ?? Infinity);
    const first = Math.min(state?.playable[0]?.[0] ?? 0, gone, liveTick);
    if (this.range === "All") this.view = { from: first, to: Math.max(liveTick, first + LEAST_TICKS) };
    else if (this.range === "Today") this.view = { from: Math.max(first, liveTick - dayTicks), to: liveTick };
    else if (this.range === "Last hours")
      this.view = { from: Math.max(first, liveTick - (dayTicks * HOURS) / 24), to: liveTick };
    const at = time.tick;
    if (this.range === "Zoomed" && time.isPast && at !== this.shownTick && (at < this.view.from || at > this.view.to)) {
      const half = (this.view.to - this.view.from) / 2;
      this.view = { from: Math.max(0, at - half), to: Math.max(0, at - half) + 2 * half };
    }
    this.shownTick = at;
    const { from, to } = this.view;
    const grown = Math.max(GROWN_TICKS, (to - from) / 100);
    if (!this.marks || Math.abs(this.of.from - from) > grown || Math.abs(this.of.to - to) > grown) this.ask(width);
  }

  private ask(width: number): void {
    if (this.timer) return;
    this.timer = window.setTimeout(async () => {
      const of = { ...this.view };
      const marks = await this.viewer.time.marks(
        of.from,
        Math.min(of.to, this.viewer.time.liveTick),
        Math.max(1, Math.min(400, Math.floor(width / BIN_PIXELS))),
      );
      this.timer = 0;
      if (!marks) return;
      this.marks = marks;
      this.of = { from: of.from, to: Math.min(of.to, this.viewer.time.liveTick) };
      this.changed();
    }, ASK_AFTER_MS);
  }

  zoom(factor: number, around: number): void {
    const { from, to } = this.view;
    const { liveTick } = this.viewer.time;
    const span = Math.max(LEAST_TICKS, Math.min((to - from) * factor, liveTick + LEAST_TICKS));
    const left = around - ((around - from) / (to - from)) * span;
    this.look(left, left + span);
  }

  look(from: number, to: number): void {
    const shift = Math.max(0, -from) - Math.max(0, to - Math.max(this.viewer.time.liveTick, to - from));
    this.range = "Zoomed";
    this.view = { from: from + shift, to: to + shift };
    this.changed();
  }

  /** Go to a typed moment, or show a typed range. */
  typed(text: string): void {
    const { time } = this.viewer;
    const ticks = typedTime(text, time.dayTicks);
    this.complaint = ticks ? "" : "Write a tick (13500), a day and hour (day 2 5:30), or a range of two (12000-13000).";
    if (ticks?.length === 2) this.look(ticks[0], Math.max(ticks[0] + LEAST_TICKS, ticks[1]));
    else if (ticks) {
      time.playing = false;
      time.jump(ticks[0]);
    }
    this.changed();
  }

  choose(range: Range): void {
    this.range = range;
    this.changed();
  }

  /** The mark nearest to a tick, if it is near on the screen. */
  near(tick: number, perPixel: number): Mark | undefined {
    const marks = (this.marks?.marks ?? []).filter((mark) => Math.abs(mark.tick - tick) <= NEAR_PIXELS * perPixel);
    return marks.sort((a, b) => Math.abs(a.tick - tick) - Math.abs(b.tick - tick) || b.weight - a.weight)[0];
  }

  toMark(direction: 1 | -1, all: boolean): void {
    void this.viewer.time.toMark(direction, all ? null : this.viewer.see);
  }

  private key(event: KeyboardEvent): void {
    if (
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      !["world", "society"].includes(this.viewer.place) ||
      !this.viewer.time.tape.state
    )
      return;
    const { target } = event;
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return;
    if (event.key === " " && target instanceof HTMLButtonElement) return;
    const { time } = this.viewer;
    const acts: Record<string, () => void> = {
      " ": () => time.toggle(),
      ",": () => time.step(-1),
      ".": () => time.step(1),
      "[": () => this.toMark(-1, event.altKey),
      "]": () => this.toMark(1, event.altKey),
      Home: () => time.jump(time.tape.state?.playable[0]?.[0] ?? 1),
      End: () => time.goLive(),
    };
    const act = acts[event.key] ?? acts[PLACES[event.code] ?? ""];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

/** Where two runs part, and where their differences begin. */
function apartOf(second: SecondSide | null): Apart | null {
  const { comparison } = second ?? {};
  if (!comparison || comparison.split.tick === null) return null;
  return { split: comparison.split.tick, ticks: comparison.differences.map(({ tick }) => tick) };
}

const Icon = ({ of }: { of: string }) => (
  <svg viewBox="0 0 20 20" aria-hidden="true">
    <path d={of} />
  </svg>
);

export function LaneBar({ viewer, lane, second }: { viewer: Viewer; lane: Lane; second: SecondSide | null }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const { time } = viewer;
  const { tick, isPast, liveTick, dayTicks } = time;
  const { state } = time.tape;
  const width = canvas.current?.clientWidth ?? 0;
  if (state) lane.settle(width || 800);
  useEffect(() => {
    if (canvas.current && time.tape.state)
      paint(canvas.current, lane.view, lane.of, lane.marks, time, { pointer: lane.pointer, apart: apartOf(second) });
  });
  const marks = lane.marks?.marks ?? [];
  const listed = useMemo(
    () =>
      [...marks]
        .sort((a, b) => b.weight - a.weight)
        .slice(0, LISTED_MARKS)
        .sort((a, b) => a.tick - b.tick)
        .map((mark) => (
          <li>
            <button
              type="button"
              onClick={() => {
                time.playing = false;
                time.jump(mark.tick);
              }}
            >
              {when(mark.tick, dayTicks)}: {mark.text}
            </button>
          </li>
        )),
    [lane.marks, dayTicks],
  );
  if (!state) return null;
  const { from, to } = lane.view;
  const span = Math.max(1, to - from);
  const tickAt = (event: MouseEvent) => {
    const box = canvas.current!.getBoundingClientRect();
    return from + ((event.clientX - box.left) / box.width) * span;
  };
  const perPixel = span / (width || 1);
  const near = lane.pointer === null ? undefined : lane.near(lane.pointer, perPixel);
  const here = marks.filter((mark) => Math.abs(mark.tick - tick) <= 5).sort((a, b) => b.weight - a.weight)[0];
  const said = [when(tick, dayTicks).replace("d", "D"), isPast ? here?.text : "live"].filter(Boolean).join(", ");
  const go = (at: number) => (Math.round(at) >= liveTick ? time.goLive() : time.jump(Math.round(at)));

  const press = (event: PointerEvent) => {
    const box = track.current!;
    box.setPointerCapture(event.pointerId);
    const grabbed = tickAt(event);
    let before = event.clientX;
    const move = (moved: PointerEvent) => {
      if (event.shiftKey) {
        const by = ((before - moved.clientX) / (width || 1)) * span;
        before = moved.clientX;
        lane.look(lane.view.from + by, lane.view.to + by);
      } else go(tickAt(moved));
    };
    const release = () => {
      box.removeEventListener("pointermove", move);
      box.removeEventListener("pointerup", release);
      box.removeEventListener("pointercancel", release);
    };
    box.addEventListener("pointermove", move);
    box.addEventListener("pointerup", release);
    box.addEventListener("pointercancel", release);
    if (event.shiftKey) return;
    const mark = lane.near(grabbed, perPixel);
    go(mark?.tick ?? grabbed);
    if (mark) viewer.choose(eventAddress(mark.tick, `${mark.number}`));
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    lane.zoom(Math.exp(Math.max(-80, Math.min(80, event.deltaY)) * 0.006), tickAt(event));
  };
  const arrows = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };
    const step = steps[event.key];
    if (step) go(tick + step * Math.max(1, Math.round(span / 200)));
    else if (event.key === "PageDown" || event.key === "PageUp") lane.toMark(event.key === "PageUp" ? 1 : -1, true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const away = viewer.current.state === "away";
  const pill = !isPast
    ? away
      ? "away"
      : "live"
    : time.problem
      ? "gone"
      : time.loading
        ? "loading"
        : time.playing
          ? IS_FILM
            ? "playing"
            : "the past"
          : "paused";
  return (
    <section class="lane" data-time={isPast ? "past" : "live"} aria-label="Time">
      <div class="clock">
        <p>
          <strong id="when">{when(tick, dayTicks).replace("d", "D")}</strong>{" "}
          <small>
            tick <span id="at">{number(tick)}</span>
          </small>
          <span class="pill" id="time" data-mood={isPast ? "past" : away ? "bad" : "good"} data-state={pill}>
            {pill}
          </span>
        </p>
        <div class="transport" role="group" aria-label="Play">
          <button
            type="button"
            title="To the founding (Home)"
            aria-label="To the founding"
            onClick={() => time.jump(state.playable[0]?.[0] ?? 1)}
          >
            <Icon of="M5 4v12M16 4l-8 6 8 6z" />
          </button>
          <button
            type="button"
            id="before"
            title="Event before ([)"
            aria-label="Event before"
            onClick={() => lane.toMark(-1, false)}
          >
            <Icon of="M12 4l-6 6 6 6" />
          </button>
          <button
            type="button"
            id="play"
            class="play"
            title="Play, pause (Space)"
            aria-label={isPast && !time.playing ? "Play" : "Pause"}
            onClick={() => time.toggle()}
          >
            <Icon of={isPast && !time.playing ? "M6 4l10 6-10 6z" : "M7 4v12M13 4v12"} />
          </button>
          <button
            type="button"
            id="after"
            title="Next event (])"
            aria-label="Next event"
            disabled={!isPast}
            onClick={() => lane.toMark(1, false)}
          >
            <Icon of="M8 4l6 6-6 6" />
          </button>
          <button
            type="button"
            id="live"
            title="Live (End)"
            aria-label="Live"
            disabled={!isPast}
            onClick={() => time.goLive()}
          >
            <Icon of="M15 4v12M4 4l8 6-8 6z" />
          </button>
          <select
            id="speed"
            aria-label="Speed"
            value={String(isPast ? time.speed : 1)}
            onChange={({ currentTarget }) => time.setSpeed(Number(currentTarget.value))}
          >
            {SPEEDS.map((speed) => (
              <option value={String(speed)}>{SPEED_NAMES[speed] ?? speed}×</option>
            ))}
          </select>
        </div>
      </div>
      <div
        class="track"
        id="track"
        ref={track}
        role="slider"
        tabIndex={0}
        aria-label="Time"
        aria-valuemin={Math.round(from)}
        aria-valuemax={Math.round(to)}
        aria-valuenow={tick}
        aria-valuetext={said}
        onPointerDown={press}
        onWheel={wheel}
        onKeyDown={arrows}
        onPointerMove={(event) => {
          lane.pointer = tickAt(event);
          if (canvas.current)
            paint(canvas.current, lane.view, lane.of, lane.marks, time, {
              pointer: lane.pointer,
              apart: apartOf(second),
            });
        }}
        onPointerLeave={() => {
          lane.pointer = null;
        }}
        onDblClick={(event) => {
          const at = lane.near(tickAt(event), perPixel)?.tick ?? tickAt(event);
          lane.look(at - span / 2, at + span / 2);
        }}
        title={near ? `${when(near.tick, dayTicks)}: ${near.text}` : undefined}
      >
        <canvas ref={canvas} aria-hidden="true" />
      </div>
      <div class="legend">
        <ul aria-hidden="true">
          <li data-sort="society">◆ society</li>
          <li data-sort="people">● people</li>
          <li data-sort="talk">▲ talk</li>
          <li data-sort="work">▮ work</li>
        </ul>
        <div role="group" aria-label="Which part of time">
          {RANGES.map((range) => (
            <button type="button" aria-pressed={lane.range === range} onClick={() => lane.choose(range)}>
              {range}
            </button>
          ))}
          <form
            onSubmit={(event) => {
              event.preventDefault();
              lane.typed(event.currentTarget.querySelector("input")!.value);
            }}
          >
            <input
              id="typed"
              aria-label="Go to a tick, a day and hour, or a range of two"
              placeholder="day 2 5:30…"
              title={lane.complaint || "a tick, a day and hour, or a range: 12000-13000"}
              aria-invalid={lane.complaint !== ""}
              maxLength={60}
            />
          </form>
        </div>
        {lane.complaint && (
          <small role="status" id="complaint">
            {lane.complaint}
          </small>
        )}
        {state.done < time.tape.possible && (
          <small id="making" role="status">
            {Math.round((state.done / time.tape.possible) * 100)} % of the past is made
          </small>
        )}
      </div>
      <ol class="marks-list" aria-label="What mattered">
        {listed}
      </ol>
    </section>
  );
}

/** The banner over the scene while it shows the past. */
export function PastBanner({ viewer }: { viewer: Viewer }) {
  const { time } = viewer;
  if (!time.isPast || (IS_FILM && !time.problem)) return null;
  const match = matchShown();
  const rate = time.tape.state?.tick_rate_hz ?? 5;
  const relation =
    match === null
      ? `${ago(time.liveTick - time.tick, time.dayTicks, rate)}; the world lives on`
      : `of the match ${match}, which ended ${when(time.liveTick, time.dayTicks)}`;
  return (
    <div class="past-banner" id="past" role="status">
      {time.problem ? (
        <strong>{time.problem}</strong>
      ) : (
        <>
          <strong>You are looking at {when(time.tick, time.dayTicks)}</strong>{" "}
          <span>
            {relation}
            {time.loading ? ". Loading…" : ""}
          </span>
        </>
      )}
      {IS_FILM ? null : match === null ? (
        <button type="button" id="back-to-live" onClick={() => time.goLive()}>
          Back to live <kbd>End</kbd>
        </button>
      ) : (
        <a class="button" id="back-to-match" href={pathFor("matches", null, "", match)}>
          Its moves
        </a>
      )}
    </div>
  );
}

/** A time as a link to its moment. */
export function Moment({ viewer, tick, children }: { viewer: Viewer; tick: number; children: string }) {
  if (!viewer.time.tape.state) return <time>{children}</time>;
  const go = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    viewer.time.playing = false;
    viewer.time.jump(tick);
  };
  return (
    <a
      class="see moment"
      href={momentAt(tick)}
      title={`${when(tick, viewer.time.dayTicks)}, tick ${tick}: go there`}
      onClick={go}
    >
      <time>{children}</time>
    </a>
  );
}

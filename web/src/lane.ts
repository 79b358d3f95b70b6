// Draws the time lane: days and nights, marks in three rows by sort and shape, bars of work, the playhead.

import { clockText } from "./daylight.ts";
import { ellipsis } from "./ellipsis.ts";
import { token } from "./inks.ts";
import type { Playhead } from "./playhead.ts";
import type { Mark, Marks } from "./tape.ts";

export interface View {
  from: number;
  to: number;
}

const ROWS: readonly string[] = ["society", "people", "talk"];
const DAY_HEIGHT = 18;
const ROW_TOP = 27;
const ROW_HEIGHT = 10;
const HOURS_HEIGHT = 14;
const MARK = 4;
// How tall it is marked where a difference begins.
const DIFFERENCE = 9;
const CAPTIONS = 3;
const CAPTION_CHARS = 44;
// Pixels between two texts, from a mark to its caption at most, and of a cut caption at least.
const CAPTION_GAP = 8;
const CAPTION_SHIFT = 60;
const CAPTION_LEAST = 90;
const LABEL_PIXELS = 70;
// Half of the playhead's width, so that it is drawn whole at the edges of the lane.
const PLAYHEAD = 6;
// The possible intervals between the hours that are written below the lane.
const HOUR_STEPS = [1 / 12, 1 / 4, 1 / 2, 1, 2, 3, 6, 12, 24, 72, 240, 720];

/** Hours between two labels, so that they do not touch. */
export const hourStep = (hoursPerPixel: number): number =>
  HOUR_STEPS.find((step) => step / hoursPerPixel >= LABEL_PIXELS) ?? HOUR_STEPS.at(-1)!;

type Inks = (name: string) => string;
const ink: Inks = (name) => token(`--${name}`);

function shape(pen: CanvasRenderingContext2D, sort: string, x: number, y: number, size: number): void {
  pen.beginPath();
  if (sort === "people") {
    pen.arc(x, y, size * 0.85, 0, 2 * Math.PI);
  } else if (sort === "talk") {
    pen.moveTo(x, y - size);
    pen.lineTo(x + size, y + size * 0.8);
    pen.lineTo(x - size, y + size * 0.8);
  } else {
    pen.moveTo(x, y - size);
    pen.lineTo(x + size, y);
    pen.lineTo(x, y + size);
    pen.lineTo(x - size, y);
  }
  pen.fill();
}

/** Where two runs that are compared part, and where their differences begin. */
export interface Apart {
  split: number;
  ticks: readonly number[];
}

export function paint(
  canvas: HTMLCanvasElement,
  view: View,
  of: View,
  marks: Marks | null,
  time: Playhead,
  { pointer, apart }: { pointer: number | null; apart: Apart | null },
): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const pen = canvas.getContext("2d");
  if (!pen || !width || !height || !time.tape.state) return;
  const ratio = Math.min(devicePixelRatio, 2);
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  const day = time.dayTicks;
  const span = Math.max(1, view.to - view.from);
  const x = (tick: number) => ((tick - view.from) / span) * width;
  const floor = height - HOURS_HEIGHT;

  nights(pen, ink("night"), view, day, x, floor);
  missing(pen, ink, time, view, x, floor);
  if (marks) bars(pen, ink("work"), of, marks, x, floor);
  const taken = labels(pen, ink, view, day, width, x, floor, height);
  if (apart) taken.push(...parting(pen, apart, x, width, floor, taken));
  for (const mark of marks?.marks ?? []) {
    const row = ROWS.indexOf(mark.sort);
    if (row < 0 || mark.tick < view.from || mark.tick > view.to) continue;
    pen.fillStyle = ink(mark.sort);
    shape(pen, mark.sort, x(mark.tick), ROW_TOP + row * ROW_HEIGHT, MARK);
  }
  captions(pen, ink, captioned(marks?.marks ?? [], view, pointer, (span / width) * 7), x, width, taken);
  loaded(pen, ink("past"), time, x, floor);
  playhead(
    pen,
    time.isPast ? ink("past") : ink("ink"),
    Math.max(PLAYHEAD, Math.min(x(time.tick), width - PLAYHEAD)),
    floor,
    time.loading,
  );
}

/** Draw where two runs part, with its name, and where each difference begins. */
function parting(
  pen: CanvasRenderingContext2D,
  { split, ticks }: Apart,
  x: (tick: number) => number,
  width: number,
  floor: number,
  taken: readonly [number, number][],
): [number, number][] {
  pen.fillStyle = ink("past");
  for (const tick of ticks) {
    const at = x(tick);
    if (at >= 0 && at <= width) pen.fillRect(at - 1, floor - DIFFERENCE, 2, DIFFERENCE);
  }
  const at = x(split + 1);
  if (at < 0 || at > width) return [];
  pen.fillRect(at - 1, 0, 2, floor);
  pen.font = "600 11px system-ui, sans-serif";
  pen.textBaseline = "middle";
  const wide = pen.measureText("split").width;
  const room = nearestRoom(at, wide, width, taken);
  if (!room) return [];
  pen.fillText("split", room[0], DAY_HEIGHT / 2);
  return [[room[0], room[0] + wide]];
}

function nights(
  pen: CanvasRenderingContext2D,
  colour: string,
  { from, to }: View,
  day: number,
  x: (tick: number) => number,
  floor: number,
): void {
  pen.fillStyle = colour;
  for (let dusk = Math.floor(from / day - 1) * day + day * 0.75; dusk < to; dusk += day) {
    const left = Math.max(x(dusk), 0);
    const right = x(dusk + day / 2);
    if (right > left && right - left < 4000) pen.fillRect(left, DAY_HEIGHT, right - left, floor - DAY_HEIGHT);
  }
}

/** Hatch the ticks that are gone, cannot be played, or are not recorded yet. */
function missing(
  pen: CanvasRenderingContext2D,
  ink: Inks,
  time: Playhead,
  view: View,
  x: (tick: number) => number,
  floor: number,
): void {
  const gaps: View[] = [];
  let end = Math.max(0, view.from);
  for (const [first, last] of time.tape.state!.playable) {
    if (first > end + 1) gaps.push({ from: end, to: Math.min(first, view.to) });
    end = Math.max(end, last);
  }
  pen.strokeStyle = ink("edge");
  pen.lineWidth = 1;
  for (const gap of gaps) {
    const [left, right] = [Math.max(0, x(gap.from)), x(gap.to)];
    pen.save();
    pen.beginPath();
    pen.rect(left, DAY_HEIGHT, right - left, floor - DAY_HEIGHT);
    pen.clip();
    pen.beginPath();
    for (let hatch = left - floor; hatch < right; hatch += 7) {
      pen.moveTo(hatch, floor);
      pen.lineTo(hatch + floor, 0);
    }
    pen.stroke();
    pen.restore();
  }
}

function bars(
  pen: CanvasRenderingContext2D,
  colour: string,
  of: View,
  marks: Marks,
  x: (tick: number) => number,
  floor: number,
): void {
  const place = marks.sorts.indexOf("work");
  const most = Math.max(1, ...marks.counts.map((each) => each[place]));
  const each = (of.to - of.from + 1) / marks.counts.length;
  const room = floor - ROW_TOP - 2 * ROW_HEIGHT - MARK - 4;
  pen.fillStyle = colour;
  pen.globalAlpha = 0.55;
  marks.counts.forEach((counts, i) => {
    if (!counts[place]) return;
    const left = x(of.from + i * each);
    const tall = Math.max(1.5, Math.sqrt(counts[place] / most) * room);
    pen.fillRect(left, floor - tall, Math.max(1, x(of.from + (i + 1) * each) - left - 1), tall);
  });
  pen.globalAlpha = 1;
}

function labels(
  pen: CanvasRenderingContext2D,
  ink: Inks,
  { from, to }: View,
  day: number,
  width: number,
  x: (tick: number) => number,
  floor: number,
  height: number,
): [number, number][] {
  const taken: [number, number][] = [];
  pen.textBaseline = "middle";
  pen.font = "600 12px system-ui, sans-serif";
  const perDay = (width * day) / (to - from);
  const every = Math.max(1, Math.ceil(60 / perDay));
  for (let n = Math.max(0, Math.floor(from / day)); n * day <= to; n++) {
    if (n % every) continue;
    const at = x(n * day);
    pen.fillStyle = ink("edge");
    pen.fillRect(at, 0, 1, floor);
    pen.fillStyle = ink("ink");
    const wide = pen.measureText(`Day ${n + 1}`).width;
    // A day that has just begun is named before its line, clear of the playhead at the edge.
    const left = Math.max(4, at + 5 + wide > width ? at - 5 - wide : at + 5);
    // On a narrow lane that place may belong to the day before.
    if (left < (taken.at(-1)?.[1] ?? 0)) continue;
    pen.fillText(`Day ${n + 1}`, left, DAY_HEIGHT / 2);
    taken.push([left, left + wide]);
  }
  pen.fillStyle = ink("edge");
  pen.fillRect(0, floor, width, 1);
  pen.fillStyle = ink("pale");
  pen.font = "11px system-ui, sans-serif";
  pen.textAlign = "center";
  const step = (hourStep(((to - from) * 24) / day / width) * day) / 24;
  if (step < day) {
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
      const place = x(at);
      if (place > 18 && place < width - 18)
        pen.fillText(clockText((at % day) / day), place, height - HOURS_HEIGHT / 2 + 1);
    }
  }
  pen.textAlign = "left";
  return taken;
}

/** The mark under the pointer, or else the marks in view, the weightiest first. */
function captioned(marks: readonly Mark[], { from, to }: View, pointer: number | null, reach: number): Mark[] {
  if (pointer !== null) {
    const near = marks.filter(({ tick }) => Math.abs(tick - pointer) <= reach).sort((a, b) => b.weight - a.weight);
    if (near.length) return near.slice(0, 1);
  }
  return marks.filter(({ tick }) => tick >= from && tick <= to).sort((a, b) => b.weight - a.weight);
}

/** The free space for a caption beside those that are there: from its mark or soon after it up to the next text. */
export function roomFor(
  at: number,
  wide: number,
  width: number,
  taken: readonly (readonly [number, number])[],
): [left: number, right: number] | null {
  let left = Math.max(4, Math.min(at + 4, width - wide - 4));
  for (const [from, to] of [...taken].sort(([a], [b]) => a - b))
    if (left < to + CAPTION_GAP && left + CAPTION_GAP > from) left = to + CAPTION_GAP;
  const right = Math.min(width - 4, ...taken.filter(([from]) => from > left).map(([from]) => from - CAPTION_GAP));
  return left - at > CAPTION_SHIFT || right - left < Math.min(wide, CAPTION_LEAST)
    ? null
    : [left, Math.min(right, left + wide)];
}

/** For a caption that must be visible: the nearest free space to its mark that is wide enough to read. */
export function nearestRoom(
  at: number,
  wide: number,
  width: number,
  taken: readonly (readonly [number, number])[],
): [left: number, right: number] | null {
  const labels = [...taken].sort(([a], [b]) => a - b);
  const starts = [4, ...labels.map(([, to]) => to + CAPTION_GAP)];
  const ends = [...labels.map(([from]) => from - CAPTION_GAP), width - 4];
  const away = ([left, right]: readonly [number, number]) => Math.max(left - at, at - right, 0);
  const stretches = starts
    .map((left, i) => [left, ends[i]] as const)
    .filter(([left, right]) => right - left >= Math.min(wide, CAPTION_LEAST));
  const nearest = stretches.sort((a, b) => away(a) - away(b))[0];
  if (!nearest) return null;
  const left = Math.max(nearest[0], Math.min(at + 4, nearest[1] - wide));
  return [left, Math.min(nearest[1], left + wide)];
}

function captions(
  pen: CanvasRenderingContext2D,
  ink: Inks,
  marks: readonly Mark[],
  x: (tick: number) => number,
  width: number,
  taken: [number, number][],
): void {
  pen.font = "600 11px system-ui, sans-serif";
  pen.textBaseline = "middle";
  const one = marks.length === 1;
  let spare = CAPTIONS;
  for (const mark of marks) {
    if (!spare) break;
    const most = one ? Math.floor(width / 8) : CAPTION_CHARS;
    const short = ellipsis(mark.text, (text) => text.length <= most);
    const wide = pen.measureText(short).width;
    const room =
      roomFor(x(mark.tick), wide, width, taken) ?? (one ? nearestRoom(x(mark.tick), wide, width, taken) : null);
    if (!room) continue;
    const text = ellipsis(short, (said) => pen.measureText(said).width <= room[1] - room[0] + 1);
    taken.push(room);
    spare--;
    pen.fillStyle = ink("accent");
    pen.fillRect(x(mark.tick), 2, 1, ROW_TOP - 2);
    pen.fillText(text, room[0], DAY_HEIGHT / 2);
  }
}

function loaded(
  pen: CanvasRenderingContext2D,
  colour: string,
  time: Playhead,
  x: (tick: number) => number,
  floor: number,
): void {
  if (!time.isPast) return;
  pen.fillStyle = colour;
  pen.globalAlpha = 0.6;
  for (const [first, last] of time.tape.loaded) pen.fillRect(x(first), floor, Math.max(2, x(last + 1) - x(first)), 2);
  pen.globalAlpha = 1;
}

function playhead(pen: CanvasRenderingContext2D, colour: string, at: number, floor: number, hollow: boolean): void {
  pen.fillStyle = pen.strokeStyle = colour;
  pen.lineWidth = 1.5;
  pen.fillRect(at - 1, 0, 2, floor);
  pen.beginPath();
  pen.moveTo(at - PLAYHEAD, 0);
  pen.lineTo(at + PLAYHEAD, 0);
  pen.lineTo(at + PLAYHEAD, 8);
  pen.lineTo(at, 14);
  pen.lineTo(at - PLAYHEAD, 8);
  pen.closePath();
  if (hollow) pen.stroke();
  else pen.fill();
}

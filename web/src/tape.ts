// The tape as it is sent: segments of 250 ticks, marks, and the ground of a tick. See "The past" in docs/server.md.

import { PLAIN, request } from "./answers.ts";
import { COLUMNS } from "./bytes.ts";
import type { Audit, Happening, Position, ShownAgent, Task, Tick } from "./protocol.ts";
import { type Changes, Records } from "./records.ts";

export const SEGMENT_TICKS = 250;
const VERSION = 4;
const TIMEOUT_MS = 10_000;

/** When something changed, as ticks since the change before, and by how much or to what. */
type Track<T> = [times: number[], values: T[]];

interface Tracks {
  id: string;
  name: string;
  x: Track<number>;
  y: Track<number>;
  z: Track<number>;
  yaw: Track<number>;
  hp: Track<number>;
  hunger: Track<number>;
  stamina: Track<number>;
  attached: Track<number>;
  move?: Track<Task | null>;
  work?: Track<Task | null>;
  org?: Track<string>;
  intent?: Track<string>;
  title?: Track<string>;
  gone?: Track<number>;
}
const NUMBERS = ["x", "y", "z", "yaw", "hp", "hunger", "stamina", "attached"] as const;
const THINGS = ["move", "work", "org", "intent", "title", "gone"] as const;

/** One changed block. */
export type Block = [
  offset: number,
  x: number,
  y: number,
  z: number,
  before: number,
  after: number,
  actor: string,
  reason: string,
];

export interface SegmentDocument {
  tape: number;
  n: number;
  first: number;
  last: number;
  day_ticks: number;
  agents: Tracks[];
  weather: [offset: number, weather: string][];
  events: [offset: number, happenings: Happening[]][];
  blocks: Block[];
  seasons: [tick: number, season: number][];
  society: Changes;
}

export interface Mark {
  tick: number;
  /** Its number among the public events of its tick, from 1. */
  number: number;
  kind: string;
  sort: string;
  weight: number;
  text: string;
  refs: string[];
}

export interface Marks {
  sorts: string[];
  counts: number[][];
  marks: Mark[];
}

export interface TapeState {
  world: string;
  tick: number;
  day_ticks: number;
  tick_rate_hz: number;
  playable: [first: number, last: number][];
  missing: { first: number; last: number; why: string }[];
  done: number;
  of: number;
  /** The names in each group, in the order of the bits on the tape. */
  achievements?: Record<string, string[]>;
}

/** The index of the last number up to a limit in an ascending list; -1 if there is none. */
export function lastUpTo(list: readonly number[], limit: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Turn changes into values: times from the beginning of the segment, and whole numbers. */
function settle(track: Track<unknown>, numeric: boolean): void {
  const [times, values] = track;
  for (let i = 1; i < times.length; i++) {
    times[i] += times[i - 1];
    if (numeric) values[i] = (values[i] as number) + (values[i - 1] as number);
  }
}

function valueAt<T>(track: Track<T> | undefined, offset: number): T | undefined {
  return track?.[1][lastUpTo(track[0], offset)];
}

/** The tape has a task as it was first seen; this is its state some ticks later. */
function taskAt(track: Track<Task | null> | undefined, offset: number): Task | undefined {
  if (!track) return undefined;
  const index = lastUpTo(track[0], offset);
  const task = track[1][index];
  if (!task) return undefined;
  const since = offset - track[0][index];
  const eta = task.eta_ticks ?? 0;
  const share = eta > 0 ? Math.min(1, since / eta) : 0;
  return { ...task, progress: task.progress + (1 - task.progress) * share, eta_ticks: Math.max(0, eta - since) };
}

/** Why there is nothing to see: a sentence for the reader, from the server or from this page. */
export class NotThere extends Error {}

const DAMAGED = "this part of the tape came damaged or cut short; it is asked for again";
const NO_ANSWER = "the server did not answer; it is asked again";

/** A segment, ready to be read. Throws if the document is not a segment, or has another version. */
export class Segment {
  readonly n: number;
  readonly records: Records;

  constructor(readonly document: SegmentDocument) {
    if (document.tape !== VERSION)
      throw new NotThere(`this page plays tape ${VERSION}, and this is tape ${document.tape}; load the page again`);
    const { agents, weather, events, blocks } = document;
    if (![agents, weather, events, blocks].every(Array.isArray)) throw new NotThere(DAMAGED);
    this.n = document.n;
    this.records = new Records(document.society);
    for (const tracks of agents) {
      for (const name of NUMBERS) settle(tracks[name], true);
      for (const name of THINGS) if (tracks[name]) settle(tracks[name] as Track<unknown>, false);
    }
  }

  get complete(): boolean {
    return (
      this.document.last === (this.n + 1) * SEGMENT_TICKS - 1 &&
      this.document.first <= Math.max(1, this.n * SEGMENT_TICKS)
    );
  }

  has(tick: number): boolean {
    return this.document.first <= tick && tick <= this.document.last;
  }

  /** The message that the stream sent for a tick, with all that happened after the tick `since`. */
  tickAt(tick: number, since = tick - 1): Tick {
    const { day_ticks, agents, weather } = this.document;
    const offset = tick - this.n * SEGMENT_TICKS;
    const happened = [...this.eventful(since, tick)];
    return {
      type: "TICK",
      tick,
      time_of_day: (tick % day_ticks) / day_ticks,
      weather: weather.filter(([at]) => at <= offset).at(-1)?.[1] ?? "CLEAR",
      agents: agents.flatMap((one) => agentAt(one, offset) ?? []),
      happenings: happened.flatMap(({ happenings }) => happenings),
      audits: happened.flatMap(({ audits }) => audits),
    };
  }

  /** The positions of everybody after one tick, up to another, at intervals. */
  *walks(after: number, upTo: number, step: number): Generator<{ id: string; x: number; z: number; tick: number }> {
    const start = this.n * SEGMENT_TICKS;
    const [first, last] = [
      Math.max(after + 1, this.document.first) - start,
      Math.min(upTo, this.document.last) - start,
    ];
    for (const { id, x, z, gone } of this.document.agents) {
      for (let offset = first; offset <= last; offset += step) {
        const east = valueAt(x, offset);
        if (east !== undefined && !valueAt(gone, offset))
          yield { id, x: east, z: valueAt(z, offset)!, tick: start + offset };
      }
    }
  }

  /** What happened in each tick after one, up to another; ticks without anything are left out. */
  eventful(after: number, upTo: number): { tick: number; happenings: Happening[]; audits: Audit[] }[] {
    const start = this.n * SEGMENT_TICKS;
    const byTick = new Map<number, { tick: number; happenings: Happening[]; audits: Audit[] }>();
    const momentOf = (tick: number) => {
      if (!byTick.has(tick)) byTick.set(tick, { tick, happenings: [], audits: [] });
      return byTick.get(tick)!;
    };
    const within = (offset: number) => offset > after - start && offset <= upTo - start;
    for (const [offset, happened] of this.document.events)
      if (within(offset)) momentOf(start + offset).happenings.push(...happened);
    for (const [offset, x, y, z, from, to, actor, reason] of this.document.blocks) {
      if (within(offset)) momentOf(start + offset).audits.push({ actor, pos: [x, y, z], from, to, reason });
    }
    return [...byTick.values()].sort((a, b) => a.tick - b.tick);
  }
}

function agentAt(tracks: Tracks, offset: number): ShownAgent | undefined {
  if (lastUpTo(tracks.x[0], offset) < 0 || valueAt(tracks.gone, offset)) return undefined;
  const number = (name: (typeof NUMBERS)[number]) => valueAt(tracks[name], offset) ?? 0;
  const pos: Position = [number("x"), number("y"), number("z")];
  const optional = {
    org_id: valueAt(tracks.org, offset) || undefined,
    move_task: taskAt(tracks.move, offset),
    work_task: taskAt(tracks.work, offset),
    title: valueAt(tracks.title, offset),
    intent: valueAt(tracks.intent, offset),
  };
  const present = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return {
    id: tracks.id,
    name: tracks.name,
    connected: number("attached") > 0,
    pos,
    yaw: number("yaw"),
    hp: number("hp"),
    hunger: number("hunger"),
    stamina_milli: number("stamina"),
    ...present,
  };
}

/** The cells of chunks after a tick. They follow the changes in segments, forwards and backwards. */
export class Cells {
  readonly chunks = new Map<string, Uint8Array>();

  constructor(public tick: number) {}

  /** Go to another tick, with the segments on the way in order; returns the chunks that changed. */
  follow(tick: number, segments: readonly Segment[]): Set<string> {
    const changed = new Set<string>();
    const forth = tick > this.tick;
    const [low, high] = forth ? [this.tick, tick] : [tick, this.tick];
    for (const segment of forth ? segments : [...segments].reverse()) {
      const { blocks } = segment.document;
      for (let i = 0; i < blocks.length; i++) {
        const [offset, x, y, z, before, after] = blocks[forth ? i : blocks.length - 1 - i];
        const changeTick = segment.n * SEGMENT_TICKS + offset;
        if (changeTick <= low || changeTick > high) continue;
        const key = `${x >> 4},${z >> 4}`;
        const cells = this.chunks.get(key);
        if (!cells) continue;
        cells[(y << 8) | ((z & 15) << 4) | (x & 15)] = forth ? after : before;
        changed.add(key);
      }
    }
    this.tick = tick;
    return changed;
  }
}

const RECORD_BYTES = 8 + COLUMNS * 64;

/** The chunks of an answer: two numbers and the cells each. A chunk that is cut short is left out. */
export function readGround(bytes: Uint8Array): Map<string, Uint8Array> {
  const chunks = new Map<string, Uint8Array>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + RECORD_BYTES <= bytes.length; at += RECORD_BYTES) {
    chunks.set(`${view.getInt32(at, true)},${view.getInt32(at + 4, true)}`, bytes.slice(at + 8, at + RECORD_BYTES));
  }
  return chunks;
}

/** The topmost block of each column of a chunk. */
export function surfaceOf(cells: Uint8Array): { block: Uint16Array; top: Uint8Array } {
  const surface = { block: new Uint16Array(COLUMNS), top: new Uint8Array(COLUMNS) };
  for (let column = 0; column < COLUMNS; column++) {
    let y = cells.length / COLUMNS - 1;
    while (y > 0 && !cells[y * COLUMNS + column]) y--;
    surface.block[column] = cells[y * COLUMNS + column];
    surface.top[column] = y;
  }
  return surface;
}

// Asking the server

/** Where the server answers about its own world. */
export const OWN = "admin/v1/observer/";

async function get(path: string, of: string): Promise<Response> {
  const answer = await request(`${of}${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => null);
  if (!answer) throw new NotThere(NO_ANSWER);
  if (answer.ok) return answer;
  const { details } = await answer.json().catch(() => ({ details: null }));
  throw new NotThere(
    typeof details === "string"
      ? details
      : (details?.violations?.[0]?.message ?? `the server gave no reason (${answer.status})`),
  );
}

/** The content of a compressed answer, or a sentence if it is damaged. */
async function unpacked<T>(path: string, of: string, read: (answer: Response) => Promise<T>): Promise<T> {
  const answer = await get(path, of);
  try {
    const isPlain = answer.headers.get("Content-Type") === PLAIN;
    return await read(isPlain ? answer : new Response(answer.body!.pipeThrough(new DecompressionStream("gzip"))));
  } catch (problem) {
    throw problem instanceof NotThere ? problem : new NotThere(DAMAGED);
  }
}

export const askState = async (of = OWN): Promise<TapeState> => (await get("tape", of)).json();

export const askMarks = async (from: number, to: number, bins: number, of = OWN): Promise<Marks> =>
  (await get(`marks?from=${from}&to=${to}&bins=${bins}`, of)).json();

export const askSegment = (n: number, world: string, of = OWN): Promise<Segment> =>
  unpacked(`tape/${n}?of=${world}&v=${VERSION}`, of, async (answer) => new Segment(await answer.json()));

/** The records of a segment that only an open book shows. */
export const askPrivate = (n: number, world: string, of = OWN): Promise<Records> =>
  unpacked(
    `tape/${n}/private?of=${world}&v=${VERSION}`,
    of,
    async (answer) => new Records((await answer.json()).private),
  );

/** How many blocks were changed in squares of the ground, in a range of ticks. */
export const askActivity = async (
  from: number,
  to: number,
  of = OWN,
): Promise<[x: number, z: number, mined: number, placed: number][]> =>
  (await get(`activity?from=${from}&to=${to}`, of)).json();

/** Chunks around one, after a tick. */
export interface GroundWish {
  tick: number;
  cx: number;
  cz: number;
  r: number;
}

export const askGround = ({ tick, cx, cz, r }: GroundWish, of = OWN): Promise<Map<string, Uint8Array>> =>
  unpacked(`ground?tick=${tick}&cx=${cx}&cz=${cz}&r=${r}`, of, async (answer) =>
    readGround(new Uint8Array(await answer.arrayBuffer())),
  );

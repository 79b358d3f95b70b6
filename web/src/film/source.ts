// Answers what the page asks for from the documents of a film, as a server answers it from the tape.

import { PLAIN } from "../answers.ts";
import type { Building } from "../buildings.ts";
import { COLUMNS } from "../bytes.ts";
import {
  Cells,
  type Mark,
  type Marks,
  readGround,
  SEGMENT_TICKS,
  Segment,
  surfaceOf,
  type TapeState,
} from "../tape.ts";
import { packed, readAbout, unpacked } from "./documents.ts";

const OBSERVER = "admin/v1/observer/";
// As a server has them.
const MARKS_SHOWN = 400;
const CHANGES_SHOWN = 10;
const DECISIONS_SHOWN = 20;
// A builder never pauses longer than that: a night.
const PAUSE_TICKS = 3000;
const NOT_HERE = "this film does not hold that";

/** Documents that are asked for as they are. */
const WHOLE: Record<string, string> = {
  [`${OBSERVER}bootstrap`]: "bootstrap",
  [`${OBSERVER}tape`]: "state",
  [`${OBSERVER}society`]: "society",
  [`${OBSERVER}buildings`]: "buildings",
  [`${OBSERVER}elections`]: "elections",
  "v1/story/stream": "story",
};

interface FilmState extends TapeState {
  /** The ticks with which a season began. */
  seasons: number[];
}

interface FilmMarks extends Omit<Marks, "counts"> {
  bin_ticks: number;
  /** By the number of the segment. */
  counts: Record<string, number[][]>;
}

interface Keyframe {
  tick: number;
  chunks: Map<string, Uint8Array>;
}

interface PlaceChange {
  tick: number;
  before: number;
  after: number;
  actor: string;
  reason: string;
}

type Query = (name: string) => number;

const say = (value: unknown): Response => new Response(JSON.stringify(value));
const refuse = (why: string): Response => new Response(JSON.stringify({ details: why }), { status: 404 });
const bytesOf = (bytes: Uint8Array<ArrayBuffer>): Response =>
  new Response(bytes, { headers: { "Content-Type": PLAIN } });

const segmentOf = (tick: number): number => Math.floor(tick / SEGMENT_TICKS);

export class FilmSource {
  private readonly about = readAbout();
  private readonly segments = new Map<number, Promise<Segment>>();
  private readonly documents = new Map<string, Promise<unknown>>();
  private keyframes: Promise<Keyframe[]> | null = null;

  /** Answer a request. */
  async answer(path: string): Promise<Response> {
    const { pathname, searchParams } = new URL(path, "film:/");
    const name = pathname.replace(/^\/+/, "");
    const query = (part: string) => Number(searchParams.get(part) ?? Number.NaN);
    if (name === "about") return say(this.about);
    if (Object.hasOwn(WHOLE, name)) return (await unpacked(WHOLE[name])) ?? refuse(NOT_HERE);
    const tape = /^tape\/(\d{1,9})(\/private)?$/.exec(name.replace(OBSERVER, ""));
    if (tape) return this.segmentAnswer(Number(tape[1]), tape[2] !== undefined);
    const place = /^places\/(-?\d+),(-?\d+),(-?\d+)\/changes$/.exec(name.replace(OBSERVER, ""));
    if (place) return say(await this.changes(place.slice(1).map(Number), query("tick")));
    const council = /^admin\/v1\/towns\/([^/]+)\/decisions$/.exec(name);
    if (council) return say(await this.decisions(decodeURIComponent(council[1]), query("before")));
    switch (name.replace(OBSERVER, "")) {
      case "marks":
        return say(await this.marks(query("from"), query("to"), query("bins")));
      case "activity":
        return say(await this.activity(query("from"), query("to")));
      case "ground":
        return this.ground(query);
      case "surfaces":
        return this.surfaces(query);
      case "rising":
        return this.rising(searchParams.get("building") ?? "");
      case "series":
        return say(await this.series(searchParams.get("what") ?? ""));
    }
    return refuse(NOT_HERE);
  }

  private segmentAnswer(n: number, isPrivate: boolean): Response {
    const bytes = packed(`${isPrivate ? "private" : "tape"}/${n}`);
    const { first, last } = this.about;
    return bytes ? new Response(bytes) : refuse(`This film begins with tick ${first} and ends with tick ${last}`);
  }

  private segment(n: number): Promise<Segment> {
    const known = this.segments.get(n);
    if (known) return known;
    const read = unpacked(`tape/${n}`).then(async (answer) => new Segment(await answer!.json()));
    this.segments.set(n, read);
    return read;
  }

  /** The segments of a range of ticks that the film has, in order. */
  private between(from: number, to: number): Promise<Segment[]> {
    const first = segmentOf(Math.max(from, this.about.first));
    const last = segmentOf(Math.min(to, this.about.last));
    const numbers = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
    return Promise.all(numbers.map((n) => this.segment(n)));
  }

  private json<T>(name: string): Promise<T> {
    const known = this.documents.get(name) ?? unpacked(name).then((answer) => answer!.json());
    this.documents.set(name, known);
    return known as Promise<T>;
  }

  private async marks(from: number, to: number, bins: number): Promise<Marks> {
    const { sorts, bin_ticks, counts, marks } = await this.json<FilmMarks>("marks");
    const binned = Array.from({ length: bins }, () => sorts.map(() => 0));
    for (const [n, rows] of Object.entries(counts)) {
      for (const [i, row] of rows.entries()) {
        const tick = Number(n) * SEGMENT_TICKS + i * bin_ticks;
        if (tick + bin_ticks <= from || tick > to) continue;
        const at = Math.max(0, Math.min(bins - 1, Math.floor(((tick - from) * bins) / (to - from + 1))));
        for (const [sort, count] of row.entries()) binned[at][sort] += count;
      }
    }
    const within = marks.filter(({ tick }) => from <= tick && tick <= to);
    const heaviest = within.sort((a, b) => b.weight - a.weight || a.tick - b.tick).slice(0, MARKS_SHOWN);
    // A copy each: the page writes names into their texts.
    const shown = heaviest.sort((a, b) => a.tick - b.tick).map((mark): Mark => ({ ...mark }));
    return { sorts, counts: binned, marks: shown };
  }

  /** Squares of eight by eight cells, with how many blocks were taken away and put there. */
  private async activity(from: number, to: number): Promise<number[][]> {
    const squares = new Map<string, number[]>();
    for (const segment of await this.between(from, to)) {
      const { first, last, blocks } = segment.document;
      if (first < from || last > to) continue;
      for (const [, x, , z, , after] of blocks) {
        const key = `${x >> 3},${z >> 3}`;
        const square = squares.get(key) ?? [x >> 3, z >> 3, 0, 0];
        square[after === 0 ? 2 : 3]++;
        squares.set(key, square);
      }
    }
    return [...squares.values()];
  }

  private async changes([x, y, z]: number[], upTo: number): Promise<PlaceChange[]> {
    const last = Number.isNaN(upTo) ? this.about.last : upTo;
    const found: PlaceChange[] = [];
    for (const segment of await this.between(this.about.first, last)) {
      for (const [offset, bx, by, bz, before, after, actor, reason] of segment.document.blocks) {
        const tick = segment.n * SEGMENT_TICKS + offset;
        if (bx === x && by === y && bz === z && tick <= last) found.push({ tick, before, after, actor, reason });
      }
    }
    return found.reverse().slice(0, CHANGES_SHOWN);
  }

  private async decisions(town: string, before: number): Promise<unknown[]> {
    const all = await this.json<{ town: string; tick: number }[]>("decisions");
    return all
      .filter((one) => one.town === town && !(one.tick >= before))
      .reverse()
      .slice(0, DECISIONS_SHOWN);
  }

  private async series(what: string): Promise<[number, number][]> {
    const samples = await this.json<{ tick: number; treasuries: Record<string, number> }[]>("treasuries");
    const of = what.replace(/^treasury:/, "");
    return samples
      .filter(({ treasuries }) => Object.hasOwn(treasuries, of))
      .map(({ tick, treasuries }) => [tick, treasuries[of]]);
  }

  /** In which ticks of the film a building was put up. */
  private async rising(id: string): Promise<Response> {
    const building = (await this.json<Building[]>("buildings")).find((one) => one.id === id);
    if (!building) return refuse(NOT_HERE);
    const { low, high, completed_tick: completed } = building;
    const ticks: number[] = [];
    for (const segment of await this.between(this.about.first, completed)) {
      for (const [offset, x, y, z, , after] of segment.document.blocks) {
        const inside = [x, y, z].every((value, axis) => low[axis] <= value && value <= high[axis]);
        const tick = segment.n * SEGMENT_TICKS + offset;
        if (after && inside && tick <= completed) ticks.push(tick);
      }
    }
    let begun = completed;
    for (const tick of ticks.reverse()) {
      if (begun - tick > PAUSE_TICKS) break;
      begun = tick;
    }
    return ticks.length ? say({ first: begun, last: completed }) : refuse("It was built before this film begins");
  }

  /** The ground that the film holds: each keyframe has the chunks that came into view with its tick. */
  private readKeyframes(): Promise<Keyframe[]> {
    const names = Object.keys(this.about.contents).filter((name) => name.startsWith("ground/"));
    this.keyframes ??= Promise.all(
      names.map(async (name) => ({
        tick: Number(name.slice("ground/".length)),
        chunks: readGround(new Uint8Array(await (await unpacked(name))!.arrayBuffer())),
      })),
    );
    return this.keyframes;
  }

  /** The keyframes of the season that a tick is in: between two seasons the land itself is another. */
  private async keyframesFor(tick: number): Promise<Keyframe[]> {
    const { seasons } = await this.json<FilmState>("state");
    const seasonOf = (at: number) => seasons.filter((begun) => begun <= at).length;
    return (await this.readKeyframes()).filter((one) => seasonOf(one.tick) === seasonOf(tick));
  }

  private async ground(query: Query): Promise<Response> {
    const [tick, cx, cz, r] = ["tick", "cx", "cz", "r"].map(query);
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for (const { tick: from, chunks } of await this.keyframesFor(tick)) {
      const cells = new Cells(from);
      for (const [key, bytes] of chunks) {
        const [x, z] = key.split(",").map(Number);
        if (Math.max(Math.abs(x - cx), Math.abs(z - cz)) <= r) cells.chunks.set(key, bytes.slice());
      }
      if (!cells.chunks.size) continue;
      cells.follow(tick, await this.between(Math.min(from, tick) + 1, Math.max(from, tick)));
      for (const [key, bytes] of cells.chunks) parts.push(keyed(key, bytes));
    }
    return bytesOf(joined(parts));
  }

  /** The land from above, as it was when it came into view. */
  private async surfaces(query: Query): Promise<Response> {
    const [x0, z0, x1, z1] = ["x0", "z0", "x1", "z1"].map((name) => query(name) >> 4);
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for (const { chunks } of await this.keyframesFor(this.about.first)) {
      for (const [key, cells] of chunks) {
        const [cx, cz] = key.split(",").map(Number);
        if (cx < x0 || cx > x1 || cz < z0 || cz > z1) continue;
        const { block, top } = surfaceOf(cells);
        const columns = new Uint8Array(3 * COLUMNS);
        for (let i = 0; i < COLUMNS; i++) columns.set([block[i] & 255, block[i] >> 8, top[i]], 3 * i);
        parts.push(keyed(key, columns));
      }
    }
    return bytesOf(joined(parts));
  }
}

/** The record of a chunk: its two numbers, and what is told of it. */
function keyed(key: string, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const record = new Uint8Array(8 + content.length);
  const view = new DataView(record.buffer);
  for (const [i, number] of key.split(",").entries()) view.setInt32(4 * i, Number(number), true);
  record.set(content, 8);
  return record;
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

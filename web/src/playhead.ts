// Where in time the page is: live, or at a tick of the past that stands or plays. One playhead drives everything.

import { Chronicle } from "./chronicle.ts";
import { Known } from "./known.ts";
import type { Bootstrap, Position } from "./protocol.ts";
import { placeOf, type Records, type Refusal, societyOf } from "./records.ts";
import { plainly } from "./says.ts";
import type { Items, Society } from "./society.ts";
import {
  askActivity,
  askGround,
  askMarks,
  askPrivate,
  askSegment,
  askState,
  Cells,
  type Marks,
  SEGMENT_TICKS,
  type Segment,
  surfaceOf,
  type TapeState,
} from "./tape.ts";
import { VOXEL_RADIUS } from "./terrain.ts";
import { Traces } from "./traces.ts";

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 16, 64] as const;
// Of what was loaded, so much stays.
const KEPT_SEGMENTS = 40;
// How many segments are loaded ahead: of a slow playhead, and of a fast one.
const AHEAD = 2;
const FAR_AHEAD = 8;
const FAST = 16;
// While it plays, the picture changes at most so often.
const SHOW_EVERY_MS = 90;
// A segment that still grows is asked for again, and so is the state, no sooner than this.
const AGAIN_MS = 1000;
const STATE_EVERY_MS = 10_000;
const GROUND_RADIUS = 6;
// The ground is asked for anew when the view has moved so many chunks, or the ground so many segments.
const MOVED_CHUNKS = 3;
// How far away the next mark is looked for first: nearly all marks of that time are told.
const NEAR_TICKS = 2000;
const FOLLOWED_SEGMENTS = 4;
// In place of the segment that a problem is about: the ground cannot be shown.
const NO_GROUND = -2;
// So many segments before the one that is shown tell what happened lately and where people went: some hours.
const BEHIND = 4;

interface Place {
  x: number;
  z: number;
}

export class Playhead {
  state: TapeState | null = null;
  /** Of the segments that are over, how many there can be. */
  possible = 0;
  /** The tick that is shown; null while the page is live. */
  at: number | null = null;
  playing = false;
  speed = 1;
  /** Why the tick that was asked for cannot be shown. */
  problem: string | null = null;
  known: Known | null = null;
  chronicle = new Chronicle();
  traces = new Traces();
  /** The last tick that came from the stream. */
  liveTick = 0;
  private readonly segments = new Map<number, Segment>();
  private readonly asking = new Map<number, number>();
  /** The segment that the problem is about. */
  private troubled = -1;
  private shown = -1;
  private shownAt = 0;
  private frameAt = 0;
  private cells: Cells | null = null;
  /** The chunk in the middle of the ground that was fetched, and the one around which every block is shown. */
  private centre: readonly [cx: number, cz: number] = [0, 0];
  private near: readonly [cx: number, cz: number] = [0, 0];
  private askingGround = false;
  /** When it was last told that the ground cannot be shown. */
  private groundAt = -Infinity;
  private stateAt = -Infinity;
  /** The society of the tick that is shown, and of which records it was made. */
  society: Society | null = null;
  private madeOf = "";
  private shownSegment: Segment | null = null;
  /** From which segment on it is told what happened, and whether where blocks were changed. */
  private toldFrom = Infinity;
  private readonly activity = new Map<number, [number, number, number, number][]>();
  private readonly privates = new Map<number, { last: number; records: Records }>();
  private readonly askingPrivate = new Map<number, number>();

  constructor(
    private readonly changed: () => void,
    private readonly bootstrap: () => Bootstrap | null,
    /** What the view is centred on, given who is where. */
    private readonly focus: (whereIs: (id: string) => Position | undefined) => Place,
    private readonly nameOf: (id: string) => string,
    private readonly today: () => Society | null,
  ) {}

  get isPast(): boolean {
    return this.at !== null;
  }

  get loading(): boolean {
    return this.at !== null && this.problem === null && (this.shown !== Math.floor(this.at) || !this.cells);
  }

  get tick(): number {
    return this.at === null ? this.liveTick : Math.floor(this.at);
  }

  get dayTicks(): number {
    return this.state?.day_ticks ?? 6000;
  }

  /** Ticks whose segments are loaded. */
  get loaded(): [number, number][] {
    return [...this.segments.values()].map(({ document }) => [document.first, document.last]);
  }

  // From the reader

  jump(tick: number): void {
    this.groundAt = -Infinity;
    this.at = Math.max(Math.min(1, this.liveTick), Math.min(tick, this.liveTick));
    this.problem = null;
    this.troubled = -1;
    this.advance();
    if (tick > this.liveTick + 1)
      this.problem = `Tick ${digits(tick)} has not come yet; the last one was ${digits(this.liveTick)}`;
    this.changed();
  }

  goLive(): void {
    this.at = null;
    this.playing = false;
    this.problem = null;
    this.known = this.cells = this.society = this.shownSegment = null;
    this.shown = -1;
    this.toldFrom = Infinity;
    this.changed();
  }

  toggle(): void {
    if (this.at === null) {
      this.playing = false;
      this.jump(this.liveTick);
    } else {
      this.playing = !this.playing;
    }
    this.changed();
  }

  step(ticks: number): void {
    this.playing = false;
    this.jump(this.tick + ticks);
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    if (this.at === null) this.jump(this.liveTick);
    this.playing = true;
    this.changed();
  }

  /** Go to the next mark, or the one before; of one thing if it is given. */
  async toMark(direction: 1 | -1, of: string | null): Promise<void> {
    const here = this.tick;
    const next = async (from: number, to: number) => {
      const all = (await this.marks(from, to, 1))?.marks ?? [];
      const mine = all.filter(
        ({ tick, refs }) => (direction > 0 ? tick > here : tick < here) && (of === null || refs.includes(of)),
      );
      return direction > 0 ? mine[0] : mine.at(-1);
    };
    const near = direction > 0 ? next(here + 1, here + NEAR_TICKS) : next(here - NEAR_TICKS, here - 1);
    const found = (await near) ?? (await next(0, this.liveTick));
    if (!found || this.tick !== here) return;
    this.playing = false;
    this.jump(found.tick);
  }

  /** The segment of a tick, asked for if it is not there. */
  segmentOf(tick: number): Segment | null {
    const n = Math.floor(tick / SEGMENT_TICKS);
    if (!this.isGone(tick)) this.need(n, tick);
    const segment = this.segments.get(n);
    return segment?.has(tick) ? segment : null;
  }

  /** Whether a tick is none of those that can be looked at. */
  isGone(tick: number): boolean {
    return (
      this.state !== null &&
      tick < this.state.tick &&
      !this.state.playable.some(([from, to]) => from <= tick && tick <= to)
    );
  }

  // From the server

  async marks(from: number, to: number, bins: number): Promise<Marks | null> {
    const found = await askMarks(Math.max(0, Math.floor(from)), Math.max(0, Math.floor(to)), bins).catch(() => null);
    for (const mark of found?.marks ?? []) mark.text = plainly(mark.text, this.nameOf);
    return found;
  }

  /** A new world was begun, or the same one again. */
  begin(): void {
    this.stateAt = -Infinity;
    this.segments.clear();
    if (this.at !== null) this.known = this.cells = null;
    this.shown = -1;
  }

  async refresh(now: number): Promise<void> {
    if (now - this.stateAt < STATE_EVERY_MS) return;
    this.stateAt = now;
    const state = await askState().catch(() => null);
    if (!state) return;
    if (this.state && state.world !== this.state.world)
      for (const kept of [this.segments, this.activity, this.privates]) kept.clear();
    if (!this.state) this.problem = null;
    this.state = state;
    this.possible = this.countPossible(state);
    this.liveTick = Math.max(this.liveTick, state.tick);
    if (this.at !== null) this.advance();
    this.changed();
  }

  /** Called for every frame. */
  frame(now: number): void {
    const elapsed = now - this.frameAt;
    this.frameAt = now;
    if (this.at === null) return;
    if (
      this.playing &&
      this.segments.get(Math.floor(this.at / SEGMENT_TICKS))?.has(Math.floor(this.at)) &&
      this.cells
    ) {
      this.at += (Math.min(elapsed, 500) / 1000) * (this.state?.tick_rate_hz ?? 5) * this.speed;
      if (this.at >= this.liveTick) {
        this.goLive();
        return;
      }
    }
    if (now - this.shownAt >= SHOW_EVERY_MS) this.advance();
  }

  private advance(): void {
    if (this.at === null) return;
    const tick = Math.floor(this.at);
    const n = Math.floor(tick / SEGMENT_TICKS);
    const ahead = !this.playing ? 0 : this.speed >= FAST ? FAR_AHEAD : AHEAD;
    for (let i = n; i <= n + ahead && i * SEGMENT_TICKS <= this.liveTick; i++)
      this.need(i, i === n ? tick : i * SEGMENT_TICKS);
    const segment = this.segments.get(n);
    if (segment?.has(tick)) this.show(segment, tick);
  }

  /** How many segments that are over are on the tape or can be put there. */
  private countPossible({ missing, of }: TapeState): number {
    const impossible = new Set<number>();
    for (const { first, last } of missing) {
      for (let n = Math.floor(first / SEGMENT_TICKS); n * SEGMENT_TICKS <= last && n < of; n++)
        if (!this.has(n)) impossible.add(n);
    }
    return of - impossible.size;
  }

  /** Whether a segment is on the tape. */
  private has(n: number): boolean {
    const [first, last] = [Math.max(1, n * SEGMENT_TICKS), (n + 1) * SEGMENT_TICKS - 1];
    return this.state?.playable.some(([from, to]) => from <= first && last <= to) ?? false;
  }

  private need(n: number, tick: number): void {
    const kept = this.segments.get(n);
    if (kept?.has(tick) || !this.state) return;
    const now = performance.now();
    if (now - (this.asking.get(n) ?? -Infinity) < AGAIN_MS) return;
    this.asking.set(n, now);
    askSegment(n, this.state.world).then(
      (segment) => {
        this.segments.delete(n);
        this.segments.set(n, segment);
        if (this.segments.size > KEPT_SEGMENTS) this.segments.delete(this.segments.keys().next().value!);
        if (this.troubled === n) this.problem = null;
        this.advance();
        this.changed();
      },
      (problem: Error) => {
        if (this.at === null || Math.floor(this.at / SEGMENT_TICKS) !== n) return;
        this.problem = problem.message;
        this.troubled = n;
        this.playing = false;
        this.changed();
      },
    );
  }

  private show(segment: Segment, tick: number): void {
    const bootstrap = this.bootstrap();
    if (!bootstrap) return;
    const now = performance.now();
    this.moveGround(segment, tick);
    if (this.cells && this.known && this.toldFrom > segment.n - BEHIND && segment.has(this.shown))
      this.tellBefore(segment, this.shown, this.known);
    if (this.shownSegment) this.takeRecords(this.shownSegment, this.shown);
    if (!this.cells || tick === this.shown) return;
    this.known ??= this.newKnown(bootstrap);
    const { known } = this;
    const goesOn = tick > this.shown && tick - this.shown <= SEGMENT_TICKS && this.shown >= 0;
    const told = segment.tickAt(tick, goesOn ? this.shown : tick - 1);
    known.tick = told;
    known.heardAt = now;
    known.crowd.take(told.agents, now);
    this.shownSegment = segment;
    this.takeRecords(segment, tick);
    if (goesOn) {
      this.traces.take(told);
      this.chronicle.takeEach(segment, this.shown, tick, known.looks, this.nameOf);
    } else {
      this.toldFrom = Infinity;
      this.tellBefore(segment, tick, known);
    }
    for (const one of segment.tickAt(tick, Math.max(tick - 15, goesOn ? this.shown : 0)).happenings ?? []) {
      if (one.kind === "CHAT" && one.from && one.text)
        known.crowd.get(one.from)?.say(plainly(one.text, this.nameOf), now);
    }
    this.shown = tick;
    this.shownAt = now;
    this.changed();
  }

  /** Tell what happened before, and where people went: from the segments before this one, as far as they are there. */
  private tellBefore(segment: Segment, tick: number, known: Known): void {
    const least = Math.max(0, segment.n - BEHIND);
    for (let n = segment.n - 1; n >= least; n--) if (this.has(n)) this.need(n, Math.max(1, n * SEGMENT_TICKS));
    let from = segment.n;
    while (from > least && this.segments.get(from - 1)?.complete) from--;
    if (!this.activity.has(segment.n)) {
      if (this.activity.size > KEPT_SEGMENTS) this.activity.clear();
      this.activity.set(segment.n, []);
      void askActivity(0, segment.n * SEGMENT_TICKS - 1).then(
        (squares) => {
          this.activity.set(segment.n, squares);
          this.toldFrom = Infinity;
        },
        () => {},
      );
    }
    if (from >= this.toldFrom) return;
    this.toldFrom = from;
    [this.chronicle, this.traces] = [new Chronicle(), new Traces()];
    for (let n = from; n < segment.n; n++) this.tell(this.segments.get(n)!, Infinity, known);
    this.tell(segment, tick, known);
    this.traces.takeSquares(this.activity.get(segment.n) ?? []);
    for (const [offset, x, , z, , to] of segment.document.blocks) {
      if (segment.n * SEGMENT_TICKS + offset <= tick)
        this.traces.square(x >> 3, z >> 3)[to === 0 ? "mined" : "placed"]++;
    }
  }

  private tell(segment: Segment, upTo: number, known: Known): void {
    this.chronicle.takeEach(segment, segment.document.first - 1, upTo, known.looks, this.nameOf);
    this.traces.takeWalks(segment, segment.document.first - 1, upTo);
  }

  /**
   * What happened before a tick of now, and where: for a page that has just been opened. Insisting, it fails if a part
   * does.
   */
  async before(
    tick: number,
    known: Known,
    nameOf: (id: string) => string,
    insist: boolean,
  ): Promise<{ chronicle: Chronicle; traces: Traces } | null> {
    if (!this.state) return null;
    const { world } = this.state;
    const last = Math.floor(tick / SEGMENT_TICKS);
    const wanted = [...Array(BEHIND + 1).keys()].map((i) => last - BEHIND + i).filter((n) => n === last || this.has(n));
    const found = await Promise.all(
      wanted.map((n) =>
        askSegment(n, world).catch((why) => {
          if (insist) throw why;
          return null;
        }),
      ),
    );
    const squares = await askActivity(0, last * SEGMENT_TICKS - 1).catch(() => []);
    const told = { chronicle: new Chronicle(), traces: new Traces() };
    for (const segment of found) {
      if (!segment) continue;
      told.chronicle.takeEach(segment, 0, tick - 1, known.looks, nameOf);
      told.traces.takeWalks(segment, 0, tick - 1);
      if (segment.n !== last) continue;
      for (const [offset, x, , z, , to] of segment.document.blocks) {
        if (last * SEGMENT_TICKS + offset < tick) told.traces.square(x >> 3, z >> 3)[to === 0 ? "mined" : "placed"]++;
      }
    }
    told.traces.takeSquares(squares);
    return told;
  }

  // Records

  private takeRecords(segment: Segment, tick: number): void {
    const today = this.today();
    const offset = tick - segment.n * SEGMENT_TICKS;
    const madeOf = [segment.n, segment.document.last, segment.records.upTo(offset), today?.open_book].join();
    if (madeOf === this.madeOf && this.society) return;
    this.madeOf = madeOf;
    this.society = societyOf(
      segment.records,
      offset,
      tick,
      today ?? { day_ticks: segment.document.day_ticks, open_book: false },
    );
  }

  /** What only an open book tells of a segment, if it is there; else it is asked for. */
  private private(n: number, tick: number): Records | null {
    const kept = this.privates.get(n);
    if (
      (!kept || kept.last < tick) &&
      this.today()?.open_book &&
      this.state &&
      performance.now() - (this.askingPrivate.get(n) ?? -Infinity) > AGAIN_MS
    ) {
      this.askingPrivate.set(n, performance.now());
      const last = n === Math.floor(this.liveTick / SEGMENT_TICKS) ? this.liveTick : Infinity;
      askPrivate(n, this.state.world).then(
        (records) => {
          this.privates.delete(n);
          this.privates.set(n, { last, records });
          if (this.privates.size > KEPT_SEGMENTS) this.privates.delete(this.privates.keys().next().value!);
          this.changed();
        },
        () => {},
      );
    }
    return kept?.records ?? null;
  }

  private kept<T>(kind: string, key: string): T | undefined {
    const n = Math.floor(this.tick / SEGMENT_TICKS);
    return this.private(n, this.tick)?.one<T>(this.tick - n * SEGMENT_TICKS, kind, key);
  }

  /** What somebody carried at the tick that is shown; undefined while it is not known. */
  pocketOf(id: string): Items | undefined {
    return this.kept("pockets", id);
  }

  chestAt(place: string): Items | undefined {
    return this.kept("chests", place);
  }

  standingOf(id: string): Record<string, number> | undefined {
    return this.shownSegment?.records.one(this.shown - this.shownSegment.n * SEGMENT_TICKS, "standings", id);
  }

  /** What somebody had achieved, by group; null if the tape does not tell. */
  achievedBy(id: string): Record<string, Record<string, number>> | null {
    const bits = this.shownSegment?.records.one<number>(
      this.shown - this.shownSegment.n * SEGMENT_TICKS,
      "achieved",
      id,
    );
    if (bits === undefined || !this.state?.achievements) return null;
    let at = 0;
    const of = (names: string[]) => Object.fromEntries(names.map((name) => [name, Math.floor(bits / 2 ** at++) % 2]));
    return Object.fromEntries(Object.entries(this.state.achievements).map(([group, names]) => [group, of(names)]));
  }

  placeAt(
    position: readonly number[],
  ): { block: number | undefined; building: string; builder: string; sign: string } | null {
    if (!this.shownSegment) return null;
    const [x, y, z] = position;
    const block = this.cells?.chunks.get(`${x >> 4},${z >> 4}`)?.[(y << 8) | ((z & 15) << 4) | (x & 15)];
    return { block, ...placeOf(this.shownSegment.records, this.shown - this.shownSegment.n * SEGMENT_TICKS, position) };
  }

  /** What was refused in the last hours up to the tick that is shown, to whom and where; none without an open book. */
  refusals(): { agent: string; deed: Refusal; x: number; z: number }[] {
    const last = Math.floor(this.tick / SEGMENT_TICKS);
    const found: { agent: string; deed: Refusal; x: number; z: number }[] = [];
    for (let n = Math.max(0, last - BEHIND); n <= last; n++) {
      const upTo = n === last ? this.tick : (n + 1) * SEGMENT_TICKS - 1;
      const rows =
        this.private(n, upTo)
          ?.of(upTo - n * SEGMENT_TICKS)
          .get("refused") ?? [];
      for (const [key, row] of rows) {
        const [deed, [x, , z]] = row as [Refusal, readonly number[]];
        found.push({ agent: key.split(" ")[0], deed, x, z });
      }
    }
    return found;
  }

  private newKnown(bootstrap: Bootstrap): Known {
    const known = new Known(bootstrap);
    if (this.cells) this.fill(known, this.cells.chunks.keys());
    return known;
  }

  // The ground

  private moveGround(segment: Segment, tick: number): void {
    const whereIs = (id: string) => segment.tickAt(tick).agents.find((agent) => agent.id === id)?.pos;
    const { x, z } = this.focus(whereIs);
    const [cx, cz] = [Math.floor(x) >> 4, Math.floor(z) >> 4];
    const moved = Math.max(Math.abs(cx - this.centre[0]), Math.abs(cz - this.centre[1])) >= MOVED_CHUNKS;
    const way = this.cells && this.between(this.cells.tick, tick);
    if (this.cells && way) {
      const changed = this.cells.follow(tick, way);
      if (this.known) this.fill(this.known, changed);
    }
    if (!this.cells || !way || moved) void this.fetchGround(tick, cx, cz);
    if (this.cells && this.known && (cx !== this.near[0] || cz !== this.near[1]))
      this.showEveryBlockAround(cx, cz, this.known);
  }

  /** Show every block near another chunk, and surfaces where it was near before. */
  private showEveryBlockAround(cx: number, cz: number, known: Known): void {
    const before = this.near;
    this.near = [cx, cz];
    const changed = [...this.cells!.chunks.keys()].filter((key) => {
      const chunk = numbers(key);
      return isNear(chunk, before) !== isNear(chunk, this.near);
    });
    this.fill(known, changed);
  }

  /** The segments from one tick to another, if they are loaded, few, and of one land. */
  private between(from: number, to: number): Segment[] | null {
    const [low, high] = [Math.min(from, to), Math.max(from, to)];
    const [first, last] = [Math.floor((low + 1) / SEGMENT_TICKS), Math.floor(high / SEGMENT_TICKS)];
    if (last - first > FOLLOWED_SEGMENTS) return null;
    const way: Segment[] = [];
    for (let n = first; n <= last; n++) {
      const segment = this.segments.get(n);
      if (!segment || segment.document.seasons.some(([tick]) => tick > low && tick <= high)) return null;
      if (n === last && !segment.has(high)) return null;
      way.push(segment);
    }
    return way;
  }

  private async fetchGround(tick: number, cx: number, cz: number): Promise<void> {
    if (this.askingGround || performance.now() - this.groundAt < AGAIN_MS) return;
    this.askingGround = true;
    try {
      const chunks = await askGround(tick, cx, cz, GROUND_RADIUS);
      if (this.at === null) return;
      if (this.troubled === NO_GROUND) [this.problem, this.troubled] = [null, -1];
      const cells = new Cells(tick);
      for (const [key, each] of chunks) cells.chunks.set(key, each);
      const gone = [...(this.cells?.chunks.keys() ?? [])].filter((key) => !chunks.has(key));
      this.cells = cells;
      this.centre = this.near = [cx, cz];
      if (this.known) {
        for (const key of gone) this.known.terrain.take({ type: "CHUNK_EVICT", ...numbers(key) });
        this.fill(this.known, chunks.keys());
      }
    } catch (problem) {
      if (!this.cells) [this.problem, this.troubled] = [(problem as Error).message, NO_GROUND];
      this.centre = [cx, cz];
      this.groundAt = performance.now();
    } finally {
      this.askingGround = false;
    }
    this.advance();
    this.changed();
  }

  private fill(known: Known, keys: Iterable<string>): void {
    for (const key of keys) {
      const { cx, cz } = numbers(key);
      const cells = this.cells?.chunks.get(key);
      const near = isNear({ cx, cz }, this.near);
      if (cells) known.terrain.put(cx, cz, surfaceOf(cells), near ? Uint16Array.from(cells) : null);
    }
  }
}

/** Whether a chunk is one of those whose every block is shown. */
function isNear({ cx, cz }: { cx: number; cz: number }, middle: readonly [cx: number, cz: number]): boolean {
  return Math.max(Math.abs(cx - middle[0]), Math.abs(cz - middle[1])) <= VOXEL_RADIUS;
}

const digits = (tick: number): string => tick.toLocaleString("en-GB");

function numbers(key: string): { cx: number; cz: number } {
  const [cx, cz] = key.split(",").map(Number);
  return { cx, cz };
}

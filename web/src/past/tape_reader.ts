// The part of the tape that the page has: which ticks there are, and the segments and private records that were
// loaded. Others are requested when they are needed.

import { BoundedMap } from "../bounded_map.ts";
import type { Records } from "../records.ts";
import { RequestPace } from "../request_pace.ts";
import {
  askActivity,
  askPrivate,
  askSegment,
  askState,
  OWN,
  SEGMENT_TICKS,
  type Segment,
  type TapeState,
} from "../tape.ts";

// Enough for a day of the village, and for a fast playhead with the hours before it.
const KEPT_SEGMENTS = 40;
// A segment that still grows is requested again no sooner than this.
const AGAIN_MS = 1000;
const STATE_EVERY_MS = 10_000;
// Further than this apart, two grounds are not joined by following changes: the later one is fetched.
const FOLLOWED_SEGMENTS = 4;

export type ChangedSquares = [x: number, z: number, mined: number, placed: number][];

/** Is told about the results of requests for segments. */
export interface TapeListener {
  segmentArrived(n: number): void;
  segmentFailed(n: number, problem: Error): void;
}

/** Parts of the tape by segment number. The newest are kept, and none is requested twice at the same time. */
class TapeCache<Part> {
  private readonly parts = new BoundedMap<number, Part>(KEPT_SEGMENTS);
  private readonly pace = new RequestPace<number>(AGAIN_MS);

  get(n: number): Part | undefined {
    return this.parts.get(n);
  }

  values(): MapIterator<Part> {
    return this.parts.values();
  }

  clear(): void {
    this.parts.clear();
  }

  /** Request a part, unless it was requested a moment ago. */
  load(n: number, ask: () => Promise<Part>, arrived: () => void, failed: (problem: Error) => void): void {
    if (!this.pace.admits(n)) return;
    ask().then((part) => {
      this.parts.set(n, part);
      arrived();
    }, failed);
  }
}

/** The number of the segment that holds a tick. */
export const segmentNumber = (tick: number): number => Math.floor(tick / SEGMENT_TICKS);

export class TapeReader {
  state: TapeState | null = null;
  /** How many segments that are over are on the tape or can be put there. */
  possible = 0;
  private readonly segments = new TapeCache<Segment>();
  private readonly privateRecords = new TapeCache<{ last: number; records: Records }>();
  private readonly activity = new BoundedMap<number, ChangedSquares>(KEPT_SEGMENTS);
  private readonly statePace = new RequestPace<"state">(STATE_EVERY_MS);

  constructor(
    private readonly listener: TapeListener,
    /** Where the server answers about this tape. */
    readonly of = OWN,
  ) {}

  /** Ticks whose segments are loaded. */
  get loaded(): [first: number, last: number][] {
    return [...this.segments.values()].map(({ document }) => [document.first, document.last]);
  }

  /** A stream has begun, of this world or another: ask again which ticks there are. */
  begin(): void {
    this.statePace.reset();
    this.segments.clear();
  }

  /** Ask at the next occasion which ticks there are: there may be more. */
  askAgain(): void {
    this.statePace.reset();
  }

  /** Ask from time to time which ticks there are; null if it was too early, or no answer came. */
  async refresh(now: number): Promise<TapeState | null> {
    if (!this.statePace.admits("state", now)) return null;
    const state = await askState(this.of).catch(() => null);
    if (!state) return null;
    if (this.state && state.world !== this.state.world) {
      for (const cache of [this.segments, this.activity, this.privateRecords]) cache.clear();
    }
    this.state = state;
    this.possible = this.countPossible(state);
    return state;
  }

  /** Whether the whole segment is on the tape. */
  holds(n: number): boolean {
    if (n < 0) return false;
    const first = Math.max(1, n * SEGMENT_TICKS);
    const last = (n + 1) * SEGMENT_TICKS - 1;
    return this.state?.playable.some(([from, to]) => from <= first && last <= to) ?? false;
  }

  /** Whether a tick is over and not on the tape, so that it cannot be looked at. */
  isGone(tick: number): boolean {
    if (this.state === null || tick >= this.state.tick) return false;
    return !this.state.playable.some(([from, to]) => from <= tick && tick <= to);
  }

  /** A segment that was loaded. */
  segment(n: number): Segment | undefined {
    return this.segments.get(n);
  }

  /** The segment with a tick if it is loaded; else it is requested. */
  segmentWith(tick: number): Segment | null {
    const n = segmentNumber(tick);
    if (!this.isGone(tick)) this.need(n, tick);
    const segment = this.segments.get(n);
    return segment?.has(tick) ? segment : null;
  }

  /** Request a segment, unless it is there and has grown up to the tick. */
  need(n: number, tick: number): void {
    if (this.segments.get(n)?.has(tick) || !this.state) return;
    const { world } = this.state;
    this.segments.load(
      n,
      () => askSegment(n, world, this.of),
      () => this.listener.segmentArrived(n),
      (problem) => this.listener.segmentFailed(n, problem),
    );
  }

  /** The segments from one tick to another, if they are loaded, few, and of one land. */
  between(from: number, to: number): Segment[] | null {
    const low = Math.min(from, to);
    const high = Math.max(from, to);
    const first = segmentNumber(low + 1);
    const last = segmentNumber(high);
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

  /** The records that only an open book shows, up to a tick of a segment; requested if they are not there. */
  privateRecordsOf(n: number, tick: number, liveTick: number, arrived: () => void): Records | null {
    const part = this.privateRecords.get(n);
    if ((!part || part.last < tick) && this.state) {
      const { world } = this.state;
      // The segment of now still grows: its records are good up to the tick at which they were requested.
      const last = n === segmentNumber(liveTick) ? liveTick : Infinity;
      const ask = async () => ({ last, records: await askPrivate(n, world, this.of) });
      this.privateRecords.load(n, ask, arrived, () => {});
    }
    return part?.records ?? null;
  }

  /** The private records that are loaded. */
  loadedPrivateRecords(n: number): Records | null {
    return this.privateRecords.get(n)?.records ?? null;
  }

  /** How many blocks were changed before a segment, by squares of the ground; none until the answer comes. */
  activityBefore(n: number, arrived: () => void): ChangedSquares {
    if (!this.activity.has(n)) {
      // Requested only once, since the map's heat can do without it.
      this.activity.set(n, []);
      void askActivity(0, n * SEGMENT_TICKS - 1, this.of).then(
        (squares) => {
          this.activity.set(n, squares);
          arrived();
        },
        () => {},
      );
    }
    return this.activity.get(n) ?? [];
  }

  private countPossible({ missing, of: total }: TapeState): number {
    const impossible = new Set<number>();
    for (const { first, last } of missing) {
      for (let n = segmentNumber(first); n * SEGMENT_TICKS <= last && n < total; n++) {
        if (!this.holds(n)) impossible.add(n);
      }
    }
    return total - impossible.size;
  }
}

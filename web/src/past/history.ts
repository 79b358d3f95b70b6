// What happened in the hours before a tick, and where, rebuilt from segments of the tape.

import type { Looks } from "../blocks.ts";
import { Chronicle } from "../chronicle.ts";
import { askActivity, askSegment, SEGMENT_TICKS, type Segment } from "../tape.ts";
import { Traces } from "../traces.ts";
import { segmentNumber, type TapeReader } from "./tape_reader.ts";

/** How many segments before the one that is shown are read: some hours. */
export const HISTORY_SEGMENTS = 4;

type NameOf = (id: string) => string;

/** Events as lines, and where people went and changed blocks. */
export class History {
  readonly chronicle = new Chronicle();
  readonly traces = new Traces();

  /** Take the events and walks of a segment, up to a tick. */
  takeSegment(segment: Segment, upTo: number, looks: Looks, nameOf: NameOf): void {
    const after = segment.document.first - 1;
    this.chronicle.takeEach(segment, after, upTo, looks, nameOf);
    this.traces.takeWalks(segment, after, upTo);
  }

  /** Count the blocks that a segment changed, up to a tick. */
  countBlocks(segment: Segment, upTo: number): void {
    for (const [offset, x, , z, , block] of segment.document.blocks) {
      if (segment.n * SEGMENT_TICKS + offset > upTo) continue;
      this.traces.square(x >> 3, z >> 3)[block === 0 ? "mined" : "placed"]++;
    }
  }
}

/** The history of the tick of the past that is shown. It reaches back as far as segments are loaded. */
export class PastHistory {
  private history = new History();
  /** The first segment that the history was built from. */
  private firstSegment = Infinity;

  constructor(
    private readonly tape: TapeReader,
    private readonly nameOf: NameOf,
  ) {}

  get chronicle(): Chronicle {
    return this.history.chronicle;
  }

  get traces(): Traces {
    return this.history.traces;
  }

  /** Have it built again the next time. */
  reset(): void {
    this.firstSegment = Infinity;
  }

  /** Whether it covers all segments that it should be built from. */
  isComplete(segment: Segment): boolean {
    return this.firstSegment <= segment.n - HISTORY_SEGMENTS;
  }

  /** Build it up to a tick, if more segments are loaded than when it was built last; request those that are not. */
  build(segment: Segment, tick: number, looks: Looks): void {
    const least = Math.max(0, segment.n - HISTORY_SEGMENTS);
    for (let n = segment.n - 1; n >= least; n--) {
      if (this.tape.holds(n)) this.tape.need(n, Math.max(1, n * SEGMENT_TICKS));
    }
    let first = segment.n;
    while (first > least && this.tape.segment(first - 1)?.complete) first--;
    const squares = this.tape.activityBefore(segment.n, () => this.reset());
    if (first >= this.firstSegment) return;
    this.firstSegment = first;
    this.history = new History();
    for (let n = first; n < segment.n; n++) {
      this.history.takeSegment(this.tape.segment(n)!, Infinity, looks, this.nameOf);
    }
    this.history.takeSegment(segment, tick, looks, this.nameOf);
    this.traces.takeSquares(squares);
    this.history.countBlocks(segment, tick);
  }
}

/** How the history of a live page is read. A strict reading fails as a whole if one segment does not come. */
interface Reading {
  looks: Looks;
  nameOf: NameOf;
  strict: boolean;
}

/** The history before the present tick for a page that was just opened; null until the tape's state is known. */
export async function historyBefore(
  tape: TapeReader,
  tick: number,
  { looks, nameOf, strict }: Reading,
): Promise<History | null> {
  if (!tape.state) return null;
  const { world } = tape.state;
  const last = segmentNumber(tick);
  const first = Math.max(0, last - HISTORY_SEGMENTS);
  const numbers = [...Array(last - first + 1).keys()].map((i) => first + i).filter((n) => n === last || tape.holds(n));
  const load = (n: number) =>
    askSegment(n, world, tape.of).catch((problem) => {
      if (strict) throw problem;
      return null;
    });
  const segments = await Promise.all(numbers.map(load));
  const squares = await askActivity(0, last * SEGMENT_TICKS - 1, tape.of).catch(() => []);
  const history = new History();
  for (const segment of segments) {
    if (!segment) continue;
    history.takeSegment(segment, tick - 1, looks, nameOf);
    if (segment.n === last) history.countBlocks(segment, tick - 1);
  }
  history.traces.takeSquares(squares);
  return history;
}

// What a world shows of its past only with an open book: pockets, chests and refusals.

import type { Records, Refusal } from "../records.ts";
import type { Items } from "../society.ts";
import { SEGMENT_TICKS } from "../tape.ts";
import { HISTORY_SEGMENTS } from "./history.ts";
import { segmentNumber, type TapeReader } from "./tape_reader.ts";

/** The tick that is looked at, and the last one that came from the stream. */
interface Clock {
  readonly tick: number;
  readonly liveTick: number;
}

export interface PlacedRefusal {
  agent: string;
  deed: Refusal;
  x: number;
  z: number;
}

export class OpenBook {
  constructor(
    private readonly tape: TapeReader,
    private readonly clock: Clock,
    private readonly isOpen: () => boolean,
    private readonly changed: () => void,
  ) {}

  /** What somebody carried; undefined until it is loaded. */
  pocketOf(id: string): Items | undefined {
    return this.record("pockets", id);
  }

  /** What a chest held; undefined until it is loaded. */
  chestAt(place: string): Items | undefined {
    return this.record("chests", place);
  }

  /** The refusals of the last hours, with who and where; none without an open book. */
  refusals(): PlacedRefusal[] {
    const { tick } = this.clock;
    const last = segmentNumber(tick);
    const refusals: PlacedRefusal[] = [];
    for (let n = Math.max(0, last - HISTORY_SEGMENTS); n <= last; n++) {
      const upTo = n === last ? tick : (n + 1) * SEGMENT_TICKS - 1;
      const rows =
        this.recordsOf(n, upTo)
          ?.of(upTo - n * SEGMENT_TICKS)
          .get("refused") ?? [];
      for (const [key, row] of rows) {
        const [deed, [x, , z]] = row as [Refusal, readonly number[]];
        refusals.push({ agent: key.split(" ")[0], deed, x, z });
      }
    }
    return refusals;
  }

  private record<T>(kind: string, key: string): T | undefined {
    const { tick } = this.clock;
    const n = segmentNumber(tick);
    return this.recordsOf(n, tick)?.one<T>(tick - n * SEGMENT_TICKS, kind, key);
  }

  private recordsOf(n: number, tick: number): Records | null {
    if (!this.isOpen()) return this.tape.loadedPrivateRecords(n);
    return this.tape.privateRecordsOf(n, tick, this.clock.liveTick, this.changed);
  }
}

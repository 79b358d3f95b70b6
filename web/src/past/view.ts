// The world as it was at a tick: bodies, ground, society, and the hours before.

import type { Chronicle } from "../chronicle.ts";
import type { Bootstrap } from "../protocol.ts";
import { placeOf, societyOf } from "../records.ts";
import { plainly } from "../says.ts";
import type { Society } from "../society.ts";
import { SEGMENT_TICKS, type Segment } from "../tape.ts";
import type { Traces } from "../traces.ts";
import { World } from "../world.ts";
import type { PastGround } from "./ground.ts";
import { PastHistory } from "./history.ts";
import type { TapeReader } from "./tape_reader.ts";

// What somebody said stands over their head if it was said within this many ticks.
const SPEECH_TICKS = 15;

/** What the past needs from the present. */
export interface Present {
  bootstrap(): Bootstrap | null;
  society(): Society | null;
  nameOf(id: string): string;
}

export class PastView {
  world: World | null = null;
  society: Society | null = null;
  /** The tick that is shown; -1 for none. */
  tick = -1;
  /** When the picture last changed. */
  changedAt = 0;
  private segment: Segment | null = null;
  /** The inputs from which the society was made. */
  private societyKey = "";
  private readonly history: PastHistory;

  constructor(
    private readonly tape: TapeReader,
    private readonly ground: PastGround,
    private readonly present: Present,
  ) {
    this.history = new PastHistory(tape, (id) => present.nameOf(id));
  }

  get chronicle(): Chronicle {
    return this.history.chronicle;
  }

  get traces(): Traces {
    return this.history.traces;
  }

  /** Return to the present: show nothing of the past. */
  close(): void {
    this.world = null;
    this.society = null;
    this.segment = null;
    this.ground.clear();
    this.tick = -1;
    this.history.reset();
  }

  /** The stream has begun again, perhaps with another world: rebuild the picture. */
  restart(isPast: boolean): void {
    if (isPast) {
      this.world = null;
      this.ground.clear();
    }
    this.tick = -1;
  }

  /** Show a tick, as soon as its ground is there. Returns whether the picture has changed. */
  show(segment: Segment, tick: number): boolean {
    const bootstrap = this.present.bootstrap();
    if (!bootstrap) return false;
    this.ground.move(segment, tick);
    this.completeHistory(segment);
    if (this.segment) this.takeRecords(this.segment, this.tick);
    if (!this.ground.isLoaded || tick === this.tick) return false;
    this.world ??= this.newWorld(bootstrap);
    this.showTick(this.world, segment, tick);
    return true;
  }

  standingOf(id: string): Record<string, number> | undefined {
    return this.segment?.records.one(this.offset, "standings", id);
  }

  /** What somebody had achieved, by group; null if the tape does not say. */
  achievementsOf(id: string): Record<string, Record<string, number>> | null {
    const bits = this.segment?.records.one<number>(this.offset, "achieved", id);
    const groups = this.tape.state?.achievements;
    if (bits === undefined || !groups) return null;
    let bit = 0;
    // There may be more of them than the 32 bits of a shift.
    const counts = (names: string[]) =>
      Object.fromEntries(names.map((name) => [name, Math.floor(bits / 2 ** bit++) % 2]));
    return Object.fromEntries(Object.entries(groups).map(([group, names]) => [group, counts(names)]));
  }

  /** Whether a building existed then. */
  hasStructure(id: string): boolean {
    return this.segment?.records.one(this.offset, "structures", id) !== undefined;
  }

  placeAt(
    position: readonly number[],
  ): { block: number | undefined; building: string; builder: string; sign: string } | null {
    if (!this.segment) return null;
    return { block: this.ground.blockAt(position), ...placeOf(this.segment.records, this.offset, position) };
  }

  /** The tick that is shown, counted from the beginning of its segment. */
  private get offset(): number {
    return this.tick - (this.segment?.n ?? 0) * SEGMENT_TICKS;
  }

  private newWorld(bootstrap: Bootstrap): World {
    const world = new World(bootstrap);
    this.ground.showIn(world.terrain);
    return world;
  }

  private showTick(world: World, segment: Segment, tick: number): void {
    const now = performance.now();
    const goesOn = tick > this.tick && tick - this.tick <= SEGMENT_TICKS && this.tick >= 0;
    const message = segment.tickAt(tick, goesOn ? this.tick : tick - 1);
    world.tick = message;
    world.heardAt = now;
    world.crowd.take(message.agents, now);
    this.segment = segment;
    this.takeRecords(segment, tick);
    if (goesOn) {
      this.traces.take(message);
      this.chronicle.takeEach(segment, this.tick, tick, world.looks, (id) => this.present.nameOf(id));
    } else {
      this.history.reset();
      this.history.build(segment, tick, world.looks);
    }
    const speechSince = Math.max(tick - SPEECH_TICKS, goesOn ? this.tick : 0);
    for (const { kind, from, text } of segment.tickAt(tick, speechSince).happenings ?? []) {
      if (kind !== "CHAT" || !from || !text) continue;
      const words = plainly(text, (id) => this.present.nameOf(id));
      world.crowd.get(from)?.say(words, now);
    }
    this.tick = tick;
    this.changedAt = now;
  }

  /** Segments before the one that is shown may have come since. */
  private completeHistory(segment: Segment): void {
    if (!this.ground.isLoaded || !this.world) return;
    if (this.history.isComplete(segment) || !segment.has(this.tick)) return;
    this.history.build(segment, this.tick, this.world.looks);
  }

  private takeRecords(segment: Segment, tick: number): void {
    const today = this.present.society();
    const offset = tick - segment.n * SEGMENT_TICKS;
    const key = [segment.n, segment.document.last, segment.records.upTo(offset), today?.open_book].join();
    if (key === this.societyKey && this.society) return;
    this.societyKey = key;
    const unrecorded = today ?? { day_ticks: segment.document.day_ticks, open_book: false };
    this.society = societyOf(segment.records, offset, tick, unrecorded);
  }
}

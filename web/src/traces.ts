// Where people went, and where blocks were changed: from the stream, and for earlier times from the tape.

import type { Tick } from "./protocol.ts";
import type { Segment } from "./tape.ts";

const MOST_POINTS = 160;
/** How many ticks back a path is shown. */
export const PATH_TICKS = 1000;
const STEP = 2;
// A body that is further away was relocated, and did not walk.
const JUMP = 12;
/** Blocks are counted in squares as wide as this. */
export const SQUARE = 8;

// How many ticks apart positions are taken from the tape.
const WALK_TICKS = 5;

/** What the map's heat counts. Refusals are counted separately, and shown only with an open book. */
export type Deed = "all" | "mined" | "placed" | "refused";

export interface Point {
  x: number;
  z: number;
  tick: number;
}

export interface Square {
  x: number;
  z: number;
  mined: number;
  placed: number;
}

export class Traces {
  readonly paths = new Map<string, Point[]>();
  readonly squares = new Map<string, Square>();
  since = 0;

  take({ tick, agents, audits }: Tick): void {
    if (!this.since || tick < this.since) {
      this.since = tick;
      this.paths.clear();
      this.squares.clear();
    }
    for (const {
      id,
      pos: [x, , z],
    } of agents)
      this.step(id, { x, z, tick });
    for (const {
      pos: [x, , z],
      to,
    } of audits ?? []) {
      this.square(Math.floor(x / SQUARE), Math.floor(z / SQUARE))[to === 0 ? "mined" : "placed"]++;
    }
  }

  /** Add where everybody went in a part of the tape. */
  takeWalks(segment: Segment, after: number, upTo: number): void {
    for (const { id, x, z, tick } of segment.walks(after, upTo, WALK_TICKS)) this.step(id, { x, z, tick });
    this.since ||= 1;
  }

  /** The deeds in a square. */
  square(x: number, z: number): Square {
    const key = `${x},${z}`;
    const existing = this.squares.get(key);
    if (existing) return existing;
    const square = { x, z, mined: 0, placed: 0 };
    this.squares.set(key, square);
    return square;
  }

  /** Blocks that were changed, as the server has counted them. */
  takeSquares(squares: readonly [x: number, z: number, mined: number, placed: number][]): void {
    for (const [x, z, mined, placed] of squares) {
      const square = this.square(x, z);
      square.mined += mined;
      square.placed += placed;
    }
  }

  /** Add older points in front of those that have come since. */
  goBack(before: Traces): void {
    for (const [id, path] of before.paths) {
      const since = this.paths.get(id) ?? [];
      this.paths.set(
        id,
        [...path.filter(({ tick }) => !since[0] || tick < since[0].tick), ...since].slice(-MOST_POINTS),
      );
    }
  }

  private step(id: string, point: Point): void {
    const path = this.paths.get(id) ?? [];
    const last = path[path.length - 1];
    const way = last ? Math.hypot(point.x - last.x, point.z - last.z) : Infinity;
    if (way < STEP) return;
    if (last && way > JUMP) path.length = 0;
    path.push(point);
    while (path.length > MOST_POINTS || path[0].tick < point.tick - PATH_TICKS) path.shift();
    this.paths.set(id, path);
  }

  /** How many blocks were changed in a square. */
  static count({ mined, placed }: Square, deed: Deed): number {
    return deed === "all" ? mined + placed : deed === "mined" ? mined : placed;
  }
}

// What the page has seen since it was opened: where people went, and where blocks were changed.

import type { Tick } from "./protocol.ts";

const MOST_POINTS = 160;
const LONGEST_TICKS = 3000;
const STEP = 2;
// Whoever is further away was put there, and did not walk.
const JUMP = 12;
/** Blocks are counted in squares as wide as this. */
export const SQUARE = 8;

export type Deed = "all" | "mined" | "placed";

export interface Point {
  x: number;
  z: number;
  tick: number;
}

interface Square {
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
    for (const { id, pos: [x, , z] } of agents) this.step(id, { x, z, tick });
    for (const { pos: [x, , z], to } of audits ?? []) {
      const at = { x: Math.floor(x / SQUARE), z: Math.floor(z / SQUARE) };
      const key = `${at.x},${at.z}`;
      const square = this.squares.get(key) ?? { ...at, mined: 0, placed: 0 };
      square[to === 0 ? "mined" : "placed"]++;
      this.squares.set(key, square);
    }
  }

  private step(id: string, point: Point): void {
    const path = this.paths.get(id) ?? [];
    const last = path[path.length - 1];
    const way = last ? Math.hypot(point.x - last.x, point.z - last.z) : Infinity;
    if (way < STEP) return;
    if (last && way > JUMP) path.length = 0;
    path.push(point);
    while (path.length > MOST_POINTS || path[0].tick < point.tick - LONGEST_TICKS) path.shift();
    this.paths.set(id, path);
  }

  /** How many blocks were changed in a square. */
  static count({ mined, placed }: Square, deed: Deed): number {
    return deed === "all" ? mined + placed : deed === "mined" ? mined : placed;
  }
}

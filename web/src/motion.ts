// Moves a body from where it was shown to where the last tick put it: smoothly, and in time for the next tick.

import type { Position } from "./protocol.ts";

export interface Pose {
  x: number;
  y: number;
  z: number;
  /** In radians; 0 faces +z, a quarter turn faces +x. */
  yaw: number;
  /** Cells a second along the ground. */
  speed: number;
}

// A body that is further away than this was relocated, and did not walk.
const LONGEST_STEP = 4;
const TURN = 2 * Math.PI;

export const radians = (degrees: number): number => (degrees / 360) * TURN;

/** Turn from one angle towards another, the shorter way. */
export function turned(from: number, to: number, share: number): number {
  const left = ((((to - from) % TURN) + TURN * 1.5) % TURN) - TURN / 2;
  return from + left * share;
}

/** A body climbs before it moves on, and falls after it has moved. */
export function climbed(from: number, to: number, share: number): number {
  const part = to > from ? Math.min(1, share * 2) : Math.max(0, share * 2 - 1);
  return from + (to - from) * part;
}

export class Motion {
  private from: Pose;
  private to: Pose;
  private since = 0;
  private lasts = 1;

  constructor(pos: Position, yaw: number) {
    this.from = this.to = { x: pos[0] + 0.5, y: pos[1], z: pos[2] + 0.5, yaw: radians(yaw), speed: 0 };
  }

  /** A tick puts the body somewhere. It arrives there after `lasts` milliseconds. */
  goTo(pos: Position, yaw: number, now: number, lasts: number): void {
    const here = this.at(now);
    const next = { x: pos[0] + 0.5, y: pos[1], z: pos[2] + 0.5, yaw: radians(yaw), speed: 0 };
    const way = Math.hypot(next.x - here.x, next.z - here.z);
    const jumps = way > LONGEST_STEP || Math.abs(next.y - here.y) > 2 * LONGEST_STEP;
    next.speed = jumps ? 0 : (way / lasts) * 1000;
    this.from = jumps ? next : here;
    this.to = next;
    this.since = now;
    this.lasts = lasts;
  }

  at(now: number): Pose {
    const { from, to } = this;
    const share = Math.min(1, Math.max(0, (now - this.since) / this.lasts));
    if (share === 1) return { ...to, speed: 0 };
    return {
      x: from.x + (to.x - from.x) * share,
      y: climbed(from.y, to.y, share),
      z: from.z + (to.z - from.z) * share,
      yaw: turned(from.yaw, to.yaw, Math.min(1, share * 2)),
      speed: to.speed,
    };
  }
}

/** Estimates how long ticks take, from when they arrive. */
export class Beat {
  private last = 0;

  constructor(private interval: number) {}

  /** Note that a tick came. Returns how long the motion towards it lasts: a little longer than until the next. */
  hear(now: number): number {
    const gap = now - this.last;
    this.last = now;
    if (gap > 0 && gap < 5 * this.interval + 1000) this.interval += (gap - this.interval) * 0.1;
    return Math.min(1500, Math.max(20, this.interval * 1.1));
  }
}

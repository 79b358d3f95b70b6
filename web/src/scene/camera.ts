// The camera looks at a point on the ground from a side, a height and a distance. It moves smoothly to the view that
// is wished for, or at once for readers who prefer reduced motion.

import { PerspectiveCamera, Vector3 } from "three";
import { turned } from "../motion.ts";

const NEAREST = 8;
const FURTHEST = 700;
const STEEPEST = Math.PI / 2 - 0.05;
const FLATTEST = 0.12;
const TILTED = { side: 0.6, rise: 0.72 };
// A map is useful only if it shows more than the scene.
const DISTANCE_OF_MAP = 150;
const FURTHEST_OF_MAP = 2000;
const SETTLE_MS = 130;

interface View {
  x: number;
  y: number;
  z: number;
  /** The direction from which it looks, in radians: around the target, and above the ground. */
  side: number;
  rise: number;
  distance: number;
}

export class Camera {
  readonly lens = new PerspectiveCamera(42, 1, 0.5, 3000);
  readonly target = new Vector3();
  readonly wished: View = { x: 0, y: 24, z: 0, ...TILTED, distance: 44 };
  private readonly shown: View = { ...this.wished };
  private distanceBefore = this.wished.distance;
  private settled = false;

  constructor(private readonly still: boolean) {}

  /** Move along the ground, to the right and forward, in fractions of the distance. */
  pan(right: number, forward: number): void {
    const { side, distance } = this.wished;
    this.wished.x += (Math.cos(side) * right - Math.sin(side) * forward) * distance;
    this.wished.z += (-Math.sin(side) * right - Math.cos(side) * forward) * distance;
  }

  turn(around: number, up: number): void {
    this.wished.side += around;
    this.wished.rise = Math.min(STEEPEST, Math.max(FLATTEST, this.wished.rise + up));
  }

  zoom(factor: number, isMap = false): void {
    this.wished.distance = Math.min(
      isMap ? FURTHEST_OF_MAP : FURTHEST,
      Math.max(NEAREST, this.wished.distance * factor),
    );
  }

  /** Look from where another camera looks. */
  mirror(other: Camera): void {
    Object.assign(this.wished, other.shown);
    this.cut();
  }

  /** Move away to the distance of a map; `leaveMap` restores the distance from before. */
  enterMap(): void {
    this.distanceBefore = this.wished.distance;
    this.wished.distance = Math.max(DISTANCE_OF_MAP, this.wished.distance);
  }

  leaveMap(): void {
    this.wished.distance = Math.min(this.distanceBefore, this.wished.distance);
  }

  /** Move over a map, where north is up, by cells. */
  slide(east: number, south: number): void {
    this.wished.x += east;
    this.wished.z += south;
  }

  lookAt(x: number, y: number, z: number): void {
    Object.assign(this.wished, { x, y, z });
  }

  /** The view as it stands in an address: x, z, distance, and side and height in degrees. */
  get said(): string {
    const { x, z, distance, side, rise } = this.wished;
    return [x, z, distance, (side * 180) / Math.PI, (rise * 180) / Math.PI].map(Math.round).join(",");
  }

  /** Take the view from an address; false if the text is not a view. */
  heed(said: string): boolean {
    if (!/^-?\d{1,6}(,-?\d{1,6}){4}$/.test(said)) return false;
    const [x, z, distance, side, rise] = said.split(",").map(Number);
    Object.assign(this.wished, { x, z, side: (side * Math.PI) / 180 });
    this.wished.distance = Math.min(FURTHEST, Math.max(NEAREST, distance));
    this.wished.rise = Math.min(STEEPEST, Math.max(FLATTEST, (rise * Math.PI) / 180));
    this.cut();
    return true;
  }

  /** Reach the wished view with the next frame, as for the first look and after a jump. */
  cut(): void {
    this.settled = false;
  }

  update(elapsedMs: number): void {
    const { wished, shown, lens, target } = this;
    const share = this.still || !this.settled ? 1 : 1 - Math.exp(-elapsedMs / SETTLE_MS);
    this.settled = true;
    for (const part of ["x", "y", "z", "rise", "distance"] as const)
      shown[part] += (wished[part] - shown[part]) * share;
    shown.side = turned(shown.side, wished.side, share);
    target.set(shown.x, shown.y, shown.z);
    const flat = Math.cos(shown.rise) * shown.distance;
    lens.position.set(
      shown.x + Math.sin(shown.side) * flat,
      shown.y + Math.sin(shown.rise) * shown.distance,
      shown.z + Math.cos(shown.side) * flat,
    );
    lens.lookAt(target);
    lens.near = Math.max(0.5, shown.distance / 40);
    lens.far = this.horizon;
    lens.updateProjectionMatrix();
    lens.updateMatrixWorld();
  }

  /** The side from which it looks, in radians. */
  get side(): number {
    return this.shown.side;
  }

  get distance(): number {
    return this.shown.distance;
  }

  /** The distance beyond which there is only haze. It grows with the camera's own distance. */
  get horizon(): number {
    return this.shown.distance * 2.6 + 220;
  }
}

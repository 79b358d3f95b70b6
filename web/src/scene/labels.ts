// Names and speech above heads, on a canvas over the scene: the nearest first, and none overlapping another.

import { type PerspectiveCamera, Vector3 } from "three";
import { type Body, labelOf } from "../crowd.ts";
import { ellipsis } from "../ellipsis.ts";
import type { Pose } from "../motion.ts";
import type { Terrain } from "../terrain.ts";
import { freePlace, meet, type Rect } from "./rects.ts";

const MOST_LABELS = 80;
const ABOVE_HEAD = 2.05;
/** Heights on a body: it counts as visible if one of these points is. */
const SEEN_AT = [1.6, 0.9];
const SAYING_LETTERS = 60;
const FONT = "system-ui, sans-serif";

export interface Spot {
  body: Body;
  x: number;
  y: number;
  /** The distance from the camera. */
  depth: number;
  /** Where it stands in the world. */
  feet: { x: number; y: number; z: number };
}

export class Labels {
  /** Where everybody is on the screen, the nearest first. */
  spots: Spot[] = [];
  readonly pen: CanvasRenderingContext2D;
  private readonly point = new Vector3();

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.pen = canvas.getContext("2d")!;
  }

  resize(width: number, height: number, ratio: number): void {
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  /** Write names and speech, without overlaps, and not where panels lie over the scene (`covered`). */
  update(
    bodies: readonly Body[],
    poses: readonly Pose[],
    lens: PerspectiveCamera,
    watched: string | null,
    terrain: Terrain | null,
    covered: readonly Rect[],
  ): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.find(bodies, poses, lens, width, height);
    this.pen.clearRect(0, 0, width, height);
    this.pen.textAlign = "center";
    this.pen.textBaseline = "middle";
    const taken: Rect[] = [...covered];
    const rank = ({ body }: Spot) => (body.id === watched ? 0 : body.saying ? 1 : 2);
    for (const spot of [...this.spots].sort((a, b) => rank(a) - rank(b)).slice(0, MOST_LABELS)) {
      // Names do not show through walls, except for that of whoever is watched, which is faint there.
      const hidden =
        terrain !== null && !SEEN_AT.some((up) => terrain.sees(lens.position, { ...spot.feet, y: spot.feet.y + up }));
      if (hidden && spot.body.id !== watched) continue;
      this.pen.globalAlpha = hidden ? 0.45 : 1;
      this.write(spot, spot.body.id === watched, taken);
    }
    this.pen.globalAlpha = 1;
  }

  /** Whoever is drawn nearest to a point, within some pixels. */
  near(x: number, y: number, pixels: number): string | null {
    let best: Spot | null = null;
    let least = pixels;
    for (const spot of this.spots) {
      const far = Math.hypot(spot.x - x, spot.y - y);
      if (far < least) [best, least] = [spot, far];
    }
    return best?.body.id ?? null;
  }

  private find(
    bodies: readonly Body[],
    poses: readonly Pose[],
    lens: PerspectiveCamera,
    width: number,
    height: number,
  ): void {
    this.spots = [];
    for (let i = 0; i < bodies.length; i++) {
      const { x, y, z } = poses[i];
      const depth = this.point.set(x, y + ABOVE_HEAD, z).distanceTo(lens.position);
      this.point.project(lens);
      if (this.point.z > 1 || Math.abs(this.point.x) > 1.1 || Math.abs(this.point.y) > 1.1) continue;
      const spot = {
        body: bodies[i],
        depth,
        feet: { x, y, z },
        x: ((this.point.x + 1) / 2) * width,
        y: ((1 - this.point.y) / 2) * height,
      };
      this.spots.push(spot);
    }
    this.spots.sort((a, b) => a.depth - b.depth);
  }

  private write({ body, x, y }: Spot, watched: boolean, taken: Rect[]): void {
    const { pen } = this;
    const saying = body.saying && shorten(body.saying.text);
    pen.font = `${watched ? 600 : 500} 12px ${FONT}`;
    const name = labelOf(body);
    const wide = pen.measureText(name).width / 2 + 6;
    const wish = { left: x - wide, right: x + wide, top: y - 18, bottom: y };
    const place =
      watched || !taken.some((other) => meet(wish, other)) ? wish : saying ? freePlace(wish, x, taken) : null;
    if (!place) return;
    taken.push(place);
    this.pill(place, watched ? "rgba(255, 212, 107, .95)" : "rgba(28, 27, 24, .62)");
    pen.fillStyle = watched ? "#2a2417" : body.agent.connected ? "#fffdf6" : "#b9b5aa";
    pen.fillText(name, (place.left + place.right) / 2, place.bottom - 8.5);
    if (saying) this.bubble(saying, x, place.top - 4, taken);
  }

  /** Write speech above the name, or leave it out where there is no room. */
  private bubble(text: string, x: number, y: number, taken: Rect[]): void {
    const { pen } = this;
    pen.font = `italic 13px ${FONT}`;
    const wide = pen.measureText(text).width / 2 + 9;
    const wish = { left: x - wide, right: x + wide, top: y - 22, bottom: y };
    const place = freePlace(wish, x, [...taken, ...besides(this.canvas.clientWidth)]);
    if (!place) return;
    taken.push(place);
    this.pill(place, "rgba(253, 250, 242, .94)");
    pen.fillStyle = "#2b2a26";
    pen.fillText(text, (place.left + place.right) / 2, place.bottom - 10.5);
  }

  private pill({ left, top, right, bottom }: Rect, colour: string): void {
    this.pen.fillStyle = colour;
    this.pen.beginPath();
    this.pen.roundRect(left, top, right - left, bottom - top, 6);
    this.pen.fill();
  }
}

/** The space left and right of the picture, which is never free. */
const besides = (width: number): Rect[] => [
  { left: -Infinity, right: 0, top: -Infinity, bottom: Infinity },
  { left: width, right: Infinity, top: -Infinity, bottom: Infinity },
];

const shorten = (text: string) =>
  ellipsis(text.replace(/\s+/g, " ").trim(), (one) => [...one].length <= SAYING_LETTERS);

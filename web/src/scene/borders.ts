// The borders of land on the ground: a line and a faint curtain, for all lands in one draw.

import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, ShaderMaterial } from "three";
import { colourOf } from "../hue.ts";
import type { Land } from "../society.ts";
import type { Terrain } from "../terrain.ts";
import { LIGHT } from "./shaders.ts";

const EVERY_MS = 2000;
const WIDE = 0.16;
const CURTAIN = 0.7;
const ABOVE = 1.04;
/** The most quads, so that a world full of land costs little more than one with a few. */
const MOST_QUADS = 24_000;

const material = new ShaderMaterial({
  uniforms: LIGHT,
  transparent: true,
  depthWrite: false,
  side: DoubleSide,
  polygonOffset: true,
  polygonOffsetFactor: -1,
  polygonOffsetUnits: -1,
  vertexShader: /* glsl */ `
    attribute vec4 paint;
    uniform vec2 uReach;
    varying vec4 vPaint;
    void main() {
      vec4 seen = modelViewMatrix * vec4(position, 1.0);
      vPaint = vec4(paint.rgb, paint.a * (1.0 - smoothstep(uReach.x, uReach.y, length(seen.xyz))));
      gl_Position = projectionMatrix * seen;
    }
  `,
  fragmentShader: /* glsl */ `
    varying vec4 vPaint;
    void main() { gl_FragColor = vPaint; }
  `,
});

/** The four sides of a land: the direction of a step along it, and the direction that leads inwards. */
const SIDES = [
  { dx: 1, dz: 0, inX: 0, inZ: 1, farX: 0, farZ: 0 },
  { dx: 1, dz: 0, inX: 0, inZ: -1, farX: 0, farZ: 1 },
  { dx: 0, dz: 1, inX: 1, inZ: 0, farX: 0, farZ: 0 },
  { dx: 0, dz: 1, inX: -1, inZ: 0, farX: 1, farZ: 0 },
] as const;

export class Borders {
  readonly mesh = new Mesh(new BufferGeometry(), material);
  private lands: readonly Land[] | null = null;
  private chosen: string | null = null;
  private size = -1;
  private at = -Infinity;

  constructor() {
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 1;
  }

  /** Rebuild the mesh if the lands or the choice have changed, or if more of the ground is known. */
  update(lands: readonly Land[], chosen: string | null, terrain: Terrain, now: number): void {
    const moved = terrain.chunks.size !== this.size;
    const same = lands === this.lands && chosen === this.chosen;
    if ((same && !moved) || (same && now - this.at < EVERY_MS)) return;
    this.lands = lands;
    this.chosen = chosen;
    this.size = terrain.chunks.size;
    this.at = now;
    this.build(lands, terrain);
  }

  private build(lands: readonly Land[], terrain: Terrain): void {
    const place: number[] = [];
    const paint: number[] = [];
    for (const land of lands) {
      if (place.length > MOST_QUADS * 12) break;
      const strong = this.chosen === land.id || this.chosen === land.owner;
      const [r, g, b] = colourOf(land.owner, 0.68).map((part) => part / 255);
      const put = (corners: readonly (readonly number[])[], low: number, high: number) => {
        corners.forEach((corner, n) => {
          place.push(corner[0], corner[1], corner[2]);
          paint.push(r, g, b, n < 2 ? low : high);
        });
      };
      const wide = WIDE * (strong ? 2 : 1);
      const across = 2 * land.radius + 1;
      for (const { dx, dz, inX, inZ, farX, farZ } of SIDES) {
        for (let step = 0; step < across; step++) {
          const x = land.anchor[0] - land.radius + dx * step + farX * across;
          const z = land.anchor[2] - land.radius + dz * step + farZ * across;
          const ground = terrain.groundAt(x - farX + 0.5, z - farZ + 0.5);
          if (ground === undefined) continue;
          const y = ground + ABOVE;
          const to = [x + dx, y, z + dz];
          put(
            [[x, y, z], to, [to[0] + inX * wide, y, to[2] + inZ * wide], [x + inX * wide, y, z + inZ * wide]],
            0.95,
            0.95,
          );
          put([[x, y, z], to, [to[0], y + CURTAIN, to[2]], [x, y + CURTAIN, z]], strong ? 0.7 : 0.32, 0);
        }
      }
    }
    const quads = place.length / 12;
    const index = new Uint32Array(quads * 6);
    for (let quad = 0; quad < quads; quad++)
      index.set(
        [0, 1, 2, 0, 2, 3].map((corner) => quad * 4 + corner),
        quad * 6,
      );
    this.mesh.geometry.dispose();
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(place), 3));
    geometry.setAttribute("paint", new BufferAttribute(new Float32Array(paint), 4));
    geometry.setIndex(new BufferAttribute(index, 1));
    this.mesh.geometry = geometry;
    this.mesh.visible = quads > 0;
  }
}

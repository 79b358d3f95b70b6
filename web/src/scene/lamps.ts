// The glow around lamps at night, in one draw call for all of them.

import { AdditiveBlending, BufferAttribute, BufferGeometry, Points, ShaderMaterial } from "three";
import type { Terrain } from "../terrain.ts";
import { LIGHT } from "./shaders.ts";

const EVERY_MS = 1500;
const MOST = 2000;

const material = new ShaderMaterial({
  uniforms: { ...LIGHT, uSize: { value: 1 } },
  transparent: true,
  depthWrite: false,
  blending: AdditiveBlending,
  vertexShader: /* glsl */ `
    uniform float uSize, uSeconds;
    uniform vec2 uReach;
    varying float vShare;
    void main() {
      vec4 seen = modelViewMatrix * vec4(position, 1.0);
      float far = length(seen.xyz);
      float flicker = 0.92 + 0.08 * sin(uSeconds * 9.0 + position.x * 3.0 + position.z * 7.0);
      vShare = flicker * (1.0 - smoothstep(uReach.x, uReach.y, far));
      gl_PointSize = uSize * 2.6 / max(2.0, -seen.z);
      gl_Position = projectionMatrix * seen;
    }
  `,
  fragmentShader: /* glsl */ `
    uniform float uNight;
    varying float vShare;
    void main() {
      float far = length(gl_PointCoord * 2.0 - 1.0);
      float glow = pow(max(0.0, 1.0 - far), 2.2);
      gl_FragColor = vec4(vec3(1.0, 0.66, 0.28) * glow * vShare * uNight * 0.75, 1.0);
    }
  `,
});

export class Lamps {
  readonly points = new Points(new BufferGeometry(), material);
  private at = -Infinity;

  constructor() {
    this.points.frustumCulled = false;
    this.points.renderOrder = 2;
  }

  update(terrain: Terrain, pixels: number, now: number): void {
    material.uniforms.uSize.value = pixels;
    this.points.visible = LIGHT.uNight.value > 0.05;
    if (!this.points.visible || now - this.at < EVERY_MS) return;
    this.at = now;
    const lamps = [...terrain.chunks.values()].flatMap((chunk) => chunk.lamps(terrain.looks)).slice(0, MOST);
    this.points.geometry.dispose();
    this.points.geometry = new BufferGeometry();
    this.points.geometry.setAttribute(
      "position",
      new BufferAttribute(new Float32Array(lamps.flatMap(({ x, y, z }) => [x, y, z])), 3),
    );
    if (!lamps.length) this.points.visible = false;
  }
}

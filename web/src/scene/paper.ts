// Unknown ground: a hatched plane in the colour of the haze, so that nothing seems to hang over a void.

import { BufferAttribute, BufferGeometry, Mesh, ShaderMaterial, type Vector3 } from "three";
import { LIGHT } from "./shaders.ts";

// Below any ground on which people live, so that known ground hides it.
const DEPTH = 6;
const HALF = 2200;

const material = new ShaderMaterial({
  uniforms: LIGHT,
  vertexShader: /* glsl */ `
    varying vec2 vPlace;
    varying vec3 vSeen;
    void main() {
      vec4 at = modelMatrix * vec4(position, 1.0);
      vPlace = at.xz;
      vec4 seen = viewMatrix * at;
      vSeen = seen.xyz;
      gl_Position = projectionMatrix * seen;
    }
  `,
  fragmentShader: /* glsl */ `
    uniform vec3 uHaze;
    uniform vec2 uReach;
    varying vec2 vPlace;
    varying vec3 vSeen;
    void main() {
      float far = length(vSeen);
      float line = smoothstep(0.8, 0.95, abs(fract((vPlace.x + vPlace.y) / 3.0) * 2.0 - 1.0));
      float near = 1.0 - smoothstep(40.0, 160.0, far);
      gl_FragColor = vec4(uHaze * (0.93 - 0.09 * line * near), 1.0);
      gl_FragColor.rgb = mix(gl_FragColor.rgb, uHaze, smoothstep(uReach.x * 0.4, uReach.y * 0.8, far));
    }
  `,
});

export class Paper {
  readonly mesh: Mesh;

  constructor() {
    const geometry = new BufferGeometry();
    const corners = [
      [-1, -1],
      [-1, 1],
      [1, 1],
      [1, -1],
    ].flatMap(([x, z]) => [x * HALF, 0, z * HALF]);
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
  }

  update(target: Vector3): void {
    this.mesh.position.set(Math.round(target.x / 3) * 3, DEPTH, Math.round(target.z / 3) * 3);
  }
}

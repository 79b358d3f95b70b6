// How things are lit: from above, from below, by the sun, and the further away the hazier. Colours are taken and
// given as the screen has them; nothing here is physics.

import { ShaderMaterial, Vector2, Vector3 } from "three";
import type { Colour, Light } from "../daylight.ts";
import { SIDES } from "../mesher.ts";

/** Shared by all materials. */
export const LIGHT = {
  uSun: { value: new Vector3(0, 1, 0) },
  uSunColour: { value: new Vector3() },
  uAbove: { value: new Vector3(1, 1, 1) },
  uBelow: { value: new Vector3() },
  uHaze: { value: new Vector3() },
  /** From where on, and from where on completely. */
  uReach: { value: new Vector2(200, 400) },
  uSeconds: { value: 0 },
};

export function setLight(light: Light): void {
  const put = (into: Vector3, [r, g, b]: Colour) => into.set(r, g, b);
  put(LIGHT.uSun.value, light.sun);
  put(LIGHT.uSunColour.value, light.sunColour);
  put(LIGHT.uAbove.value, light.above);
  put(LIGHT.uBelow.value, light.below);
  put(LIGHT.uHaze.value, light.haze);
}

const LIT = /* glsl */ `
  uniform vec3 uSun, uSunColour, uAbove, uBelow;
  uniform vec2 uReach;
  varying vec3 vColour;
  varying float vHaze;
  vec3 lit(vec3 normal) {
    return mix(uBelow, uAbove, normal.y * 0.5 + 0.5) + uSunColour * max(dot(normal, uSun), 0.0);
  }
`;

const HAZY = /* glsl */ `
  uniform vec3 uHaze;
  varying vec3 vColour;
  varying float vHaze;
  void main() { gl_FragColor = vec4(mix(vColour, uHaze, vHaze), 1.0); }
`;

const vec3 = (parts: readonly number[]) => `vec3(${parts.map((part) => part.toFixed(1)).join(",")})`;

export const groundMaterial = new ShaderMaterial({
  uniforms: LIGHT,
  vertexShader: /* glsl */ `
    attribute vec4 place;
    attribute vec4 paint;
    ${LIT}
    const vec3 SIDES[6] = vec3[6](${SIDES.map(vec3).join(",")});
    void main() {
      vec4 seen = modelViewMatrix * vec4(place.xyz, 1.0);
      vColour = paint.rgb * mix(lit(SIDES[int(place.w)]), vec3(1.15), paint.a);
      vHaze = smoothstep(uReach.x, uReach.y, length(seen.xyz));
      gl_Position = projectionMatrix * seen;
    }
  `,
  fragmentShader: HAZY,
});

/** For instances; `dye` says how much of the instance's colour a corner takes. */
export const figureMaterial = new ShaderMaterial({
  uniforms: LIGHT,
  vertexShader: /* glsl */ `
    attribute vec4 paint;
    ${LIT}
    void main() {
      vec4 seen = modelViewMatrix * instanceMatrix * vec4(position, 1.0);
      vec3 colour = mix(paint.rgb, paint.rgb * instanceColor, paint.a);
      vColour = colour * (lit(normalize(mat3(instanceMatrix) * normal)) * 0.85 + 0.2);
      vHaze = 0.0;
      gl_Position = projectionMatrix * seen;
    }
  `,
  fragmentShader: HAZY,
});

/** A soft round spot on the ground; the instance's colour is its own. */
export const spotMaterial = new ShaderMaterial({
  uniforms: LIGHT,
  transparent: true,
  depthWrite: false,
  polygonOffset: true,
  polygonOffsetFactor: -2,
  polygonOffsetUnits: -2,
  vertexShader: /* glsl */ `
    attribute vec4 paint;
    varying vec2 vAcross;
    void main() {
      vAcross = paint.xy;
      gl_Position = projectionMatrix * modelViewMatrix * instanceMatrix * vec4(position, 1.0);
    }
  `,
  fragmentShader: /* glsl */ `
    varying vec2 vAcross;
    void main() {
      float far = length(vAcross * 2.0 - 1.0);
      gl_FragColor = vec4(0.05, 0.06, 0.1, 0.42 * (1.0 - smoothstep(0.35, 1.0, far)));
    }
  `,
});

/** What a reader points at: always the same bright colour, by day and by night. */
export const markMaterial = new ShaderMaterial({
  transparent: true,
  depthTest: false,
  vertexShader: /* glsl */ `
    void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }
  `,
  fragmentShader: /* glsl */ `
    void main() { gl_FragColor = vec4(1.0, 0.83, 0.42, 0.9); }
  `,
});

/** Drops and flakes: points in a box around the middle of the view, which they never leave. */
export const fallMaterial = new ShaderMaterial({
  uniforms: { ...LIGHT, uMiddle: { value: new Vector3() }, uSnow: { value: 0 }, uSize: { value: 1 } },
  transparent: true,
  depthWrite: false,
  vertexShader: /* glsl */ `
    uniform vec3 uMiddle;
    uniform float uSeconds, uSnow, uSize;
    const vec3 BOX = vec3(64.0, 40.0, 64.0);
    void main() {
      float speed = mix(34.0, 4.0, uSnow);
      vec3 drift = vec3(sin(uSeconds + position.y) * uSnow * 1.5, -uSeconds * speed, cos(uSeconds * 0.7 + position.x) * uSnow);
      vec3 local = mod(position * BOX + drift - uMiddle, BOX) - BOX * 0.5;
      vec4 seen = modelViewMatrix * vec4(uMiddle + local, 1.0);
      gl_Position = projectionMatrix * seen;
      gl_PointSize = uSize * mix(560.0, 210.0, uSnow) / max(8.0, -seen.z);
    }
  `,
  fragmentShader: /* glsl */ `
    uniform float uSnow;
    void main() {
      vec2 across = gl_PointCoord * 2.0 - 1.0;
      float far = mix(abs(across.x) * 7.0, length(across), uSnow);
      if (far > 1.0) discard;
      gl_FragColor = mix(vec4(0.78, 0.85, 0.93, 0.45), vec4(1.0, 1.0, 1.0, 0.85), uSnow);
    }
  `,
});

// How things are lit: from above, from below and by the sun, with more haze the further away they are. Colours are
// plain screen colours from beginning to end; nothing here is physics.

import { ShaderMaterial, Vector2, Vector3 } from "three";
import type { Colour, Light } from "../daylight.ts";
import { BRIGHTEST, KIND_STEP, SIDES } from "../mesher.ts";

/** Shared by all materials. */
export const LIGHT = {
  uSun: { value: new Vector3(0, 1, 0) },
  uSunColour: { value: new Vector3() },
  uAbove: { value: new Vector3(1, 1, 1) },
  uBelow: { value: new Vector3() },
  uHaze: { value: new Vector3() },
  /** The distances at which haze begins, and at which it hides everything. */
  uReach: { value: new Vector2(200, 400) },
  uSeconds: { value: 0 },
  /** The distance from the camera to what it looks at. */
  uFocus: { value: 44 },
  /** How dark it is, how white with snow and how wet with rain, each from 0 to 1. */
  uNight: { value: 0 },
  uFrost: { value: 0 },
  uWet: { value: 0 },
};

export function setLight(light: Light): void {
  const put = (into: Vector3, [r, g, b]: Colour) => into.set(r, g, b);
  put(LIGHT.uSun.value, light.sun);
  put(LIGHT.uSunColour.value, light.sunColour);
  put(LIGHT.uAbove.value, light.above);
  put(LIGHT.uBelow.value, light.below);
  put(LIGHT.uHaze.value, light.haze);
  LIGHT.uNight.value = light.night;
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

/** Procedural patterns of materials, in texels of a sixteenth of a cell. With distance they fade into plain colour. */
const PATTERNS = /* glsl */ `
  float hash(vec3 p) {
    p = fract(p * vec3(0.1031, 0.1030, 0.0973));
    p += dot(p, p.yxz + 33.33);
    return fract((p.x + p.y) * p.z);
  }
  float drift(vec2 p) {
    vec2 c = floor(p);
    vec2 f = smoothstep(0.0, 1.0, p - c);
    float a = mix(hash(vec3(c, 9.0)), hash(vec3(c + vec2(1.0, 0.0), 9.0)), f.x);
    float b = mix(hash(vec3(c + vec2(0.0, 1.0), 9.0)), hash(vec3(c + 1.0, 9.0)), f.x);
    return mix(a, b, f.y);
  }
  float edge(vec2 t, float wide) {
    vec2 e = min(t, 15.0 - t);
    return step(min(e.x, e.y), wide);
  }
  // The colour of a texel: the paint made lighter or darker, or for some patterns another colour.
  vec3 worked(int kind, vec3 paint, vec2 uv, float side, vec3 cell) {
    vec2 texel = floor(uv * 16.0);
    vec2 t = mod(texel, 16.0);
    float n = hash(vec3(texel, side));
    float blotch = hash(vec3(floor(uv * 4.0), side + 7.0));
    bool up = side == 2.0;
    if (kind == 1) {
      bool turf = !up && side != 3.0 && t.y > 12.0 - 3.0 * hash(vec3(texel.x, cell.y, side));
      if (turf) return vec3(0.51, 0.63, 0.34) * (0.88 + 0.2 * n);
      return paint * (up ? 0.93 + 0.1 * n + 0.06 * blotch : 0.86 + 0.22 * n);
    }
    if (kind == 2) return paint * (0.92 + 0.1 * n + 0.06 * step(0.93, n));
    if (kind == 3) return paint * (0.9 + 0.1 * n + 0.09 * blotch - 0.16 * step(0.955, n));
    if (kind == 4) {
      float board = floor(uv.y * 4.0);
      float joint = step(abs(mod(texel.x + 16.0 * hash(vec3(board, side, 3.0)), 32.0) - 0.5), 0.6);
      float seam = step(mod(texel.y, 4.0), 0.5);
      float grainy = hash(vec3(floor(texel.x / 5.0), texel.y, side));
      return paint * (0.95 + 0.12 * grainy + 0.07 * hash(vec3(board, 1.0, side))) * (1.0 - 0.24 * max(seam, joint));
    }
    if (kind == 5) {
      float row = floor(texel.y / 4.0);
      float shifted = texel.x + 4.0 * mod(row, 2.0);
      float mortar = max(step(mod(texel.y, 4.0), 0.5), step(mod(shifted, 8.0), 0.5));
      float one = hash(vec3(floor(shifted / 8.0), row, side));
      return mix(paint * (0.86 + 0.24 * one + 0.06 * n), vec3(0.72, 0.68, 0.62), mortar * 0.6);
    }
    if (kind == 6) {
      if (up || side == 3.0) return paint * (0.85 + 0.2 * step(0.5, fract(length(t - 7.5) * 0.28)));
      float furrow = floor(texel.y / 11.0 + 4.0 * hash(vec3(texel.x, side, 1.0)));
      return paint * (0.76 + 0.36 * hash(vec3(texel.x, furrow, side)));
    }
    if (kind == 7) return paint * (0.88 + 0.2 * n + 0.08 * blotch) * (1.0 - 0.1 * step(n, 0.12));
    if (kind == 8) {
      float wave = sin(uv.x * 4.0 + uv.y * 2.0 + uSeconds * 0.9) + sin(uv.y * 5.0 - uv.x * 1.7 - uSeconds * 0.7);
      float glint = step(0.985, hash(vec3(floor(uv * 8.0), floor(uSeconds * 1.5))));
      return paint * (0.97 + 0.045 * wave) + vec3(0.16) * glint;
    }
    if (kind == 9) {
      float frame = max(edge(t, 0.5), max(step(abs(t.x - 7.5), 0.6), step(abs(t.y - 7.5), 0.6)) * 0.8);
      float shine = step(abs(mod(t.x + t.y, 16.0) - 5.0), 1.0);
      return mix(paint * vec3(0.78, 0.9, 0.98) + 0.14 * shine, vec3(0.42, 0.33, 0.24), frame);
    }
    if (kind == 10) return paint * (0.96 + 0.07 * n) * (1.0 - 0.26 * edge(t, 0.5) - 0.08 * edge(t, 1.5));
    if (kind == 11) {
      float band = edge(t, 0.5) + (up ? 0.0 : step(abs(t.y - 10.0), 0.6));
      float latch = up ? 0.0 : step(max(abs(t.x - 7.5), abs(t.y - 9.0)), 1.6);
      vec3 wood = paint * (0.94 + 0.1 * hash(vec3(floor(texel.x / 4.0), texel.y, side)));
      return mix(wood * (1.0 - 0.35 * min(1.0, band)), vec3(0.85, 0.76, 0.5), latch);
    }
    if (kind == 12) {
      float mouth = up ? 0.0 : step(abs(t.x - 7.5), 4.0) * step(2.0, t.y) * step(t.y, 7.0);
      vec3 glow = vec3(0.95, 0.5, 0.16) * (0.75 + 0.25 * sin(uSeconds * 7.0 + t.x + cell.x));
      vec3 fire = glow * step(t.y, 4.0 + 2.0 * hash(vec3(t.x, floor(uSeconds * 5.0), 1.0)));
      return mix(paint * (0.9 + 0.16 * n) * (1.0 - 0.2 * edge(t, 0.5)), max(vec3(0.09), fire), mouth);
    }
    return paint;
  }
`;

export const groundMaterial = new ShaderMaterial({
  uniforms: LIGHT,
  vertexShader: /* glsl */ `
    attribute vec4 place;
    attribute vec4 paint;
    uniform vec3 uSun, uSunColour, uAbove, uBelow;
    uniform vec2 uReach;
    uniform float uNight, uSeconds;
    flat varying vec2 vFace; // its pattern, and the side it faces
    varying vec3 vPaint, vLight, vPlace, vSeen;
    varying float vLamp;
    const vec3 SIDES[6] = vec3[6](${SIDES.map(vec3).join(",")});
    void main() {
      int word = int(place.w + 0.5);
      int side = word & 7;
      vLamp = float(word >> 3) / ${BRIGHTEST.toFixed(1)};
      float kind = paint.a > 0.99 ? -1.0 : floor(paint.a * 255.0 / ${KIND_STEP.toFixed(1)} + 0.5);
      vFace = vec2(kind, float(side));
      vec4 at = modelMatrix * vec4(place.xyz, 1.0);
      vPlace = at.xyz;
      // Plants bend in the wind.
      if (kind > 12.5 && fract(at.y) > 0.5) {
        vec2 wind = vec2(sin(uSeconds * 1.6 + at.x * 0.7 + at.z), cos(uSeconds * 1.3 + at.z * 0.8));
        at.xz += 0.07 * wind;
      }
      vec3 normal = SIDES[side];
      vec3 lit = mix(uBelow, uAbove, normal.y * 0.5 + 0.5) + uSunColour * max(dot(normal, uSun), 0.0);
      vec3 lamp = vec3(1.05, 0.72, 0.38) * vLamp * vLamp * 1.5 * uNight;
      vLight = kind < 0.0 ? vec3(1.15) : lit + lamp;
      vPaint = paint.rgb;
      vec4 seen = viewMatrix * at;
      vSeen = seen.xyz;
      gl_Position = projectionMatrix * seen;
    }
  `,
  fragmentShader: /* glsl */ `
    uniform vec3 uHaze;
    uniform vec2 uReach;
    uniform float uNight, uSeconds, uFrost, uWet, uFocus;
    flat varying vec2 vFace;
    varying vec3 vPaint, vLight, vPlace, vSeen;
    varying float vLamp;
    ${PATTERNS}
    void main() {
      int kind = int(vFace.x + 0.5);
      float side = vFace.y;
      vec2 uv = side < 1.5 ? vPlace.zy : side < 3.5 ? vPlace.xz : vPlace.xy;
      vec3 paint = vPaint;
      vec3 light = vLight;
      float far = length(vSeen);
      float near = 1.0 - smoothstep(50.0, 120.0, far);
      if (kind == 7) {
        // Leaves between the camera and what it looks at are thinned out, so that trees do not hide a town.
        float hides = smoothstep(3.0, 7.0, uFocus + vSeen.z) * (1.0 - smoothstep(0.2, 0.42, length(vSeen.xy) / uFocus));
        if (hash(vec3(floor(uv * 12.0), side)) < 0.85 * hides) discard;
      }
      if (kind >= 13) {
        // Stalks of different heights.
        vec3 cell = floor(vPlace);
        float stalk = floor(fract(vPlace.x) * 16.0) + 20.0 * step(0.5, abs(fract(vPlace.x) - fract(vPlace.z)));
        float tall = hash(vec3(stalk, cell.x, cell.z));
        float high = fract(vPlace.y);
        if (high > (kind == 14 ? 0.6 : 0.4) + 0.46 * tall || (kind == 13 && tall < 0.3)) discard;
        paint *= 0.8 + 0.35 * tall;
        if (kind == 14) paint *= 0.86 + 0.3 * step(0.55, high);
      } else if (kind > 0 && vFace.x >= 0.0 && near > 0.0) {
        paint = mix(paint, worked(kind, paint, uv, side, floor(vPlace)), near);
        if (kind == 9) light += uNight * vec3(0.55, 0.36, 0.12);
      }
      if (vFace.x >= 0.0) {
        if (side == 2.0 && kind != 8 && uFrost > 0.01) {
          float speck = hash(vec3(floor(uv * 16.0), 5.0)) * 0.3 * near + drift(uv * 0.35);
          paint = mix(paint, vec3(0.82, 0.86, 0.92), uFrost * smoothstep(0.25, 0.6, speck) * (kind >= 13 ? 0.35 : 0.9));
        }
        paint *= 1.0 - 0.16 * uWet;
      }
      gl_FragColor = vec4(mix(paint * light, uHaze, smoothstep(uReach.x, uReach.y, far)), 1.0);
    }
  `,
});

/** For instanced meshes. The fourth value of `paint` is the share of the instance's own colour. */
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

/** A soft, round shadow on the ground. */
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

/** For the marks of what a reader looks at: the same bright colour by day and by night. */
export const markMaterial = new ShaderMaterial({
  transparent: true,
  depthWrite: false,
  polygonOffset: true,
  polygonOffsetFactor: -2,
  polygonOffsetUnits: -4,
  vertexShader: /* glsl */ `
    void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }
  `,
  fragmentShader: /* glsl */ `
    void main() { gl_FragColor = vec4(1.0, 0.83, 0.42, 0.9); }
  `,
});

/** Rain and snow: points in a box around the middle of the view, wrapped around so that they never leave it. */
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
      float swayX = sin(uSeconds + position.y) * uSnow * 1.5;
      float swayZ = cos(uSeconds * 0.7 + position.x) * uSnow;
      vec3 drift = vec3(swayX, -uSeconds * speed, swayZ);
      vec3 local = mod(position * BOX + drift - uMiddle, BOX) - BOX * 0.5;
      vec4 seen = modelViewMatrix * vec4(uMiddle + local, 1.0);
      gl_Position = projectionMatrix * seen;
      gl_PointSize = uSize * mix(560.0, 210.0, uSnow) / max(14.0, -seen.z);
    }
  `,
  fragmentShader: /* glsl */ `
    uniform float uSnow;
    void main() {
      vec2 across = gl_PointCoord * 2.0 - 1.0;
      float far = mix(abs(across.x) * 11.0, length(across), uSnow);
      if (far > 1.0) discard;
      gl_FragColor = mix(vec4(0.78, 0.85, 0.93, 0.45), vec4(1.0, 1.0, 1.0, 0.85), uSnow);
    }
  `,
});

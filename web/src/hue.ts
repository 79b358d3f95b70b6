// The colour of a land's owner: always the same for an id, equally light for all, and never red.

import type { Rgb } from "./blocks.ts";

const LIGHTNESS = 0.6;
const CHROMA = 0.13;
const FROM = 60;
const TO = 350;

/** Degrees, from an id. Neighbouring numbers are far apart. */
export function hueOf(id: string): number {
  let hash = 0;
  for (let i = 0; i < id.length; i++) hash = (Math.imul(hash, 31) + id.charCodeAt(i)) >>> 0;
  return FROM + ((hash * 0.618034) % 1) * (TO - FROM);
}

/** OKLCH to what screens show. */
export function colourOf(id: string, lightness = LIGHTNESS): Rgb {
  const angle = (hueOf(id) * Math.PI) / 180;
  const a = CHROMA * Math.cos(angle);
  const b = CHROMA * Math.sin(angle);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const light = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return light.map((part) => Math.round(255 * encoded(Math.min(1, Math.max(0, part))))) as unknown as Rgb;
}

const encoded = (part: number) => (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055);

export const css = ([r, g, b]: Rgb, alpha = 1): string => `rgb(${r} ${g} ${b} / ${alpha})`;

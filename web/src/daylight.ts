// The light for an hour and a weather. Nights are blue, not black, so that there is something to see.

export type Colour = [r: number, g: number, b: number];

export interface Light {
  /** The direction of the sun or the moon, with length one. */
  sun: [x: number, y: number, z: number];
  sunColour: Colour;
  /** Ambient light from above and from below. */
  above: Colour;
  below: Colour;
  haze: Colour;
  /** How dark it is: from 0 at day to 1 at night. */
  night: number;
}

const hex = (colour: number): Colour => [(colour >> 16) / 255, ((colour >> 8) & 255) / 255, (colour & 255) / 255];

const NIGHT = { sun: hex(0x3c4866), above: hex(0x6a7088), below: hex(0x393d4e), haze: hex(0x222b42) };
const DAY = { sun: hex(0x7d735c), above: hex(0xb2b9c2), below: hex(0x67635c), haze: hex(0xbfd8e4) };
const DUSK = { sun: hex(0xb06a3a), above: hex(0xa68f8c), haze: hex(0xdfa582) };
const WEATHERS: Record<string, { haze: Colour; share: number; sun: number }> = {
  STORM: { haze: hex(0x77828b), share: 0.65, sun: 0.25 },
  COLD: { haze: hex(0xd9e4ec), share: 0.5, sun: 0.6 },
};

const mix = (a: Colour, b: Colour, share: number): Colour => a.map((part, i) => part + (b[i] - part) * share) as Colour;

function step(from: number, to: number, value: number): number {
  const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return share * share * (3 - 2 * share);
}

/** Hours are parts of a day: 0 is midnight, a quarter is sunrise, a half is noon. */
export function lightAt(hour: number, weather: string): Light {
  const turn = (hour - 0.25) * 2 * Math.PI;
  const rise = Math.sin(turn);
  const day = step(-0.15, 0.25, rise);
  const dusk = 1 - step(0, 0.4, Math.abs(rise));
  const sky = WEATHERS[weather];
  let haze = mix(mix(NIGHT.haze, DAY.haze, day), DUSK.haze, dusk * 0.55);
  let sunColour = mix(mix(NIGHT.sun, DAY.sun, day), DUSK.sun, dusk * 0.5);
  if (sky) {
    haze = mix(haze, mix(NIGHT.haze, sky.haze, 0.2 + 0.8 * day), sky.share);
    sunColour = mix([0, 0, 0], sunColour, sky.sun);
  }
  const high = Math.max(0.25, Math.abs(rise));
  const along = Math.cos(turn) * Math.sign(rise || 1);
  const length = Math.hypot(along, high, 0.45);
  return {
    sun: [along / length, high / length, 0.45 / length],
    sunColour,
    above: mix(mix(NIGHT.above, DAY.above, day), DUSK.above, dusk * 0.5),
    below: mix(NIGHT.below, DAY.below, day),
    haze,
    night: 1 - day * (sky ? 0.75 : 1),
  };
}

export const isNight = (hour: number): boolean => hour < 0.25 || hour > 0.75;

/** The hour as a clock shows it. */
export function clockText(hour: number): string {
  const minutes = Math.floor(hour * 24 * 60) % (24 * 60);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

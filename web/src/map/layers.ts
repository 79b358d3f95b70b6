// What the map can show, from below to above.

export const LAYERS = [
  "land",
  "buildings",
  "people",
  "paths",
  "activity",
  "events",
  "works",
  "things",
  "heights",
] as const;
export type Layer = (typeof LAYERS)[number];

/** Blocks with contents that can be looked at. */
export const THINGS: readonly string[] = ["CHEST", "BULLETIN_BOARD", "SIGN", "CONTRACT_TERMINAL", "FURNACE"];

/** The layers that an address names, or the usual ones if it names none. */
export function layersOf(query: string): Set<Layer> {
  const named = new URLSearchParams(query).get("layers")?.split(",");
  return new Set(LAYERS.filter((layer) => (named ? named.includes(layer) : layer !== "things" && layer !== "heights")));
}

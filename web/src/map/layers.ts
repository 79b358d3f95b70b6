// What the map can show, from below to above.

export const LAYERS = ["land", "people", "paths", "activity", "events", "works", "things"] as const;
export type Layer = (typeof LAYERS)[number];

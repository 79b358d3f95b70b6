// What the page's address says: the place, the part of it, and the thing that is looked at. It never holds a token.

export const PLACES = ["world", "society", "story", "matches"] as const;
export type PlaceName = (typeof PLACES)[number];

/** The address of the server, taken from that of this script, since a proxy may serve it below a path of its own. */
const script = import.meta.url;
export const ROOT = new URL("../", script);

const segments = (path: string): string[] => path.slice(ROOT.pathname.length).split("/");

/** The place that the path of an address names. */
export const placeOf = (path: string): PlaceName => PLACES.find((one) => one === segments(path)[0]) ?? "world";

/** What follows the place: a day of the story, a match. */
export function partOf(path: string): string {
  try {
    return decodeURIComponent(segments(path).slice(1).join("/"));
  } catch {
    return "";
  }
}

/**
 * A person is A1; land, organisations, laws, contracts and buildings have their own ids; a cell of the world is @x,y,z.
 */
export const isAgent = (see: string): boolean => /^A\d+$/.test(see);
export const isCell = (see: string): boolean => /^@-?\d+,-?\d+,-?\d+$/.test(see);

/** The cell that such an address names. */
export const cellOf = (see: string): [number, number, number] =>
  see.slice(1).split(",").map(Number) as [number, number, number];

/** The address of an event: its tick, and which one of the tick it is. Without that it is the tick as a whole. */
export const eventAddress = (tick: number, which = ""): string => (which ? `E${tick}.${which}` : `E${tick}`);

/** The event that an address names; null if it is the address of something else. */
export function eventOf(see: string): { tick: number; which: string } | null {
  const [, tick, which = ""] = /^E(\d{1,12})(?:\.(b?\d{1,6}))?$/.exec(see) ?? [];
  return tick === undefined ? null : { tick: Number(tick), which };
}

export const seen = (query: string): string | null => {
  const see = new URLSearchParams(query).get("see");
  return see && see.length <= 64 ? see : null;
};

/** Whether the world is shown as a map. */
export const isMap = (query: string): boolean => new URLSearchParams(query).get("view") === "map";

/** The place of the camera that an address names. */
export const cameraOf = (query: string): string => new URLSearchParams(query).get("cam") ?? "";

/** The tick of the past that is shown; null for the present. */
export const atTick = (query: string): number | null => {
  const at = new URLSearchParams(query).get("at") ?? "";
  return /^\d{1,12}$/.test(at) ? Number(at) : null;
};

/** The address of a thing. The rest of the query, which says how the place is shown, stays; a token never does. */
export function pathFor(place: PlaceName, see: string | null, query = "", part = ""): string {
  const given = new URLSearchParams(query);
  if (see) given.set("see", see);
  else given.delete("see");
  given.delete("token");
  const text = given.toString().replaceAll("%2C", ",").replaceAll("%40", "@").replaceAll("%2F", "/");
  const rest = part && `/${part.split("/").map(encodeURIComponent).join("/").replaceAll("%3A", ":")}`;
  return ROOT.pathname + (place === "world" ? "" : place + rest) + (text && `?${text}`);
}

/** The query of an address with one part changed; null leaves it out. */
export function withPart(query: string, name: string, value: string | null): string {
  const given = new URLSearchParams(query);
  if (value === null) given.delete(name);
  else given.set(name, value);
  return given.toString();
}

/** The address of the world as it was at a tick. */
export const momentPath = (tick: number): string => `${ROOT.pathname}?at=${tick}&speed=16`;

/** The match whose world is shown instead of the server's own; null for none. */
export const matchOf = (query: string): string | null => {
  const match = new URLSearchParams(query).get("match") ?? "";
  return /^[A-Za-z0-9][A-Za-z0-9._:-]{0,254}$/.test(match) ? match : null;
};

/** The match whose world this page shows; null where there is no page, as in tests. */
export const matchShown = (): string | null => (typeof location === "undefined" ? null : matchOf(location.search));

/** The address of a match's world. */
export function matchWorldPath(match: string, tick?: number): string {
  const moment = tick === undefined ? "" : `&at=${tick}`;
  return `${ROOT.pathname}?match=${encodeURIComponent(match).replaceAll("%3A", ":")}${moment}`;
}

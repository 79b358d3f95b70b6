// What the page's address says: the place, the part of it, and the thing that is looked at. It never holds a token.

export const PLACES = ["world", "society", "story", "matches"] as const;
export type PlaceName = (typeof PLACES)[number];

/** Set by the build. */
declare const __FILM__: boolean;

/** Whether this page is a film: a file of its own, which has everything it shows and no server. */
export const IS_FILM: boolean = typeof __FILM__ !== "undefined" && __FILM__;

/** The address of the server, taken from that of this script, since a proxy may serve it below a path of its own. */
const script = import.meta.url;
export const ROOT = IS_FILM ? new URL("film:/") : new URL("../", script);

/** What every path of this page begins with. A film has one file, so its places are behind the file's address. */
const BASE = IS_FILM ? "#/" : ROOT.pathname;

const segments = (path: string): string[] => path.slice(BASE.length).split("/");

/** The path and the query of the address, as `pathFor` makes them. */
export function here(): { path: string; query: string } {
  if (!IS_FILM) return { path: location.pathname, query: location.search };
  const [path, query] = (unwritten ?? location.hash).split("?", 2);
  return { path: path || BASE, query: query ? `?${query}` : "" };
}

/** The address of a film in a frame of another page, which has none of its own. */
let unwritten: string | null = null;

/** Let the address say something else, as a step that the reader can take back or not. */
export function readdress(path: string, step: "push" | "replace"): void {
  try {
    if (step === "push") history.pushState(null, "", path);
    else history.replaceState(null, "", path);
  } catch (problem) {
    if (!IS_FILM) throw problem;
    unwritten = path.slice(path.indexOf("#"));
  }
}

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

/** The address of a sentence of the story: its entry, and which one of the entry it is; without that, the entry. */
export const sentenceAddress = (entry: string, number = 0): string => (number ? `${entry}.${number}` : entry);

/** The sentence that an address names; null if it is the address of something else. */
export function sentenceOf(see: string): { entry: string; number: number } | null {
  const [, entry, number = "0"] =
    /^(e:(?:[0-9a-f]{32}|\d{8,19}(?:~[0-9a-f]{8})?))(?:\.([1-9]\d{0,3}))?$/.exec(see) ?? [];
  return entry === undefined ? null : { entry, number: Number(number) };
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
  const text = given
    .toString()
    .replaceAll("%2C", ",")
    .replaceAll("%40", "@")
    .replaceAll("%2F", "/")
    .replaceAll("%3A", ":");
  const rest = part && `/${part.split("/").map(encodeURIComponent).join("/").replaceAll("%3A", ":")}`;
  return BASE + (place === "world" ? "" : place + rest) + (text && `?${text}`);
}

/** The query of an address with one part changed; null leaves it out. */
export function withPart(query: string, name: string, value: string | null): string {
  const given = new URLSearchParams(query);
  if (value === null) given.delete(name);
  else given.set(name, value);
  return given.toString();
}

/** The address of the world as it was at a tick. */
export const momentPath = (tick: number): string => `${BASE}?at=${tick}&speed=16`;

/** What is shown now, at another tick. */
export const momentAt = (tick: number): string =>
  `${IS_FILM ? here().path : ""}?${withPart(here().query, "at", String(tick))}`;

/** The match whose world is shown instead of the server's own; null for none. */
export const matchOf = (query: string): string | null => {
  const match = new URLSearchParams(query).get("match") ?? "";
  return /^[A-Za-z0-9][A-Za-z0-9._:-]{0,254}$/.test(match) ? match : null;
};

/** The match that this page shows the world of; null where there is no page, as in tests. */
export const matchShown = (): string | null =>
  typeof location === "undefined" || IS_FILM ? null : matchOf(location.search);

const RUN = /^[a-z0-9-]{1,80}$/;

/** The run that is shown instead of the server's own world; null for none. */
export const runOf = (query: string): string | null => {
  const run = new URLSearchParams(query).get("run") ?? "";
  return RUN.test(run) ? run : null;
};

export const runShown = (): string | null =>
  typeof location === "undefined" || IS_FILM ? null : runOf(location.search);

const MATCH_PREFIX = "match:";

/** The second side of a comparison that an address names: a run, or the world of a match; null for none. */
export function besideOf(query: string): string | null {
  const beside = new URLSearchParams(query).get("beside") ?? "";
  const match = beside.startsWith(MATCH_PREFIX) && matchOf(`?match=${encodeURIComponent(beside.slice(6))}`);
  return match || RUN.test(beside) ? beside : null;
}

/** What the world of this page is called where two are compared. */
export const ownName = (): string => {
  const match = matchShown();
  return match === null ? (runShown() ?? "own") : MATCH_PREFIX + match;
};

/** Below which path of the server a run or the world of a match is. */
export const besidePath = (name: string): string =>
  name.startsWith(MATCH_PREFIX) ? `v1/matches/${name.slice(MATCH_PREFIX.length)}/world` : `v1/runs/${name}`;

/** The address of two runs beside each other. */
export function pairPath(run: string, beside: string, tick: number): string {
  return `${BASE}?run=${encodeURIComponent(run)}&beside=${encodeURIComponent(beside)}&at=${tick}`;
}

/** The address of a match's world. */
export function matchWorldPath(match: string, tick?: number): string {
  const moment = tick === undefined ? "" : `&at=${tick}`;
  return `${BASE}?match=${encodeURIComponent(match).replaceAll("%3A", ":")}${moment}`;
}

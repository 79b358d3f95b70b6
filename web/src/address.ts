// What the address of the page says: which place, and which thing is looked at. Never a token.

export type PlaceName = "world" | "society";

/** The place that the path of an address names. */
export const placeOf = (path: string): PlaceName => (path.endsWith("/society") ? "society" : "world");

/** A person is A1; land, organisations, laws and contracts have their own ids; a cell of the world is @x,y,z. */
export const isAgent = (see: string): boolean => /^A\d+$/.test(see);
export const isCell = (see: string): boolean => /^@-?\d+,-?\d+,-?\d+$/.test(see);

export const seen = (query: string): string | null => {
  const see = new URLSearchParams(query).get("see");
  return see && see.length <= 64 ? see : null;
};

export function pathFor(place: PlaceName, see: string | null): string {
  const query = see ? `?see=${encodeURIComponent(see).replaceAll("%2C", ",").replaceAll("%40", "@")}` : "";
  return (place === "society" ? "society" : "./") + query;
}

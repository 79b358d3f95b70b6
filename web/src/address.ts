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

/** Whether the world is shown as a map. */
export const isMap = (query: string): boolean => new URLSearchParams(query).get("view") === "map";

/** The address of a thing. What else the query says of how the place is shown stays; a token never does. */
export function pathFor(place: PlaceName, see: string | null, query = ""): string {
  const given = new URLSearchParams(query);
  if (see) given.set("see", see);
  else given.delete("see");
  given.delete("token");
  const text = given.toString().replaceAll("%2C", ",").replaceAll("%40", "@");
  return (place === "society" ? "society" : "./") + (text && `?${text}`);
}

/** The query of an address with one part changed; null leaves it out. */
export function withPart(query: string, name: string, value: string | null): string {
  const given = new URLSearchParams(query);
  if (value === null) given.delete(name);
  else given.set(name, value);
  return given.toString();
}

// The documents that a film holds: each in an element of its file that is never run.

/** What a film says of itself. */
export interface About {
  release: string;
  world: string;
  first: number;
  last: number;
  open_book: boolean;
  digests: [tick: number, digest: string][];
  proof: string | null;
  contents: Record<string, string>;
}

/** What this film says of itself. */
export const readAbout = (): About => JSON.parse(document.getElementById("film/about")!.textContent!);

/** A document as it lies in the film, compressed; null if the film has none of that name. */
export function packed(name: string): Uint8Array<ArrayBuffer> | null {
  const text = document.getElementById(`film/${name}`)?.textContent;
  return text ? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)) : null;
}

/** A document, unpacked; null if the film has none of that name. */
export async function unpacked(name: string): Promise<Response | null> {
  const bytes = packed(name);
  if (!bytes) return null;
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
}

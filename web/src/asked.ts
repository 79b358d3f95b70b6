// An answer of the server, or why there is none.

import { request } from "./answers.ts";

export async function asked<T>(path: string): Promise<T | { why: string }> {
  try {
    const answer = await request(path);
    const document = await answer.json();
    return answer.ok
      ? (document as T)
      : { why: typeof document.details === "string" ? document.details : why(document) };
  } catch {
    return { why: "the server cannot be reached" };
  }
}

/** The first sentence of a refusal that lists what is wrong. */
const why = (document: { error?: unknown; details?: { violations?: { message?: string }[] } }): string =>
  document.details?.violations?.[0]?.message ?? String(document.error);

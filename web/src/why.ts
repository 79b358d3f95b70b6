// Why the story says a sentence: what the server knows of it, or what a film holds of it.

import { IS_FILM, matchShown, sentenceOf } from "./address.ts";
import { request } from "./answers.ts";
import type { Dated } from "./story.ts";

/** An event of the world that a sentence was made from. */
export interface WhyEvent {
  id: string;
  tick: number;
  kind: string;
  place: [number, number, number] | null;
  people: string[];
  digest: string;
}

export interface WhySentence {
  number: number;
  text: string;
  asked: boolean;
  basis: "events" | "tick and people" | "nothing";
  tick: number | null;
  people: string[];
  events: WhyEvent[];
  events_total: number;
  witnesses: string[];
}

export interface Given {
  entry_id: string;
  created_at_world: string;
  by: string;
  excerpt: string;
  cited: boolean;
}

export interface Proposal {
  kind: "writer" | "operator" | "clock" | "seed";
  writer: string | null;
  given: Given[];
  given_total: number;
  is_known: boolean;
  beat: number | null;
  refused: string[] | null;
}

export interface Proof {
  leaf: number;
  beats: number;
  tip: string;
  origin: string;
  size: number;
  root: string;
  signed_by: string[];
  file: string;
}

export interface Why {
  entry_id: string;
  view: string;
  text: string;
  created_at_world: string;
  known: { scope: "PUBLIC" | "PRIVATE"; since: string; readers: string[]; readers_total: number | null };
  proposal: Proposal;
  last: number | null;
  handed: string[];
  sentences: WhySentence[];
  proof: Proof | null;
}

/** What is known, or why nothing is. */
export type Told = { why: Why } | { refused: string; code: string };

const TIMEOUT_MS = 30_000;
/** Longer excerpts and refusals are cut by the server; this is for one that is not ours. */
const MOST_CHARS = 500;

/** Ask why the story says a sentence; with its proof if that is wanted. */
export async function askWhy(see: string, proof = false): Promise<Told> {
  const asked = sentenceOf(see);
  if (!asked || matchShown() !== null) return { refused: "No story is told here.", code: "no_story" };
  if (IS_FILM) return { refused: "Its events, evidence and proof are not in this film.", code: "film" };
  const query = new URLSearchParams({ entry: asked.entry });
  if (asked.number) query.set("sentence", String(asked.number));
  if (proof) query.set("proof", "1");
  try {
    const answer = await request(`v1/story/why?${query}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const document = await answer.json();
    if (answer.ok) return { why: document as Why };
    const { details, error } = document as { details?: unknown; error?: unknown };
    return { refused: reasonIn(details).slice(0, MOST_CHARS), code: String(error) };
  } catch {
    return { refused: "No answer came; try again.", code: "away" };
  }
}

/** Why something was refused, from an answer's details: a sentence, or the violations of an engine. */
function reasonIn(details: unknown): string {
  if (typeof details === "string") return details;
  const first = (details as { violations?: { message?: unknown }[] } | undefined)?.violations?.[0]?.message;
  return typeof first === "string" ? first : "this could not be answered";
}

/** A sentence as the page itself has it, which is all that a film holds. */
export function heldSentence(see: string, text: string, dated: Dated | undefined): WhySentence | null {
  const number = sentenceOf(see)?.number;
  const held = number && dated?.sentences[number - 1];
  if (!number || !held) return null;
  const begin = number > 1 ? dated.sentences[number - 2][0] : 0;
  return {
    number,
    text: Array.from(text).slice(begin, held[0]).join("").trim(),
    asked: true,
    basis: "tick and people",
    tick: held[1],
    people: held[2],
    events: [],
    events_total: 0,
    witnesses: held[2],
  };
}

const SOURCES: Record<Proposal["kind"], string> = {
  writer: "",
  operator: "the operator's own words, as they were said",
  clock: "a time that the operator declared",
  seed: "it was there from the beginning; nobody proposed it",
};

/** How an entry came to be written, in words. */
export function proposalWords({ kind, writer, refused, beat }: Proposal): string {
  const source = SOURCES[kind] || `the writer ${writer ?? "of the story"} proposed it, and acceptance took it`;
  const tries = refused?.length ? `, after it was refused as ${refused.join(", ")}` : "";
  return `${source}${tries}${beat === null ? "" : `; beat ${beat}`}`;
}

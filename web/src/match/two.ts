// Two matches beside each other: where they part, and what differs, in sentences.

import { choice, type Json, type MatchLog, type Move } from "./log.ts";

/** Sentences that are told; a long match has thousands of moves. */
export const MOST_TOLD = 40;

export interface Told {
  /** The move to look at, from 0 on. */
  at: number;
  text: string;
}

export interface Parting {
  /** The first move that is not the same in both, from 0 on; null if all are. */
  at: number | null;
  /** The same in words. */
  text: string;
  told: Told[];
}

/** A value as text that does not depend on the order of its members. */
function plain(value: Json | undefined): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map(plain).join()}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${plain(value[name])}`).join()}}`;
}

/** What somebody did in a move: who, what, and whether it was valid. */
const deed = (log: MatchLog, move: Move): string =>
  [log.seats[move.seat] ?? "", move.turn, plain(move.answered), move.valid, move.error ?? ""].join("\n");

const answer = ({ answered, error, valid }: Move): string =>
  error !== null ? "nothing" : `${choice(answered) || "nothing"}${valid === false ? ", which was refused" : ""}`;

/** Where two matches part, and what differs from there on. */
export function parting(here: MatchLog, there: MatchLog): Parting {
  if (here.scenario !== there.scenario)
    return { at: 0, text: `These are two games: ${here.scenario} here, ${there.scenario} there`, told: [] };
  const both = Math.min(here.moves.length, there.moves.length);
  const told: Told[] = [];
  let at: number | null = null;
  for (let i = 0; i < both; i++) {
    const [one, other] = [here.moves[i], there.moves[i]];
    if (deed(here, one) === deed(there, other)) continue;
    at ??= i;
    if (told.length < MOST_TOLD) told.push({ at: i, text: moveText(here, there, i) });
  }
  if (here.moves.length !== there.moves.length) {
    at ??= both;
    const [longer, shorter] = here.moves.length > there.moves.length ? ["Here", "there"] : ["There", "here"];
    const most = Math.max(here.moves.length, there.moves.length);
    told.push({ at: both, text: `${longer} it went on to move ${most}; ${shorter} it ended with move ${both}.` });
  }
  const ends = endText(here, there);
  if (ends) told.push({ at: Math.max(here.moves.length, there.moves.length) - 1, text: ends });
  const text = at === null ? `No difference is shown up to move ${both}` : `They part with move ${at + 1}`;
  return { at, text, told };
}

function moveText(here: MatchLog, there: MatchLog, i: number): string {
  const [one, other] = [here.moves[i], there.moves[i]];
  const [who, whoThere] = [here.seats[one.seat] ?? "somebody", there.seats[other.seat] ?? "somebody"];
  if (who === whoThere) return `Here ${who} answered ${answer(one)}; there ${answer(other)}.`;
  return `Here ${who} answered ${answer(one)}; there ${whoThere} answered ${answer(other)}.`;
}

/** How the ends differ; empty if they do not. */
function endText(here: MatchLog, there: MatchLog): string {
  if (!here.end || !there.end) return "";
  const scores = ({ end, seats }: MatchLog) => seats.map((id) => `${id} ${end?.scores[id] ?? 0}`).join(", ");
  const [one, other] = [scores(here), scores(there)];
  return one === other ? "" : `Here it ended ${one}; there ${other}.`;
}

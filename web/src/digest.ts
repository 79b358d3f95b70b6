// What is going on, in two to four plain sentences, the weightiest first.

import type { Quarrel } from "./chronicle.ts";
import type { Body } from "./crowd.ts";
import { doing } from "./crowd.ts";
import { asks, goods, type Society, when } from "./society.ts";

/** A word of a sentence: plain, one that leads to a thing, or what somebody says of themselves. */
export type Span = string | { see: string; text: string } | { intent: string };
export type Sentence = readonly Span[];

const MOST_SENTENCES = 4;
const MOST_REASONS = 3;
const HUNGRY = 2;
const NUMBERS = [
  "No",
  "One",
  "Two",
  "Three",
  "Four",
  "Five",
  "Six",
  "Seven",
  "Eight",
  "Nine",
  "Ten",
  "Eleven",
  "Twelve",
];

export const count = (n: number): string => NUMBERS[n] ?? String(n);

export function digest(society: Society | null, bodies: readonly Body[], quarrel?: Quarrel): Sentence[] {
  const here = bodies.filter(({ agent }) => agent.connected);
  const sentences = society ? [...event(society), ...votes(society), ...wanted(society), ...danger(society, here)] : [];
  const tell = here.filter(({ agent }) => agent.intent);
  const most = [
    ...(2 * tell.length < here.length || !tell.length ? activity(here) : []),
    ...reasons(tell, quarrel ? 1 : MOST_REASONS),
  ];
  const asked = sentences.length > 0 || !society ? [] : [["Nothing is asked for."] as Sentence];
  return [...sentences.slice(0, MOST_SENTENCES - 1), ...asked, ...(quarrel ? [dispute(quarrel)] : []), ...most];
}

/** Two who quarrel, and what was said last. */
function dispute({ speaker, by, against, isSettled, said }: Quarrel): Sentence {
  const verb = isSettled ? " has made peace with " : " has a quarrel with ";
  const sides: Span[] = [{ see: by, text: "" }, verb, { see: against, text: "" }, ". "];
  return [...sides, { see: speaker, text: "" }, " says: ", { intent: said }];
}

function* event({ event, day_ticks }: Society): Generator<Sentence> {
  if (!event) return;
  const where: Span[] = event.center
    ? [" around ", { see: `@${event.center.join(",")}`, text: `${event.center[0]}, ${event.center[2]}` }]
    : [];
  yield [
    { see: event.id, text: event.title },
    ` is on until ${when(event.ends_tick, day_ticks)}`,
    ...where,
    `. ${event.description}`,
  ];
}

function* votes({ laws, day_ticks }: Society): Generator<Sentence> {
  for (const law of laws) {
    const link = { see: law.id, text: law.title };
    if (law.status === "VOTING") {
      yield [
        "A vote is open on ",
        link,
        ` until ${when(law.vote_ends_tick, day_ticks)}; ${law.voted} of ${law.members} have voted.`,
      ];
    } else if (law.status === "NOTICE") {
      yield ["A law is proposed: ", link, `. The vote opens on ${when(law.notice_ends_tick, day_ticks)}.`];
    }
  }
}

function* wanted(society: Society): Generator<Sentence> {
  const open = society.contracts.filter(({ state }) => state === "OPEN");
  if (!open.length) return;
  const owners = new Set(society.organisations.map(({ id }) => id));
  const first = open.find(({ poster }) => owners.has(poster)) ?? open[0];
  const rest = open.length - 1;
  const more: Span[] = rest ? [` ${count(rest)} more ${rest === 1 ? "contract is" : "contracts are"} open.`] : [];
  yield [
    { see: first.poster, text: "" },
    " wants ",
    { see: first.id, text: asks(first) },
    ` for ${goods(first.reward)}.`,
    ...more,
  ];
}

function* danger(society: Society, here: readonly Body[]): Generator<Sentence> {
  const late = society.lands.find(({ stage }) => stage > 0);
  if (late)
    yield [
      "The upkeep of ",
      { see: late.id, text: "" },
      late.stage > 1 ? " was missed: it is open to all." : " is late.",
    ];
  const hungry = here.filter(({ agent }) => agent.hunger <= HUNGRY);
  if (hungry.length)
    yield [
      { see: hungry[0].id, text: "" },
      hungry.length > 1 ? ` and ${hungry.length - 1} more have nothing left to eat.` : " has nothing left to eat.",
    ];
}

/** The commonest of the intents that people state: it says more than that they are walking. */
function reasons(tell: readonly Body[], atMost: number): Sentence[] {
  const said = new Map<string, Body[]>();
  for (const body of tell) {
    const { intent = "" } = body.agent;
    said.set(intent, [...(said.get(intent) ?? []), body]);
  }
  const most = [...said].sort((a, b) => b[1].length - a[1].length).slice(0, atMost);
  const spans = most.flatMap(([intent, bodies], i): Span[] => [
    i ? " " : "",
    bodies.length === 1 ? { see: bodies[0].id, text: "" } : count(bodies.length),
    bodies.length === 1 ? " says: " : " say: ",
    { intent },
  ]);
  return spans.length ? [spans] : [];
}

/** What is not worth telling of somebody. */
const RESTING = new Set(["idle", "standing", "asleep"]);

function activity(here: readonly Body[]): Sentence[] {
  if (!here.length) return [["Nobody is here."]];
  const kinds = new Map<string, Body[]>();
  for (const body of here) {
    const kind = doing(body.agent);
    kinds.set(kind, [...(kinds.get(kind) ?? []), body]);
  }
  const busy = [...kinds]
    .filter(([kind]) => !RESTING.has(kind))
    .sort((a, b) => b[1].length - a[1].length)
    .slice(0, 3);
  if (!busy.length) return [["Everyone rests."]];
  const spans = busy.flatMap(([kind, bodies], i): Span[] => [
    i ? ", " : "",
    bodies.length === 1
      ? { see: bodies[0].id, text: "" }
      : i
        ? count(bodies.length).toLowerCase()
        : count(bodies.length),
    ` ${bodies.length === 1 ? "is" : "are"} ${kind}`,
  ]);
  return [[...spans, "."]];
}

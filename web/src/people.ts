// Everybody with what they have and what they did for it: for sorted lists, and for questions such as who is richest.

import { amount, type Items, nameOfGoods } from "./society.ts";

export interface Person {
  id: string;
  name: string;
  /** What they carry, by the public list of prices; null where pockets are private. */
  worth: number | null;
  /** The mean of the reputations, up to 1,000. */
  standing: number;
  trades: number;
  /** The item they gave most of in trades, by worth. */
  sold: [item: string, count: number] | null;
  /** The item they carry most of, by worth. */
  carries: [item: string, count: number] | null;
  kept: number;
  earned: number;
  broken: number;
  built: number;
}

export const ORDERS = ["arrival", "worth", "standing", "deeds"] as const;
export type Order = (typeof ORDERS)[number];

/** The worth of goods by a list of prices; an item that is not listed is worth 1. */
export const worthOf = (goods: Items, prices: Items): number =>
  Object.entries(goods).reduce((sum, [item, count]) => sum + count * (prices[item] ?? 1), 0);

export const deedsOf = ({ kept, built }: Person): number => kept + built;

/** The value a person is sorted by; null if it is private. */
export function figureOf(person: Person, order: Order): number | null {
  if (order === "worth") return person.worth;
  return order === "standing" ? Math.round(person.standing / 10) : deedsOf(person);
}

const many = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;

/** Where somebody's wealth comes from, as far as it is recorded: sales, pay, or what they carry. */
export function sourceOf({ sold, kept, earned, trades, carries }: Person, prices: Items): string {
  const income = sold ? sold[1] * (prices[sold[0]] ?? 1) : 0;
  if (sold && income >= earned)
    return `sells ${nameOfGoods(sold[0])}: ${sold[1]} in ${many(trades, "trade", "trades")}`;
  if (kept) return `kept ${many(kept, "contract", "contracts")}, which paid ${earned}`;
  return carries ? `carries ${amount(...carries)}` : "has nothing to show";
}

/** The reason for somebody's place in an order. */
export function reasonOf(person: Person, order: Order, prices: Items): string {
  const { kept, built, broken, trades } = person;
  if (order === "worth") return sourceOf(person, prices);
  const deeds = [
    kept && `kept ${many(kept, "contract", "contracts")}`,
    broken && `broke ${many(broken, "contract", "contracts")}`,
    built && `built ${many(built, "thing", "things")}`,
    order === "standing" && trades && `traded ${many(trades, "time", "times")}`,
  ].filter(Boolean);
  return deeds.join(", ") || "has done nothing that is on record";
}

/** The people in order, those with most first; whoever has no value comes last. */
export function sorted(people: readonly Person[], order: Order): Person[] {
  const figure = (person: Person) => figureOf(person, order) ?? -1;
  return [...people].sort((a, b) => figure(b) - figure(a) || Number(a.id.slice(1)) - Number(b.id.slice(1)));
}

interface Superlative {
  words: RegExp;
  title: string;
  order: Order;
  last?: boolean;
}

const SUPERLATIVES: readonly Superlative[] = [
  { words: /^(who is )?(the )?(rich|wealth|worth)/, title: "Richest", order: "worth" },
  { words: /^(who is )?(the )?poor/, title: "Poorest", order: "worth", last: true },
  {
    words: /^(who is )?(the )?(best known|standing|respected|reput)/,
    title: "Of the best standing",
    order: "standing",
  },
  { words: /^(who is )?(the )?(busi|hardest|deeds)/, title: "Busiest", order: "deeds" },
];

/** Who is richest, poorest and so on, as a sentence; null if the words do not ask that. */
export function superlative(
  asked: string,
  people: readonly Person[],
  prices: Items,
): { id: string; text: string } | null {
  const wanted = SUPERLATIVES.find(({ words }) => words.test(asked));
  if (!wanted) return null;
  const { order, title, last } = wanted;
  const ranked = sorted(people, order).filter((person) => figureOf(person, order) !== null);
  const first = last ? ranked.at(-1) : ranked[0];
  if (!first) return null;
  const figure = figureOf(first, order);
  return { id: first.id, text: `${title}: ${first.name}, ${figure}, who ${reasonOf(first, order, prices)}` };
}

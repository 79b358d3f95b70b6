// What the people of the world have agreed on and ask of each other, requested again when some of it has changed.

import { matchShown } from "./address.ts";
import { request } from "./answers.ts";
import type { Building } from "./buildings.ts";
import { clockText } from "./daylight.ts";
import type { Person } from "./people.ts";
import type { Happening, Position } from "./protocol.ts";
import type { Election } from "./upcoming.ts";
import { blueprintWord, filled, lawSentence } from "./words.ts";

export type Items = Record<string, number>;

export interface Land {
  id: string;
  owner: string;
  anchor: Position;
  radius: number;
  /** The radius of its core, for which a ticket may be required. */
  core?: number;
  stage: number;
  due_tick: number;
  visitors_may: string[];
  market_tax: number;
  curfew: [number, number] | null;
  fine: [string, number] | null;
  ticket: [string, number] | null;
}

export interface Organisation {
  id: string;
  kind: string;
  name: string;
  created_tick: number;
  members: Record<string, string>;
  treasury: Items;
  open: boolean;
}

export interface Law {
  id: string;
  land_id: string;
  template_id: string;
  title: string;
  proposer: string;
  status: "NOTICE" | "VOTING" | "ACTIVE" | "REJECTED";
  proposed_tick: number;
  notice_ends_tick: number;
  vote_ends_tick: number;
  params: Record<string, number | string>;
  voted: number;
  members: number;
  quorum: number;
  tally: { yes: number; no: number; abstain: number } | null;
}

export interface Contract {
  id: string;
  kind: string;
  state: "OPEN" | "ACCEPTED" | "COMPLETED" | "FAILED";
  poster: string;
  acceptor: string;
  backer: string;
  terminal: Position;
  asked: Items;
  brought: Items;
  reward: Items;
  bonus: Items;
  deposit: Items;
  blueprint_id: string;
  anchor: Position | null;
  created_tick: number;
  deadline_tick: number;
}

export interface Post {
  id: string;
  author: string;
  title: string;
  body: string;
  tick: number;
}

export interface Society {
  tick: number;
  day_ticks: number;
  season: number;
  open_book: boolean;
  lands: Land[];
  organisations: Organisation[];
  laws: Law[];
  contracts: Contract[];
  boards: Record<string, Post[]>;
  buildings: Items;
  /** The worth of goods; an item that is not listed is worth 1. Absent for the past. */
  prices?: Items;
  /** Whether the tape did not have room for everything. */
  cut?: boolean;
  event: WorldEvent | null;
}

export interface WorldEvent {
  id: string;
  title: string;
  description: string;
  start_tick: number;
  ends_tick: number;
  center: Position | null;
  radius: number;
}

export interface Inspected {
  id: string;
  joined_tick: number;
  organisation: string;
  rank: string;
  reputation: Record<string, number>;
  /** Null for the past: the tape does not hold them. */
  achievements: Record<string, Record<string, number>> | null;
  contracts: string[];
  laws: string[];
  land: string;
  /** Null if pockets are private; undefined while they are requested. */
  carries: Items | null | undefined;
  refused: { tick: number; code: string; message: string; hint?: string }[] | null;
}

/** A town as its governors see it: the parts that the page shows. */
export interface Town {
  day: number;
  mission: { title: string; description: string } | null;
  pressure: Record<string, number>;
  projects: { id: string; name: string; progress: number; status: string }[];
}

/** An order of a city's council, with what led to it and what came of it. */
export interface Decision {
  tick: number;
  actor: string;
  type: string;
  target: string;
  command: string;
  priority: number;
  reason: string;
  saw: Record<string, number>;
  weighed: { type: string; target: string; priority: number; selected: boolean }[];
  status: string;
  reason_code: string;
  detail: string;
  contract: string;
}

/** A decision of a mind: what the model was told, the options that it weighed, and what came of it. */
export interface MindDecision {
  number: number;
  tick: number;
  read: string;
  chose: string;
  by: "model" | "rule";
  weighed: { letter: string; name: string; probability: number | null }[];
  seconds?: number;
  came?: string;
}

/** A mind among the villagers, and its latest decisions, the newest first; null where they are private. */
export interface ShownMind {
  agent: string;
  rules: string;
  decisions: MindDecision[] | null;
}

/** An option of a mind in words: "mine nearest coal ore". */
export const mindWords = (option: string): string => option.replaceAll("_", " ");

const TIMEOUT_MS = 8000;
// After an event the papers are requested no sooner than this, and without any event no later than this.
const SOONEST_MS = 3000;
const LATEST_MS = 60_000;
/** The kinds of events after which the society's papers change. */
const CHANGES = new Set([
  "LAW",
  "VOTE",
  "CONTRACT",
  "BACKED",
  "POST",
  "POST_REMOVED",
  "CREATE_ORG",
  "JOIN_ORG",
  "LEAVE_ORG",
  "ORG_ENDED",
  "ORG_DEPOSIT",
  "ORG_WITHDRAW",
  "CLAIM_LAND",
  "UPGRADE_CLAIM",
  "DEED_LAND",
  "LAND_ENDED",
  "PAID_UPKEEP",
  "MISSED_UPKEEP",
  "WORLD_EVENT",
  "TOWN_RESULT",
  "TRADE",
  "BUILT",
  "SEASON_ROLLOVER",
]);

/** What is known of a match's world beyond its tape. */
const KNOWN_OF_MATCH = /^(v1\/matches|admin\/v1\/observer\/society$)/;

export async function ask<T>(path: string): Promise<T | null> {
  if (matchShown() !== null && !KNOWN_OF_MATCH.test(path)) return null;
  try {
    const answer = await request(path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return answer.ok ? ((await answer.json()) as T) : null;
  } catch {
    return null;
  }
}

/** The society's papers, and when to ask for them again. */
export class Papers {
  society: Society | null = null;
  buildings: Building[] = [];
  elections: Election[] = [];
  people: Person[] = [];
  /** Whether the server was asked, and has had time to answer. */
  answered = false;
  private readonly towns = new Map<string, Town>();
  private changed = true;
  private asking = false;
  private askedAt = -LATEST_MS;

  constructor(private readonly arrived: () => void) {}

  take(happenings: readonly Happening[]): void {
    this.changed ||= happenings.some((one) => CHANGES.has(one.kind));
  }

  /** Request what everybody has and has done. */
  async askForPeople(): Promise<void> {
    this.people = (await ask<Person[]>("admin/v1/observer/people")) ?? this.people;
  }

  town(id: string): Town | undefined {
    return this.towns.get(id);
  }

  async refresh(now: number): Promise<void> {
    const age = now - this.askedAt;
    if (this.asking || !(this.changed ? age > SOONEST_MS : age > LATEST_MS)) return;
    this.asking = true;
    this.changed = false;
    this.askedAt = now;
    const society = await ask<Society>("admin/v1/observer/society");
    this.answered = true;
    if (society) {
      this.society = society;
      this.buildings = (await ask<Building[]>("admin/v1/observer/buildings")) ?? this.buildings;
      this.elections = (await ask<Election[]>("admin/v1/observer/elections")) ?? this.elections;
      await this.askForPeople();
      const cities = society.organisations.filter(({ kind }) => kind === "CITY");
      for (const { id } of cities) {
        const town = await ask<Town>(`v1/towns/${id}/snapshot`);
        if (town) this.towns.set(id, town);
      }
      this.arrived();
    }
    this.asking = false;
  }
}

export const words = (id: string): string => id.toLowerCase().replaceAll("_", " ");

export const building = (id: string): string => `a ${blueprintWord(id)}`;

// Items that English weighs rather than counts.
const UNCOUNTED =
  /^(BREAD|CLAY|COAL|DIRT|GLASS|GRASS|GRAVEL|ICE|LEAVES|SAND|STONE|WATER|WHEAT|WIRE|.*_(ORE|MEAT|DUST|GRASS))$/;

const plural = (word: string) =>
  /(s|ore|meat)$/.test(word) ? word : `${word.replace(/y$/, "ie").replace(/ch$/, "che")}s`;

/** "planks", "coal": a name without a number. */
export const nameOfGoods = (item: string): string => (UNCOUNTED.test(item) ? words(item) : plural(words(item)));

/** "6 planks", "1 coal", "2 coal", "1 berry" */
export const amount = (item: string, count: number): string =>
  `${count} ${count === 1 ? words(item).replace(/ies$/, "y") : nameOfGoods(item)}`;

/** "6 planks, 1 coal" */
export const goods = (items: Items): string =>
  Object.entries(items)
    .map(([item, count]) => amount(item, count))
    .join(", ");

/** "day 3, 15:05" */
export const when = (tick: number, dayTicks: number): string =>
  `day ${Math.floor(tick / dayTicks) + 1}, ${clockText((tick % dayTicks) / dayTicks)}`;

const part = (value: number | string | undefined) => Number(value ?? 0) / 1e6;

/** What a law says, as a sentence. */
export function sense({ template_id, params }: Pick<Law, "template_id" | "params">): string {
  const { start_time, end_time, fine_item, fine_per_block, ticket_item, ticket_cost, market_tax } = params;
  return filled(lawSentence(template_id), {
    share: () => String(Math.round(part(market_tax) * 100)),
    start: () => clockText(part(start_time)),
    end: () => clockText(part(end_time)),
    fine: () => amount(String(fine_item), Number(fine_per_block)),
    ticket: () => amount(String(ticket_item), Number(ticket_cost)),
  });
}

/** The land that a column belongs to; among several, the smallest. */
export const landAt = (society: Society | null, x: number, z: number): Land | undefined =>
  society?.lands
    .filter(({ anchor, radius }) => Math.abs(x - anchor[0]) <= radius && Math.abs(z - anchor[2]) <= radius)
    .sort((a, b) => a.radius - b.radius)[0];

/** What a contract asks for. */
export const asks = (contract: Contract): string =>
  contract.kind === "BUILD"
    ? `${building(contract.blueprint_id)} at ${contract.anchor?.[0]}, ${contract.anchor?.[2]}`
    : goods(contract.asked);

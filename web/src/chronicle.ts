// Public events as lines. Each sort keeps its own last lines, so that work never buries talk.

import type { Looks } from "./blocks.ts";
import type { Audit, Happening, Tick } from "./protocol.ts";
import { building, goods } from "./society.ts";
import type { Segment } from "./tape.ts";

export type Sort = "talk" | "people" | "society" | "work";
export const SORTS: readonly Sort[] = ["talk", "people", "society", "work"];
const KEPT_LINES = 150;
// Work of the same kind by the same agent within this time shares a line.
const SAME_WORK_TICKS = 100;

export interface Line {
  key: number;
  tick: number;
  /** Which event of its tick it is: its number among the public ones, from 1, or b and that of a changed block. */
  which: string;
  sort: Sort;
  who: string;
  /** The id of whoever it is about, if it has one. */
  see?: string;
  /** What stands after the name: a verb and its object. */
  did: string;
  /** What was said, word for word. */
  quote?: string;
  count: number;
}

type NameOf = (id: string) => string;

interface Told {
  sort: Sort;
  did: string;
  /** Who did it, if that is not the agent of the happening, and its id. */
  who?: string;
  see?: string;
  quote?: string;
}
type Tell = (one: Happening, nameOf: NameOf) => Told;

const words = (id = "") => id.toLowerCase().replaceAll("_", " ");
const title = (id = "") => words(id).replace(/^./, (letter) => letter.toUpperCase());
const society = (did: string, more: Partial<Told> = {}): Told => ({ sort: "society", did, ...more });

const LAWS: Record<string, string> = {
  NOTICE: "proposed a law",
  VOTING: "proposed a law that comes to the vote",
  ACTIVE: "proposed a law that is now in force",
  REJECTED: "proposed a law that was rejected",
};
const CONTRACTS: Record<string, Tell> = {
  OPEN: () => society("offered a contract"),
  ACCEPTED: (one, nameOf) => society(`took a contract of ${nameOf(one.poster ?? "")}`),
  COMPLETED: (one, nameOf) => society(`fulfilled a contract of ${nameOf(one.poster ?? "")}`),
  FAILED: (one, nameOf) => society("had a contract expire unfulfilled", { who: nameOf(one.poster ?? "") }),
};
/** What a council orders, by the first word of the command. */
const ORDERS: Record<string, string> = {
  salvage: "gather what is scarce",
  project: "go on with a work",
  mission: "take up a mission",
  townsfolk: "talk to its people",
};
const office = (actor: string) => actor.replace(/-\d+$/, "");
const HAPPENINGS: Record<string, Tell> = {
  JOIN: (one) => ({ sort: "people", did: "joined the world", who: one.name ?? "", see: one.agent ?? "" }),
  LEAVE: (one) => ({
    sort: "people",
    did: one.retired ? "left for good" : "left; the body stays",
    who: one.name ?? "",
    see: one.agent ?? "",
  }),
  DOWNED: () => ({ sort: "people", did: "went down and respawned" }),
  CHAT: (one) => ({
    sort: "talk",
    did: one.channel === "MARKET" ? "says on the market" : "says",
    quote: one.text ?? "",
  }),
  POST: (one) => ({ sort: "talk", did: "posted", quote: one.title ?? "" }),
  BUILT: (one) => ({ sort: "work", did: `finished ${building(one.blueprint_id ?? "")}` }),
  CREATE_ORG: (one) => society(`founded ${one.name}`),
  JOIN_ORG: (one, nameOf) => society(`joined ${nameOf(one.org_id ?? "")}`),
  LEAVE_ORG: (one, nameOf) => society(`left ${nameOf(one.org_id ?? "")}`),
  ORG_ENDED: (one) => society(`left as the last member of ${one.name}`),
  ORG_DEPOSIT: (one, nameOf) => society(`gave ${one.count} ${words(one.item)} to ${nameOf(one.org_id ?? "")}`),
  ORG_WITHDRAW: (one, nameOf) => society(`took ${one.count} ${words(one.item)} from ${nameOf(one.org_id ?? "")}`),
  CLAIM_LAND: () => society("claimed land"),
  UPGRADE_CLAIM: () => society("enlarged its land"),
  DEED_LAND: (one, nameOf) => society(`gave land to ${nameOf(one.new_owner ?? "")}`),
  LAND_ENDED: (one, nameOf) => society("lost its land", { who: nameOf(one.owner ?? "") }),
  LAW: (one) => society(LAWS[one.status ?? ""] ?? "proposed a law", { quote: one.title ?? "" }),
  VOTE: () => society("voted"),
  TRADE: ({ with: seller = "", offer, request }, nameOf) =>
    society(
      offer ? `bought ${pairs(offer)} from ${nameOf(seller)} for ${pairs(request)}` : `traded with ${nameOf(seller)}`,
    ),
  CONTRACT: (one, nameOf) => (CONTRACTS[one.state ?? ""] ?? CONTRACTS.OPEN)(one, nameOf),
  BACKED: () => society("added to the reward of a contract"),
  WORLD_EVENT: (one) => society(one.on ? "begins" : "is over", { who: title(one.event_id) }),
  UNLOCKED: (one) => ({ sort: "work", did: `achieved “${words(one.achievement)}” for the first time` }),
  REACHED_GOAL: (one) => society(`took part in the ${words(one.event_id)}`),
  TOWN_RESULT: (one, nameOf) => {
    const [first = ""] = (one.command ?? "").split(" ");
    const isOrder = Object.hasOwn(ORDERS, first);
    const order = isOrder ? ORDERS[first] : "do something";
    const outcome = one.status === "executed" ? "" : `: ${words(one.status)}`;
    return society(`ordered ${nameOf(one.town_id ?? "")} to ${order}${outcome}`, {
      who: `The ${office(one.actor ?? "council")}`,
      ...(!isOrder && { quote: one.command ?? "" }),
    });
  },
  SEASON_ROLLOVER: (one) => society("begins", { who: `Season ${one.season}` }),
};

const pairs = (items: readonly (readonly [string, number])[] = []) => goods(Object.fromEntries(items)) || "nothing";

// What is not mined like stone, and not placed like it.
const TAKEN: Record<string, string> = {
  log: "felled a log",
  leaves: "cut leaves",
  "wheat ripe": "harvested wheat",
  "berry bush": "picked berries",
  dirt: "dug dirt",
  grass: "dug grass",
  sand: "dug sand",
};
const PUT: Record<string, string> = { "wheat sprout": "sowed wheat", sapling: "planted a sapling" };

const WORKS: Record<string, (audit: Audit, looks: Looks) => string> = {
  MINE: (audit, looks) => TAKEN[looks.word(audit.from)] ?? `mined ${looks.word(audit.from)}`,
  PLACE: (audit, looks) => PUT[looks.word(audit.to)] ?? `placed ${looks.word(audit.to)}`,
  BUILD_BLUEPRINT: (audit, looks) => `built with ${looks.word(audit.to)}`,
};

/** What somebody, or the world, did to a block. */
export const changed = (audit: Audit, looks: Looks): string =>
  WORKS[audit.reason ?? ""]?.(audit, looks) ??
  (audit.to ? `put ${looks.word(audit.to)}` : `took away ${looks.word(audit.from)}`);

export class Chronicle {
  private kept: Record<Sort, Line[]> = { talk: [], people: [], society: [], work: [] };
  private next = 1;

  /** The newest lines of these sorts, the newest first. */
  lines(sorts: readonly Sort[], most: number): Line[] {
    const all = sorts.flatMap((sort) => this.kept[sort]);
    return all.sort((a, b) => b.tick - a.tick || b.key - a.key).slice(0, most);
  }

  /** The newest lines about somebody, the newest first. Two may have one name, so an id says who. */
  of(id: string, most: number): Line[] {
    return this.lines(SORTS, 4 * KEPT_LINES)
      .filter(({ see }) => see === id)
      .slice(0, most);
  }

  /** What somebody last said aloud or posted. */
  saidBy(id: string): Line | undefined {
    return this.kept.talk.find(({ see }) => see === id);
  }

  /** The same for every tick of a segment after one, up to another. */
  takeEach(segment: Segment, after: number, upTo: number, looks: Looks, nameOf: NameOf): void {
    for (const tick of segment.eventful(after, upTo)) this.take(tick, looks, nameOf);
  }

  take(tick: Pick<Tick, "tick" | "happenings" | "audits">, looks: Looks, nameOf: NameOf): void {
    for (const [i, one] of (tick.happenings ?? []).entries()) {
      const { who, ...told } = HAPPENINGS[one.kind]?.(one, nameOf) ?? society(words(one.kind));
      const id = one.agent ?? one.actor ?? one.from ?? "";
      this.add({
        tick: tick.tick,
        which: `${i + 1}`,
        who: who ?? nameOf(id),
        count: 1,
        ...(id && !who && { see: id }),
        ...told,
      });
    }
    for (const [i, audit] of (tick.audits ?? []).entries()) {
      const did = WORKS[audit.reason ?? ""]?.(audit, looks);
      if (did !== undefined)
        this.addWork({
          tick: tick.tick,
          which: `b${i + 1}`,
          sort: "work",
          who: nameOf(audit.actor),
          see: audit.actor,
          did,
          count: 1,
        });
    }
  }

  /** Put older lines after those that were heard since. */
  goBack(before: Chronicle): void {
    for (const sort of SORTS) {
      const since = this.kept[sort];
      const oldest = since.at(-1)?.tick ?? Infinity;
      const older = before.kept[sort].filter(({ tick }) => tick < oldest).map((line) => ({ ...line, key: -line.key }));
      this.kept[sort] = [...since, ...older].slice(0, KEPT_LINES);
    }
  }

  private addWork(work: Omit<Line, "key">): void {
    const same = this.kept.work.find(
      (line) => line.see === work.see && line.did === work.did && work.tick - line.tick <= SAME_WORK_TICKS,
    );
    if (same) {
      same.count++;
      same.tick = work.tick;
      same.which = work.which;
    } else {
      this.add(work);
    }
  }

  private add(line: Omit<Line, "key">): void {
    const lines = this.kept[line.sort];
    lines.unshift({ key: this.next++, ...line });
    if (lines.length > KEPT_LINES) lines.pop();
  }
}

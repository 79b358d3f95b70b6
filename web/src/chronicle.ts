// Public events as lines. Each sort keeps its own latest lines, so that work never crowds out talk.

import { isAgent } from "./address.ts";
import type { Looks } from "./blocks.ts";
import type { Audit, Happening, Tick } from "./protocol.ts";
import { amount, building, goods } from "./society.ts";
import type { Segment } from "./tape.ts";
import { achievementDeed, commandWords, eventTitle, filled, putWords, rankWord, takenWords, telling } from "./words.ts";

export type Sort = "talk" | "people" | "society" | "work";
export const SORTS: readonly Sort[] = ["talk", "people", "society", "work"];
const KEPT_LINES = 150;
// Work of the same kind by the same agent within this time is one line.
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
  /** The text after the name: a verb and its object. */
  did: string;
  /** What was said, word for word. */
  quote?: string;
  count: number;
}

/** A step of a quarrel that somebody said aloud. */
export interface Quarrel {
  tick: number;
  speaker: string;
  by: string;
  against: string;
  isSettled: boolean;
  said: string;
}

/** The step of a quarrel that a message is marked with; undefined if it is none, or has another form. */
export function quarrelIn({ kind, from, agent, text, data }: Happening, tick: number): Quarrel | undefined {
  const mark = kind === "CHAT" && data && typeof data === "object" && "quarrel" in data ? data.quarrel : undefined;
  if (!mark || typeof mark !== "object" || !("by" in mark) || !("against" in mark)) return undefined;
  const { by, against } = mark;
  const speaker = from ?? agent ?? "";
  if (typeof by !== "string" || typeof against !== "string" || !isAgent(by) || !isAgent(against)) return undefined;
  const isSettled = "step" in mark && mark.step === "peace";
  return { tick, speaker, by, against, isSettled, said: text ?? "" };
}

type NameOf = (id: string) => string;

/** An event in words. */
interface Wording {
  sort: Sort;
  did: string;
  /** Who did it, if that is not the agent of the happening, and its id. */
  who?: string;
  see?: string;
  quote?: string;
}
/** The variant of the event, for kinds whose variants have sentences of their own. */
function variantOf({ kind, channel, status, state, on, retired }: Happening): string {
  if (kind === "LEAVE") return retired ? "retired" : "";
  if (kind === "WORLD_EVENT") return on ? "on" : "";
  if (kind === "TOWN_RESULT") return status === "executed" ? "" : "refused";
  return channel ?? status ?? state ?? "";
}

/** What was said word for word, or what a law or a notice is called. */
function quoteOf({ kind, text, title, command }: Happening): string | undefined {
  if (kind === "CHAT") return text ?? "";
  if (kind === "POST" || kind === "LAW") return title ?? "";
  return kind === "TOWN_RESULT" && commandWords(command ?? "") === undefined ? (command ?? "") : undefined;
}

/** The values for the placeholders of a sentence about an event. */
const valuesOf = (one: Happening, nameOf: NameOf): Record<string, () => string> => ({
  "a blueprint": () => building(one.blueprint_id ?? ""),
  achieved: () => achievementDeed(one.achievement ?? ""),
  event: () => eventTitle(one.event_id ?? ""),
  goods: () => amount(one.item ?? "", one.count ?? 0),
  member: () => nameOf(one.member_id ?? ""),
  name: () => one.name ?? "",
  "new owner": () => nameOf(one.new_owner ?? ""),
  offer: () => pairs(one.offer),
  office: () => (one.actor ?? "council").replace(/-\d+$/, ""),
  order: () => commandWords(one.command ?? "") ?? "do something",
  org: () => nameOf(one.org_id ?? ""),
  owner: () => nameOf(one.owner ?? ""),
  poster: () => nameOf(one.poster ?? ""),
  request: () => pairs(one.request),
  role: () => rankWord(one.role ?? ""),
  season: () => String(one.season ?? ""),
  seller: () => nameOf(one.with ?? ""),
  town: () => nameOf(one.town_id ?? ""),
});

/** An event in words. */
export function tell(one: Happening, nameOf: NameOf): Wording {
  const { sort, did, who } = telling(one.kind, variantOf(one));
  const values = valuesOf(one, nameOf);
  const quote = quoteOf(one);
  const isTrade = one.kind === "TRADE" && !one.offer;
  return {
    sort: sort as Sort,
    did: isTrade ? `traded with ${values.seller()}` : filled(did, values),
    ...(who !== undefined && { who: filled(who, values) }),
    // Whoever left is no longer in the world, so the name comes from the event.
    ...((one.kind === "JOIN" || one.kind === "LEAVE") && { who: one.name ?? "", see: one.agent ?? "" }),
    ...(quote !== undefined && { quote }),
  };
}

const pairs = (items: readonly (readonly [string, number])[] = []) => goods(Object.fromEntries(items)) || "nothing";

const WORKS: Record<string, (audit: Audit, looks: Looks) => string> = {
  MINE: (audit, looks) => takenWords(looks.name(audit.from)),
  PLACE: (audit, looks) => putWords(looks.name(audit.to)),
  BUILD_BLUEPRINT: () => "worked on a building",
};

/** What somebody, or the world, did to a block. */
export const changed = (audit: Audit, looks: Looks): string =>
  audit.reason === "BUILD_BLUEPRINT"
    ? `built with ${looks.word(audit.to)}`
    : (WORKS[audit.reason ?? ""]?.(audit, looks) ??
      (audit.to ? `put ${looks.word(audit.to)}` : `took away ${looks.word(audit.from)}`));

/** A line that stands for several: of others who did the same in the same tick, as in a vote. */
export type Folded = Line & { others: number };

/** Lines of one tick that differ only in who did it become one; what somebody said is never folded. */
export function fold(lines: readonly Line[]): Folded[] {
  const folded: Folded[] = [];
  for (const line of lines) {
    const last = folded.at(-1);
    const isSame = last?.tick === line.tick && last.sort === line.sort && last.did === line.did;
    if (last && isSame && line.quote === undefined && last.quote === undefined) last.others++;
    else folded.push({ ...line, others: 0 });
  }
  return folded;
}

export class Chronicle {
  private kept: Record<Sort, Line[]> = { talk: [], people: [], society: [], work: [] };
  private next = 1;
  /** The newest step of a quarrel, as it was said. */
  quarrel: Quarrel | undefined;

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

  /** The same for the ticks of a segment that come after one tick, up to another. */
  takeEach(segment: Segment, after: number, upTo: number, looks: Looks, nameOf: NameOf): void {
    for (const tick of segment.eventful(after, upTo)) this.take(tick, looks, nameOf);
  }

  take(tick: Pick<Tick, "tick" | "happenings" | "audits">, looks: Looks, nameOf: NameOf): void {
    for (const [i, one] of (tick.happenings ?? []).entries()) {
      const { who, ...told } = tell(one, nameOf);
      this.quarrel = quarrelIn(one, tick.tick) ?? this.quarrel;
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

  /** Add older lines behind those that have come since. */
  goBack(before: Chronicle): void {
    for (const sort of SORTS) {
      const since = this.kept[sort];
      const oldest = since.at(-1)?.tick ?? Infinity;
      const older = before.kept[sort].filter(({ tick }) => tick < oldest).map((line) => ({ ...line, key: -line.key }));
      this.kept[sort] = [...since, ...older].slice(0, KEPT_LINES);
    }
    this.quarrel ??= before.quarrel;
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

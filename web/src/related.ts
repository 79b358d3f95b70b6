// Events that are related to an event, and what it changed.

import { goods, type Items } from "./society.ts";
import { type Mark, SEGMENT_TICKS, type Segment } from "./tape.ts";

const RELATED = 8;
const SHOWN_CHANGES = 8;

/** How strongly a shared thing relates two events: a law or a contract much, land and its owner hardly at all. */
const binds = (ref: string): number => (/^(C|LAW)\d/.test(ref) ? 4 : /^A\d/.test(ref) ? 2 : 0.5);

/** The events that are related to one: those that share most with it and are nearest, in order of time. */
export function related(all: readonly Mark[], of: Mark): Mark[] {
  const shared = (one: Mark) =>
    one.refs.filter((ref) => of.refs.includes(ref)).reduce((sum, ref) => sum + binds(ref), 0);
  const others = all.filter((one) => !(one.tick === of.tick && one.number === of.number) && shared(one) >= 2);
  const near = (one: Mark) => shared(one) * 1000 - Math.abs(one.tick - of.tick);
  return others
    .sort((a, b) => near(b) - near(a))
    .slice(0, RELATED)
    .sort((a, b) => a.tick - b.tick);
}

interface Change {
  of: string;
  what: string;
}

/** What a tick changed in the society's records, in words: from what to what. */
export function changesAt(segment: Segment, tick: number): Change[] {
  const offset = tick - segment.n * SEGMENT_TICKS;
  const now = segment.document.society.find(([at]) => at === offset)?.[1] ?? {};
  const changes: Change[] = [];
  for (const kind of ["laws", "contracts", "organisations", "lands"] as const) {
    for (const [id, after] of Object.entries(now[kind] ?? {})) {
      const before = segment.records.one<Record<string, unknown>>(offset - 1, kind, id);
      const row = after as Record<string, unknown> | null;
      const what = !row ? "is gone" : !before ? (offset ? "is new" : "") : difference(before, row);
      if (what) changes.push({ of: id, what });
    }
  }
  return changes.slice(0, SHOWN_CHANGES);
}

const FIELDS: Record<string, string> = {
  status: "",
  state: "",
  voted: "votes",
  stage: "upkeep",
  owner: "owner",
  acceptor: "taken by",
};

function difference(before: Record<string, unknown>, after: Record<string, unknown>): string {
  const text = (value: unknown) => String(value || "nobody").toLowerCase();
  const differences = Object.entries(FIELDS)
    .filter(([name]) => before[name] !== after[name])
    .map(([name, word]) => `${word} ${text(before[name])} → ${text(after[name])}`.trim());
  if (JSON.stringify(before.treasury) !== JSON.stringify(after.treasury)) {
    differences.push(`treasury ${gained(before.treasury as Items, after.treasury as Items)}`);
  }
  const [were, are] = [before.members, after.members].map((all) => Object.keys((all ?? {}) as object).length);
  if (typeof after.members === "object" && were !== are) differences.push(`members ${were} → ${are}`);
  return differences.join(", ");
}

/** "+2 planks, −1 coal" */
function gained(before: Items, after: Items): string {
  const items = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const parts = items.map((item) => [item, (after[item] ?? 0) - (before[item] ?? 0)] as const).filter(([, by]) => by);
  return parts.map(([item, by]) => `${by > 0 ? "+" : "−"}${goods({ [item]: Math.abs(by) })}`).join(", ");
}

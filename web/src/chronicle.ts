// What happened that anyone may know, as lines. Each sort keeps its own last lines, so that work never buries talk.

import type { Looks } from "./blocks.ts";
import type { Audit, Happening, Tick } from "./protocol.ts";

export type Sort = "talk" | "people" | "work";
export const SORTS: readonly Sort[] = ["talk", "people", "work"];
const KEPT_LINES = 150;
// Work of the same kind by the same hands so soon after is told in the same line.
const SAME_WORK_TICKS = 100;

export interface Line {
  key: number;
  tick: number;
  sort: Sort;
  who: string;
  /** What stands after the name: a verb and its object. */
  did: string;
  /** What was said, word for word. */
  quote?: string;
  count: number;
}

type NameOf = (id: string) => string;

const HAPPENINGS: Record<string, (one: Happening) => { sort: Sort; did: string; quote?: string }> = {
  JOIN: () => ({ sort: "people", did: "came into the world" }),
  LEAVE: () => ({ sort: "people", did: "left; the body stays" }),
  DOWNED: () => ({ sort: "people", did: "went down, and begins again" }),
  CHAT: (one) => ({
    sort: "talk",
    did: one.channel === "MARKET" ? "calls on the market" : "says",
    quote: one.text ?? "",
  }),
};

const WORKS: Record<string, (audit: Audit, looks: Looks) => string> = {
  MINE: (audit, looks) => `mined ${looks.word(audit.from)}`,
  PLACE: (audit, looks) => `placed ${looks.word(audit.to)}`,
  BUILD_BLUEPRINT: (audit, looks) => `built with ${looks.word(audit.to)}`,
};

export class Chronicle {
  private readonly kept: Record<Sort, Line[]> = { talk: [], people: [], work: [] };
  private next = 1;

  /** The newest lines of these sorts, the newest first. */
  lines(sorts: readonly Sort[], most: number): Line[] {
    const all = sorts.flatMap((sort) => this.kept[sort]);
    return all.sort((a, b) => b.tick - a.tick || b.key - a.key).slice(0, most);
  }

  take(tick: Tick, looks: Looks, nameOf: NameOf): void {
    for (const one of tick.happenings ?? []) {
      const told = HAPPENINGS[one.kind]?.(one) ?? { sort: "people", did: one.kind.toLowerCase().replaceAll("_", " ") };
      const id = one.agent ?? one.from ?? "";
      this.add({ tick: tick.tick, who: one.name ?? nameOf(id), count: 1, ...told });
    }
    for (const audit of tick.audits ?? []) {
      const did = WORKS[audit.reason ?? ""]?.(audit, looks);
      if (did !== undefined) this.addWork(tick.tick, nameOf(audit.actor), did);
    }
  }

  private addWork(tick: number, who: string, did: string): void {
    const same = this.kept.work.find(
      (line) => line.who === who && line.did === did && tick - line.tick <= SAME_WORK_TICKS,
    );
    if (same) {
      same.count++;
      same.tick = tick;
    } else {
      this.add({ tick, sort: "work", who, did, count: 1 });
    }
  }

  private add(line: Omit<Line, "key">): void {
    const lines = this.kept[line.sort];
    lines.unshift({ key: this.next++, ...line });
    if (lines.length > KEPT_LINES) lines.pop();
  }
}

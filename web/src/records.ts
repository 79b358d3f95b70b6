// Records on the tape: those of the society, and with an open book private ones. A segment begins with each record
// whole, and has it again after each change, so the records of a tick follow from folding the changes up to it.

import type { Contract, Items, Land, Law, Organisation, Post, Society } from "./society.ts";

/** By kind and by key; null for a record that is gone. Keys come from outside, so all of these become maps. */
export type Changes = [offset: number, records: Record<string, Record<string, unknown>>][];

export interface Refusal {
  tick: number;
  code: string;
  message: string;
  hint?: string;
}

type Kept = Map<string, Map<string, unknown>>;

export class Records {
  private at = -1;
  private done = 0;
  private kept: Kept = new Map();

  constructor(private readonly changes: Changes) {}

  /** The number of changes up to an offset. Anything derived from the records is valid while it stays the same. */
  upTo(offset: number): number {
    let count = 0;
    while (count < this.changes.length && this.changes[count][0] <= offset) count++;
    return count;
  }

  /** The records of an offset, by kind and key. */
  of(offset: number): Kept {
    if (offset < this.at) [this.done, this.kept] = [0, new Map()];
    this.at = offset;
    for (; this.done < this.changes.length && this.changes[this.done][0] <= offset; this.done++) {
      for (const [kind, rows] of Object.entries(this.changes[this.done][1])) {
        const table = this.kept.get(kind) ?? new Map<string, unknown>();
        this.kept.set(kind, table);
        for (const [key, row] of Object.entries(rows)) {
          if (row === null) table.delete(key);
          else table.set(key, row);
        }
      }
    }
    return this.kept;
  }

  all<T>(offset: number, kind: string): T[] {
    return [...(this.of(offset).get(kind)?.values() ?? [])] as T[];
  }

  one<T>(offset: number, kind: string, key: string): T | undefined {
    return this.of(offset).get(kind)?.get(key) as T | undefined;
  }
}

const ENDED_SHOWN = 40;

/** All that are not over, and the newest of those that are; the newest come first. */
function newest<T extends { id: string }>(rows: T[], isOver: (row: T) => boolean): T[] {
  const sorted = rows.sort((a, b) => (a.id < b.id ? 1 : -1));
  return [...sorted.filter((row) => !isOver(row)), ...sorted.filter(isOver).slice(0, ENDED_SHOWN)];
}

interface Structure {
  blueprint_id: string;
  builder: string;
  low: readonly number[];
  high: readonly number[];
}

/** The society at an offset. What is not on the tape is taken from the present society. */
export function societyOf(
  records: Records,
  offset: number,
  tick: number,
  today: Pick<Society, "day_ticks" | "open_book">,
): Society {
  const all = <T>(kind: string) => records.all<T>(offset, kind);
  const buildings: Items = {};
  for (const { blueprint_id } of all<Structure>("structures"))
    buildings[blueprint_id] = (buildings[blueprint_id] ?? 0) + 1;
  return {
    tick,
    day_ticks: today.day_ticks,
    season: 0,
    open_book: today.open_book,
    lands: all<Land>("lands"),
    organisations: all<Organisation>("organisations"),
    laws: newest(all<Law>("laws"), ({ status }) => status === "REJECTED"),
    contracts: newest(all<Contract>("contracts"), ({ state }) => state === "COMPLETED" || state === "FAILED"),
    boards: Object.fromEntries(records.of(offset).get("boards") ?? []) as Record<string, Post[]>,
    buildings,
    event: all<NonNullable<Society["event"]>>("event")[0] ?? null,
    cut: records.one(offset, "cut", "") === true,
  };
}

/** What was at a place: whose building, and the text of a sign. */
export function placeOf(
  records: Records,
  offset: number,
  [x, y, z]: readonly number[],
): { building: string; builder: string; sign: string } {
  const at = [x, y, z];
  const structure = records
    .all<Structure>(offset, "structures")
    .find(({ low, high }) => at.every((value, i) => low[i] <= value && value <= high[i]));
  return {
    building: structure?.blueprint_id ?? "",
    builder: structure?.builder ?? "",
    sign: records.one<string>(offset, "signs", at.join(",")) ?? "",
  };
}

// Yesterday in five sentences: what mattered most on the day before, in the chronicle's own words.

import type { Story } from "./story.ts";

export const MOST_SENTENCES = 5;

export interface Recalled {
  text: string;
  tick: number;
  weight: number;
}

export interface Yesterday {
  /** Counted from 1. */
  day: number;
  sentences: Recalled[];
}

/** How a page of the chronicle begins: with its day, which is the same for all of yesterday. */
const OF_WHICH_DAY = /^(?:on|in|early|late|shortly|around|at|towards)\b[^.“”]{0,40}? day,(?: (?:before|after) \w+,)? /i;

const withoutDay = (text: string): string => {
  const told = text.replace(OF_WHICH_DAY, "");
  return told.charAt(0).toUpperCase() + told.slice(1);
};

/** The weightiest first; what is of one weight is of one kind, and a second of a kind comes after all other kinds. */
function weightiestOf(sentences: readonly Recalled[]): Recalled[] {
  const seen = new Map<number, number>();
  const ranked = [...sentences]
    .sort((a, b) => b.weight - a.weight || a.tick - b.tick)
    .map((one) => {
      const rank = seen.get(one.weight) ?? 0;
      seen.set(one.weight, rank + 1);
      return { one, rank };
    });
  return ranked.sort((a, b) => a.rank - b.rank || b.one.weight - a.one.weight).map(({ one }) => one);
}

/** The weightiest sentences of the day before `tick`, in the order of what they tell; null if there are none. */
export function yesterday(story: Pick<Story, "entries" | "ticks">, perDay: number, tick: number): Yesterday | null {
  const day = Math.floor(tick / perDay);
  const sentences = story.entries.flatMap(({ entry_id, text }) => {
    const letters = Array.from(text);
    let begin = 0;
    return (story.ticks.get(entry_id)?.sentences ?? []).map(([end, at, , weight = 0]): Recalled => {
      const said = letters.slice(begin, end).join("").trim();
      begin = end;
      return { text: withoutDay(said), tick: at, weight };
    });
  });
  const ofDay = sentences.filter((one) => Math.floor(one.tick / perDay) === day - 1);
  if (!ofDay.length) return null;
  const weightiest = weightiestOf(ofDay).slice(0, MOST_SENTENCES);
  return { day, sentences: weightiest.sort((a, b) => a.tick - b.tick) };
}

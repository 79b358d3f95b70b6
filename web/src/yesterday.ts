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

/** The weightiest sentences of the day before `tick`, in the order of what they tell; null if there are none. */
export function yesterday(story: Pick<Story, "entries" | "ticks">, perDay: number, tick: number): Yesterday | null {
  const day = Math.floor(tick / perDay);
  const sentences = story.entries.flatMap(({ entry_id, text }) => {
    const letters = Array.from(text);
    let begin = 0;
    return (story.ticks.get(entry_id)?.sentences ?? []).map(([end, at, , weight = 0]): Recalled => {
      const said = letters.slice(begin, end).join("").trim();
      begin = end;
      return { text: said, tick: at, weight };
    });
  });
  const ofDay = sentences.filter((one) => Math.floor(one.tick / perDay) === day - 1);
  if (!ofDay.length) return null;
  const weightiest = ofDay.sort((a, b) => b.weight - a.weight || a.tick - b.tick).slice(0, MOST_SENTENCES);
  return { day, sentences: weightiest.sort((a, b) => a.tick - b.tick) };
}

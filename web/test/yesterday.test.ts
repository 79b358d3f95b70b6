import assert from "node:assert/strict";
import { test } from "node:test";
import type { Dated, Entry } from "../src/story.ts";
import { MOST_SENTENCES, yesterday } from "../src/yesterday.ts";

const entry = (entry_id: string, text: string): Entry => ({
  entry_id,
  text,
  created_at_world: "",
  channel: "VOICE",
  author_label: null,
});

function told(...sentences: [text: string, tick: number, weight?: number][]) {
  let text = "";
  const ends = sentences.map(([said, tick, weight]): Dated["sentences"][number] => {
    text += `${text && " "}${said}`;
    return weight === undefined ? [Array.from(text).length, tick, []] : [Array.from(text).length, tick, [], weight];
  });
  const ticks = new Map<string, Dated>([["1", { first: 0, last: 9999, sentences: ends }]]);
  return { entries: [entry("1", text)], ticks };
}

test("the weightiest sentences of the day before are told in their order", () => {
  const days = told(["Old.", 50, 99], ["A.", 110, 1], ["B.", 120, 9], ["Today.", 210, 99]);
  assert.deepEqual(yesterday(days, 100, 215), {
    day: 2,
    sentences: [
      { text: "A.", tick: 110, weight: 1 },
      { text: "B.", tick: 120, weight: 9 },
    ],
  });
});

test("there are at most five, and light ones give way", () => {
  const many = Array.from({ length: 9 }, (_, n): [string, number, number] => [`S${n}.`, 100 + n, n]);
  const recalled = yesterday(told(...many), 100, 200);
  assert.equal(recalled?.sentences.length, MOST_SENTENCES);
  assert.deepEqual(
    recalled?.sentences.map(({ text }) => text),
    ["S4.", "S5.", "S6.", "S7.", "S8."],
  );
});

test("five different matters come before a second of a kind", () => {
  const laws = Array.from({ length: 5 }, (_, n): [string, number, number] => [`Law ${n}.`, 100 + n, 95]);
  const others: [string, number, number][] = [
    ["A house.", 120, 52],
    ["A quarrel.", 130, 66],
    ["A stranger.", 140, 50],
  ];
  assert.deepEqual(
    yesterday(told(...laws, ...others), 100, 200)?.sentences.map(({ text }) => text),
    ["Law 0.", "Law 1.", "A house.", "A quarrel.", "A stranger."],
  );
});

test("the day is not said again in each sentence", () => {
  const days = told(
    ["On the second day, before dawn, the rift closed.", 101, 9],
    ["Shortly before dawn of the second day, the council met.", 102, 8],
    ["On the law, nobody spoke.", 103, 7],
  );
  assert.deepEqual(
    yesterday(days, 100, 200)?.sentences.map(({ text }) => text),
    ["The rift closed.", "The council met.", "On the law, nobody spoke."],
  );
});

test("pages without weights are told as they come", () => {
  const recalled = yesterday(told(["Ä “quoted” 😀.", 101], ["Then.", 102]), 100, 200);
  assert.deepEqual(
    recalled?.sentences.map(({ text }) => text),
    ["Ä “quoted” 😀.", "Then."],
  );
});

test("the first day has no yesterday", () => {
  assert.equal(yesterday(told(["Now.", 5, 1]), 100, 20), null);
});

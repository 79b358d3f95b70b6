import assert from "node:assert/strict";
import test from "node:test";
import { type Dated, dayName, dayTicks, type Entry, linked, lostWords, quarters, Story } from "../src/story.ts";

const entry = (id: string): Entry => ({
  entry_id: id,
  created_at_world: "",
  channel: "VOICE",
  author_label: null,
  text: id,
});

function told(...ticks: (number | null)[]): Story {
  const story = new Story(() => {});
  story.entries = ticks.map((_, i) => entry(`e${i}`));
  ticks.forEach((first, i) => {
    const dated: Dated = { first: first ?? 0, last: (first ?? 0) + 1499, sentences: [[5, (first ?? 0) + 700, ["A1"]]] };
    if (first !== null) story.ticks.set(`e${i}`, dated);
  });
  return story;
}

test("entries stand in the quarters of their days; words without a tick stay where they were said", () => {
  const found = quarters(told(1500, 1500, null, 6000), 6000);
  assert.deepEqual(
    found.map(({ day, quarter, entries }) => [day, quarter, entries.length]),
    [
      [1, 1, 3],
      [2, 0, 1],
    ],
  );
  assert.deepEqual(found[0].strokes, [0, 0, 0, 2, 0, 0, 0, 0]);
  assert.deepEqual(
    quarters(told(1500), dayTicks(told(1500).ticks.values())).map(({ day, quarter }) => [day, quarter]),
    [[1, 1]],
    "a day is four quarters",
  );
});

test("where ticks begin anew, another world began", () => {
  assert.deepEqual(
    quarters(told(7500, 0, 1500), 6000).map(({ world, day }) => [world, day]),
    [
      [1, 2],
      [0, 1],
      [0, 1],
    ],
  );
  assert.equal(quarters(told(null), 6000)[0].day, 0, "a story without a chronicle has no days");
});

test("names become links where they stand as words, and are never read as a pattern", () => {
  const pieces = linked("Ann paid Anna, and .* paid Ann (A7).", [
    ["Ann", "A1"],
    ["Ann (A7)", "A7"],
    [".*", "A9"],
  ]);
  assert.deepEqual(
    pieces.filter(({ see }) => see),
    [
      { text: "Ann", see: "A1" },
      { text: ".*", see: "A9" },
      { text: "Ann (A7)", see: "A7" },
    ],
  );
  assert.equal(pieces.map(({ text }) => text).join(""), "Ann paid Anna, and .* paid Ann (A7).");
  assert.deepEqual(linked("nothing", []), [{ text: "nothing" }]);
});

test("days have names, as long as there are words", () => {
  assert.deepEqual([dayName(3), dayName(20), dayName(21)], ["The third day", "The twentieth day", "Day 21"]);
});

test("the headers of an answer say why the writer's part was lost", () => {
  const given = (members: Record<string, string>) => lostWords(new Headers(members));
  assert.equal(given({}), null);
  assert.equal(given({ "Story-Outcome": "written", "Story-Beat": "3" }), null);
  const why = {
    "Story-Outcome": "rejected CHANNEL",
    "Story-Reason": "a channel is VOICE or PEOPLE",
    "Story-Beat": "7",
  };
  assert.equal(
    given(why),
    "what the writer proposed was rejected (CHANNEL: a channel is VOICE or PEOPLE; beat 7 of the audit)",
  );
  assert.equal(
    given({ "Story-Outcome": "failed status", "Story-Reason": "HTTP %E2%80%93 401" }),
    "the writer failed (status: HTTP \u2013 401)",
  );
});

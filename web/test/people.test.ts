import assert from "node:assert/strict";
import { test } from "node:test";
import { type Person, reasonOf, sorted, superlative, worthOf } from "../src/people.ts";
import type { Society } from "../src/society.ts";
import { countdown, type Election, electionAt, upcoming } from "../src/upcoming.ts";

const PRICES = { IRON_INGOT: 5, COAL: 2 };

const person = (id: string, name: string, more: Partial<Person> = {}): Person => ({
  id,
  name,
  worth: 0,
  standing: 500,
  trades: 0,
  sold: null,
  carries: null,
  kept: 0,
  earned: 0,
  broken: 0,
  built: 0,
  ...more,
});

const BRAM = person("A2", "Bram", { worth: 212, trades: 9, sold: ["IRON_INGOT", 20], kept: 2, earned: 30 });
const NAN = person("A10", "Nan", { worth: 50, kept: 7, earned: 90, sold: ["COAL", 3], trades: 1, standing: 610 });
const HOB = person("A3", "Hob", { worth: 50, carries: ["COAL", 25], built: 1 });
const ALL = [NAN, HOB, BRAM];

test("who has most comes first, and of equals who came first", () => {
  assert.deepEqual(
    sorted(ALL, "worth").map(({ name }) => name),
    ["Bram", "Hob", "Nan"],
  );
  assert.equal(sorted(ALL, "standing")[0].name, "Nan");
  assert.deepEqual(
    sorted(ALL, "deeds").map(({ name }) => name),
    ["Nan", "Bram", "Hob"],
  );
});

test("why somebody is rich is what is on record", () => {
  assert.equal(reasonOf(BRAM, "worth", PRICES), "sells iron ingots: 20 in 9 trades");
  assert.equal(reasonOf(NAN, "worth", PRICES), "kept 7 contracts, which paid 90");
  assert.equal(reasonOf(HOB, "worth", PRICES), "carries 25 coal");
  assert.equal(reasonOf(person("A9", "Ida"), "deeds", PRICES), "has done nothing that is on record");
});

test("richest is a question that has an answer", () => {
  assert.deepEqual(superlative("richest", ALL, PRICES), {
    id: "A2",
    text: "Richest: Bram, 212, who sells iron ingots: 20 in 9 trades",
  });
  assert.equal(superlative("who is the richest", ALL, PRICES)?.id, "A2");
  assert.equal(superlative("poorest", ALL, PRICES)?.id, "A10");
  assert.equal(superlative("house", ALL, PRICES), null);
  assert.equal(superlative("richest", [person("A1", "Ada", { worth: null })], PRICES), null);
});

test("goods without a price are worth one each", () => {
  assert.equal(worthOf({ IRON_INGOT: 2, GRASS: 3 }, PRICES), 13);
});

const ELECTION: Election = {
  tick: 50,
  town: "ORG000001",
  said_by: "A1",
  office: "mayor",
  election_state: "open",
  next_tick: 400,
  candidates: [],
  winner: "",
  votes: {},
};

test("what comes next is told in the order in which it comes, and nothing of what has been", () => {
  const society = {
    laws: [
      { id: "LAW1", status: "VOTING", vote_ends_tick: 300 },
      { id: "LAW2", status: "NOTICE", notice_ends_tick: 90 },
    ],
    contracts: [900, 800, 700].map((deadline_tick, i) => ({
      id: `C00000${i}`,
      state: "ACCEPTED",
      kind: "DELIVER",
      asked: { COAL: 1 },
      deadline_tick,
    })),
    event: { id: "MARKET_WEEK", ends_tick: 5000 },
  } as unknown as Society;
  const next = upcoming(society, [ELECTION], 100);
  assert.deepEqual(
    next.map(({ tick }) => tick),
    [300, 400, 700, 800, 5000],
  );
  assert.equal(`${next[1].before}${next[1].text}${next[1].after}`, "The election of the mayor ends");
  assert.deepEqual(upcoming(null, [], 0), []);
});

test("an election is known from the moment in which it was told", () => {
  assert.equal(electionAt([ELECTION], 49), undefined);
  assert.equal(electionAt([ELECTION, { ...ELECTION, tick: 60, election_state: "decided" }], 70)?.tick, 60);
});

test("a countdown is of the reader's own time", () => {
  assert.equal(countdown(200, 5), "in 40 s");
  assert.equal(countdown(1200, 5), "in 4 min");
  assert.equal(countdown(36_000, 5), "in 2 h");
});

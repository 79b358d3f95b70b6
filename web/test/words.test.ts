import assert from "node:assert/strict";
import { test } from "node:test";
import { buildingAt, isBuilding, residentsOf, titleOf } from "../src/buildings.ts";
import { Chronicle, fold, SORTS, tell } from "../src/chronicle.ts";
import { nameOf } from "../src/names.ts";
import type { Happening } from "../src/protocol.ts";
import { hintInWords, plainly } from "../src/says.ts";
import table from "../src/words.json" with { type: "json" };
import {
  achievementDeed,
  actionWords,
  blockWord,
  eventTitle,
  reasonInWords,
  stateWord,
  telling,
  workName,
} from "../src/words.ts";

const NAMES = (id: string) => id || "somebody";

/** An event with every field that one can have. */
const FULL: Omit<Happening, "kind"> = {
  agent: "A1",
  actor: "warden-1",
  from: "A1",
  with: "A2",
  owner: "A3",
  new_owner: "A4",
  member_id: "A5",
  poster: "A6",
  name: "Nan",
  text: "hello",
  title: "a title",
  command: "salvage initiate ORG000001 scarcity",
  item: "COAL",
  count: 2,
  offer: [["BREAD", 1]],
  request: [["LOG", 1]],
  season: 2,
  role: "OFFICER",
  org_id: "ORG000001",
  town_id: "ORG000001",
  event_id: "RUINS_GATE",
  blueprint_id: "hut_small",
  achievement: "join_org",
};

test("every sentence of the table is complete when its event is", () => {
  for (const key of Object.keys(table.happenings)) {
    const { did, who = "", sort } = tell({ kind: key.split(".")[0], ...FULL }, NAMES);
    assert.ok(SORTS.includes(sort), key);
    assert.doesNotMatch(`${who} ${did}`, /[{}_]|undefined/, key);
  }
});

test("a code that nobody knows is written in small letters, whatever it is called", () => {
  assert.equal(telling("LAW_PASSED", "").did, "law passed");
  for (const code of ["constructor", "__proto__", "toString"]) {
    assert.equal(blockWord(code), code.toLowerCase().replaceAll("_", " "));
    assert.equal(typeof telling(code, code).did, "string");
    assert.equal(stateWord(code).mood, "wait");
  }
});

test("one thing has one name, wherever it is told", () => {
  assert.equal(eventTitle("BUILDER_EXPO"), "Builders' exhibition");
  assert.equal(achievementDeed("join_org"), "joined a city or guild");
  assert.equal(actionWords("INVITE_ORG"), "invite somebody");
  const chronicle = new Chronicle();
  const looks = { name: () => "", word: () => "" };
  chronicle.take(
    { tick: 1, happenings: [{ kind: "POST", actor: "WORLD", title: "Gate to the ruins" }] },
    looks as never,
    (id) => nameOf(id, null, null),
  );
  assert.equal(chronicle.lines(["talk"], 1)[0].who, "the world");
});

test("who did the same in one tick stands in one line, and what is said stays apart", () => {
  const chronicle = new Chronicle();
  const looks = { name: (block: number) => String(block), word: (block: number) => String(block) };
  const vote = (agent: string) => ({ kind: "VOTE", agent });
  const said = { kind: "CHAT", from: "A4", channel: "LOCAL", text: "Aye." };
  chronicle.take(
    { tick: 7, happenings: [vote("A1"), vote("A2"), vote("A3"), said, { ...said, from: "A5" }] },
    looks as never,
    NAMES,
  );
  chronicle.take({ tick: 8, happenings: [vote("A6")] }, looks as never, NAMES);
  const lines = fold(chronicle.lines(SORTS, 9)).map(({ who, others }) => [who, others]);
  assert.deepEqual(lines, [
    ["A6", 0],
    ["A5", 0],
    ["A4", 0],
    ["A3", 2],
  ]);
  assert.equal(chronicle.of("A1", 9).length, 1, "each has a line of its own where it is asked for");
});

test("the hint of a refusal names things as people do, and actions as they are sent", () => {
  assert.equal(hintInWords("WHEAT_SPROUT is in the way at 8 25 15"), "young wheat is in the way at 8 25 15");
  assert.equal(
    hintInWords("plank_from_log takes 1 LOG; did you mean MOVE_TO?"),
    "plank_from_log takes 1 log; did you mean MOVE_TO?",
  );
});

test("a thing whose name was said already is told by where it stands", () => {
  const name = (id: string) => id;
  assert.equal(
    plainly("The store is CHEST@-2,27,1. Come to CHEST@-2,27,1.", name),
    "The store is at -2 27 1. Come to the chest.",
  );
});

test("what people say has no codes of the protocol in it", () => {
  const said = "ACCEPT_CONTRACT C000007 for 1 STONE_AXE and some RAW_MEAT, says NO_SUCH_CODE";
  const plain = plainly(said, (id) => (id === "C000007" ? "contract 7" : id));
  assert.equal(plain, "take a contract contract 7 for 1 stone axe and some raw meat, says NO_SUCH_CODE");
  assert.equal(workName("Hut small 4"), "Small hut, work 4");
  assert.equal(workName("The hall"), "The hall");
});

const house = (id: string, at: number, residents: [id: string, since: number][] = []) => ({
  id,
  blueprint_id: "brick_house",
  builder: "A7",
  anchor: [at, 20, 0] as const,
  low: [at, 20, 0] as const,
  high: [at + 4, 24, 5] as const,
  completed_tick: 100,
  cost: {},
  contract: "",
  asked_by: "",
  asked_tick: 0,
  residents: residents.map(([who, since_tick]) => ({ id: who, since_tick, said_by: "A1" })),
  stands: true,
});

test("a building is called by what it is and who built it", () => {
  assert.ok(isBuilding("brick_house@18,26,-3/1"));
  for (const other of ["A1", "@1,2,3", "C000001", "hut@1,2/0", "Hut@1,2,3/0", `h${"x".repeat(60)}@1,2,3/0`])
    assert.ok(!isBuilding(other), other);
  assert.equal(
    titleOf(house("brick_house@0,20,0/0", 0), () => "Elspeth"),
    "Brick house, by Elspeth",
  );
});

test("of two buildings around a cell the smaller one is meant", () => {
  const hall = house("hall@0,20,0/0", 0);
  const lamp = { ...house("lamp_post@2,20,2/0", 2), low: [2, 20, 2] as const, high: [2, 22, 2] as const };
  assert.equal(buildingAt([hall, lamp], 2, 21, 2), lamp);
  assert.equal(buildingAt([hall, lamp], 3, 21, 2), hall);
  assert.equal(buildingAt([hall, lamp], 2, null, 2), lamp);
  assert.equal(buildingAt([hall, lamp], 9, 21, 2), undefined);
});

test("who was given another house later lives there, and not before", () => {
  const first = house("brick_house@0,20,0/0", 0, [["A2", 200]]);
  const second = house("brick_house@9,20,0/0", 9, [["A2", 300]]);
  const all = [first, second];
  assert.deepEqual(
    residentsOf(first, all, 250).map(({ id }) => id),
    ["A2"],
  );
  assert.deepEqual(residentsOf(first, all, 350), []);
  assert.deepEqual(residentsOf(second, all, 250), []);
  assert.deepEqual(
    residentsOf(second, all, 350).map(({ id }) => id),
    ["A2"],
  );
});

test("a governor's reason is told in plain words, and one that nobody knows as it is", () => {
  assert.equal(
    reasonInWords("Scarcity 53% and dread 20% require salvage response."),
    "Goods are short (53 %) and people afraid (20 %): we stock up.",
  );
  assert.equal(reasonInWords("Because."), "Because.");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventAddress, eventOf } from "../src/address.ts";
import { Looks } from "../src/blocks.ts";
import { Chronicle, SORTS } from "../src/chronicle.ts";
import type { Audit, Happening } from "../src/protocol.ts";

const LOOKS = new Looks(["AIR", "STONE", "LOG"]);

function tick(chronicle: Chronicle, number: number, happenings: Happening[], audits: Audit[] = []): void {
  const message = {
    type: "TICK" as const,
    tick: number,
    time_of_day: 0,
    weather: "CLEAR",
    agents: [],
    happenings,
    audits,
  };
  chronicle.take(message, LOOKS, (id) => `name of ${id}`);
}

const mined = (actor: string, block: number): Audit => ({ actor, pos: [0, 0, 0], from: block, to: 0, reason: "MINE" });

test("what is said is told word for word, with the name of who said it", () => {
  const chronicle = new Chronicle();
  tick(chronicle, 1, [{ kind: "CHAT", from: "A1", channel: "LOCAL", text: "<b>hello</b>" }]);
  const [line] = chronicle.lines(SORTS, 10);
  assert.deepEqual([line.who, line.did, line.quote], ["name of A1", "says", "<b>hello</b>"]);
});

test("a trade says what was bought, and for what", () => {
  const chronicle = new Chronicle();
  tick(chronicle, 1, [{ kind: "TRADE", actor: "A1", with: "A2", offer: [["BREAD", 2]], request: [["LOG", 4]] }]);
  assert.equal(chronicle.lines(SORTS, 1)[0]!.did, "bought 2 bread from name of A2 for 4 logs");
  tick(chronicle, 2, [{ kind: "TRADE", actor: "A1", with: "A2" }]);
  assert.equal(chronicle.lines(SORTS, 1)[0]!.did, "traded with name of A2");
});

test("an order of a council is told in words, and one that nobody knows word for word", () => {
  const chronicle = new Chronicle();
  tick(chronicle, 1, [
    {
      kind: "TOWN_RESULT",
      actor: "warden-1",
      town_id: "ORG000001",
      command: "salvage initiate ORG000001 dread",
      status: "executed",
    },
  ]);
  tick(chronicle, 2, [
    { kind: "TOWN_RESULT", actor: "mayor-1", town_id: "ORG000001", command: "constructor", status: "rejected" },
  ]);
  const told = chronicle.lines(SORTS, 2).map(({ who, did, quote }) => [who, did, quote]);
  assert.deepEqual(told, [
    ["The mayor", "wanted name of ORG000001 to do something, which was refused", "constructor"],
    ["The warden", "ordered name of ORG000001 to gather what is scarce", undefined],
  ]);
});

test("two events of one tick have two addresses, and each leads back to its event", () => {
  const chronicle = new Chronicle();
  const said = ["one", "two"].map((text) => ({ kind: "CHAT", from: "A1", text }));
  tick(chronicle, 14558, [...said, { kind: "JOIN", agent: "A9", name: "Nell" }], [mined("A1", 1), mined("A2", 1)]);
  const addresses = chronicle.lines(SORTS, 10).map((line) => eventAddress(line.tick, line.which));
  assert.deepEqual(addresses.sort(), ["E14558.1", "E14558.2", "E14558.3", "E14558.b1", "E14558.b2"]);
  assert.deepEqual(eventOf("E14558.2"), { tick: 14558, which: "2" });
  assert.deepEqual(eventOf("E14558"), { tick: 14558, which: "" });
  for (const other of ["E", "E1.", "E1.2.3", "E1.x", "EVENT", "A1", `E${"1".repeat(13)}`])
    assert.equal(eventOf(other), null);
});

test("who retired has left for good, and who hung up has left its body", () => {
  const chronicle = new Chronicle();
  tick(chronicle, 1, [
    { kind: "LEAVE", agent: "A1", name: "Ada" },
    { kind: "LEAVE", agent: "A2", name: "Bo", retired: true },
  ]);
  const told = chronicle.lines(SORTS, 2).map(({ who, did }) => [who, did]);
  assert.deepEqual(told, [
    ["Bo", "left for good"],
    ["Ada", "left; the body stays"],
  ]);
});

test("the same work is counted, other work is another line", () => {
  const chronicle = new Chronicle();
  tick(chronicle, 1, [], [mined("A1", 1)]);
  tick(chronicle, 2, [], [mined("A1", 1), mined("A2", 1)]);
  tick(chronicle, 3, [], [mined("A1", 2)]);
  tick(chronicle, 500, [], [mined("A1", 2)]);
  const told = chronicle.lines(["work"], 10).map((line) => [line.tick, line.who, line.did, line.count]);
  assert.deepEqual(told, [
    [500, "name of A1", "cut a log", 1],
    [3, "name of A1", "cut a log", 1],
    [2, "name of A2", "mined stone", 1],
    [2, "name of A1", "mined stone", 2],
  ]);
});

test("much work does not bury what was said", () => {
  const chronicle = new Chronicle();
  tick(chronicle, 1, [{ kind: "CHAT", from: "A1", text: "still here" }]);
  for (let n = 2; n < 3000; n++) tick(chronicle, n, [], [mined(`A${n}`, 1)]);
  assert.equal(chronicle.lines(["talk"], 10).length, 1);
  assert.ok(chronicle.lines(SORTS, 10000).length < 500);
});

test("what the world does by itself is not told, and new kinds are told by their name", () => {
  const chronicle = new Chronicle();
  tick(chronicle, 1, [{ kind: "LAW_PASSED", agent: "A1" }], [{ ...mined("WORLD", 1), reason: "FALL" }]);
  assert.deepEqual(
    chronicle.lines(SORTS, 10).map((line) => line.did),
    ["law passed"],
  );
});

test("what a society does is told in words, by whoever did it", () => {
  const chronicle = new Chronicle();
  tick(chronicle, 1, [{ kind: "CREATE_ORG", agent: "A1", org_id: "ORG000001", name: "Millbrook" }]);
  tick(chronicle, 2, [{ kind: "LAW", agent: "A1", status: "ACTIVE", title: "A tenth" }]);
  tick(chronicle, 3, [{ kind: "CONTRACT", state: "FAILED", actor: "WORLD", poster: "A2" }]);
  tick(chronicle, 4, [{ kind: "WORLD_EVENT", event_id: "CRYSTAL_RIFT", on: true }]);
  tick(chronicle, 5, [{ kind: "SOMETHING_NEW", actor: "A3" }]);
  const told = chronicle.lines(["society"], 10).map((line) => [line.who, line.did, line.quote]);
  assert.deepEqual(told, [
    ["name of A3", "something new", undefined],
    ["Crystal rift", "begins", undefined],
    ["name of A2", "had a contract run out", undefined],
    ["name of A1", "proposed a law that is now in force", "A tenth"],
    ["name of A1", "founded Millbrook", undefined],
  ]);
});

test("an achievement is told by its name", () => {
  const chronicle = new Chronicle();
  tick(chronicle, 1, [{ kind: "UNLOCKED", agent: "A1", achievement: "make_iron_pickaxe" }]);
  const [line] = chronicle.lines(["work"], 10);
  assert.deepEqual([line.who, line.did], ["name of A1", "made an iron pickaxe for the first time"]);
});

test("of two who have one name, each has said and done its own", () => {
  const chronicle = new Chronicle();
  const message = (from: string, text: string) => ({
    type: "TICK" as const,
    tick: 1,
    time_of_day: 0,
    weather: "CLEAR",
    agents: [],
    happenings: [{ kind: "CHAT", from, text }],
    audits: [mined(from, 1)],
  });
  for (const one of [message("A1", "mine"), message("A2", "not mine")]) chronicle.take(one, LOOKS, () => "Odile");
  assert.deepEqual(
    [chronicle.saidBy("A1")?.quote, chronicle.saidBy("A2")?.quote, chronicle.saidBy("A3")],
    ["mine", "not mine", undefined],
  );
  assert.deepEqual(
    chronicle
      .of("A1", 9)
      .map(({ did, count }) => [did, count])
      .sort(),
    [
      ["mined stone", 1],
      ["says", 1],
    ],
  );
});

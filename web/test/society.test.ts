import assert from "node:assert/strict";
import { test } from "node:test";
import { partOf, pathFor, placeOf, ROOT, seen } from "../src/address.ts";
import { quarrelIn } from "../src/chronicle.ts";
import { Body, doing } from "../src/crowd.ts";
import { digest, type Sentence } from "../src/digest.ts";
import { isInside, opening } from "../src/opening.ts";
import { pieces, plainly } from "../src/says.ts";
import { amount, asks, type Contract, type Law, type Society, sense, when } from "../src/society.ts";

const law = (template_id: string, params: Law["params"]): Pick<Law, "template_id" | "params"> => ({
  template_id,
  params,
});
const plain = (sentence: Sentence) =>
  sentence
    .map((span) => (typeof span === "string" ? span : "intent" in span ? `“${span.intent}”` : span.text || span.see))
    .join("");

const CONTRACT: Contract = {
  id: "C000012",
  kind: "DELIVER",
  state: "OPEN",
  poster: "ORG000001",
  acceptor: "",
  backer: "",
  terminal: [0, 27, 2],
  asked: { BERRIES: 5 },
  brought: {},
  reward: { PLANK: 7 },
  bonus: {},
  deposit: {},
  blueprint_id: "",
  anchor: null,
  created_tick: 0,
  deadline_tick: 9000,
};
const QUIET: Society = {
  tick: 100,
  day_ticks: 6000,
  season: 1,
  open_book: false,
  lands: [],
  organisations: [],
  laws: [],
  contracts: [],
  boards: {},
  buildings: {},
  event: null,
};

test("things are counted as English counts them", () => {
  const told = [
    ["PLANK", 6],
    ["PLANK", 1],
    ["BERRIES", 1],
    ["COAL", 3],
    ["BERRIES", 2],
    ["TORCH", 8],
    ["BATTERY", 2],
    ["IRON_ORE", 4],
    ["STONE_AXE", 2],
  ] as const;
  assert.deepEqual(
    told.map(([item, count]) => amount(item, count)),
    ["6 planks", "1 plank", "1 berry", "3 coal", "2 berries", "8 torches", "2 batteries", "4 iron ore", "2 stone axes"],
  );
});

test("a tick is a day and an hour", () => {
  assert.deepEqual([when(0, 6000), when(15_774, 6000)], ["day 1, 00:00", "day 3, 15:05"]);
});

test("every law is a sentence", () => {
  assert.equal(
    sense(law("MARKET_TAX", { market_tax: 100_000 })),
    "10 % of whatever is traded here goes to the owner of the land.",
  );
  assert.equal(
    sense(law("CURFEW_NO_BUILD", { start_time: 900_000, end_time: 100_000 })),
    "Nobody builds or breaks between 21:36 and 02:24.",
  );
  assert.match(sense(law("FINE_BREAK_PER_BLOCK", { fine_item: "COAL", fine_per_block: 2 })), /pays 2 coal a block/);
  assert.match(sense(law("ACCESS_PASS_CORE", { ticket_item: "PLANK", ticket_cost: 3 })), /pays 3 planks to enter/);
  assert.equal(sense(law("SOMETHING_NEW", {})), "something new");
});

test("a contract says what it asks for", () => {
  assert.equal(asks(CONTRACT), "5 berries");
  assert.equal(
    asks({ ...CONTRACT, kind: "BUILD", blueprint_id: "lamp_post", anchor: [11, 26, 0] }),
    "a lamp post at 11, 0",
  );
  assert.equal(
    asks({ ...CONTRACT, kind: "BUILD", blueprint_id: "hut_small", anchor: [1, 2, 3] }),
    "a small hut at 1, 3",
  );
});

test("what is going on: the weightiest first, and something even where nothing is", () => {
  assert.deepEqual(digest(QUIET, []).map(plain), ["Nothing is asked for.", "Nobody is here."]);
  const voting: Law = {
    id: "LAW000001",
    land_id: "L",
    template_id: "MARKET_TAX",
    title: "Tax",
    proposer: "A1",
    status: "VOTING",
    proposed_tick: 0,
    notice_ends_tick: 0,
    vote_ends_tick: 6000,
    params: {},
    voted: 7,
    members: 20,
    quorum: 5,
    tally: null,
  };
  const told = digest(
    { ...QUIET, laws: [voting], contracts: [CONTRACT, { ...CONTRACT, id: "C000013", poster: "A2" }] },
    [],
  ).map(plain);
  assert.equal(told[0], "A vote is open on Tax until day 2, 00:00; 7 of 20 have voted.");
  assert.equal(told[1], "ORG000001 wants 5 berries for 7 planks. One more contract is open.");
});

test("whoever says what they are at is quoted, those who say the same together", () => {
  const body = (id: string, intent = "") =>
    new Body({
      id,
      name: id,
      connected: true,
      pos: [0, 27, 0],
      yaw: 0,
      hp: 20,
      hunger: 20,
      stamina_milli: 1000,
      intent,
    });
  assert.deepEqual(digest(QUIET, [body("A1")]).map(plain), ["Nothing is asked for.", "Everyone rests."]);
  const told = digest(QUIET, [body("A1", "I dig."), body("A2", "We build."), body("A3", "We build."), body("A4")]).map(
    plain,
  );
  assert.deepEqual(told, ["Nothing is asked for.", "Two say: “We build.” A1 says: “I dig.”"]);
  const few = digest(QUIET, [body("A1", "I dig."), body("A2"), body("A3")]).map(plain);
  assert.deepEqual(few, ["Nothing is asked for.", "Everyone rests.", "A1 says: “I dig.”"]);
});

test("whoever says that it sleeps is asleep, unless it is at something", () => {
  const agent = new Body({
    id: "A1",
    name: "A1",
    connected: true,
    pos: [0, 27, 0],
    yaw: 0,
    hp: 20,
    hunger: 20,
    stamina_milli: 1000,
    intent: "Asleep at home.",
  }).agent;
  assert.equal(doing(agent), "asleep");
  const move_task = { kind: "MOVE_TO", target: [1, 27, 0] as const, progress: 0 };
  assert.equal(doing({ ...agent, move_task }), "walking");
  assert.equal(doing({ ...agent, intent: "Counting." }), "standing", "who has something in mind is not idle");
  assert.equal(doing({ ...agent, intent: "" }), "idle");
});

test("a quarrel is told with both sides and what was said last", () => {
  const said = {
    kind: "CHAT",
    from: "A2",
    text: "I will not pay.",
    data: { quarrel: { by: "A1", against: "A2", step: "refusal" } },
  };
  const quarrel = quarrelIn(said, 7);
  assert.deepEqual(quarrel, {
    tick: 7,
    speaker: "A2",
    by: "A1",
    against: "A2",
    isSettled: false,
    said: "I will not pay.",
  });
  assert.equal(digest(QUIET, [], quarrel).map(plain)[1], "A1 has a quarrel with A2. A2 says: “I will not pay.”");
  for (const data of [
    null,
    7,
    { quarrel: null },
    { quarrel: { by: 1, against: "A2" } },
    { quarrel: { by: "<b>", against: "A2" } },
  ])
    assert.equal(quarrelIn({ ...said, data }, 7), undefined);
});

test("an address says the place and the thing, and is read back", () => {
  const below = (path: string) => ROOT.pathname + path;
  assert.equal(pathFor("world", "@0,27,-2"), below("?see=@0,27,-2"));
  assert.equal(pathFor("society", null), below("society"));
  assert.equal(pathFor("matches", "A1", "", "a cup:r1"), below("matches/a%20cup:r1?see=A1"));
  assert.deepEqual(
    [placeOf(below("society")), placeOf(below("")), placeOf(below("story/day/3"))],
    ["society", "world", "story"],
  );
  assert.deepEqual(
    [partOf(below("story/day/3")), partOf(below("matches/a%20cup:r1")), partOf(below("matches/%"))],
    ["day/3", "a cup:r1", ""],
  );
  assert.deepEqual([seen("?see=LAW000001"), seen(""), seen(`?see=${"x".repeat(65)}`)], ["LAW000001", null, null]);
});

test("the first look is at the city, and with whoever is in the thick of it", () => {
  const at = (id: string, x: number, z: number, connected = true) =>
    new Body({ id, name: id, connected, pos: [x, 30, z], yaw: 0, hp: 20, hunger: 20, stamina_milli: 1000 });
  const bodies = [
    at("A1", 90, 0),
    at("A2", 30, 0),
    at("A3", 2, 3),
    at("A4", 5, 5),
    at("A5", 91, 0),
    at("A6", 92, 0),
    at("A7", 1, 1, false),
  ];
  const land = { id: "LAND_1", owner: "ORG1", anchor: [1, 27, 0], radius: 40 } as unknown as Society["lands"][number];
  const city = {
    id: "ORG1",
    kind: "CITY",
    name: "Thorp",
    members: { A1: "LEADER" },
  } as unknown as Society["organisations"][number];
  const village: Society = { ...QUIET, lands: [land], organisations: [city] };
  assert.deepEqual(opening(village, bodies), { watched: "A3", plaza: { x: 1, z: 0 } });
  assert.deepEqual(opening({ ...village, lands: [{ ...land, owner: "A1" }] }, bodies), {
    watched: "A3",
    plaza: { x: 1, z: 0 },
  });
  assert.deepEqual(opening(village, [bodies[4], bodies[0]]), { watched: "A1", plaza: { x: 1, z: 0 } });
  assert.deepEqual(opening(QUIET, bodies), { watched: "A1", plaza: null });
  assert.deepEqual(opening(null, [bodies[6]]), { watched: null, plaza: null });
  assert.deepEqual(
    [isInside(village, bodies[0]), isInside(village, bodies[1]), isInside(null, bodies[0])],
    [false, true, true],
  );
});

test("what people say is told in words, and what it names is a link; anything else stays as it is", () => {
  const nameOf = (id: string) => (id.startsWith("C") ? `contract ${Number(id.slice(1))}` : "Thorp");
  assert.deepEqual(pieces("I take C000126.", nameOf), [
    { text: "I take " },
    { text: "contract 126", see: "C000126" },
    { text: "." },
  ]);
  assert.equal(
    plainly(
      "Wanted: 24 BREAD, 3 LOG, 1 IRON_PICKAXE. The store is CHEST@-2,35,1 of ORG000001. C000007 BUILD paved_road",
      nameOf,
    ),
    "Wanted: 24 bread, 3 logs, 1 iron pickaxe. The store is at -2 35 1 of Thorp. contract 7 build paved road",
  );
  for (const said of ["", "GOOD MORNING", "5 HELLO, 7 constructor, C12, ORG1", "<b>C000</b> @1,2", "PROTO@1,2"])
    assert.equal(plainly(said, nameOf), said);
});

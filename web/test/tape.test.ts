import assert from "node:assert/strict";
import { test } from "node:test";
import { atTick } from "../src/address.ts";
import { hourStep, nearestRoom, roomFor } from "../src/lane.ts";
import { typedTime } from "../src/moment.ts";
import { societyOf } from "../src/records.ts";
import { changesAt, related } from "../src/related.ts";
import { askSegment, Cells, lastUpTo, readGround, Segment, type SegmentDocument, surfaceOf } from "../src/tape.ts";
import { Traces } from "../src/traces.ts";

const flat = (value: number): [number[], number[]] => [[0], [value]];

const segment = (more: Partial<SegmentDocument> = {}): SegmentDocument => ({
  tape: 4,
  n: 2,
  first: 500,
  last: 749,
  day_ticks: 6000,
  agents: [
    {
      id: "A1",
      name: "Odile",
      x: [
        [0, 3, 2],
        [10, 1, 1],
      ],
      y: flat(22),
      z: flat(-4),
      yaw: flat(90),
      hp: flat(20),
      hunger: flat(18),
      stamina: flat(1000),
      attached: flat(1),
      work: [
        [4, 10],
        [{ kind: "MINE", target: [1, 2, 3], progress: 0, eta_ticks: 10 }, null],
      ],
    },
    {
      id: "A2",
      name: "Bram",
      x: [[100], [0]],
      y: [[100], [22]],
      z: [[100], [0]],
      yaw: [[100], [0]],
      hp: [[100], [20]],
      hunger: [[100], [20]],
      stamina: [[100], [1000]],
      attached: [[100], [1]],
      gone: [[150], [1]],
    },
  ],
  weather: [
    [0, "CLEAR"],
    [200, "STORM"],
  ],
  events: [[5, [{ kind: "CHAT", from: "A1", text: "hello" }]]],
  blocks: [
    [5, 1, 20, 1, 3, 0, "A1", "MINE"],
    [9, 1, 20, 1, 0, 7, "A1", "PLACE"],
  ],
  seasons: [],
  society: [],
  ...more,
});

test("a tick is found from the changes before it, in any order", () => {
  const read = new Segment(segment());
  const x = (tick: number) => read.tickAt(tick).agents[0].pos[0];
  assert.deepEqual([x(749), x(505), x(504), x(503), x(502), x(500)], [12, 12, 11, 11, 10, 10]);
  assert.equal(read.tickAt(500).time_of_day, 500 / 6000);
  assert.deepEqual([read.tickAt(699).weather, read.tickAt(700).weather], ["CLEAR", "STORM"]);
});

test("who came later or is gone is not there, and a task goes on from where it was first seen", () => {
  const read = new Segment(segment());
  assert.deepEqual(
    [599, 600, 649, 650].map((tick) => read.tickAt(tick).agents.length),
    [1, 2, 2, 1],
  );
  assert.equal(read.tickAt(509).agents[0].work_task?.progress, 0.5);
  assert.equal(read.tickAt(509).agents[0].work_task?.eta_ticks, 5);
  assert.equal(read.tickAt(514).agents[0].work_task, undefined);
});

test("events belong to their tick, and to a range that has it", () => {
  const read = new Segment(segment());
  assert.deepEqual(read.tickAt(504).happenings, []);
  assert.equal(read.tickAt(505).happenings?.[0].text, "hello");
  assert.equal(read.tickAt(749, 499).audits?.length, 2);
  assert.deepEqual(
    read.eventful(505, 749).map(({ tick }) => tick),
    [509],
  );
});

test("records are those of a tick, whatever was looked at before", () => {
  const law = (status: string) => ({ id: "LAW1", status });
  const read = new Segment(
    segment({
      society: [
        [
          0,
          {
            laws: { LAW1: law("NOTICE"), LAW0: { id: "LAW0", status: "REJECTED" } },
            boards: { __proto__: [], b: [{ title: "x" }] },
            contracts: { C1: { id: "C1", state: "OPEN" } },
          },
        ],
        [7, { laws: { LAW1: law("VOTING") } }],
        [9, { contracts: { C1: null } }],
      ] as SegmentDocument["society"],
    }),
  );
  const at = (tick: number) => societyOf(read.records, tick - 500, tick, { day_ticks: 6000, open_book: false });
  const seen = [749, 506, 507, 508, 509].map((tick) => [
    at(tick)
      .laws.map(({ status }) => status)
      .join(),
    at(tick).contracts.length,
  ]);
  assert.deepEqual(seen, [
    ["VOTING,REJECTED", 0],
    ["NOTICE,REJECTED", 1],
    ["VOTING,REJECTED", 1],
    ["VOTING,REJECTED", 1],
    ["VOTING,REJECTED", 0],
  ]);
  assert.deepEqual(changesAt(read, 507), [{ of: "LAW1", what: "notice → voting" }]);
  assert.deepEqual(changesAt(read, 509), [{ of: "C1", what: "is gone" }]);
  assert.deepEqual(
    [...read.walks(499, 509, 5)].map(({ x, tick }) => [x, tick]),
    [
      [10, 500],
      [12, 505],
    ],
  );
});

test("what was before is put in front of what was seen since", () => {
  const [before, since] = [new Traces(), new Traces()];
  before.takeWalks(new Segment(segment()), 499, 749);
  since.take({
    type: "TICK",
    tick: 800,
    time_of_day: 0,
    weather: "CLEAR",
    agents: [
      { id: "A1", name: "Odile", connected: true, pos: [14, 22, -4], yaw: 0, hp: 20, hunger: 20, stamina_milli: 1000 },
    ],
  });
  since.goBack(before);
  assert.deepEqual(
    since.paths.get("A1")?.map(({ x }) => x),
    [10, 12, 14],
  );
  since.takeSquares([
    [1, -1, 2, 3],
    [1, -1, 0, 1],
  ]);
  assert.deepEqual(
    [...since.squares.values()].map((square) => Traces.count(square, "all")),
    [6],
  );
});

test("a typed time is a tick, a day and hour, or a range of two", () => {
  const typed = (text: string) => typedTime(text, 6000);
  assert.deepEqual(["13500", "13,500", "tick 900", "day 1", "day 2 5:30", "2 05:30", "d3 6"].map(typed), [
    [13500],
    [13500],
    [900],
    [0],
    [7375],
    [7375],
    [13500],
  ]);
  assert.deepEqual(["12000-13000", "day 1 to day 2 12:00"].map(typed), [
    [12000, 13000],
    [0, 9000],
  ]);
  assert.deepEqual(
    ["", "yesterday", "day 0", "day 2 25:00", "9000-8000", "1-2-3", "-5", "<b>"].map(typed),
    Array(8).fill(null),
  );
});

test("what has to do with an event shares a law or a contract with it, else somebody", () => {
  const mark = (tick: number, ...refs: string[]) => ({
    tick,
    number: 1,
    kind: "",
    sort: "society",
    weight: 1,
    text: "",
    refs,
  });
  const all = [mark(1, "A1", "C1"), mark(2, "A1"), mark(3, "C1"), mark(4, "A1", "C1"), mark(9, "C2", "C1")];
  assert.deepEqual(
    related(all, all[3]).map(({ tick }) => tick),
    [1, 2, 3, 9],
  );
  assert.deepEqual(
    related([...all, mark(5, "LAND_A1_001")], mark(6, "LAND_A1_001", "C2")).map(({ tick }) => tick),
    [9],
    "land alone is no bond",
  );
  assert.deepEqual(
    related(all, all[1]).map(({ tick }) => tick),
    [1, 4],
  );
  assert.deepEqual(
    related([...all, { ...all[3], number: 2 }], all[3])
      .map(({ tick, number }) => [tick, number])
      .at(3),
    [4, 2],
    "another of the same tick",
  );
});

test("another version is refused with a sentence", () => {
  assert.throws(() => new Segment(segment({ tape: 9 })), /plays tape 4, and this is tape 9/);
});

test("a segment in which something lacks is refused with a sentence", () => {
  for (const lacks of ["agents", "weather", "events", "blocks"]) {
    assert.throws(() => new Segment({ ...segment(), [lacks]: undefined }), /damaged or cut short/);
  }
});

test("an answer that is no answer, cut short or no tape is told in a sentence", async () => {
  const real = globalThis.fetch;
  const packed = async (text: string) =>
    new Uint8Array(
      await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer(),
    );
  const whole = await packed(JSON.stringify(segment()));
  const answers: [RegExp, () => Promise<Response>][] = [
    [/did not answer/, () => Promise.reject(new TypeError("Failed to fetch"))],
    [/damaged or cut short/, async () => new Response(whole.slice(0, whole.length / 2))],
    [/damaged or cut short/, async () => new Response("nothing of the kind")],
    [/damaged or cut short/, async () => new Response(await packed("[1, 2"))],
    [/damaged or cut short/, async () => new Response(await packed(JSON.stringify({ tape: 4, agents: [{}] })))],
    [/this is tape 5/, async () => new Response(await packed(JSON.stringify({ ...segment(), tape: 5 })))],
    [/gave no reason \(500\)/, async () => new Response("oops", { status: 500 })],
  ];
  try {
    for (const [sentence, answer] of answers) {
      globalThis.fetch = answer;
      await assert.rejects(askSegment(2, "w"), sentence);
    }
    globalThis.fetch = async () => new Response(whole);
    assert.equal((await askSegment(2, "w")).n, 2);
  } finally {
    globalThis.fetch = real;
  }
});

test("cells go forth and back with the blocks", () => {
  const read = new Segment(segment());
  const cells = new Cells(500);
  const chunk = new Uint8Array(16384);
  const at = (20 << 8) | (1 << 4) | 1;
  chunk[at] = 3;
  cells.chunks.set("0,0", chunk);
  const seen = [505, 509, 506, 500].map((tick) => {
    cells.follow(tick, [read]);
    return chunk[at];
  });
  assert.deepEqual(seen, [0, 7, 0, 3]);
  assert.deepEqual([surfaceOf(chunk).top[17], surfaceOf(chunk).block[17], surfaceOf(chunk).top[0]], [20, 3, 0]);
});

test("ground that is cut short is left out, and so is a tick that is no number", () => {
  const bytes = new Uint8Array(2 * 16392 - 1);
  new DataView(bytes.buffer).setInt32(0, -3, true);
  assert.deepEqual([...readGround(bytes).keys()], ["-3,0"]);
  assert.deepEqual(["?at=12", "?at=", "?at=-1", "?at=1e9", "?at=99999999999999"].map(atTick), [
    12,
    null,
    null,
    null,
    null,
  ]);
  assert.deepEqual([lastUpTo([1, 3, 3, 9], 3), lastUpTo([1, 3], 0), lastUpTo([], 5)], [2, -1, -1]);
  assert.deepEqual([hourStep(0.01), hourStep(1), hourStep(1e6)], [1, 72, 720]);
});

test("a caption stands beside its mark, after what is written there, and is cut before the next text", () => {
  assert.deepEqual(roomFor(300, 100, 1000, []), [304, 404]);
  assert.deepEqual(roomFor(2, 100, 1000, [[4, 40]]), [48, 148], "after the name of the day");
  assert.deepEqual(roomFor(300, 200, 1000, [[420, 460]]), [304, 412]);
  assert.deepEqual(roomFor(990, 100, 1000, []), [896, 996], "at the edge it stands before its mark");
  assert.equal(roomFor(300, 200, 1000, [[350, 390]]), null, "too little would be left of it");
  assert.equal(roomFor(300, 200, 1000, [[300, 400]]), null, "nobody would know whose caption it is");
});

test("a caption that must be seen leaves the names of the days alone", () => {
  const days: [number, number][] = [
    [4, 40],
    [300, 340],
    [600, 640],
  ];
  assert.deepEqual(nearestRoom(325, 400, 900, days), [348, 592], "beside the name that its mark is under");
  assert.deepEqual(nearestRoom(100, 90, 900, days), [104, 194]);
  assert.deepEqual(nearestRoom(250, 90, 900, days), [202, 292], "before the name that would be in the way");
  assert.deepEqual(nearestRoom(899, 400, 900, days), [648, 896]);
  assert.equal(nearestRoom(50, 400, 100, [[4, 40]]), null);
  for (let at = 0; at <= 900; at += 7) {
    const [left, right] = nearestRoom(at, 400, 900, days)!;
    for (const [from, to] of days) assert.ok(right <= from || left >= to, `${at}: ${left} to ${right}`);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { atTick } from "../src/address.ts";
import { hourStep } from "../src/lane.ts";
import { Cells, lastUpTo, readGround, Segment, type SegmentDocument, surfaceOf } from "../src/tape.ts";

const flat = (value: number): [number[], number[]] => [[0], [value]];

const segment = (more: Partial<SegmentDocument> = {}): SegmentDocument => ({
  tape: 1,
  n: 2,
  first: 500,
  last: 749,
  day_ticks: 6000,
  agents: [
    {
      id: "A1", name: "Odile", x: [[0, 3, 2], [10, 1, 1]], y: flat(22), z: flat(-4), yaw: flat(90), hp: flat(20), hunger: flat(18),
      stamina: flat(1000), attached: flat(1), work: [[4, 10], [{ kind: "MINE", target: [1, 2, 3], progress: 0, eta_ticks: 10 }, null]],
    },
    { id: "A2", name: "Bram", x: [[100], [0]], y: [[100], [22]], z: [[100], [0]], yaw: [[100], [0]], hp: [[100], [20]], hunger: [[100], [20]], stamina: [[100], [1000]], attached: [[100], [1]], gone: [[150], [1]] },
  ],
  weather: [[0, "CLEAR"], [200, "STORM"]],
  events: [[5, [{ kind: "CHAT", from: "A1", text: "hello" }]]],
  blocks: [[5, 1, 20, 1, 3, 0, "A1", "MINE"], [9, 1, 20, 1, 0, 7, "A1", "PLACE"]],
  seasons: [],
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
  assert.deepEqual([599, 600, 649, 650].map((tick) => read.tickAt(tick).agents.length), [1, 2, 2, 1]);
  assert.equal(read.tickAt(509).agents[0].work_task?.progress, 0.5);
  assert.equal(read.tickAt(509).agents[0].work_task?.eta_ticks, 5);
  assert.equal(read.tickAt(514).agents[0].work_task, undefined);
});

test("events belong to their tick, and to a range that has it", () => {
  const read = new Segment(segment());
  assert.deepEqual(read.tickAt(504).happenings, []);
  assert.equal(read.tickAt(505).happenings?.[0].text, "hello");
  assert.equal(read.tickAt(749, 499).audits?.length, 2);
  assert.deepEqual(read.eventful(505, 749).map(({ tick }) => tick), [509]);
});

test("another version is refused with a sentence", () => {
  assert.throws(() => new Segment(segment({ tape: 9 })), /plays tape 1, and this is tape 9/);
});

test("cells go forth and back with the blocks", () => {
  const read = new Segment(segment());
  const cells = new Cells(500);
  const chunk = new Uint8Array(16384);
  const at = (20 << 8) | (1 << 4) | 1;
  chunk[at] = 3;
  cells.chunks.set("0,0", chunk);
  const seen = [505, 509, 506, 500].map((tick) => (cells.follow(tick, [read]), chunk[at]));
  assert.deepEqual(seen, [0, 7, 0, 3]);
  assert.deepEqual([surfaceOf(chunk).top[17], surfaceOf(chunk).block[17], surfaceOf(chunk).top[0]], [20, 3, 0]);
});

test("ground that is cut short is left out, and so is a tick that is no number", () => {
  const bytes = new Uint8Array(2 * 16392 - 1);
  new DataView(bytes.buffer).setInt32(0, -3, true);
  assert.deepEqual([...readGround(bytes).keys()], ["-3,0"]);
  assert.deepEqual(["?at=12", "?at=", "?at=-1", "?at=1e9", "?at=99999999999999"].map(atTick), [12, null, null, null, null]);
  assert.deepEqual([lastUpTo([1, 3, 3, 9], 3), lastUpTo([1, 3], 0), lastUpTo([], 5)], [2, -1, -1]);
  assert.deepEqual([hourStep(0.01), hourStep(1), hourStep(1e6)], [1, 72, 720]);
});

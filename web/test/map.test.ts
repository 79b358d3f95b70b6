import assert from "node:assert/strict";
import { test } from "node:test";
import { pathFor, ROOT, withPart } from "../src/address.ts";
import { colourOf, hueOf } from "../src/hue.ts";
import { lightOf, records, tileOf } from "../src/map/atlas.ts";
import type { Tick } from "../src/protocol.ts";
import { Traces } from "../src/traces.ts";

test("an answer about the ground is records of a chunk each, and what is cut short is none", () => {
  const bytes = new Uint8Array(2 * 776 - 1);
  new DataView(bytes.buffer).setInt32(0, -3, true);
  new DataView(bytes.buffer).setInt32(4, 70_000, true);
  assert.deepEqual([...records(bytes)], [[-3, 70_000, 8]]);
});

test("slopes that face the north-west are light, those that face away dark", () => {
  assert.ok(lightOf(21, 20, 5, 5) > lightOf(20, 20, 5, 5));
  assert.ok(lightOf(19, 20, 5, 5) < lightOf(20, 20, 5, 5));
  assert.ok(lightOf(60, 0, 5, 5) < 1.3);
  assert.equal(tileOf(-1), -1);
});

test("an owner's colour is its own and never red", () => {
  assert.deepEqual(colourOf("A1"), colourOf("A1"));
  assert.notEqual(hueOf("A1"), hueOf("A2"));
  for (let i = 0; i < 200; i++) assert.ok(hueOf(`A${i}`) >= 60 && hueOf(`A${i}`) <= 350);
});

const tick = (number: number, x: number, to?: number): Tick => ({
  type: "TICK",
  tick: number,
  time_of_day: 0,
  weather: "CLEAR",
  agents: [{ id: "A1", name: "mole", connected: true, pos: [x, 20, 0], yaw: 0, hp: 1, hunger: 1, stamina_milli: 1 }],
  ...(to !== undefined && { audits: [{ actor: "A1", pos: [-1, 20, 9], from: 2, to }] }),
});

test("paths are where somebody walked, and end where they were put elsewhere", () => {
  const traces = new Traces();
  for (const [n, x] of [
    [1, 0],
    [2, 1],
    [3, 3],
    [4, 5],
  ])
    traces.take(tick(n, x));
  assert.deepEqual(
    traces.paths.get("A1")!.map(({ x }) => x),
    [0, 3, 5],
  );
  traces.take(tick(5, 500));
  assert.deepEqual(
    traces.paths.get("A1")!.map(({ x }) => x),
    [500],
  );
});

test("changed blocks are counted by square and by whether they were taken or put", () => {
  const traces = new Traces();
  traces.take(tick(1, 0, 0));
  traces.take(tick(2, 0, 7));
  traces.take(tick(3, 0, 7));
  assert.deepEqual([...traces.squares.values()], [{ x: -1, z: 1, mined: 1, placed: 2 }]);
});

test("an address keeps how the world is shown, and never a token", () => {
  assert.equal(pathFor("world", "@1,2,3", "?view=map&token=x"), `${ROOT.pathname}?view=map&see=@1,2,3`);
  assert.equal(pathFor("world", null, "?see=A1"), ROOT.pathname);
  assert.equal(withPart("?view=map&see=A1", "view", null), "see=A1");
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Looks } from "../src/blocks.ts";
import { Crowd } from "../src/crowd.ts";
import { layersOf } from "../src/map/layers.ts";
import type { ShownAgent } from "../src/protocol.ts";
import { Chips } from "../src/scene/chips.ts";
import { Figures } from "../src/scene/figures.ts";
import { Ground } from "../src/scene/ground.ts";
import { Terrain } from "../src/terrain.ts";

const MOST_DRAWS = 350;
// Borders, marks, lamps, paper, rain: one or two each.
const OTHERS = 8;

test("a thousand people on a thousand chunks are a few hundred draws", () => {
  const terrain = new Terrain(64, new Looks(["AIR", "STONE"]));
  const data = Buffer.from(
    Uint8Array.from({ length: 768 }, (_, i) => (i % 3 === 0 ? 1 : i % 3 === 2 ? 20 : 0)),
  ).toString("base64");
  for (let i = 0; i < 1024; i++) terrain.take({ type: "CHUNK_SURFACE", cx: (i & 31) - 16, cz: (i >> 5) - 16, data });
  const ground = new Ground(terrain);
  while (ground.behind) ground.update(0, 0, 500);
  const crowd = new Crowd(5);
  crowd.take(
    Array.from(
      { length: 1000 },
      (_, i): ShownAgent => ({
        id: `A${i + 1}`,
        name: "mole",
        connected: true,
        pos: [i & 31, 21, i >> 5],
        yaw: 0,
        hp: 20,
        hunger: 20,
        stamina_milli: 1000,
        work_task: { kind: "MINE", target: [0, 20, 0], progress: 0.5 },
      }),
    ),
    0,
  );
  const figures = new Figures();
  const poses = crowd.list.map((body) => body.pose(0));
  figures.update(crowd.list, poses, 0, 44);
  const chips = new Chips();
  chips.update(crowd.list, poses, terrain, 0);
  const draws = ground.group.children.length + figures.group.children.length + 1 + OTHERS;
  assert.ok(draws <= MOST_DRAWS, `${draws} draws`);
  assert.ok(chips.mesh.count > 0 && chips.mesh.count <= 240);
});

/** What WCAG calls relative luminance. */
function luminance(hex: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const contrast = (a: string, b: string) => {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
};

test("text can be read on every ground, by day and in the dark", () => {
  const sheet = readFileSync(new URL("../../../src/style.css", import.meta.url), "utf8");
  const tokens = new Map(
    [...sheet.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(([, name, light, dark]) => [
      name,
      [light, dark],
    ]),
  );
  for (const scheme of [0, 1]) {
    const colour = (name: string) => tokens.get(name)![scheme];
    for (const text of ["ink", "pale", "accent", "good", "bad", "wait", "past"]) {
      for (const ground of ["paper", "sheet"]) {
        assert.ok(
          contrast(colour(text), colour(ground)) >= 4.5,
          `${text} on ${ground}, scheme ${scheme}: ${contrast(colour(text), colour(ground)).toFixed(2)}`,
        );
      }
    }
    for (const text of ["ink", "pale"]) {
      for (const ground of ["well", "chosen", "past-wash"])
        assert.ok(contrast(colour(text), colour(ground)) >= 4.5, `${text} on ${ground}, scheme ${scheme}`);
    }
    for (const mark of ["society", "people", "talk", "work", "health", "food"]) {
      assert.ok(contrast(colour(mark), colour("paper")) >= (mark === "food" ? 2.5 : 3), `${mark}, scheme ${scheme}`);
    }
  }
});

test("an address names the layers of the map", () => {
  assert.deepEqual([...layersOf("?layers=things,land,nonsense")], ["land", "things"]);
  assert.ok(!layersOf("").has("things"));
});

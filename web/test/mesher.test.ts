import assert from "node:assert/strict";
import { test } from "node:test";
import { Looks } from "../src/blocks.ts";
import { Mesher, type Quads, SIDES } from "../src/mesher.ts";
import { Terrain } from "../src/terrain.ts";

const PALETTE = ["AIR", "STONE", "GRASS", "DIRT", "LEAVES", "LOG", "WATER", "TALL_GRASS"];
const [, STONE, GRASS, DIRT, LEAVES, LOG, WATER, TALL_GRASS] = PALETTE.keys();
const HEIGHT = 64;
const TOP = 20;

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

function terrainOf(radius: number, column = (_x: number, _z: number) => [GRASS, TOP]): Terrain {
  const terrain = new Terrain(HEIGHT, new Looks(PALETTE));
  for (let cx = -radius; cx <= radius; cx++) {
    for (let cz = -radius; cz <= radius; cz++) {
      const data = new Uint8Array(768);
      for (let i = 0; i < 256; i++) {
        const [block, y] = column(cx * 16 + (i & 15), cz * 16 + (i >> 4));
        data.set([block, 0, y], 3 * i);
      }
      terrain.take({ type: "CHUNK_SURFACE", cx, cz, data: base64(data) });
    }
  }
  return terrain;
}

const mesh = (terrain: Terrain): Quads => new Mesher(terrain).mesh(terrain.at(0, 0)!);

function facing(quads: Quads, side: number): number {
  let count = 0;
  for (let quad = 0; quad < quads.count; quad++) count += Number(quads.place[quad * 16 + 3] === side);
  return count;
}

/** Twice the area of a quad's first triangle, as the vector it faces along. */
function outward({ place }: Quads, quad: number): number[] {
  const at = (corner: number) => Array.from(place.slice((quad * 4 + corner) * 4, (quad * 4 + corner) * 4 + 3));
  const [a, b, c] = [at(0), at(1), at(2)];
  const u = b.map((part, i) => part - a[i]);
  const v = c.map((part, i) => part - a[i]);
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}

test("of flat ground only the top is seen", () => {
  const quads = mesh(terrainOf(1));
  assert.equal(quads.count, 256);
  assert.equal(facing(quads, 2), 256);
});

test("where the known ground ends, its cut is seen", () => {
  assert.ok(mesh(terrainOf(0)).count > 256);
});

test("a step of two shows two faces on each side", () => {
  const quads = mesh(terrainOf(1, (x, z) => (x === 5 && z === 5 ? [STONE, TOP + 2] : [GRASS, TOP])));
  assert.equal(quads.count, 256 + 8);
});

test("every face turns outward", () => {
  const terrain = terrainOf(1, (x, z) => (x === 5 && z === 5 ? [STONE, TOP + 2] : [GRASS, TOP]));
  const quads = mesh(terrain);
  for (let quad = 0; quad < quads.count; quad++) {
    const normal = SIDES[quads.place[quad * 16 + 3]];
    const along = outward(quads, quad).reduce((sum, part, i) => sum + part * normal[i], 0);
    assert.ok(along > 0, `quad ${quad}`);
  }
});

test("corners are darker", () => {
  const plain = mesh(terrainOf(1));
  const pit = mesh(terrainOf(1, (x, z) => (x === 5 && z === 5 ? [GRASS, TOP - 2] : [GRASS, TOP])));
  const darkestTop = ({ place, paint }: Quads) =>
    Math.min(...paint.filter((_, i) => i % 4 === 0 && place[i + 3] === 2));
  assert.ok(darkestTop(pit) < darkestTop(plain) * 0.75);
});

test("a tree stands on the ground around it, on a trunk", () => {
  const crown = (x: number, z: number) => Math.abs(x - 8) + Math.abs(z - 8);
  const terrain = terrainOf(1, (x, z) =>
    crown(x, z) <= 1 ? [LEAVES, TOP + 6] : crown(x, z) <= 2 ? [LEAVES, TOP + 5] : [GRASS, TOP],
  );
  assert.equal(terrain.groundAt(8, 8), TOP);
  const quads = mesh(terrain);
  const trunk = new Looks(PALETTE).side[LOG];
  const bark = Array.from({ length: quads.count }, (_, quad) => quads.paint.slice(quad * 16, quad * 16 + 3)).filter(
    (paint) => Math.abs(paint[0] / paint[2] - trunk[0] / trunk[2]) < 0.03,
  );
  assert.ok(bark.length >= 4);
  assert.equal(facing(quads, 2), 256 + 13 - 1); // the ground but for the trunk's place, and the leaves
});

test("voxels show what the surface hides", () => {
  const terrain = terrainOf(1);
  const cells = new Uint8Array(256 * HEIGHT * 2);
  for (let i = 0; i < 256 * (TOP + 1); i++) cells[2 * i] = i < 256 * TOP ? DIRT : GRASS;
  cells[2 * (10 * 256 + 8 * 16 + 8)] = 0; // a cave of one cell
  terrain.take({ type: "CHUNK_VOXELS", cx: 0, cz: 0, data: base64(cells) });
  assert.equal(mesh(terrain).count, 256 + 6);
  terrain.take({ type: "CHUNK_VOXEL_PATCH", cx: 0, cz: 0, cells: [{ x: 8, y: 10, z: 8, block: DIRT }] });
  assert.equal(mesh(terrain).count, 256);
  terrain.take({ type: "CHUNK_VOXELS_EVICT", cx: 0, cz: 0 });
  assert.equal(mesh(terrain).count, 256);
});

test("water is one face a column, and plants stand on grass", () => {
  assert.equal(mesh(terrainOf(1, () => [WATER, TOP])).count, 256);
  const quads = mesh(terrainOf(1, (x, z) => (x === 3 && z === 3 ? [TALL_GRASS, TOP + 1] : [GRASS, TOP])));
  assert.equal(quads.count, 256 + 4);
});

test("a patch inside spoils its chunk, a patch at an edge its neighbours too", () => {
  const terrain = terrainOf(1);
  terrain.stale.clear();
  terrain.take({ type: "CHUNK_PATCH", cx: 0, cz: 0, cells: [{ x: 7, z: 7, block: STONE, y: TOP }] });
  assert.equal(terrain.stale.size, 1);
  terrain.take({ type: "CHUNK_PATCH", cx: 0, cz: 0, cells: [{ x: 0, z: 0, block: STONE, y: TOP }] });
  assert.equal(terrain.stale.size, 4);
  terrain.take({ type: "CHUNK_EVICT", cx: 0, cz: 0 });
  assert.equal(terrain.at(0, 0), undefined);
});

test("a lamp lights what is near, also in the next chunk, and is told when it comes and goes", () => {
  const palette = [...PALETTE, "TORCH"];
  const TORCH = palette.indexOf("TORCH");
  const terrain = new Terrain(HEIGHT, new Looks(palette));
  for (const cx of [0, 1]) {
    const data = new Uint8Array(768);
    for (let i = 0; i < 256; i++) data.set([GRASS, 0, TOP], 3 * i);
    terrain.take({ type: "CHUNK_SURFACE", cx, cz: 0, data: base64(data) });
  }
  const brightest = () =>
    Math.max(
      ...mesh(terrain)
        .place.filter((_, i) => i % 4 === 3)
        .map((word) => word >> 3),
    );
  assert.equal(brightest(), 0);
  terrain.stale.clear();
  terrain.take({ type: "CHUNK_PATCH", cx: 1, cz: 0, cells: [{ x: 4, z: 8, block: TORCH, y: TOP + 1 }] });
  assert.equal(terrain.stale.size, 2);
  assert.ok(brightest() > 5);
  terrain.take({ type: "CHUNK_PATCH", cx: 1, cz: 0, cells: [{ x: 4, z: 8, block: GRASS, y: TOP }] });
  assert.equal(brightest(), 0);
});

test("nobody is seen through a hill", () => {
  const terrain = terrainOf(1, (x) => (x === 5 ? [STONE, TOP + 4] : [GRASS, TOP]));
  assert.ok(!terrain.sees({ x: 0, y: TOP + 3, z: 5 }, { x: 10, y: TOP + 2, z: 5 }));
  assert.ok(terrain.sees({ x: 0, y: TOP + 12, z: 5 }, { x: 10, y: TOP + 2, z: 5 }));
});

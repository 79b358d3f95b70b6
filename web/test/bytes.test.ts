import assert from "node:assert/strict";
import { test } from "node:test";
import { readSurface, readVoxels } from "../src/bytes.ts";

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

test("a surface is 256 columns of block and height, z rows of x", () => {
  const bytes = new Uint8Array(768);
  bytes.set([0x34, 0x12, 40], 3 * (5 * 16 + 2));
  const surface = readSurface(base64(bytes))!;
  assert.equal(surface.block[5 * 16 + 2], 0x1234);
  assert.equal(surface.top[5 * 16 + 2], 40);
  assert.equal(
    surface.block.reduce((sum, block) => sum + block),
    0x1234,
  );
});

test("voxels are two bytes a cell, the low one first", () => {
  const bytes = new Uint8Array(256 * 64 * 2);
  bytes.set([7, 1], 2 * (63 * 256 + 15 * 16 + 15));
  assert.equal(readVoxels(base64(bytes), 64)!.at(-1), 0x107);
});

test("what has the wrong length or is no base64 is nothing", () => {
  for (const wrong of ["", "AAAA", base64(new Uint8Array(767)), base64(new Uint8Array(769)), "§"]) {
    assert.equal(readSurface(wrong), null);
    assert.equal(readVoxels(wrong, 64), null);
  }
});

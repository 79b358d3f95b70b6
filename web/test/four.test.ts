import assert from "node:assert/strict";
import { test } from "node:test";
import { matchOf, matchWorldPath } from "../src/address.ts";
import { winningLine } from "../src/match/four.ts";

const isDisc = (glyph: string) => glyph !== ".";

test("the line that has won is found in every direction", () => {
  assert.deepEqual([...winningLine(["....", "....", "....", "xxxx"], isDisc)], ["0,3", "1,3", "2,3", "3,3"]);
  assert.deepEqual([...winningLine([".o..", ".o..", ".o..", ".o.."], isDisc)], ["1,0", "1,1", "1,2", "1,3"]);
  assert.deepEqual([...winningLine(["x...", ".x..", "..x.", "...x"], isDisc)], ["0,0", "1,1", "2,2", "3,3"]);
  assert.deepEqual([...winningLine(["...o", "..o.", ".o..", "o..."], isDisc)], ["0,3", "1,2", "2,1", "3,0"]);
});

test("a line of five is whole, and three are none", () => {
  assert.equal(winningLine(["xxxxx"], isDisc).size, 5);
  assert.equal(winningLine(["xxxoxxx", "ooo.ooo"], isDisc).size, 0);
  assert.equal(winningLine([], isDisc).size, 0);
});

test("an address names a match by its id, and by nothing else", () => {
  assert.equal(matchOf("?match=voxel-survival-42&at=7"), "voxel-survival-42");
  assert.equal(matchOf("?match=cup:r1-2"), "cup:r1-2");
  for (const other of ["", "?match=", "?match=../x", "?match=a/b", "?match=%3Cb%3E"])
    assert.equal(matchOf(other), null);
  assert.ok(matchWorldPath("cup:r1", 7).endsWith("?match=cup:r1&at=7"));
});

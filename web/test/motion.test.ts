import assert from "node:assert/strict";
import { test } from "node:test";
import { Beat, climbed, Motion, radians, turned } from "../src/motion.ts";

test("a body is where it was when a tick comes, and where the tick says when it is over", () => {
  const motion = new Motion([0, 20, 0], 0);
  motion.goTo([1, 20, 0], 90, 1000, 200);
  assert.equal(motion.at(1000).x, 0.5);
  assert.equal(motion.at(1100).x, 1);
  assert.deepEqual(motion.at(1200), { x: 1.5, y: 20, z: 0.5, yaw: radians(90), speed: 0 });
  assert.equal(motion.at(9999).x, 1.5);
});

test("a tick that comes early starts from where the body is shown", () => {
  const motion = new Motion([0, 20, 0], 0);
  motion.goTo([1, 20, 0], 0, 1000, 200);
  const shown = motion.at(1100).x;
  motion.goTo([2, 20, 0], 0, 1100, 200);
  assert.equal(motion.at(1100).x, shown);
  assert.ok(motion.at(1101).x > shown);
});

test("whoever is put far away does not fly there", () => {
  const motion = new Motion([0, 20, 0], 0);
  motion.goTo([100, 20, 0], 0, 1000, 200);
  assert.deepEqual([motion.at(1000).x, motion.at(1000).speed], [100.5, 0]);
});

test("turning goes the short way round", () => {
  assert.ok(Math.abs(turned(radians(350), radians(10), 0.5) - radians(360)) < 1e-9);
  assert.ok(Math.abs(turned(radians(10), radians(350), 0.5)) < 1e-9);
  for (let from = -720; from <= 720; from += 45) {
    for (let to = 0; to < 360; to += 90) {
      const end = turned(radians(from), radians(to), 1);
      assert.ok(Math.abs(end - radians(from)) <= Math.PI + 1e-9);
      assert.ok(Math.abs(Math.cos(end) - Math.cos(radians(to))) < 1e-9);
    }
  }
});

test("a body climbs first and falls last", () => {
  assert.equal(climbed(10, 11, 0.5), 11);
  assert.equal(climbed(11, 10, 0.5), 11);
  assert.equal(climbed(11, 10, 1), 10);
});

test("the beat follows the ticks and does not lose itself in a pause", () => {
  const beat = new Beat(200);
  let lasts = 0;
  for (let now = 0; now < 20000; now += 100) lasts = beat.hear(now);
  assert.ok(Math.abs(lasts - 110) < 5);
  assert.ok(Math.abs(beat.hear(500000) - 110) < 5);
});

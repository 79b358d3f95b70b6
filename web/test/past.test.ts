import assert from "node:assert/strict";
import { test } from "node:test";
import { BoundedMap } from "../src/bounded_map.ts";
import { TapeReader } from "../src/past/tape_reader.ts";
import { RequestPace } from "../src/request_pace.ts";

test("a bounded map lets the entry go that was set the longest ago", () => {
  const map = new BoundedMap<number, string>(2);
  map.set(1, "one");
  map.set(2, "two");
  map.set(1, "one again");
  map.set(3, "three");
  assert.deepEqual([...map.values()], ["one again", "three"]);
  assert.ok(map.has(1) && !map.has(2));
  assert.equal(map.get(2), undefined);
  map.clear();
  assert.deepEqual([...map.values()], []);
});

test("requests for the same thing stay apart, and those for other things do not wait", () => {
  const pace = new RequestPace<string>(1000);
  assert.ok(pace.admits("segment 7", 0));
  assert.ok(!pace.admits("segment 7", 999));
  assert.ok(pace.admits("segment 8", 999));
  assert.ok(pace.admits("segment 7", 1000), "a refused request does not put off the next one");
});

test("whether a request is due can be asked without making it, and a reset forgets all of them", () => {
  const pace = new RequestPace<string>(1000);
  assert.ok(pace.isDue("ground", 0));
  assert.ok(pace.isDue("ground", 0));
  pace.note("ground", 0);
  assert.ok(!pace.isDue("ground", 500));
  pace.reset();
  assert.ok(pace.isDue("ground", 500));
});

test("a tape holds the segments that it can play whole, and none before the first", () => {
  const tape = new TapeReader({ segmentArrived() {}, segmentFailed() {} });
  assert.ok(!tape.holds(0), "before its state is there");
  const playable: [number, number][] = [[1, 520]];
  const missing = [{ first: 521, last: 800, why: "lost" }];
  tape.state = { world: "w", tick: 900, day_ticks: 6000, tick_rate_hz: 5, playable, missing, done: 2, of: 3 };
  assert.deepEqual(
    [-1, 0, 1, 2].map((n) => tape.holds(n)),
    [false, true, true, false],
  );
  assert.deepEqual(
    [1, 520, 521, 900].map((tick) => tape.isGone(tick)),
    [false, false, true, false],
  );
});

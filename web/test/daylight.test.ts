import assert from "node:assert/strict";
import { test } from "node:test";
import { clockText, isNight, lightAt } from "../src/daylight.ts";
import { readLateness } from "../src/lateness.ts";

test("the clock", () => {
  assert.deepEqual([0, 0.25, 0.5, 0.9999].map(clockText), ["00:00", "06:00", "12:00", "23:59"]);
  assert.deepEqual([0, 0.3, 0.74, 0.76].map(isNight), [true, false, false, true]);
});

test("it is light by day, and never too dark to see", () => {
  const brightness = (hour: number, weather: string) => {
    const { above, sunColour, sun } = lightAt(hour, weather);
    return above[1] + sunColour[1] * sun[1];
  };
  for (const weather of ["CLEAR", "STORM", "COLD", "NEVER_HEARD_OF"]) {
    for (let hour = 0; hour < 1; hour += 0.01) assert.ok(brightness(hour, weather) > 0.45, `${weather} ${hour}`);
    assert.ok(brightness(0.5, weather) > brightness(0, weather));
  }
});

test("the sun is always above the ground, and its direction has length one", () => {
  for (let hour = 0; hour < 1; hour += 0.01) {
    const { sun } = lightAt(hour, "CLEAR");
    assert.ok(sun[1] > 0);
    assert.ok(Math.abs(Math.hypot(...sun) - 1) < 1e-9);
  }
});

test("late ticks are read from the metrics", () => {
  const text = '# HELP x\nthorp_late_ticks_total{world="w"} 12\nthorp_skipped_ticks_total{world="w"} 3\n';
  assert.deepEqual(readLateness(text), { late: 12, skipped: 3 });
  assert.equal(readLateness("nothing of that kind"), null);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { ellipsis } from "../src/ellipsis.ts";
import { freePlace, meet, type Rect } from "../src/scene/rects.ts";

test("a text that is too long ends between two words", () => {
  const within = (most: number) => (text: string) => text.length <= most;
  const law = "The law “A tenth for the common chest” came into force";
  assert.equal(ellipsis(law, within(100)), law);
  assert.equal(ellipsis(law, within(32)), "The law “A tenth for the common…");
  assert.equal(ellipsis(law, within(30)), "The law “A tenth for the…");
  assert.equal(ellipsis("Odile, the mayor", within(8)), "Odile…", "no comma before it");
  assert.equal(ellipsis("Nebuchadnezzar came", within(6)), "Nebuc…", "a word of its own is cut");
  for (let most = 3; most <= law.length; most++) {
    const cut = ellipsis(law, within(most));
    assert.ok(cut.length <= most || cut.length === 2);
    if (cut !== law && most > 3) assert.ok(law.startsWith(cut.slice(0, -1)) && /[\s]/.test(law[cut.length - 1]), cut);
  }
});

const box = (left: number, top: number, wide: number, tall: number): Rect => ({
  left,
  top,
  right: left + wide,
  bottom: top + tall,
});

test("sayings do not lie over each other", () => {
  const taken: Rect[] = [];
  for (const x of [100, 110, 130, 150]) {
    const place = freePlace(box(x - 60, 100, 120, 22), x, taken);
    if (!place) continue;
    assert.ok(place.left <= x && x <= place.right, "each is over its own head");
    for (const other of taken) assert.ok(!meet(place, other));
    taken.push(place);
  }
  assert.equal(taken.length, 4);
  assert.equal(
    freePlace(box(40, 100, 120, 22), 100, [box(-1000, -1000, 3000, 3000)]),
    null,
    "nor where nobody could read them",
  );
});

test("a saying beside a panel goes aside", () => {
  const panel = box(0, 0, 100, 200);
  const place = freePlace(box(60, 100, 100, 22), 110, [panel])!;
  assert.ok(!meet(place, panel));
  assert.equal(place.bottom, 122, "and stays as low as it was");
});

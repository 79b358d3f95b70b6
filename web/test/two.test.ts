import assert from "node:assert/strict";
import test from "node:test";
import { MatchLog } from "../src/match/log.ts";
import { MOST_TOLD, parting } from "../src/match/two.ts";

const START = { type: "MatchStarted", seed: 1, agentIds: ["ada", "bo"], scenarioName: "toss", maxTurns: 999 };

/** A match in which ada and bo answer these in turn. */
function played(answers: readonly unknown[], scores: object = { ada: 1, bo: 0 }, scenarioName = "toss"): MatchLog {
  const events: object[] = [{ ...START, scenarioName, matchId: "m" }];
  answers.forEach((action, i) => {
    const [agentId, turn] = [i % 2 ? "bo" : "ada", i + 1];
    events.push({ type: "ObservationEmitted", agentId, turn, observation: {} });
    events.push({ type: "ActionSubmitted", agentId, turn, action });
    events.push({ type: "ActionAdjudicated", agentId, turn, valid: true, feedback: {} });
  });
  events.push({ type: "MatchEnded", reason: "completed", scores, turns: answers.length });
  return new MatchLog().take(events.map((event, seq) => JSON.stringify({ ...event, seq })));
}

test("two matches part with the first move that differs, and each one is told", () => {
  const found = parting(
    played([{ column: 3 }, { column: 4 }, { column: 1 }]),
    played([{ column: 3 }, { column: 2 }, { column: 0 }], { ada: 0, bo: 1 }),
  );
  assert.equal(found.at, 1);
  assert.equal(found.text, "They part with move 2");
  assert.deepEqual(
    found.told.map(({ at, text }) => [at, text]),
    [
      [1, "Here bo answered 4; there 2."],
      [2, "Here ada answered 1; there 0."],
      [2, "Here it ended ada 1, bo 0; there ada 0, bo 1."],
    ],
  );
});

test("equal matches have no difference, in whatever order members are written", () => {
  const found = parting(played([{ a: 1, b: 2 }]), played([{ b: 2, a: 1 }]));
  assert.deepEqual([found.at, found.told], [null, []]);
  assert.equal(found.text, "No difference is shown up to move 1");
});

test("a match that went on longer parts where the other ended", () => {
  const found = parting(played(["x", "y", "z"]), played(["x"]));
  assert.equal(found.at, 1);
  assert.equal(found.told[0].text, "Here it went on to move 3; there it ended with move 1.");
});

test("two games are not compared move by move", () => {
  const found = parting(played(["x"]), played(["x"], {}, "chess"));
  assert.deepEqual([found.at, found.told], [0, []]);
  assert.match(found.text, /two games: toss here, chess there/);
});

test("sentences are bounded, and hostile answers are words in them", () => {
  const hostile = "<script>alert(1)</script>";
  const many = Array.from({ length: 300 }, (_, i) => `${hostile} ${i}`);
  const found = parting(played(many), played(many.map((one) => `${one}!`)));
  assert.equal(found.told.length, MOST_TOLD);
  assert.ok(found.told[0].text.includes(hostile));
  assert.ok(found.told.every(({ text }) => text.length < 400));
});

import assert from "node:assert/strict";
import test from "node:test";
import { boardIn, choice, isFault, MatchLog, short } from "../src/match/log.ts";

const lines = (...events: object[]) => events.map((event, seq) => JSON.stringify({ ...event, seq }));
const START = {
  type: "MatchStarted",
  seed: 1,
  agentIds: ["ada", "bo"],
  scenarioName: "toss",
  maxTurns: 9,
  matchId: "m",
};
const saw = (agentId: string, turn: number, observation: object) => ({
  type: "ObservationEmitted",
  agentId,
  turn,
  observation,
});
const acts = (agentId: string, turn: number, action: unknown, valid = true) => [
  { type: "ActionSubmitted", agentId, turn, action },
  { type: "ActionAdjudicated", agentId, turn, valid, feedback: valid ? {} : { error: "no" } },
];

test("moves have what a seat saw, answered and was told, and the board that followed", () => {
  const log = new MatchLog().take(
    lines(
      START,
      { type: "TurnStarted", turn: 1 },
      saw("ada", 1, { you: "x", board: ["..", ".."] }),
      ...acts("ada", 1, { column: 0 }),
      saw("bo", 1, { you: "o", board: ["..", "x."] }),
      ...acts("bo", 1, "what?", false),
      { type: "StateUpdated", turn: 1, summary: { board: ["..", "x."], winner: null } },
      saw("ada", 2, { board: ["..", "x."] }),
      { type: "AgentError", agentId: "ada", turn: 2, message: "<b>dead</b>" },
      { type: "MatchEnded", reason: "completed", scores: { ada: 0, bo: 100 }, turns: 2 },
    ),
  );
  assert.equal(log.problem, "");
  assert.equal(log.view, "board");
  assert.deepEqual(
    log.moves.map(({ seat, turn }) => [seat, turn]),
    [
      [0, 1],
      [1, 1],
      [0, 2],
    ],
  );
  assert.deepEqual(log.boardAt(0), ["..", "x."], "what the next seat was shown");
  assert.deepEqual(log.moves.map(isFault), [false, true, true]);
  assert.deepEqual(log.jumps(), [
    { at: 1, what: "refused" },
    { at: 2, what: "no answer" },
    { at: 2, what: "the end" },
  ]);
  assert.equal(log.title, "bo beats ada");
  assert.deepEqual(
    [...log.glyphs],
    [
      ["x", 0],
      ["o", 1],
    ],
  );
});

test("scores of the state make rounds, and show when the lead changes", () => {
  const turn = (n: number, ada: number, bo: number) => [
    saw("ada", n, {}),
    ...acts("ada", n, { move: "cooperate" }),
    saw("bo", n, {}),
    ...acts("bo", n, { move: "defect" }),
    { type: "StateUpdated", turn: n, summary: { scores: { ada, bo } } },
  ];
  const log = new MatchLog().take(lines(START, ...turn(1, 3, 0), ...turn(2, 3, 5)));
  assert.equal(log.view, "rounds");
  assert.deepEqual(log.jumps(), [{ at: 3, what: "the lead changes" }]);
  assert.equal(log.title, "ada and bo, turn 2");
  assert.equal(new MatchLog().take(lines(START, saw("ada", 1, {}), ...acts("ada", 1, 7))).view, "text");
});

test("what models wrote stands beside their moves, one call a move, and a torn or foreign file says nothing", () => {
  const two = [START, saw("ada", 1, {}), ...acts("ada", 1, 1), saw("bo", 1, {}), ...acts("bo", 1, 2)];
  const events = lines(
    ...two,
    saw("ada", 2, {}),
    { type: "AgentError", agentId: "ada", turn: 2, message: "late" },
    saw("ada", 3, {}),
    ...acts("ada", 3, 3),
  );
  const call = (caller: unknown, text?: unknown) =>
    JSON.stringify({
      caller,
      request: "x",
      ...(text === undefined ? { error: { code: "t", message: "late" } } : { reply: { text } }),
    });
  const replies = [
    '{"format":"thorp.replies"}',
    call("ada", "One, I think. 1"),
    call("ada"),
    call(7, "nobody"),
    call("ada", "three"),
    call("ada", "too many"),
    call("bo", 7),
    '{"caller":"bo","re',
    "",
  ];
  const wrote = (file: string[]) =>
    new MatchLog()
      .take(events)
      .takeReplies(file)
      .moves.map((move) => move.wrote);
  assert.deepEqual(wrote(replies), ["One, I think. 1", undefined, undefined, "three"]);
  assert.deepEqual(wrote([""]), [undefined, undefined, undefined, undefined]);
});

test("whatever a file is, it is told and not believed", () => {
  assert.match(new MatchLog().take(["hello"]).problem, /Line 1 is no event/);
  assert.match(new MatchLog().take(lines({ type: "TurnStarted" })).problem, /no MatchStarted/);
  assert.match(new MatchLog().take([JSON.stringify({ type: "MatchStarted", agentIds: 7 })]).problem, /no MatchStarted/);
  assert.match(new MatchLog().take([...lines(START), '{"type":"TurnSt']).problem, /Line 2/);
  const strange = new MatchLog().take(
    lines(START, { type: "ActionAdjudicated", agentId: 7, turn: "x", valid: "yes" }, { type: "__proto__" }),
  );
  assert.deepEqual([strange.problem, strange.moves[0].seat, strange.moves[0].valid], ["", -1, false]);
  assert.equal(boardIn({ board: ["ab", "c"] }), null);
  assert.equal(boardIn({ board: [] }), null);
});

test("values are told short", () => {
  assert.deepEqual(
    [short({ column: 3 }), short([1, "a"]), short(null), choice({ move: "defect" })],
    ["column 3", '[1,"a"]', "null", "defect"],
  );
  assert.equal(short("x".repeat(500)).length, 100);
});

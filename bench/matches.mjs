// The match contract in JavaScript: a peer for bench/matches.py, and the fairest one, since the contract was
// written for this language. It logs each event as text when it happens, like ours, and plays number-guess only.
//
// Reads one order a line from standard input and answers each with one line of JSON:
//   {"match": CONFIG}                 the log of one match, as a string; CONFIG as in tests/golden/match.jsonl
//   {"first": SEED, "count": N}       plays N matches from that seed on: the CPU seconds of all threads, and the
//                                     SHA-256 of all logs in a row if "digest" is true
// With "copies" true, agents get copies of the observations and the scenario one of each action, as with ours;
// else they share the objects with the runner, as in the contract's original.

import { createHash } from "node:crypto";
import { createInterface } from "node:readline";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";

function stream(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const integer = (random, low, high) => low + Math.floor(random() * (high - low + 1));
const copied = (value) => JSON.parse(JSON.stringify(value));
const shared = (value) => value;
const childSeed = (random) => (random() * 4294967296) | 0;

class NumberGuess {
  name = "NumberGuess";

  constructor(minimum = 1, maximum = 100) {
    this.minimum = minimum;
    this.maximum = maximum;
  }

  init(seed, ids) {
    const players = {};
    for (const id of ids) players[id] = { lastGuess: null, feedback: null, guessCount: 0 };
    return { secret: integer(stream(seed), this.minimum, this.maximum), players, winner: null, guessCount: 0 };
  }

  observe(state, id) {
    const { lastGuess, feedback } = state.players[id];
    const shown = lastGuess ?? null;
    return { rangeMin: this.minimum, rangeMax: this.maximum, lastGuess: shown, feedback, turn: state.guessCount };
  }

  adjudicate(state, id, action) {
    const guess = action?.guess;
    const { guessCount } = state.players[id];
    if (!Number.isInteger(guess) || guess < this.minimum || guess > this.maximum) {
      state.players[id] = { lastGuess: guess, feedback: "invalid", guessCount };
      return { valid: false, feedback: { error: "Invalid guess: out of range or non-integer", guess }, state };
    }
    const feedback = guess === state.secret ? "correct" : guess < state.secret ? "higher" : "lower";
    if (feedback === "correct") state.winner = id;
    state.players[id] = { lastGuess: guess, feedback, guessCount: guessCount + 1 };
    state.guessCount += 1;
    return { valid: true, feedback: { feedback }, state };
  }

  isTerminal(state) {
    return state.winner !== null;
  }

  score(state) {
    const scores = {};
    for (const id in state.players) scores[id] = id === state.winner ? 100 : 0;
    return scores;
  }

  summarize(state) {
    return { winner: state.winner, secretNumber: state.secret, agentFeedback: state.players };
  }
}

class RandomAgent {
  constructor(id) {
    this.id = id;
  }

  init() {}

  act(observation, { rng }) {
    return { guess: integer(rng, observation.rangeMin, observation.rangeMax) };
  }
}

class BaselineAgent {
  constructor(id) {
    this.id = id;
  }

  init() {
    this.low = this.high = 0;
  }

  act(observation) {
    if (this.low === 0 && this.high === 0) {
      this.low = observation.rangeMin;
      this.high = observation.rangeMax;
    }
    if (observation.feedback === "higher") this.low = Math.max(this.low, observation.lastGuess + 1);
    else if (observation.feedback === "lower") this.high = Math.min(this.high, observation.lastGuess - 1);
    return { guess: Math.floor((this.low + this.high) / 2) };
  }
}

// The next three only play golden matches: see tests/arena/golden_agents.py.
function script({ id, steps }) {
  let calls = 0;
  const act = () => {
    const step = steps[Math.min(calls++, steps.length - 1)];
    if ("throw" in step) throw new Error(step.throw);
    return step.return;
  };
  return { id, init() {}, act };
}

function probe({ id, guess, draws }) {
  let seed;
  const act = (_, { rng, turn, agentId }) => ({
    guess,
    initId: id,
    initSeed: seed,
    ctxId: agentId,
    ctxTurn: turn,
    draws: Array.from({ length: draws }, () => rng()),
  });
  return { id, init: (config) => (seed = config.seed), act };
}

function flaky({ id, inner, failTurns, when, message }) {
  const agent = build({ ...inner, id });
  const act = (observation, context) => {
    const failing = failTurns.includes(context.turn);
    if (failing && when === "before") throw new Error(message);
    const action = agent.act(observation, context);
    if (failing) throw new Error(message);
    return action;
  };
  return { id, init: (config) => agent.init(config), act };
}

function build(spec) {
  if (spec.kind === "random") return new RandomAgent(spec.id);
  if (spec.kind === "baseline") return new BaselineAgent(spec.id);
  return { script, probe, flaky }[spec.kind](spec);
}

function play(scenario, agents, { seed, maxTurns, matchId: givenId }, handed) {
  const master = stream(seed);
  let matchId = givenId;
  if (matchId === undefined) {
    matchId = "m_";
    for (let count = 0; count < 12; count++) matchId += ALPHABET[Math.floor(master() * 36)];
  }
  let log = "";
  let seq = 0;
  const emit = (event) => {
    event.seq = seq++;
    event.matchId = matchId;
    log += JSON.stringify(event) + "\n";
  };
  const streams = {};
  for (const agent of agents) {
    const agentSeed = childSeed(master);
    streams[agent.id] = stream(agentSeed);
    agent.init({ agentId: agent.id, seed: agentSeed });
  }
  const ids = agents.map((agent) => agent.id);
  emit({ type: "MatchStarted", seed, agentIds: ids, scenarioName: scenario.name, maxTurns });
  let state = scenario.init(childSeed(master), ids);
  let turn = 0;
  while (turn < maxTurns && !scenario.isTerminal(state)) {
    turn += 1;
    emit({ type: "TurnStarted", turn });
    for (const agent of agents) {
      if (scenario.isTerminal(state)) break;
      const agentId = agent.id;
      const observation = scenario.observe(state, agentId);
      emit({ type: "ObservationEmitted", agentId, turn, observation });
      let action;
      try {
        action = agent.act(handed(observation), { rng: streams[agentId], turn, agentId });
      } catch (failure) {
        emit({ type: "AgentError", agentId, turn, message: failure.message });
        continue;
      }
      emit({ type: "ActionSubmitted", agentId, turn, action });
      const { valid, feedback, state: next } = scenario.adjudicate(state, agentId, handed(action));
      emit({ type: "ActionAdjudicated", agentId, turn, valid, feedback });
      state = next;
    }
    emit({ type: "StateUpdated", turn, summary: scenario.summarize(state) });
  }
  const reason = scenario.isTerminal(state) ? "completed" : "maxTurnsReached";
  emit({ type: "MatchEnded", reason, scores: scenario.score(state), turns: turn });
  return log;
}

function match(config, handed) {
  const { min, max } = config.range ?? { min: 1, max: 100 };
  // JSON holds neither NaN nor infinity: they come as text.
  const numbers = { seed: Number(config.seed), maxTurns: Number(config.maxTurns) };
  return play(new NumberGuess(min, max), config.agents.map(build), { ...config, ...numbers }, handed);
}

function batch({ first, count, digest }, handed) {
  const hash = digest ? createHash("sha256") : null;
  const before = process.cpuUsage();
  for (let seed = first; seed < first + count; seed++) {
    const agents = [new RandomAgent("random-1"), new BaselineAgent("baseline-1")];
    const log = Buffer.from(play(new NumberGuess(), agents, { seed, maxTurns: 20 }, handed));
    hash?.update(log);
  }
  const { user, system } = process.cpuUsage(before);
  return { seconds: (user + system) / 1e6, sha256: hash?.digest("hex") };
}

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  const handed = order.copies ? copied : shared;
  console.log(JSON.stringify(order.match ? match(order.match, handed) : batch(order, handed)));
}

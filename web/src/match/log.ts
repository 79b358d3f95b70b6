// A match, read from its log alone, which may come from a server, from a file or out of this page. Logs come from
// outside, so a line may hold anything.

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Event = { [name: string]: Json };

/** The longest log that a browser can show; `thorp match show` reads longer ones. */
export const MOST_LINES = 400_000;

export interface Move {
  turn: number;
  /** The seat's number, or -1 if the log does not name this seat. */
  seat: number;
  seq: number;
  saw: Json | undefined;
  answered: Json | undefined;
  valid: boolean | null;
  feedback: Json | undefined;
  /** Why the agent did not answer. */
  error: string | null;
  /** The state after this move, as far as the log shows it by then. */
  summary: Json | undefined;
  board: string[] | null;
  scores: number[] | null;
  /** What the model of this seat wrote, word for word, where its replies are kept beside the log. */
  wrote?: string;
}

/** The reference in a log to an observation that is kept elsewhere. */
export function digestIn(saw: Json | undefined): { sha256: string; bytes: number } | null {
  if (!isObject(saw) || Object.keys(saw).length !== 2 || typeof saw.bytes !== "number") return null;
  return typeof saw.sha256 === "string" && /^[0-9a-f]{64}$/.test(saw.sha256)
    ? { sha256: saw.sha256, bytes: saw.bytes }
    : null;
}

export const isFault = (move: Move): boolean => move.error !== null || move.valid === false;

const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const number = (value: Json | undefined): number => (typeof value === "number" ? value : 0);

/** A grid of glyphs, a string for each row, all of the same length. */
export function boardIn(value: Json | undefined): string[] | null {
  const rows = isObject(value) ? value.board : null;
  if (!Array.isArray(rows) || !rows.length || rows.length > 64) return null;
  const first = rows[0];
  const fits = (row: Json): row is string =>
    typeof row === "string" && row.length === (first as string).length && row.length > 0 && row.length <= 64;
  return rows.every(fits) ? (rows as string[]) : null;
}

export class MatchLog {
  seats: string[] = [];
  scenario = "";
  id = "";
  seed: Json = null;
  maxTurns = 0;
  moves: Move[] = [];
  end: { reason: string; scores: Record<string, number>; turns: number } | null = null;
  lines = 0;
  /** Why the rest cannot be shown. */
  problem = "";
  /** Seats' signs on a board: the glyph that each plays with, where the game tells it. */
  readonly glyphs = new Map<string, number>();
  private summary: Json | undefined;
  private open: Move | null = null;
  private turnFrom = 0;

  /** Read more lines. */
  take(lines: Iterable<string>): this {
    for (const line of lines) {
      if (!line || this.problem) continue;
      this.lines += 1;
      if (this.lines > MOST_LINES) {
        this.problem = `The log is longer than ${MOST_LINES} lines; thorp match show tells it all.`;
        break;
      }
      try {
        const event = JSON.parse(line) as Json;
        if (!isObject(event)) throw new Error("no object");
        this.hear(event);
      } catch {
        this.problem = `Line ${this.lines} is no event of a match.`;
      }
    }
    if (this.lines > 0 && !this.seats.length && !this.problem)
      this.problem = "This is no log of a match: line 1 is no MatchStarted event.";
    return this;
  }

  /** What models wrote, from the file beside the log: one call for each move of theirs, in the same order. */
  takeReplies(lines: readonly string[]): this {
    const calls = new Map<string, (string | null)[]>();
    for (const line of lines.slice(1, MOST_LINES)) {
      let call: Json = null;
      try {
        call = JSON.parse(line) as Json;
      } catch {
        continue; // a torn line, or the end
      }
      if (!isObject(call)) continue;
      const caller = text(call.caller);
      if (!calls.has(caller)) calls.set(caller, []);
      calls.get(caller)!.push(isObject(call.reply) ? text(call.reply.text) : null);
    }
    for (const move of this.moves) {
      const said = calls.get(this.seats[move.seat])?.shift();
      if (said) move.wrote = said;
    }
    return this;
  }

  private hear(event: Event): void {
    if (this.lines === 1 && event.type !== "MatchStarted") {
      this.problem = "This is no log of a match: line 1 is no MatchStarted event.";
      return;
    }
    const seat = this.seats.indexOf(text(event.agentId));
    const last = this.moves.at(-1);
    switch (event.type) {
      case "MatchStarted":
        this.seats = Array.isArray(event.agentIds) ? event.agentIds.map(text) : [];
        [this.scenario, this.id, this.seed, this.maxTurns] = [
          text(event.scenarioName),
          text(event.matchId),
          event.seed,
          number(event.maxTurns),
        ];
        break;
      case "ObservationEmitted": {
        const board = boardIn(event.observation);
        const you = isObject(event.observation) ? text(event.observation.you) : "";
        if (you.length === 1) this.glyphs.set(you, seat);
        if (last && board && !last.board) last.board = board;
        this.open = { ...this.begun(event, seat), saw: event.observation };
        break;
      }
      case "ActionSubmitted":
        this.open = { ...(this.open ?? this.begun(event, seat)), answered: event.action };
        break;
      case "ActionAdjudicated":
        this.close({
          ...(this.open ?? this.begun(event, seat)),
          valid: event.valid === true,
          feedback: event.feedback,
          seq: number(event.seq),
        });
        break;
      case "AgentError":
        this.close({
          ...(this.open ?? this.begun(event, seat)),
          error: text(event.message) || "it failed",
          seq: number(event.seq),
        });
        break;
      case "StateUpdated":
        this.summary = event.summary;
        if (last && this.moves.length > this.turnFrom) {
          last.summary = event.summary;
          last.board = boardIn(event.summary) ?? last.board;
          last.scores = this.scoresIn(event.summary);
        }
        this.turnFrom = this.moves.length;
        break;
      case "MatchEnded": {
        const scores = isObject(event.scores)
          ? Object.entries(event.scores).filter(([, score]) => typeof score === "number")
          : [];
        this.end = {
          reason: text(event.reason),
          scores: Object.fromEntries(scores) as Record<string, number>,
          turns: number(event.turns),
        };
        break;
      }
    }
  }

  private begun(event: Event, seat: number): Move {
    const before = this.moves.at(-1);
    return {
      turn: number(event.turn),
      seat,
      seq: number(event.seq),
      saw: undefined,
      answered: undefined,
      valid: null,
      feedback: undefined,
      error: null,
      summary: this.summary,
      board: null,
      scores: before?.scores ?? null,
    };
  }

  private close(move: Move): void {
    this.moves.push(move);
    this.open = null;
  }

  private scoresIn(summary: Json | undefined): number[] | null {
    const scores = isObject(summary) && isObject(summary.scores) ? summary.scores : null;
    const values = scores && this.seats.map((seat) => scores[seat]);
    return values?.every((score): score is number => typeof score === "number") ? values : null;
  }

  /** How the match is best shown: a grid of glyphs, rounds with scores, or plain text. */
  get view(): "board" | "rounds" | "text" {
    if (this.moves.some(({ board }) => board)) return "board";
    return this.moves.some(({ scores }) => scores) ? "rounds" : "text";
  }

  /** The board after a move: the last one shown until then. */
  boardAt(at: number): string[] | null {
    for (let i = Math.min(at, this.moves.length - 1); i >= 0; i -= 1)
      if (this.moves[i].board) return this.moves[i].board;
    return null;
  }

  /** Moves worth going to: refusals and failures, and those after which somebody else leads. */
  jumps(): { at: number; what: string }[] {
    const moments: { at: number; what: string }[] = [];
    let leader = -1;
    this.moves.forEach((move, at) => {
      if (isFault(move)) moments.push({ at, what: move.error !== null ? "no answer" : "refused" });
      const best = move.scores ? Math.max(...move.scores) : 0;
      const leaders = move.scores?.flatMap((score, seat) => (score === best ? [seat] : [])) ?? [];
      if (leaders.length === 1 && leaders[0] !== leader) {
        if (leader >= 0) moments.push({ at, what: "the lead changes" });
        leader = leaders[0];
      }
    });
    if (this.end && this.moves.length) moments.push({ at: this.moves.length - 1, what: "the end" });
    return moments;
  }

  faults(seat: number): { refused: number; errors: number } {
    const own = this.moves.filter((move) => move.seat === seat);
    return {
      refused: own.filter(({ valid }) => valid === false).length,
      errors: own.filter(({ error }) => error !== null).length,
    };
  }

  /** "minimax-1 beats greedy-1", or how far it has come. */
  get title(): string {
    const names = this.seats.join(" and ") || "nobody";
    if (!this.end) return `${names}, turn ${this.moves.at(-1)?.turn ?? 0}`;
    const scores = this.seats.map((seat) => this.end!.scores[seat]);
    if (this.end.reason === "error" || scores.some((score) => score === undefined))
      return `${names}: the scenario failed`;
    const best = this.seats.filter((_, seat) => scores[seat] === Math.max(...scores));
    if (this.seats.length === 1) return `${names} scores ${scores[0]}`;
    if (best.length > 1) return `${best.join(" and ")} draw`;
    return this.seats.length === 2
      ? `${best[0]} beats ${this.seats.find((seat) => seat !== best[0]) ?? best[0]}`
      : `${best[0]} wins against ${this.seats.length - 1}`;
  }
}

const SHORT = 100;

/** A value on one line; an object with one member shows as that member. */
export function short(value: Json | undefined): string {
  if (value === undefined) return "";
  if (isObject(value)) {
    const members = Object.entries(value);
    if (members.length === 1) return `${members[0][0]} ${short(members[0][1])}`.slice(0, SHORT);
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > SHORT ? `${text.slice(0, SHORT - 1)}…` : text;
}

/** The value of an action that has one, for a cell. */
export function choice(value: Json | undefined): string {
  if (!isObject(value)) return short(value);
  if (typeof value.type === "string") return short(value.type.toLowerCase().replaceAll("_", " "));
  const members = Object.values(value);
  return members.length === 1 ? short(members[0]) : short(value);
}

// The matches of a server: their list, one tournament, and the log of one match as it grows.

import { asked } from "./asked.ts";
import { type Json, MatchLog } from "./match/log.ts";
import { address } from "./token.ts";

export interface MatchRow {
  id: string;
  scenario: string;
  seats: string[];
  seed: number | null;
  running: boolean;
  scores: Record<string, number> | null;
  turns: number | null;
  reason: string | null;
  refused: number | null;
  errors: number | null;
  when: string;
}

export interface TournamentRow {
  id: string;
  scenario: string;
  entrants: string[];
  seed: number;
  rounds: number;
  ranking: "points" | "score";
  total: number;
  played: number;
  finished: boolean;
  logs: boolean;
  when: string;
}

interface Interval {
  value: number | null;
  low: number | null;
  high: number | null;
}

export interface Standing {
  rank: number;
  id: string;
  matches: number;
  decided_by: string | null;
  invalid_rate: number;
  error_rate: number;
  invalid: number;
  errors: number;
  points?: number;
  score?: number;
  difference?: number;
  win_rate?: Interval;
  wins?: number;
  draws?: number;
  losses?: number;
  rating?: Interval | null;
  rounds?: number;
  mean?: Interval;
}

/** A match of a finished tournament, as `results.jsonl` has it. */
interface Outcome {
  key: string;
  seed: number;
  seats: string[];
  scores: number[] | null;
  reason: string;
  error: string | null;
  turns: number;
  invalid: number[];
  errors: number[];
}

export interface Tournament extends TournamentRow {
  standings?: Standing[];
  cross?: Record<string, Record<string, { wins: number; draws: number; losses: number }>>;
  matches?: MatchRow[];
  outcomes?: Outcome[];
  next: number | null;
}

export interface Listing {
  matches: MatchRow[];
  tournaments: TournamentRow[];
  next: number | null;
}

export interface Verified {
  difference: { code: string; line: number; message: string } | null;
  lines: number;
  basis: string;
}

/** The log of one match on the server: read at once, and followed while it is played. */
export class Followed {
  readonly log = new MatchLog();
  revision = 0;
  live = true;
  why = "";
  private source: EventSource | null = null;

  constructor(
    readonly id: string,
    private readonly changed: () => void,
  ) {
    const url = address(`v1/matches/${encodeURIComponent(id)}/events`);
    this.source = new EventSource(url);
    this.source.addEventListener("lines", (event) => {
      this.log.take((event as MessageEvent<string>).data.split("\n"));
      if (this.log.end || this.log.problem) this.close();
      if (this.log.end) void this.askReplies();
      this.tell();
    });
    this.source.addEventListener("end", () => this.close());
    this.source.onerror = () => {
      if (this.source?.readyState !== EventSource.CLOSED) return; // it reconnects by itself and goes on there
      this.close();
      if (!this.log.lines) void this.ask();
    };
  }

  private async ask(): Promise<void> {
    const row = await asked<MatchRow>(`v1/matches/${encodeURIComponent(this.id)}`);
    this.why = "why" in row ? row.why : "the match cannot be read now";
    this.tell();
  }

  /** What its models wrote is there when the match has ended. */
  private async askReplies(): Promise<void> {
    const answer = await fetch(address(`v1/matches/${encodeURIComponent(this.id)}/replies`)).catch(() => null);
    if (!answer?.ok) return;
    this.log.takeReplies((await answer.text()).split("\n"));
    this.tell();
  }

  close(): void {
    this.source?.close();
    this.source = null;
    this.live = false;
    this.tell();
  }

  private tell(): void {
    this.revision += 1;
    this.changed();
  }
}

/** An observation of which the log has only a digest; null if the server does not keep it. */
export async function observation(match: string, sha256: string): Promise<Json | null> {
  const answer = await fetch(address(`v1/matches/${encodeURIComponent(match)}/seen/${sha256}`)).catch(() => null);
  const text = answer?.ok ? await answer.text() : null;
  try {
    return text === null ? null : (JSON.parse(text) as Json);
  } catch {
    return text;
  }
}

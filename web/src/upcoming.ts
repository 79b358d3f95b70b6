// What comes next: votes that open and end, elections, contracts that fall due, events that end.

import { asks, type Society } from "./society.ts";
import { capitalised } from "./words.ts";

export interface Candidate {
  id: string;
  name: string;
  promise: string;
}

/** How an election stood at a tick, as a citizen said in public. */
export interface Election {
  tick: number;
  town: string;
  said_by: string;
  office: string;
  election_state: "called" | "open" | "decided";
  next_tick: number;
  candidates: Candidate[];
  winner: string;
  votes: Record<string, number>;
}

export interface Upcoming {
  tick: number;
  /** What it is about. */
  see: string;
  /** What stands before the name of that, and after it. */
  before: string;
  after: string;
  /** The name, if it has none of its own. */
  text?: string;
}

const MOST = 5;
const MOST_CONTRACTS = 2;

/** The address of what is known of the newest election. */
export const ELECTION = "ELECTION";

/** The newest word on each town's election, up to a tick. */
export const electionAt = (elections: readonly Election[], tick: number): Election | undefined =>
  elections.filter((one) => one.tick <= tick).sort((a, b) => b.tick - a.tick)[0];

const STEPS: Record<Election["election_state"], string> = {
  called: "opens",
  open: "ends",
  decided: "is held again",
};

function* everything(society: Society, election: Election | undefined): Generator<Upcoming> {
  for (const { id, status, notice_ends_tick, vote_ends_tick } of society.laws) {
    if (status === "NOTICE") yield { tick: notice_ends_tick, see: id, before: "The vote on ", after: " opens" };
    if (status === "VOTING") yield { tick: vote_ends_tick, see: id, before: "The vote on ", after: " ends" };
  }
  if (election) {
    const { next_tick, office, election_state } = election;
    const text = `election of the ${office || "mayor"}`;
    yield { tick: next_tick, see: ELECTION, before: "The ", text, after: ` ${STEPS[election_state]}` };
  }
  const { event } = society;
  if (event) yield { tick: event.ends_tick, see: event.id, before: "", after: " ends" };
  const taken = society.contracts.filter(({ state }) => state === "ACCEPTED");
  const soonest = taken.sort((a, b) => a.deadline_tick - b.deadline_tick).slice(0, MOST_CONTRACTS);
  for (const contract of soonest)
    yield {
      tick: contract.deadline_tick,
      see: contract.id,
      before: "",
      text: capitalised(asks(contract)),
      after: " due",
    };
}

/** The next things to happen after a tick, the soonest first. */
export function upcoming(society: Society | null, elections: readonly Election[], tick: number): Upcoming[] {
  if (!society) return [];
  return [...everything(society, electionAt(elections, tick))]
    .filter((one) => one.tick > tick)
    .sort((a, b) => a.tick - b.tick)
    .slice(0, MOST);
}

/** "in 40 s", "in 4 min", "in 2 h": of the reader's own time. */
export function countdown(ticks: number, rate: number): string {
  const seconds = Math.max(1, Math.round(ticks / rate));
  if (seconds < 90) return `in ${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `in ${minutes} min` : `in ${Math.round(minutes / 60)} h`;
}

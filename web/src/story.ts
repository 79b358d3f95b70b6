// The story as the server shows it to this reader, and what the reader adds to it.
//
// Everything shown comes over one stream of events; nothing is made up here. What is sent is an envelope with an
// id of its own. If no answer comes, the same envelope is sent again, so nothing happens twice.

import { IS_FILM } from "./address.ts";
import { request } from "./answers.ts";
import { address, forgetToken } from "./token.ts";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5000;
/** A connection without even a heartbeat for this long counts as dead. */
const SILENCE_MS = 40_000;
const PAGE_ENTRIES = 200;
/** Older ones are dropped; the server still has them. */
const MOST_ENTRIES = 5000;

export interface Entry {
  entry_id: string;
  created_at_world: string;
  channel: "USER" | "VOICE" | "PEOPLE";
  author_label: string | null;
  text: string;
}

/** The ticks of a chronicle's entry, and of each sentence: where it ends, when it began to be true, of whom it is, and
 * how much it matters. */
export interface Dated {
  first: number;
  last: number;
  sentences: [end: number, tick: number, who: string[], weight?: number][];
}

export interface Pocket {
  is_available: boolean;
  clock: { world_time: string | null; timezone: string | null };
  calendar: { items: { title: string; time: string | null; location: string | null; notes: string | null }[] };
  messages: { items: { from: string | null; text: string; time: string | null }[] };
}

interface Page {
  stream: { cursor_before: string | null; cursor_after: string | null; entries: Entry[] };
  pocket: Pocket;
  ticks?: Record<string, Dated>;
  declared?: string[];
}

interface Greeting {
  reader: string | null;
  sender: { invoker: object; operator_id: string } | null;
  running?: number;
}

interface Envelope {
  operator: { input_text: string };
  declared_overrides: { pause_time: boolean | null };
}

export class Story {
  entries: Entry[] = [];
  readonly ticks = new Map<string, Dated>();
  readonly declared = new Set<string>();
  pocket: Pocket | null = null;
  greeting: Greeting | null = null;
  link: { name: "connecting" | "live" | "away"; text: string } = { name: "connecting", text: "connecting" };
  hasEarlier = false;
  /** Grows with every addition; and the number of additions in front. */
  revision = 0;
  prepended = 0;
  complaint: { text: string; again: boolean } | null = null;
  /** When the envelope that waits for its answer was sent. */
  sentAt: number | null = null;
  /** How many messages of the reader were accepted. */
  spoken = 0;
  private pending: Envelope | null = null;
  private cursor: string | null = null;
  private readonly entryIds = new Set<string>();
  private started = false;
  private loadingAll = false;
  private wake = (): void => {};

  constructor(private readonly changed: () => void) {}

  /** Follow the story from now on. */
  start(): void {
    if (this.started) return;
    this.started = true;
    addEventListener("online", () => this.wake());
    void (IS_FILM ? this.showRecorded() : this.run());
  }

  async showEarlier(): Promise<void> {
    const url = address("v1/story/stream");
    url.searchParams.set("last", String(this.entries.length + PAGE_ENTRIES));
    url.searchParams.set("limit", String(PAGE_ENTRIES));
    const answer = await fetch(url).catch(() => null);
    if (!answer?.ok) return;
    const page = (await answer.json()) as Page;
    this.note(page);
    const fresh = this.fresh(page.stream.entries);
    this.entries = [...fresh, ...this.entries];
    this.hasEarlier = fresh.length > 0 && this.entries.length < MOST_ENTRIES;
    this.prepended += 1;
    this.tell();
  }

  /** Load earlier passages, up to the number that is kept, so that a search covers all of them. */
  async loadAll(): Promise<void> {
    if (this.loadingAll) return;
    this.loadingAll = true;
    while (this.hasEarlier) {
      const before = this.entries.length;
      await this.showEarlier();
      if (this.entries.length === before) break;
    }
    this.loadingAll = false;
  }

  /** Whether an entry is about a world before the one that the newest pages are about. */
  isOfEarlierWorld(entryId: string): boolean {
    let first = -1;
    let found = -1;
    for (const [i, { entry_id }] of this.entries.entries()) {
      const dated = this.ticks.get(entry_id);
      if (entry_id === entryId) found = i;
      if (dated && dated.first < first && found >= 0 && found < i) return true;
      first = dated?.first ?? first;
    }
    return false;
  }

  private fresh(entries: Entry[]): Entry[] {
    const fresh = entries.filter(({ entry_id }) => !this.entryIds.has(entry_id));
    for (const { entry_id } of fresh) this.entryIds.add(entry_id);
    return fresh;
  }

  private note({ ticks, declared }: Page): void {
    for (const [id, dated] of Object.entries(ticks ?? {})) this.ticks.set(id, dated);
    for (const id of declared ?? []) this.declared.add(id);
  }

  private tell(): void {
    this.revision += 1;
    this.changed();
  }

  // What comes

  private hear(page: Page): void {
    const { entries, cursor_before, cursor_after } = page.stream;
    // A page that does not continue the last one belongs to another story.
    if (this.cursor !== null && this.cursor !== cursor_before) this.forget();
    if (this.entryIds.size === 0) this.hasEarlier = cursor_before !== null;
    this.note(page);
    this.entries = [...this.entries, ...this.fresh(entries)];
    while (this.entries.length > MOST_ENTRIES) {
      this.entryIds.delete(this.entries.shift()!.entry_id);
      this.hasEarlier = true;
    }
    this.cursor = cursor_after;
    this.pocket = page.pocket;
    this.tell();
  }

  private forget(): void {
    this.entries = [];
    this.entryIds.clear();
    this.ticks.clear();
    this.declared.clear();
  }

  /** Read a stream of events to its end. Returns whether any event came. */
  private follow(): Promise<boolean> {
    const url = address("v1/story/events");
    if (this.cursor === null) url.searchParams.set("last", String(PAGE_ENTRIES));
    else url.searchParams.set("cursor", this.cursor);
    const source = new EventSource(url);
    let heardAt = performance.now();
    return new Promise((resolve) => {
      let opened = false;
      const end = () => {
        clearInterval(watch);
        source.close();
        resolve(opened);
      };
      const watch = setInterval(() => {
        if (performance.now() - heardAt > SILENCE_MS) end();
      }, 1000);
      const on = <T>(name: string, take: (data: T) => void) =>
        source.addEventListener(name, (event) => {
          heardAt = performance.now();
          take(JSON.parse((event as MessageEvent<string>).data));
        });
      source.onopen = () => {
        opened = true;
        this.link = { name: "live", text: "live" };
        this.tell();
      };
      source.onerror = end;
      on<Greeting>("reader", (greeting) => {
        this.greeting = greeting;
        this.tell();
      });
      on<Page>("page", (page) => this.hear(page));
      on("still", () => {});
    });
  }

  /** Show the passages in a film, to which none will be added. */
  private async showRecorded(): Promise<void> {
    const answer = await request("v1/story/stream");
    this.link = { name: "live", text: "a film" };
    if (answer.ok) this.hear(await answer.json());
    else this.tell();
  }

  /** Why there are no events, in the server's words if it gave a reason. */
  private async reason(): Promise<string> {
    const url = address("v1/story/stream");
    url.searchParams.set("limit", "1");
    const answer = await fetch(url).catch(() => null);
    if (answer === null || answer.ok) return "the server cannot be reached";
    if (answer.status === 401) forgetToken();
    const { details } = await answer.json().catch(() => ({ details: answer.statusText }));
    return `the server says: ${typeof details === "string" ? details : answer.statusText}`;
  }

  private async run(): Promise<never> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.6, LONGEST_PAUSE_MS)) {
      if (await this.follow()) pause = FIRST_PAUSE_MS;
      this.link = { name: "away", text: await this.reason() };
      this.tell();
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        setTimeout(resolve, pause);
      });
    }
  }

  // What is sent

  /** Send a message. An earlier one without an answer is sent again unchanged. True if it was accepted. */
  async speak(words: string, pauseTime: boolean | null): Promise<boolean> {
    const sender = this.greeting?.sender;
    if (this.sentAt !== null || !sender) return false;
    const same =
      this.pending?.operator.input_text === words && this.pending.declared_overrides.pause_time === pauseTime;
    if (!same) {
      const id = [...crypto.getRandomValues(new Uint8Array(16))]
        .map((byte) => byte.toString(16).padStart(2, "0"))
        .join("");
      this.pending = {
        request_id: `page-${id}`,
        invoker: sender.invoker,
        operator: { operator_id: sender.operator_id, input_text: words },
        mode: { kind: "BEAT" },
        declared_overrides: { time: null, pause_time: pauseTime },
      } as Envelope;
    }
    return this.deliver();
  }

  private async deliver(): Promise<boolean> {
    this.complaint = null;
    this.sentAt = performance.now();
    this.tell();
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(address("invocations"), { method: "POST", headers, body: JSON.stringify(this.pending) })
      .then(async (given) => ({ status: given.status, body: await given.json(), lost: lostWords(given.headers) }))
      .catch(() => ({ status: 0, body: { error: "no answer came" }, lost: null }));
    this.sentAt = null;
    const taken = answer.status === 200;
    if (taken) this.taken(answer.lost);
    else this.refused(answer.status, answer.body);
    this.tell();
    return taken;
  }

  private taken(lost: string | null): void {
    this.pending = null;
    this.spoken += 1;
    if (lost) this.complaint = { text: `Your words are kept; ${lost}`, again: false };
    this.wake();
  }

  private refused(status: number, { error, details, writer }: ErrorDocument): void {
    const unknown = status === 0 || status >= 500 || status === 429;
    const given = Array.isArray(details)
      ? details.map(({ path, message }) => `${path}: ${message}`).join("; ")
      : details;
    const detail = writer ? `${writer.code}: ${writer.message}` : given;
    this.complaint = { text: detail ? `${error} (${detail})` : String(error), again: unknown };
    if (!unknown) this.pending = null;
  }
}

/** The text of a refusal, or the writer's own complaint if it has one. */
interface ErrorDocument {
  error: string;
  details?: string | { path: string; message: string }[];
  writer?: { code: string; message: string };
}

const LOST: Record<string, string> = {
  rejected: "what the writer proposed was rejected",
  failed: "the writer failed",
  looped: "the writer asked in a loop and wrote nothing",
};

/** Why the writer's part of a beat was lost, from the headers of its answer; null if it was not. */
export function lostWords(headers: Headers): string | null {
  const [outcome, code] = (headers.get("Story-Outcome") ?? "").split(" ");
  const lost = LOST[outcome];
  if (!lost) return null;
  const reason = decodeURIComponent(headers.get("Story-Reason") ?? "");
  const beat = headers.get("Story-Beat");
  const details = [code && `${decodeURIComponent(code)}: ${reason}`, beat && `beat ${beat} of the audit`].filter(
    Boolean,
  );
  return details.length ? `${lost} (${details.join("; ")})` : lost;
}

// Days and their quarters

export const QUARTERS = ["before dawn", "morning", "afternoon", "evening"] as const;
const DAYS = [
  "first",
  "second",
  "third",
  "fourth",
  "fifth",
  "sixth",
  "seventh",
  "eighth",
  "ninth",
  "tenth",
  "eleventh",
  "twelfth",
  "thirteenth",
  "fourteenth",
  "fifteenth",
  "sixteenth",
  "seventeenth",
  "eighteenth",
  "nineteenth",
  "twentieth",
];
/** The bars of a quarter's picture; each is as tall as the number of its sentences. */
const STROKES = 8;

export const dayName = (day: number): string => (DAYS[day - 1] ? `The ${DAYS[day - 1]} day` : `Day ${day}`);

export interface Quarter {
  /** 0 for the world that is there now, 1 for the one before it. */
  world: number;
  day: number;
  quarter: number;
  first: number;
  strokes: number[];
  entries: Entry[];
}

/** The ticks of a day, if they are not given: four times the longest quarter. */
export const dayTicks = (ticks: Iterable<Dated>): number =>
  4 * Math.max(1, ...[...ticks].map(({ first, last }) => last - first + 1));

/** The entries by quarters. Entries without a tick belong to the quarter of those before them. */
export function quarters(story: Story, perDay: number): Quarter[] {
  const timeline: Quarter[] = [];
  let at: Quarter = { world: 0, day: 0, quarter: 0, first: -1, strokes: [], entries: [] };
  for (const entry of story.entries) {
    const dated = story.ticks.get(entry.entry_id);
    const day = dated ? Math.floor(dated.first / perDay) + 1 : at.day;
    const quarter = dated ? Math.floor(((dated.first % perDay) * 4) / perDay) : at.quarter;
    if (!timeline.length || day !== at.day || quarter !== at.quarter) {
      const anew = dated !== undefined && dated.first < at.first;
      if (anew) for (const one of timeline) one.world += 1;
      at = { world: 0, day, quarter, first: dated?.first ?? -1, strokes: Array(STROKES).fill(0), entries: [] };
      timeline.push(at);
    }
    at.entries.push(entry);
    for (const [, tick] of dated?.sentences ?? []) {
      at.strokes[Math.min(STROKES - 1, Math.floor((((tick % perDay) * 4) / perDay - quarter) * STROKES))] += 1;
    }
  }
  return timeline;
}

/** The same quarters, but of the present world only the passages up to a tick. */
export function writtenBy(timeline: readonly Quarter[], story: Story, tick: number): Quarter[] {
  let over = false;
  const isWritten = ({ entry_id }: Entry) => {
    over ||= (story.ticks.get(entry_id)?.last ?? -1) > tick;
    return !over;
  };
  const kept = timeline.map((one) => {
    if (one.world) return one;
    return { ...one, entries: one.entries.filter(isWritten) };
  });
  return kept.filter(({ entries }) => entries.length);
}

/** The same quarters, with only the passages that concern somebody. */
export function withOne(timeline: readonly Quarter[], story: Story, who: string): Quarter[] {
  const about = ({ entry_id }: Entry) =>
    story.ticks.get(entry_id)?.sentences.some(([, , ids]) => ids.includes(who)) ?? false;
  return timeline
    .map((one) => ({ ...one, entries: one.entries.filter(about) }))
    .filter(({ entries }) => entries.length);
}

export interface Piece {
  text: string;
  see?: string;
}

/** A text in pieces; those that name something say what. Names come from outside, and are matched literally. */
export function linked(text: string, names: readonly (readonly [name: string, see: string])[]): Piece[] {
  const sees = new Map(names.filter(([name]) => name.length > 1).sort(([a], [b]) => b.length - a.length));
  if (!sees.size) return [{ text }];
  const any = [...sees.keys()].map((name) => name.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|");
  return text
    .split(new RegExp(`(?<![\\p{L}\\p{N}_])(${any})(?![\\p{L}\\p{N}_])`, "u"))
    .map((piece, i) => (i % 2 ? { text: piece, see: sees.get(piece)! } : { text: piece }))
    .filter((piece) => piece.text);
}

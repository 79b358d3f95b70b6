// The connection to the server. It is made again until the page is closed, with a growing pause.

import { besidePath } from "./address.ts";
import { request } from "./answers.ts";
import type { Bootstrap, Message, Subscribe } from "./protocol.ts";
import { ask } from "./society.ts";
import { address, forgetToken } from "./token.ts";

const VERSION = "0.1";
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5000;
const BOOTSTRAP_MS = 8000;
// How often a server that is not ready yet is asked about its progress.
const WAITING_MS = 2000;
// The close code of a server that has no room for another viewer.
const FULL = 1013;

export interface Founding {
  tick: number;
  of: number;
  day_ticks: number;
  milestones: { text: string; tick: number | null }[];
}

export type Link =
  | { state: "connecting" }
  | { state: "live" }
  /** The server is recovering its world. */
  | { state: "opening"; why: string }
  /** A village is living its first days, before anyone can watch. */
  | { state: "founding"; founding: Founding }
  /** The server requires a token. */
  | { state: "locked"; why: string }
  /** The server did not answer, or said why it cannot; and since when, by this machine's clock. */
  | { state: "away"; why: string; since: string };

export interface Listener {
  begin(bootstrap: Bootstrap): void;
  hear(message: Message): void;
  link(link: Link): void;
  /** The world is over, and its history begins at this tick. */
  beginAt(tick: number): void;
}

/** Whether another run, or the world of a match, can be watched. */
interface OtherWorld {
  state: "ready" | "making" | "refused";
  why: string;
  /** Where a match begins, or a run. */
  begins_tick?: number;
  first_tick?: number;
}

/** Thrown for a refusal; its message is for the reader. */
class Refused extends Error {}
/** The same for a reader without a token, or with a wrong one. */
class Locked extends Error {}

async function bootstrap(): Promise<Bootstrap> {
  const answer = await request("admin/v1/observer/bootstrap", { signal: AbortSignal.timeout(BOOTSTRAP_MS) });
  if (answer.ok) return answer.json();
  const { details } = await answer.json().catch(() => ({ details: answer.statusText }));
  if (answer.status === 401) forgetToken();
  throw answer.status === 401 || answer.status === 403 ? new Locked(String(details)) : new Refused(String(details));
}

/** The state of a server. */
interface Status {
  state: "opening" | "founding" | "live" | "stopped";
  details?: string;
  founding?: Founding;
}

/** What the page must wait for before it can watch; null if for nothing, or if the server does not say. */
async function askWhatToWaitFor(): Promise<Link | null> {
  const answer = await request("v1/status", { signal: AbortSignal.timeout(BOOTSTRAP_MS) });
  if (!answer.ok) return null;
  const { state, details = "", founding } = (await answer.json()) as Status;
  if (founding) return { state: "founding", founding };
  return state === "opening" ? { state: "opening", why: details } : null;
}

export class Stream {
  private socket: WebSocket | null = null;
  private wish: Subscribe | null = null;
  private wake = (): void => {};
  private since: string | null = null;

  constructor(private readonly listener: Listener) {
    addEventListener("online", () => this.retry());
  }

  /** Set what to subscribe to, now and after every reconnection. */
  subscribe(wish: Subscribe): void {
    this.wish = wish;
    if (this.socket?.readyState === WebSocket.OPEN) this.send();
  }

  /** Try again at once. */
  retry(): void {
    this.wake();
  }

  /** Show another run, or the world of a match: wait until it has been made, and then stop listening. */
  async runOther(name: string): Promise<void> {
    for (;;) {
      const world = await ask<OtherWorld>(besidePath(name));
      if (world?.state === "ready") {
        this.listener.begin(await bootstrap());
        this.listener.link({ state: "live" });
        this.listener.beginAt(world.begins_tick ?? world.first_tick ?? 1);
        return;
      }
      const what = name.startsWith("match:") ? "match" : "run";
      const why = world?.why ?? `there is no such ${what} here`;
      const isOver = !world || world.state === "refused";
      const since = new Date().toTimeString().slice(0, 5);
      this.listener.link(
        isOver
          ? { state: "away", why: `This ${what} has no world to show: ${why}.`, since }
          : { state: "opening", why },
      );
      await this.sleep(WAITING_MS);
    }
  }

  /** Show a film: it is all there. */
  async runFilm(): Promise<void> {
    const [world, about] = await Promise.all([bootstrap(), request("about")]);
    this.listener.begin(world);
    this.listener.link({ state: "live" });
    this.listener.beginAt((await about.json()).first);
  }

  async run(): Promise<never> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.6, LONGEST_PAUSE_MS)) {
      let why = "The server cannot be reached.";
      let locked: string | null = null;
      try {
        const wait = await askWhatToWaitFor();
        if (wait) {
          this.listener.link(wait);
          pause = FIRST_PAUSE_MS;
          await this.sleep(WAITING_MS);
          continue;
        }
        this.listener.begin(await bootstrap());
        const { opened, code } = await this.follow();
        if (opened) pause = FIRST_PAUSE_MS;
        this.since = null;
        if (code === FULL) {
          why = "As many watch as this server has room for.";
          pause = LONGEST_PAUSE_MS;
        }
      } catch (problem) {
        if (problem instanceof Locked) locked = problem.message;
        if (problem instanceof Refused) why = `The server says: ${problem.message}.`;
      }
      this.since ??= new Date().toTimeString().slice(0, 5);
      this.listener.link(
        locked !== null ? { state: "locked", why: locked } : { state: "away", why, since: this.since },
      );
      await this.sleep(pause);
    }
  }

  /** Wait for this long, or until `retry`. */
  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
      setTimeout(resolve, ms);
    });
  }

  /** Read a socket to its end. Returns whether it was ever open, and its close code. */
  private follow(): Promise<{ opened: boolean; code: number }> {
    const url = address("admin/v1/observer/ws");
    url.protocol = url.protocol.replace("http", "ws");
    return new Promise((resolve) => {
      let opened = false;
      const socket = new WebSocket(url);
      this.socket = socket;
      socket.onopen = () => {
        opened = true;
        this.send();
        this.listener.link({ state: "live" });
      };
      socket.onmessage = ({ data }) => this.listener.hear(JSON.parse(data) as Message);
      socket.onclose = ({ code }) => resolve({ opened, code });
    });
  }

  private send(): void {
    if (this.wish) this.socket?.send(JSON.stringify({ type: "SUBSCRIBE", protocol_version: VERSION, ...this.wish }));
  }
}

// The second side of a comparison: another run, seen from the same place at the same tick.

import { besidePath, ownName } from "../address.ts";
import { asked } from "../asked.ts";
import type { Building } from "../buildings.ts";
import { Playhead } from "../playhead.ts";
import type { Bootstrap } from "../protocol.ts";
import { ask, Papers, type Society } from "../society.ts";
import type { Traces } from "../traces.ts";
import type { Scenery, Viewer } from "../viewer.ts";
import type { World } from "../world.ts";

// How often a run that is being made is asked about, and a comparison that is not complete.
const AGAIN_MS = 2000;
// A comparison with a world that goes on grows.
const GROWN_MS = 20_000;
// How often it is asked whether the other run has gone on; and if the playhead is near its end.
const FOLLOW_MS = 15_000;
const FOLLOW_SOON_MS = 3000;
const NEAR_TICKS = 250;

/** Whether another run can be looked at. */
export interface RunState {
  id: string;
  state: "making" | "ready" | "refused";
  why: string;
  first_tick: number;
  last_tick: number;
  /** The name of its tape: another one if another run is shown by this id now. */
  world: string;
  /** What became of it; empty if it has gone on at most. */
  notice: string;
}

/** One of two runs. */
export interface Side {
  label: string;
  /** What is otherwise in it; empty if nothing is. */
  changed: string;
  /** Of a match: whether every action of its log was judged again; null of a world. */
  verified: boolean | null;
  /** Why it was not. */
  unverified: string;
  first_tick: number;
  last_tick: number;
}

export interface Difference {
  tick: number;
  side: "here" | "there";
  kind: string;
  who: string;
  text: string;
}

/** A value after a tick. */
export type Point = readonly [tick: number, value: number];

/** One figure of both societies. */
export interface Curve {
  key: string;
  title: string;
  here: Point[];
  there: Point[];
}

/** Both societies over the same time. */
export interface Course {
  first: number;
  last: number;
  curves: Curve[];
  note: string;
}

/** What differs between the two sides. */
export interface Comparison {
  here: Side;
  there: Side;
  split: { how: string; tick: number | null; text: string };
  after: number;
  upto: number;
  whole: boolean;
  differences: Difference[];
  note: string;
  segment_ticks: number;
  society: Course;
}

/** Shows the tick that the first side shows; whoever goes elsewhere from here takes both along. */
class SecondPlayhead extends Playhead {
  /** The playhead of the first side. */
  leader: Playhead | null = null;

  override get askedTick(): number {
    return Math.min(this.leader?.askedTick ?? this.tick, this.liveTick);
  }

  override jump(tick: number): void {
    if (!this.leader) return;
    this.leader.playing = false;
    this.leader.jump(tick);
  }

  override playStretch(from: number, to: number, seconds: number): void {
    this.leader?.playStretch(from, to, seconds);
  }
}

export class SecondSide implements Scenery {
  readonly place = "world";
  readonly isMap = false;
  readonly papers = new Papers(() => {});
  coarseAt = 0;
  tellsCoarse = false;
  readonly time: SecondPlayhead;
  /** The thing of this run that the reader looks at; null for none. */
  chosen: string | null = null;
  /** How much of the width is the first side's, in percent. */
  share = 50;
  /** This run as the cards see a world: what they ask and show is of this run. */
  readonly viewer: Viewer;
  /** Why there is nothing to see yet. */
  why = "Asking for the other run…";
  /** Whether it will never be there. */
  isRefused = false;
  comparison: Comparison | null = null;
  /** What became of the run, in one line; empty if it has gone on at most. */
  notice = "";
  /** Whether it has gone on while it was looked at. */
  hasGrown = false;
  private named = "";
  private lookedAt = 0;
  private isLooking = false;
  private bootstrap: Bootstrap | null = null;
  private isOver = false;
  private timer = 0;
  private readonly path: string;

  constructor(
    readonly name: string,
    private readonly first: Viewer,
    private readonly changed: () => void,
  ) {
    this.path = besidePath(name);
    this.time = new SecondPlayhead(
      changed,
      {
        bootstrap: () => this.bootstrap,
        society: () => this.papers.society,
        nameOf: (id) => this.nameOf(id),
      },
      () => first.lookingAt() ?? { x: 0, z: 0 },
      `${this.path}/`,
    );
    this.time.leader = first.time;
    const own = (value: unknown) => ({ value });
    this.viewer = Object.create(first, {
      time: own(this.time),
      papers: own(this.papers),
      isOther: own(true),
      see: { get: () => this.chosen },
      choose: own((see: string | null) => this.choose(see)),
    });
    void this.begin();
  }

  /** Look at a thing of this run; null at none. A person is followed where both sides have one of that id. */
  choose(see: string | null): void {
    this.chosen = see;
    this.changed();
  }

  /** Whether a point of the screen, as a share of its width, shows this side. */
  covers(share: number): boolean {
    return this.isShown && share * 100 > this.share;
  }

  /** Stop asking. */
  end(): void {
    this.isOver = true;
    window.clearTimeout(this.timer);
  }

  get world(): World | null {
    return this.time.past.world;
  }

  get society(): Society | null {
    return this.time.past.society;
  }

  /** The buildings of this run that stand at the tick that is shown. */
  get buildings(): readonly Building[] {
    return this.viewer.buildings;
  }

  get see(): string | null {
    return this.chosen ?? this.first.see;
  }

  get attention(): Viewer["attention"] {
    return this.first.attention;
  }

  get layers(): Viewer["layers"] {
    return this.first.layers;
  }

  get deed(): Viewer["deed"] {
    return this.first.deed;
  }

  get traces(): Traces {
    return this.time.past.traces;
  }

  nameOf(id: string): string {
    return this.world?.crowd.get(id)?.agent.name ?? this.first.nameOf(id);
  }

  /** Whether both sides are one at the tick that is shown. */
  get isShared(): boolean {
    const split = this.comparison?.split.tick ?? null;
    return split !== null && this.first.time.tick <= split;
  }

  /** Whether this side has a picture of its own for the tick that is shown. */
  get isShown(): boolean {
    return this.world !== null && !(this.isShared && this.first.time.tick < this.firstTick);
  }

  /** Whether nothing is waited for, so that both may play on. */
  get keepsUp(): boolean {
    return !this.bootstrap || !this.isShown || this.time.hasTick || this.time.problem !== null;
  }

  /** The first tick that this side has. */
  get firstTick(): number {
    return this.time.tape.state?.playable[0]?.[0] ?? 1;
  }

  /** Called for every frame: show what the first side shows. */
  frame(now: number): void {
    if (!this.bootstrap || !this.time.tape.state) return;
    void this.look(now);
    void this.time.refresh(now);
    this.time.follow(this.first.time.tick, !this.first.time.playing);
    this.time.frame(now);
  }

  /** Wait until the run has been made, and then read what its tape is. */
  private async begin(): Promise<void> {
    const state = await asked<RunState>(this.path);
    if (this.isOver) return;
    const isReady = "state" in state && state.state === "ready";
    if (!isReady) {
      this.why = state.why || "The other run is being made…";
      this.isRefused = !("state" in state) || state.state === "refused";
      this.changed();
      if (!this.isRefused) this.timer = window.setTimeout(() => void this.begin(), AGAIN_MS);
      return;
    }
    this.named = state.world;
    this.notice = state.notice ?? "";
    const bootstrap = await ask<Bootstrap>(`${this.path}/bootstrap`);
    this.papers.society = await ask<Society>(`${this.path}/society`);
    this.papers.buildings = (await ask<Building[]>(`${this.path}/buildings`)) ?? [];
    if (!bootstrap || this.isOver) {
      this.timer = window.setTimeout(() => void this.begin(), AGAIN_MS);
      return;
    }
    this.why = "";
    this.time.begin();
    this.time.isOver = true;
    this.time.liveTick = bootstrap.tick;
    this.bootstrap = bootstrap;
    this.time.tape.askAgain();
    await this.time.refresh(performance.now());
    this.changed();
    await this.compare();
  }

  /** Ask from time to time whether the run has gone on, or is another one now. */
  private async look(now: number): Promise<void> {
    const isNear = this.first.time.tick > this.time.liveTick - NEAR_TICKS;
    if (this.isLooking || now - this.lookedAt < (isNear ? FOLLOW_SOON_MS : FOLLOW_MS)) return;
    this.isLooking = true;
    this.lookedAt = now;
    const state = await asked<RunState>(this.path);
    this.isLooking = false;
    if (this.isOver) return;
    const told = "state" in state ? state.notice || (state.state === "ready" ? "" : state.why) : state.why;
    if (told !== this.notice) this.changed();
    this.notice = told;
    if (!("state" in state) || state.state !== "ready") return;
    if (state.world !== this.named) this.beginAnew();
    else if (state.last_tick > this.time.liveTick) {
      this.hasGrown = true;
      this.time.tape.askAgain();
      this.papers.society = (await ask<Society>(`${this.path}/society`)) ?? this.papers.society;
      this.papers.buildings = (await ask<Building[]>(`${this.path}/buildings`)) ?? this.papers.buildings;
    }
  }

  /** Another run is shown by this name now: forget everything of the one before. */
  private beginAnew(): void {
    window.clearTimeout(this.timer);
    this.bootstrap = null;
    this.comparison = null;
    this.hasGrown = false;
    this.chosen = null;
    this.time.past.close();
    void this.begin();
  }

  private async compare(): Promise<void> {
    const found = await asked<Comparison>(`v1/comparison?here=${ownName()}&there=${this.name}`);
    if (this.isOver) return;
    if ("split" in found) this.comparison = found;
    else this.why = found.why;
    this.changed();
    const isWhole = "split" in found && found.whole;
    this.timer = window.setTimeout(() => void this.compare(), isWhole ? GROWN_MS : AGAIN_MS);
  }
}

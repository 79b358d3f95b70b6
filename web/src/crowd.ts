// Everybody in the world, by id, and where each is to be drawn.

import { Beat, Motion, type Pose } from "./motion.ts";
import type { Position, ShownAgent, Task } from "./protocol.ts";
import { taskWord } from "./words.ts";

// How long speech stays above somebody's head.
const BUBBLE_MS = 6000;

export interface Saying {
  text: string;
  until: number;
}

export class Body {
  readonly motion: Motion;
  /** The hue of its clothes, from 0 to 1. */
  readonly hue: number;
  saying: Saying | null = null;

  constructor(public agent: ShownAgent) {
    this.motion = new Motion(agent.pos, agent.yaw);
    this.hue = (numberOf(agent.id) * 0.618034) % 1;
  }

  get id(): string {
    return this.agent.id;
  }

  pose(now: number): Pose {
    return this.motion.at(now);
  }

  say(text: string, now: number): void {
    this.saying = { text, until: now + BUBBLE_MS };
  }

  /** The target of its current task. */
  get aim(): Position | null {
    return (this.agent.work_task ?? this.agent.move_task)?.target ?? null;
  }
}

export const numberOf = (id: string): number => Number.parseInt(id.slice(1), 10) || 0;

export class Crowd {
  /** Those who are connected first, each group in order of arrival. */
  list: Body[] = [];
  private readonly byId = new Map<string, Body>();
  private readonly beat: Beat;

  constructor(tickRateHz: number) {
    this.beat = new Beat(1000 / tickRateHz);
  }

  get(id: string | null): Body | undefined {
    return id === null ? undefined : this.byId.get(id);
  }

  get connected(): number {
    return this.list.reduce((sum, body) => sum + Number(body.agent.connected), 0);
  }

  take(agents: readonly ShownAgent[], now: number): void {
    const lasts = this.beat.hear(now);
    const gone = new Set(this.byId.keys());
    for (const agent of agents) {
      gone.delete(agent.id);
      const body = this.byId.get(agent.id);
      if (body) {
        body.agent = agent;
        body.motion.goTo(agent.pos, agent.yaw, now, lasts);
        if (body.saying && body.saying.until < now) body.saying = null;
      } else {
        this.byId.set(agent.id, new Body(agent));
      }
    }
    for (const id of gone) this.byId.delete(id);
    this.list = [...this.byId.values()].sort(
      (a, b) => Number(b.agent.connected) - Number(a.agent.connected) || numberOf(a.id) - numberOf(b.id),
    );
  }
}

export const verbOf = (task: Task): string => taskWord(task.kind);

/** What an agent is doing, in a word or two. */
export function doing({ connected, work_task, move_task, intent }: ShownAgent): string {
  if (connected && !work_task && !move_task && intent?.startsWith("Asleep")) return "asleep";
  if (work_task) return verbOf(work_task);
  if (move_task) return verbOf(move_task);
  if (!connected) return "away";
  return intent ? "standing" : "idle"; // who says what it is at is not idle, though it does not move just now
}

/** What viewers are told that a mind is, in the place where villagers have their trade. */
export const MIND_TITLE = "language model";

/** What is written over a head: the name, and of a mind what decides for it. */
export const labelOf = ({ agent: { name, title } }: Body): string =>
  title === MIND_TITLE ? `${name}, a ${title}` : name;

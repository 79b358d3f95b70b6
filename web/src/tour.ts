// The tour: the camera goes by itself to what is worth seeing, until somebody does something.

import { isAgent } from "./address.ts";
import { doing } from "./crowd.ts";
import { isFirstTime } from "./first_time.ts";
import type { Viewer } from "./viewer.ts";

// The least time between two cuts, and how many ticks old an event may be to be worth seeing.
const STAY_MS = 12_000;
const RECENT_TICKS = 300;
// A first visit becomes a tour when the reader has done nothing for this long.
const IDLE_MS = 20_000;
const VISITED = "thorp-visited";

export class Tour {
  on = false;
  /** What it shows. */
  why = "";
  private cutAt = -Infinity;
  private seen = 0;
  private asking = false;
  /** Since when nobody has done anything on a first visit; null once somebody has. */
  private idleSince: number | null = null;

  constructor(
    private readonly viewer: Viewer,
    private readonly changed: () => void,
  ) {
    for (const kind of ["pointerdown", "wheel", "keydown", "click"])
      addEventListener(kind, (event) => this.end(event), { capture: true });
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (isFirstTime(VISITED) && !location.search && viewer.place === "world" && !still) this.idleSince = Infinity;
  }

  toggle(): void {
    this.on = !this.on;
    this.why = "";
    this.cutAt = -Infinity;
    this.changed();
  }

  /** Any input but its own key ends it. */
  private end(event: Event): void {
    this.idleSince = null;
    if (!this.on || (event instanceof KeyboardEvent && event.key.toLowerCase() === "t")) return;
    this.on = false;
    this.changed();
  }

  async step(now: number): Promise<void> {
    const { viewer } = this;
    if (this.idleSince !== null && viewer.world?.tick && !document.hidden) {
      this.idleSince = Math.min(this.idleSince, now);
      if (now - this.idleSince > IDLE_MS) {
        this.idleSince = null;
        if (!this.on) this.toggle();
      }
    }
    if (!this.on || this.asking || now - this.cutAt < STAY_MS || viewer.place !== "world" || document.hidden) return;
    this.asking = true;
    const { tick } = viewer.time;
    const marks = (await viewer.time.marks(tick - RECENT_TICKS, tick, 1))?.marks ?? [];
    this.asking = false;
    if (!this.on) return;
    const there = (id: string) => isAgent(id) && viewer.world?.crowd.get(id) !== undefined;
    const best = marks
      .filter((mark) => mark.tick !== this.seen && mark.refs.some(there))
      .sort((a, b) => b.weight - a.weight || b.tick - a.tick)[0];
    this.cutAt = now;
    if (best) {
      this.seen = best.tick;
      this.why = best.text;
      viewer.along(best.refs.find(there)!);
    } else {
      const everyone = viewer.world?.crowd.list.filter(({ agent }) => agent.connected) ?? [];
      const others = everyone.length > 1 ? everyone.filter(({ id }) => id !== viewer.attention.watched) : everyone;
      const atWork = others.filter(({ agent }) => agent.work_task);
      const busy = atWork.length ? atWork : others;
      const next = busy[Math.floor((now / STAY_MS) % Math.max(1, busy.length))];
      if (next) viewer.along(next.id);
      this.why = next ? `${next.agent.name}, ${doing(next.agent)}` : "Nothing happens";
    }
    this.changed();
  }
}

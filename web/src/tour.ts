// The tour: the camera goes by itself to what is worth seeing, until there is any input.

import { here, isAgent } from "./address.ts";
import { type Building, middleOf } from "./buildings.ts";
import { doing } from "./crowd.ts";
import { isFirstTime } from "./first_time.ts";
import type { ShownAgent } from "./protocol.ts";
import type { Mark } from "./tape.ts";
import type { Viewer } from "./viewer.ts";

// The least time between two cuts, and how many ticks old an event may be to be worth seeing.
const STAY_MS = 12_000;
const RECENT_TICKS = 300;
// A first visit becomes a tour when the reader has done nothing for this long.
const IDLE_MS = 20_000;
const VISITED = "thorp-visited";
// Events that are not shown again, and people who are not shown again soon.
const REMEMBERED_EVENTS = 60;
const REMEMBERED_PEOPLE = 4;

export class Tour {
  on = false;
  /** What it shows. */
  why = "";
  private cutAt = -Infinity;
  /** What it showed last: the events, the kind of the newest, and the people, the newest first. */
  private shown: string[] = [];
  private kind = "";
  private people: string[] = [];
  private asking = false;
  /** Since when there has been no input on a first visit; null once there was some. */
  private idleSince: number | null = null;

  constructor(
    private readonly viewer: Viewer,
    private readonly changed: () => void,
  ) {
    for (const kind of ["pointerdown", "wheel", "keydown", "click"])
      addEventListener(kind, (event) => this.end(event), { capture: true });
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (isFirstTime(VISITED) && !here().query && viewer.place === "world" && !still) this.idleSince = Infinity;
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
    this.cutAt = now;
    const best = this.choose(marks);
    if (best) this.show(best);
    else this.visitSomebody(now);
    this.changed();
  }

  /** The weightiest event that is not a repetition, by its kind and its people, of what was just shown. */
  private choose(marks: readonly Mark[]): Mark | undefined {
    const fresh = marks.filter((mark) => !this.shown.includes(address(mark)) && this.placeOf(mark) !== null);
    const other = fresh.filter(({ kind }) => kind !== this.kind);
    const elsewhere = other.filter(({ refs }) => !refs.some((id) => this.people.includes(id)));
    return [...(elsewhere.length ? elsewhere : other)].sort((a, b) => b.weight - a.weight || b.tick - a.tick)[0];
  }

  /** What to look at for an event: the building that was finished, or whoever its sentence names first. */
  private placeOf({ text, refs, kind, tick }: Mark): { building?: Building; person?: string } | null {
    const { viewer } = this;
    const building = kind === "built" && viewer.buildings.find(({ completed_tick }) => completed_tick === tick);
    if (building) return { building };
    const named = refs
      .filter((id) => isAgent(id) && viewer.world?.crowd.get(id))
      .map((id) => ({ id, at: text.indexOf(viewer.nameOf(id)) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at)[0];
    return named ? { person: named.id } : null;
  }

  private show(mark: Mark): void {
    const { viewer } = this;
    const place = this.placeOf(mark);
    this.why = mark.text;
    this.kind = mark.kind;
    this.shown = [address(mark), ...this.shown].slice(0, REMEMBERED_EVENTS);
    if (place?.building) {
      const { x, z } = middleOf(place.building);
      viewer.goTo(x, z);
    } else if (place?.person) {
      this.meet(place.person);
    }
  }

  private meet(id: string): void {
    this.people = [id, ...this.people.filter((one) => one !== id)].slice(0, REMEMBERED_PEOPLE);
    this.viewer.along(id);
  }

  /** Nothing new has happened: show somebody else, if possible at work. */
  private visitSomebody(now: number): void {
    const { viewer } = this;
    const everyone = viewer.world?.crowd.list.filter(({ agent }) => agent.connected) ?? [];
    const others = everyone.filter(({ id }) => !this.people.includes(id));
    const atWork = others.filter(({ agent }) => agent.work_task);
    const choices = [atWork, others, everyone].find((some) => some.length > 0) ?? [];
    const next = choices[Math.floor((now / STAY_MS) % Math.max(1, choices.length))];
    this.kind = "";
    this.why = next ? captionOf(next.agent) : "Nothing happens";
    if (next) this.meet(next.id);
  }
}

/** Somebody who is only visited: what it is doing, or what it has in mind while it stands there. */
const captionOf = (agent: ShownAgent): string =>
  agent.intent && doing(agent) === "standing" ? `${agent.name}: “${agent.intent}”` : `${agent.name}, ${doing(agent)}`;

const address = ({ tick, number }: Mark): string => `${tick}.${number}`;

// What the page knows, and what the reader has chosen. The scene and the panel both look here.

import { isAgent, isMap, partOf, pathFor, type PlaceName, placeOf, seen, withPart } from "./address.ts";
import { Looks } from "./blocks.ts";
import { Chronicle } from "./chronicle.ts";
import { Crowd } from "./crowd.ts";
import type { Lateness } from "./lateness.ts";
import { LAYERS, type Layer } from "./map/layers.ts";
import type { Bootstrap, Message, Subscribe, Tick } from "./protocol.ts";
import { Papers } from "./society.ts";
import { Story } from "./story.ts";
import type { Link, Listener } from "./stream.ts";
import { Terrain } from "./terrain.ts";
import { type Deed, Traces } from "./traces.ts";

const CHUNK_RADIUS = 6;
const MAX_CHUNKS = 1024;
// Chunks with all their cells around whoever is watched: 2 MB of them.
const VOXEL_RADIUS = 3;
const VOXEL_CHUNKS = 64;

/** One world as it was told since the last connection. */
export class Known {
  readonly looks: Looks;
  readonly terrain: Terrain;
  readonly crowd: Crowd;
  tick: Tick | null = null;
  heardAt = 0;

  constructor(readonly bootstrap: Bootstrap) {
    this.looks = new Looks(bootstrap.block_palette);
    this.terrain = new Terrain(bootstrap.world_params.height, this.looks);
    this.crowd = new Crowd(bootstrap.world_params.tick_rate_hz);
  }
}

export class Viewer implements Listener {
  known: Known | null = null;
  current: Link = { state: "connecting" };
  chronicle = new Chronicle();
  lateness: Lateness | null = null;
  readonly papers = new Papers(() => this.changed());
  readonly story = new Story(() => this.changed());
  place: PlaceName = placeOf(location.pathname);
  /** What is shown of the place: a day of the story, a match. */
  part = partOf(location.pathname);
  /** The thing that the reader looks at: a person, a law, a contract, a land, a cell. */
  see: string | null = seen(location.search);
  /** Whoever is watched, and whether the camera goes along. */
  watched: string | null = null;
  following = false;
  /** Whether the world is shown as a map, which of its layers, and which deeds its heat counts. */
  isMap = isMap(location.search);
  layers = new Set<Layer>(LAYERS.filter((layer) => layer !== "things"));
  deed: Deed = "all";
  readonly traces = new Traces();
  private chosen = false;

  constructor(
    private readonly changed: () => void,
    private readonly subscribe: (wish: Subscribe) => void,
  ) {
    addEventListener("popstate", () => this.readAddress());
    this.readAddress();
    this.tell();
  }

  private readAddress(): void {
    this.place = placeOf(location.pathname);
    this.part = partOf(location.pathname);
    this.see = seen(location.search);
    this.isMap = isMap(location.search);
    if (this.see && isAgent(this.see)) {
      this.watched = this.see;
      this.following = this.chosen = true;
    }
    this.changed();
  }

  // From the server

  begin(bootstrap: Bootstrap): void {
    const before = this.known?.bootstrap;
    const same = before?.world_id === bootstrap.world_id && before.world_params.seed === bootstrap.world_params.seed;
    if (before && (!same || bootstrap.tick < before.tick)) this.chronicle = new Chronicle();
    this.known = new Known(bootstrap);
  }

  hear(message: Message): void {
    const { known } = this;
    if (!known) return;
    if (message.type !== "TICK") {
      known.terrain.take(message);
      return;
    }
    const now = performance.now();
    known.tick = message;
    known.heardAt = now;
    known.crowd.take(message.agents, now);
    this.papers.take(message.happenings ?? []);
    this.traces.take(message);
    this.chronicle.take(message, known.looks, (id) => this.nameOf(id));
    for (const one of message.happenings ?? []) {
      if (one.kind === "CHAT" && one.from && one.text) known.crowd.get(one.from)?.say(one.text, now);
    }
    this.chooseFirst(known);
    this.changed();
  }

  link(link: Link): void {
    this.current = link;
    this.changed();
  }

  // From the reader

  /** Look at a thing; null looks at nothing in particular. A person is watched, too. */
  choose(see: string | null): void {
    if (see !== this.see) {
      this.see = see;
      history.pushState(null, "", pathFor(this.place, see, location.search, this.part));
    }
    if (see === null || isAgent(see)) this.follow(see);
    this.changed();
  }

  go(place: PlaceName, part = ""): void {
    if (place === this.place && part === this.part) return;
    this.see = place === this.place || place === "world" || (place === "society" && this.see && !isAgent(this.see)) ? this.see : null;
    this.place = place;
    this.part = part;
    history.pushState(null, "", pathFor(place, this.see, place === "world" ? location.search : "", part));
    this.changed();
  }

  /** Show the world as a map, or as it is. */
  showMap(isMap: boolean): void {
    if (isMap === this.isMap) return;
    this.isMap = isMap;
    history.replaceState(null, "", pathFor(this.place, this.see, withPart(location.search, "view", isMap ? "map" : null)));
    this.changed();
  }

  toggleLayer(layer: Layer): void {
    if (!this.layers.delete(layer)) this.layers.add(layer);
    this.changed();
  }

  countDeeds(deed: Deed): void {
    this.deed = deed;
    this.changed();
  }

  /** What a thing is called. */
  nameOf(see: string): string {
    const society = this.papers.society;
    const land = society?.lands.find(({ id }) => id === see);
    return this.known?.crowd.get(see)?.agent.name
      ?? society?.organisations.find(({ id }) => id === see)?.name
      ?? society?.laws.find(({ id }) => id === see)?.title
      ?? (land ? `the land of ${this.nameOf(land.owner)}` : /^C0*\d+$/.test(see) ? `contract ${Number(see.slice(1))}` : see);
  }

  /** Watch someone and go along; null watches nobody. */
  watch(id: string | null): void {
    this.choose(id);
  }

  private follow(id: string | null): void {
    this.chosen = true;
    this.following = id !== null;
    if (id !== this.watched) {
      this.watched = id;
      this.tell();
    }
  }

  /** Watch whoever comes so many places after the one who is watched. */
  watchNext(step: number): void {
    const list = this.known?.crowd.list ?? [];
    if (!list.length) return;
    const here = list.findIndex((body) => body.id === this.watched);
    const next = here < 0 ? (step > 0 ? 0 : list.length - 1) : (here + step + list.length) % list.length;
    this.watch(list[next].id);
  }

  /** The camera goes its own way. */
  letGo(): void {
    this.chosen = true;
    if (!this.following) return;
    this.following = false;
    this.changed();
  }

  /** Until the reader chooses, someone who is there. Whoever left the world cannot be watched. */
  private chooseFirst(known: Known): void {
    if (this.watched !== null && !known.crowd.get(this.watched)) this.follow(null);
    const first = known.crowd.list[0];
    if (this.chosen || this.watched !== null || !first?.agent.connected) return;
    this.follow(first.id);
    this.chosen = false;
  }

  private tell(): void {
    this.subscribe({
      chunk_radius: CHUNK_RADIUS,
      max_chunks: MAX_CHUNKS,
      focus_agent_id: this.watched ?? "",
      voxel_radius: this.watched === null ? 0 : VOXEL_RADIUS,
      voxel_max_chunks: VOXEL_CHUNKS,
    });
  }
}

// What the page knows, and what the reader has chosen. The scene and the panel both look here.

import {
  atTick,
  eventOf,
  isAgent,
  isMap,
  type PlaceName,
  partOf,
  pathFor,
  placeOf,
  seen,
  withPart,
} from "./address.ts";
import { Chronicle } from "./chronicle.ts";
import { Known } from "./known.ts";
import type { Lateness } from "./lateness.ts";
import { type Layer, layersOf } from "./map/layers.ts";
import { isInside, opening } from "./opening.ts";
import { Playhead, SPEEDS } from "./playhead.ts";
import type { Bootstrap, Message, Subscribe } from "./protocol.ts";
import { plainly } from "./says.ts";
import { Papers, type Society } from "./society.ts";
import { Story } from "./story.ts";
import type { Link, Listener } from "./stream.ts";
import { VOXEL_RADIUS } from "./terrain.ts";
import { type Deed, Traces } from "./traces.ts";

const CHUNK_RADIUS = 6;
const MAX_CHUNKS = 1024;
// Chunks with all their cells around what the camera looks at: 2 MB of them.
const VOXEL_CHUNKS = 64;
// While the camera moves, the server is told where it looks no more often than this.
const FOCUS_EVERY_MS = 400;

// What happened before is asked for so often, if not all of it comes, and each time so much later.
const FILLINGS = 4;
const FILL_AGAIN_MS = 2000;

// How often the address follows the playhead.
const ADDRESS_EVERY_MS = 500;

export type { Known } from "./known.ts";

export class Viewer implements Listener {
  /** The world of now, as the stream tells it. */
  live: Known | null = null;
  current: Link = { state: "connecting" };
  /** Where the reader looks, if nobody is followed; null before there is a scene, which says. */
  lookingAt: () => { x: number; z: number } | null = () => null;
  readonly time: Playhead = new Playhead(
    () => this.timeChanged(),
    () => this.live?.bootstrap ?? null,
    (whereIs) => {
      const body = this.following && this.watched ? whereIs(this.watched) : undefined;
      return body ? { x: body[0], z: body[2] } : (this.lookingAt() ?? { x: 0, z: 0 });
    },
    (id) => this.nameOf(id),
    () => this.papers.society,
  );
  private liveChronicle = new Chronicle();
  private readonly liveTraces = new Traces();
  private addressAt = 0;
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
  layers = layersOf(location.search);
  deed: Deed = "all";
  /** When the picture was first made coarser for a slow machine; 0 if it never was. */
  coarseAt = 0;
  /** Whether the reader is told so: once in a browser. */
  tellsCoarse = false;
  private chosen = false;
  private filled = false;
  private fillings = 0;
  /** Where the camera shall be at once, until it is there. */
  opensAt: { x: number; z: number } | null = null;
  private opened = false;
  /** Whether the reader has been shown the present since the stream began. */
  private sawLive = false;
  /** What the server was told to show every block of, and when. */
  private focus = "";
  private focusAt = -Infinity;
  /** The tick that the address names, until it is known which there are. */
  private wanted: number | null = null;
  private wantedSpeed: number | null = null;

  constructor(
    private readonly changed: () => void,
    private readonly subscribe: (wish: Subscribe) => void,
  ) {
    addEventListener("popstate", () => this.readAddress());
    this.readAddress();
    this.tell();
  }

  /** Whether a moment of the past is on its way: whoever follows a link to it is not shown the present first. */
  get awaitsPast(): boolean {
    return this.wanted !== null || (this.time.isPast && !this.time.known && !this.sawLive);
  }

  private get isThen(): boolean {
    return this.time.known !== null || this.awaitsPast;
  }

  /** The world that is shown: of now, or of the past. */
  get known(): Known | null {
    return this.isThen ? this.time.known : this.live;
  }

  /** What the people have agreed on and own: now, or at the tick of the past that is shown. */
  get society(): Society | null {
    return this.isThen ? this.time.society : this.papers.society;
  }

  get chronicle(): Chronicle {
    return this.isThen ? this.time.chronicle : this.liveChronicle;
  }

  get traces(): Traces {
    return this.isThen ? this.time.traces : this.liveTraces;
  }

  /** The address says which tick is looked at and how fast it plays, and nothing of that while the page is live. */
  private timeChanged(): void {
    const { at, playing, speed } = this.time;
    const now = performance.now();
    if (this.time.known && this.time.society) this.chooseFirst(this.time.known);
    if (this.place !== "matches" && (at === null || !playing || now - this.addressAt > ADDRESS_EVERY_MS)) {
      this.addressAt = now;
      const query = withPart(location.search, "at", at === null ? null : String(Math.floor(at)));
      const path = pathFor(
        this.place,
        this.see,
        withPart(query, "speed", at !== null && playing && speed !== 1 ? String(speed) : null),
        this.part,
      );
      if (new URL(path, location.href).search !== location.search) history.replaceState(null, "", path);
    }
    this.changed();
  }

  private readAddress(): void {
    this.place = placeOf(location.pathname);
    this.part = partOf(location.pathname);
    this.see = seen(location.search);
    this.isMap = isMap(location.search);
    this.wanted = atTick(location.search);
    this.wantedSpeed =
      SPEEDS.find((speed) => String(speed) === new URLSearchParams(location.search).get("speed")) ?? null;
    if (this.live) this.goToWanted();
    if (this.see && isAgent(this.see)) {
      this.watched = this.see;
      this.following = this.chosen = true;
    }
    this.changed();
  }

  /** Go to the tick that the address names. */
  private goToWanted(): void {
    const tick = this.wanted;
    this.wanted = null;
    if (tick === null) {
      if (this.time.isPast) this.time.goLive();
      return;
    }
    this.time.jump(tick);
    if (!this.time.state) this.time.problem = "This server does not tell of the past; the page goes on asking";
    if (this.wantedSpeed !== null) this.time.setSpeed(this.wantedSpeed);
  }

  // From the server

  begin(bootstrap: Bootstrap): void {
    const before = this.live?.bootstrap;
    const same = before?.world_id === bootstrap.world_id && before.world_params.seed === bootstrap.world_params.seed;
    if (before && (!same || bootstrap.tick < before.tick)) this.liveChronicle = new Chronicle();
    this.live = new Known(bootstrap);
    this.sawLive = false;
    void this.papers.refresh(performance.now());
    this.time.begin();
    this.time.liveTick = bootstrap.tick;
    void this.time.refresh(performance.now()).then(() => this.wanted !== null && this.goToWanted());
  }

  hear(message: Message): void {
    const known = this.live;
    if (!known) return;
    if (message.type !== "TICK") {
      known.terrain.take(message);
      return;
    }
    const now = performance.now();
    known.tick = message;
    known.heardAt = now;
    this.time.liveTick = message.tick;
    known.crowd.take(message.agents, now);
    this.papers.take(message.happenings ?? []);
    this.fillBefore(message.tick, known);
    this.liveTraces.take(message);
    this.liveChronicle.take(message, known.looks, (id) => this.nameOf(id, known, this.papers.society));
    for (const one of message.happenings ?? []) {
      if (one.kind === "CHAT" && one.from && one.text)
        known.crowd.get(one.from)?.say(
          plainly(one.text, (id) => this.nameOf(id)),
          now,
        );
    }
    this.sawLive ||= this.known === known;
    if (this.sawLive && !this.time.isPast && this.papers.answered) this.chooseFirst(known);
    this.changed();
  }

  /** Once it is known who is who: what happened before the page was opened. */
  private fillBefore(tick: number, known: Known): void {
    if (this.filled || !this.papers.society || !this.time.state) return;
    this.filled = true;
    const [chronicle, traces, since] = [this.liveChronicle, this.liveTraces, this.liveTraces.since || tick];
    void this.time
      .before(since, known, (id) => this.nameOf(id, known, this.papers.society), this.fillings < FILLINGS)
      .then(
        (told) => {
          if (!told || chronicle !== this.liveChronicle) return;
          chronicle.goBack(told.chronicle);
          traces.goBack(told.traces);
          traces.takeSquares([...told.traces.squares.values()].map(({ x, z, mined, placed }) => [x, z, mined, placed]));
          this.changed();
        },
        () =>
          setTimeout(
            () => {
              this.filled = false;
            },
            FILL_AGAIN_MS * ++this.fillings,
          ),
      );
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
    this.see =
      place === this.place || place === "world" || (place === "society" && this.see && !isAgent(this.see))
        ? this.see
        : null;
    this.place = place;
    this.part = part;
    const { at } = this.time;
    const query = withPart(
      place === "world" ? location.search : "",
      "at",
      at === null || place === "matches" ? null : String(Math.floor(at)),
    );
    history.pushState(null, "", pathFor(place, this.see, query, part));
    this.changed();
  }

  /** Show the world as a map, or as it is. */
  showMap(isMap: boolean): void {
    if (isMap === this.isMap) return;
    this.isMap = isMap;
    history.replaceState(
      null,
      "",
      pathFor(this.place, this.see, withPart(location.search, "view", isMap ? "map" : null)),
    );
    this.changed();
  }

  toggleLayer(layer: Layer): void {
    if (!this.layers.delete(layer)) this.layers.add(layer);
    history.replaceState(
      null,
      "",
      pathFor(this.place, this.see, withPart(location.search, "layers", [...this.layers].join(","))),
    );
    this.changed();
  }

  countDeeds(deed: Deed): void {
    this.deed = deed;
    this.changed();
  }

  /** What a thing is called. */
  nameOf(see: string, known = this.known, society = this.society): string {
    if (society?.event?.id === see) return society.event.title;
    const land = society?.lands.find(({ id }) => id === see);
    return (
      known?.crowd.get(see)?.agent.name ??
      society?.organisations.find(({ id }) => id === see)?.name ??
      society?.laws.find(({ id }) => id === see)?.title ??
      (eventOf(see)
        ? "event"
        : land
          ? `the land of ${this.nameOf(land.owner, known, society)}`
          : /^C0*\d+$/.test(see)
            ? `contract ${Number(see.slice(1))}`
            : see)
    );
  }

  /** Where the camera is, in the words of an address. The scene says. */
  cameraSaid: () => string = () => "";

  /** The whole address of what is shown, with the place of the camera. It never has a token in it. */
  linkHere(): string {
    const said = this.place === "world" ? this.cameraSaid() : "";
    return new URL(
      pathFor(this.place, this.see, withPart(location.search, "cam", said || null), this.part),
      location.href,
    ).href;
  }

  /** The camera is where the address said, which need not say it any longer. */
  stayHere(): void {
    if (!this.watched) this.chosen = true;
    history.replaceState(null, "", pathFor(this.place, this.see, withPart(location.search, "cam", null), this.part));
  }

  /** Go to an address of this page without loading it again. */
  visit(path: string): void {
    history.pushState(null, "", path);
    this.readAddress();
  }

  /** Watch someone and go along; null watches nobody. */
  watch(id: string | null): void {
    this.choose(id);
  }

  /** Go along with somebody, and go on looking at what is looked at. */
  along(id: string): void {
    this.follow(id);
    this.changed();
  }

  /** Look at a place of the ground. The scene says how. */
  goTo: (x: number, z: number) => void = () => {};

  private follow(id: string | null): void {
    this.chosen = true;
    this.following = id !== null;
    this.watched = id;
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

  /**
   * Until the reader chooses: the city, or whoever has most people around. Whoever left the world cannot be watched.
   */
  private chooseFirst(known: Known): void {
    const body = known.crowd.get(this.watched);
    if (this.watched !== null && !body) this.following = false;
    if (this.chosen) {
      if (!body) this.follow(null);
      return;
    }
    if (body?.agent.connected && isInside(this.society, body)) return;
    const { watched, plaza } = opening(this.society, known.crowd.list);
    if (watched !== this.watched && (watched !== null || !body)) {
      this.follow(watched);
      this.chosen = false;
    }
    this.following = watched !== null && !plaza;
    if (plaza && !this.opened) this.opensAt = plaza;
    this.opened ||= plaza !== null;
  }

  /**
   * Have every block shown of what the camera looks at: whom it follows, or the ground before it. Called for every
   * frame. The past has its own ground, and a map needs no more than surfaces.
   */
  lookAround(now: number): void {
    if (this.time.isPast || this.isMap || now - this.focusAt < FOCUS_EVERY_MS) return;
    const place = this.lookingAt();
    const followed = this.following ? this.watched : null;
    const focus = followed ?? (place ? `${Math.floor(place.x) >> 4},${Math.floor(place.z) >> 4}` : "");
    if (focus === this.focus) return;
    this.focus = focus;
    this.focusAt = now;
    this.tell();
  }

  private tell(): void {
    const place = this.lookingAt();
    this.subscribe({
      chunk_radius: CHUNK_RADIUS,
      max_chunks: MAX_CHUNKS,
      focus_agent_id: (this.following && this.watched) || "",
      focus_pos: place && [Math.floor(place.x), 0, Math.floor(place.z)],
      voxel_radius: VOXEL_RADIUS,
      voxel_max_chunks: VOXEL_CHUNKS,
    });
  }
}

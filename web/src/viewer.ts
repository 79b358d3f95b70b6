// What the page shows, and what the reader has chosen. Scene and panels both read it.

import {
  atTick,
  cameraOf,
  cellOf,
  here,
  IS_FILM,
  isAgent,
  isCell,
  isMap,
  type PlaceName,
  partOf,
  pathFor,
  placeOf,
  readdress,
  seen,
  withPart,
} from "./address.ts";
import { Attention } from "./attention.ts";
import { type Building, isBuilding, middleOf } from "./buildings.ts";
import type { Chronicle } from "./chronicle.ts";
import type { Lateness } from "./lateness.ts";
import { LiveWorld } from "./live_world.ts";
import { type Layer, layersOf } from "./map/layers.ts";
import { nameOf } from "./names.ts";
import { type Person, worthOf } from "./people.ts";
import { Playhead, SPEEDS } from "./playhead.ts";
import type { Bootstrap, Message, Position, Subscribe } from "./protocol.ts";
import { type Items, Papers, type Society } from "./society.ts";
import { Story } from "./story.ts";
import type { Link, Listener } from "./stream.ts";
import { Subscription } from "./subscription.ts";
import type { Deed, Traces } from "./traces.ts";
import type { World } from "./world.ts";

// Within this distance of where the camera looks, a place counts as in view.
const IN_VIEW_CELLS = 14;
// A match is played a little faster than the world lives.
const MATCH_SPEED = 4;
// How often the address follows the playhead.
const ADDRESS_EVERY_MS = 500;

/** What the scene draws: the world that a page shows, or the one of its second side. */
export type Scenery = Pick<
  Viewer,
  | "place"
  | "world"
  | "society"
  | "buildings"
  | "see"
  | "isMap"
  | "layers"
  | "deed"
  | "traces"
  | "attention"
  | "time"
  | "papers"
  | "coarseAt"
  | "tellsCoarse"
  | "nameOf"
>;

export class Viewer implements Listener {
  current: Link = { state: "connecting" };
  /** Where the reader looks if nobody is followed, as the scene says; null before there is a scene. */
  lookingAt: () => { x: number; z: number } | null = () => null;
  readonly attention = new Attention();
  readonly time: Playhead = new Playhead(
    () => this.timeChanged(),
    {
      bootstrap: () => this.live?.bootstrap ?? null,
      society: () => this.papers.society,
      nameOf: (id) => this.nameOf(id),
    },
    (positionOf) => this.focusOf(positionOf),
  );
  private addressAt = 0;
  lateness: Lateness | null = null;
  /** Whether this is the other side of a comparison, of which the own world's story and council say nothing. */
  readonly isOther: boolean = false;
  readonly papers = new Papers(() => this.papersArrived());
  private readonly present = new LiveWorld(this.papers, this.time.tape, () => this.changed());
  readonly story = new Story(() => this.changed());
  place: PlaceName = placeOf(here().path);
  /** The part of the place that is shown: a day of the story, a match. */
  part = partOf(here().path);
  /** The thing that the reader looks at: a person, a law, a contract, a land, a cell. */
  see: string | null = seen(here().query);
  /** Whether the world is shown as a map, which of its layers, and which deeds its heat counts. */
  isMap = isMap(here().query);
  layers = layersOf(here().query);
  deed: Deed = "all";
  /** When the resolution was first reduced for a slow machine; 0 if it never was. */
  coarseAt = 0;
  /** Whether a notice says so, which it does once in each browser. */
  tellsCoarse = false;
  /** Whether the reader has been shown the present since the stream began. */
  private sawLive = false;
  /** The tick that the address names, until the ticks of the tape are known. */
  private wanted: number | null = null;
  private wantedSpeed: number | null = null;

  private readonly subscription: Subscription;

  constructor(
    private readonly changed: () => void,
    subscribe: (wish: Subscribe) => void,
  ) {
    this.subscription = new Subscription(subscribe, this.attention, () => this.lookingAt());
    addEventListener("popstate", () => this.readAddress());
    this.readAddress();
    this.subscription.send();
  }

  /** Buildings have come: an address may have named one. */
  private papersArrived(): void {
    const { see, attention } = this;
    const building = see && !attention.isChosen ? this.papers.buildings.find(({ id }) => id === see) : undefined;
    if (building) {
      attention.letGo();
      attention.opensAt = middleOf(building);
    }
    this.changed();
  }

  /** The world of now, as the stream brings it. */
  get live(): World | null {
    return this.present.world;
  }

  /** Whether a moment of the past is being loaded, so that the present is not shown before it. */
  get awaitsPast(): boolean {
    return this.wanted !== null || (this.time.isPast && !this.time.past.world && !this.sawLive);
  }

  private get isThen(): boolean {
    return this.time.past.world !== null || this.awaitsPast;
  }

  /** The world that is shown: of now, or of the past. */
  get world(): World | null {
    return this.isThen ? this.time.past.world : this.live;
  }

  /** What the people have agreed on and own: now, or at the tick of the past that is shown. */
  get society(): Society | null {
    return this.isThen ? this.time.past.society : this.papers.society;
  }

  /** The buildings that stand, now or at the tick of the past that is shown. */
  get buildings(): readonly Building[] {
    const { buildings } = this.papers;
    if (!this.isThen) return buildings.filter(({ stands }) => stands);
    const { past, tick } = this.time;
    return buildings.filter(
      ({ id, stands, completed_tick }) => completed_tick <= tick && (stands || past.hasStructure(id)),
    );
  }

  /** The worth of goods, by the public list. */
  get prices(): Items {
    return this.papers.society?.prices ?? {};
  }

  /** Everybody with what they have and have done; in the past, only what is on the tape. */
  get people(): readonly Person[] {
    const { past, book } = this.time;
    if (!this.isThen || !past.world) return this.papers.people;
    return past.world.crowd.list.map(({ agent: { id, name } }) => {
      const pocket = this.society?.open_book ? book.pocketOf(id) : undefined;
      const standings = Object.values(past.standingOf(id) ?? {});
      const most = Object.entries(pocket ?? {}).sort(
        (a, b) => worthOf({ [b[0]]: b[1] }, this.prices) - worthOf({ [a[0]]: a[1] }, this.prices),
      )[0];
      return {
        id,
        name,
        worth: pocket ? worthOf(pocket, this.prices) : null,
        standing: standings.reduce((sum, value) => sum + value, 0) / Math.max(1, standings.length),
        trades: 0,
        sold: null,
        carries: most ?? null,
        kept: 0,
        earned: 0,
        broken: 0,
        built: this.buildings.filter(({ builder }) => builder === id).length,
      };
    });
  }

  get chronicle(): Chronicle {
    return this.isThen ? this.time.past.chronicle : this.present.chronicle;
  }

  get traces(): Traces {
    return this.isThen ? this.time.past.traces : this.present.traces;
  }

  /** The address says which tick is looked at and how fast it plays, and nothing of that while the page is live. */
  private timeChanged(): void {
    const { position, playing, speed, past } = this.time;
    const now = performance.now();
    if (past.world && (past.society || this.time.isOver)) this.attention.chooseFirst(past.world, this.society);
    if (this.place !== "matches" && (position === null || !playing || now - this.addressAt > ADDRESS_EVERY_MS)) {
      this.addressAt = now;
      const query = withPart(here().query, "at", this.tickInAddress);
      const speedInAddress = position !== null && playing && speed !== 1 ? String(speed) : null;
      const path = pathFor(this.place, this.see, withPart(query, "speed", speedInAddress), this.part);
      if ((/\?.*/.exec(path)?.[0] ?? "") !== here().query) readdress(path, "replace");
    }
    this.changed();
  }

  /** How the address names the tick that is looked at; null while the page is live. */
  private get tickInAddress(): string | null {
    return this.time.isPast ? String(this.time.tick) : null;
  }

  private readAddress(): void {
    this.place = placeOf(here().path);
    this.part = partOf(here().path);
    this.see = seen(here().query);
    this.isMap = isMap(here().query);
    this.wanted = atTick(here().query);
    this.wantedSpeed = SPEEDS.find((speed) => String(speed) === new URLSearchParams(here().query).get("speed")) ?? null;
    if (this.live) this.goToWanted();
    if (this.see && isAgent(this.see)) this.attention.follow(this.see);
    if (this.see && isCell(this.see) && !cameraOf(here().query)) this.openAtCell(this.see);
    this.changed();
  }

  /** An address may name a cell and no place of the camera: then the page opens there. */
  private openAtCell(see: string): void {
    const [x, , z] = cellOf(see);
    this.attention.letGo();
    this.attention.opensAt = { x: x + 0.5, z: z + 0.5 };
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
    if (!this.time.tape.state) this.time.complain("This server does not tell of the past; the page goes on asking");
    if (this.wantedSpeed !== null) this.time.setSpeed(this.wantedSpeed);
  }

  // From the server

  begin(bootstrap: Bootstrap): void {
    this.present.begin(bootstrap);
    this.sawLive = false;
    void this.papers.refresh(performance.now());
    this.time.begin();
    this.time.liveTick = bootstrap.tick;
    void this.time.refresh(performance.now()).then(() => this.wanted !== null && this.goToWanted());
  }

  /** Play a world that is over from a tick on, or show the one that the address names. */
  beginAt(tick: number): void {
    const named = atTick(here().query);
    this.time.isOver = true;
    if (IS_FILM) this.time.firstTick = tick;
    void this.time.refresh(performance.now()).then(() => {
      this.time.jump(named ?? tick);
      if (named === null) this.time.setSpeed(MATCH_SPEED);
    });
  }

  hear(message: Message): void {
    const { live } = this;
    if (!live) return;
    if (message.type !== "TICK") {
      live.terrain.take(message);
      return;
    }
    this.time.liveTick = message.tick;
    this.present.take(message, live);
    this.sawLive ||= this.world === live;
    if (this.sawLive && !this.time.isPast && this.papers.answered) this.attention.chooseFirst(live, this.society);
    this.changed();
  }

  link(link: Link): void {
    this.current = link;
    this.changed();
  }

  // From the reader

  /** Look at what a link names: a cell is gone to, since it may be anywhere. */
  open(see: string): void {
    this.choose(see);
    if (!isCell(see)) return;
    const [x, , z] = cellOf(see);
    this.goTo(x, z);
  }

  /** Look at a thing; null looks at nothing in particular. A person is watched, too. */
  choose(see: string | null): void {
    if (see !== this.see) {
      this.see = see;
      readdress(pathFor(this.place, see, here().query, this.part), "push");
    }
    if (see === null || isAgent(see)) this.attention.follow(see);
    if (see && isBuilding(see)) this.goToBuilding(see);
    this.changed();
  }

  /** Bring a building into view, unless it is there already. */
  private goToBuilding(id: string): void {
    const building = this.papers.buildings.find((each) => each.id === id);
    const looking = this.lookingAt();
    if (!building) return;
    const { x, z } = middleOf(building);
    if (!looking || Math.hypot(looking.x - x, looking.z - z) > IN_VIEW_CELLS) this.goTo(x, z);
  }

  go(place: PlaceName, part = ""): void {
    if (place === this.place && part === this.part) return;
    if (this.time.isOver && !IS_FILM) {
      // The other places are of the server's own world, whose stream begins with another page.
      location.href = pathFor(place, null, "", part);
      return;
    }
    this.see =
      place === this.place || place === "world" || (place === "society" && this.see && !isAgent(this.see))
        ? this.see
        : null;
    this.place = place;
    this.part = part;
    const tick = place === "matches" ? null : this.tickInAddress;
    const query = withPart(place === "world" ? here().query : "", "at", tick);
    readdress(pathFor(place, this.see, query, part), "push");
    this.changed();
  }

  /** Show the world as a map, or as it is. */
  showMap(isMap: boolean): void {
    if (isMap === this.isMap) return;
    this.isMap = isMap;
    readdress(pathFor(this.place, this.see, withPart(here().query, "view", isMap ? "map" : null)), "replace");
    this.changed();
  }

  toggleLayer(layer: Layer): void {
    if (!this.layers.delete(layer)) this.layers.add(layer);
    readdress(pathFor(this.place, this.see, withPart(here().query, "layers", [...this.layers].join(","))), "replace");
    this.changed();
  }

  countDeeds(deed: Deed): void {
    this.deed = deed;
    this.changed();
  }

  /** What a thing is called in the world that is shown. */
  nameOf(id: string): string {
    return nameOf(id, this.world, this.society, this.papers.buildings);
  }

  /** Where the camera is, in the words of an address. The scene says. */
  cameraSaid: () => string = () => "";

  /** The whole address of what is shown, with the place of the camera. It never has a token in it. */
  linkHere(): string {
    const said = this.place === "world" ? this.cameraSaid() : "";
    return new URL(pathFor(this.place, this.see, withPart(here().query, "cam", said || null), this.part), location.href)
      .href;
  }

  /** The camera is where the address said, which need not say it any longer. */
  stayHere(): void {
    if (!this.attention.watched) this.attention.isChosen = true;
    readdress(pathFor(this.place, this.see, withPart(here().query, "cam", null), this.part), "replace");
  }

  /** Go to an address of this page without loading it again. */
  visit(path: string): void {
    readdress(path, "push");
    this.readAddress();
  }

  /** Watch somebody and follow; null watches nobody. */
  watch(id: string | null): void {
    this.choose(id);
  }

  /** Follow somebody, without changing what the panel shows. */
  along(id: string): void {
    this.attention.follow(id);
    this.changed();
  }

  /** Look at a place on the ground, as the scene defines it. */
  goTo: (x: number, z: number) => void = () => {};

  /** Watch the agent `step` places after the one that is watched. */
  watchNext(step: number): void {
    const list = this.world?.crowd.list ?? [];
    if (!list.length) return;
    const here = list.findIndex((body) => body.id === this.attention.watched);
    const next = here < 0 ? (step > 0 ? 0 : list.length - 1) : (here + step + list.length) % list.length;
    this.watch(list[next].id);
  }

  /** Stop following. */
  letGo(): void {
    if (this.attention.letGo()) this.changed();
  }

  /** Called for every frame. The past has its own ground, and a map needs no more than surfaces. */
  lookAround(now: number): void {
    if (!this.time.isPast && !this.isMap) this.subscription.followCamera(now);
  }

  /** The centre of the view: whom it follows, or where the reader looks. */
  private focusOf(positionOf: (id: string) => Position | undefined): { x: number; z: number } {
    const { following, watched } = this.attention;
    const position = following && watched ? positionOf(watched) : undefined;
    return position ? { x: position[0], z: position[2] } : (this.lookingAt() ?? { x: 0, z: 0 });
  }
}

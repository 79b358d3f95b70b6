// The map: the same world from above, at the same place of the camera, drawn flat and in layers.

import { buildingAt, isPlain } from "../buildings.ts";
import { type Body, labelOf } from "../crowd.ts";
import { colourOf, css } from "../hue.ts";
import { isDark, token } from "../inks.ts";
import type { Pose } from "../motion.ts";
import { landAt, type Society } from "../society.ts";
import { PATH_TICKS, SQUARE, type Square, Traces } from "../traces.ts";
import type { Scenery } from "../viewer.ts";
import { blueprintWord, capitalised } from "../words.ts";
import type { World } from "../world.ts";
import { Atlas, type Fixture, TILE, tileOf } from "./atlas.ts";
import { type Layer, THINGS } from "./layers.ts";

/** Cells that fit into the height of the stage, per cell of the camera's distance. */
const FIELD = 0.768;
const NAMES_UP_TO = 60;
const CLUSTER_PIXELS = 26;
const PICK_PIXELS = 14;
/** Contracts shown at one place, of many. */
const MOST_BESIDE = 3;
const FIXTURES_EVERY_MS = 2000;
const SANS = "system-ui, sans-serif";
const SERIF = '"Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif';

/** The middle of the picture, and the size of a cell. */
export interface Frame {
  x: number;
  z: number;
  width: number;
  height: number;
  /** Pixels a cell. */
  scale: number;
}

export const frameOf = (x: number, z: number, distance: number, width: number, height: number): Frame => ({
  x,
  z,
  width,
  height,
  scale: height / (FIELD * distance),
});

interface Target {
  see: string;
  x: number;
  y: number;
}

interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const meet = (a: Rect, b: Rect) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const HEATS = 12;
const GLOW_SIZE = 64;
// From this many pixels a cell on, buildings have their names on the map, which may be this much wider than they are.
const NAMED_SCALE = 7;
const NAME_SPILL = 24;

const glows: HTMLCanvasElement[] = [];

/** A spot of the heat, drawn once: a gradient for each square would be the most expensive part of a repaint. */
function glow(level: number): HTMLCanvasElement {
  if (!glows[level]) {
    const heat = level / HEATS;
    const spot = document.createElement("canvas");
    spot.width = spot.height = GLOW_SIZE;
    const ink = spot.getContext("2d")!;
    const around = ink.createRadialGradient(
      GLOW_SIZE / 2,
      GLOW_SIZE / 2,
      0,
      GLOW_SIZE / 2,
      GLOW_SIZE / 2,
      GLOW_SIZE / 2,
    );
    around.addColorStop(0, `rgb(${230 - 40 * heat} ${150 - 90 * heat} 30 / ${0.1 + 0.7 * heat})`);
    around.addColorStop(1, "rgb(230 150 30 / 0)");
    ink.fillStyle = around;
    ink.fillRect(0, 0, GLOW_SIZE, GLOW_SIZE);
    glows[level] = spot;
  }
  return glows[level];
}

export class MapView {
  atlas: Atlas | null = null;
  /** The point of the stage under the pointer. */
  pointer: { x: number; y: number } | null = null;
  private world: World | null = null;
  private targets: Target[] = [];
  private fixtures: Fixture[] = [];
  private lookedAt = -Infinity;
  private hatch: { dark: boolean; pattern: CanvasPattern } | null = null;
  private frame = frameOf(0, 0, 100, 1, 1);

  constructor(private readonly viewer: Scenery) {}

  /** Begin again with another world. */
  private settle(world: World): Atlas {
    if (this.world !== world || !this.atlas) {
      this.world = world;
      this.atlas = new Atlas(world.terrain, world.looks);
      this.lookedAt = -Infinity;
    }
    return this.atlas;
  }

  draw(pen: CanvasRenderingContext2D, world: World, poses: readonly Pose[], frame: Frame, now: number): void {
    const atlas = this.settle(world);
    const { viewer } = this;
    const { society } = viewer;
    this.frame = frame;
    this.targets = [];
    this.ground(pen, atlas, frame, now);
    const isOn = (layer: Layer) => viewer.layers.has(layer);
    if (isOn("heights")) this.ground(pen, atlas, frame, null);
    if (isOn("activity")) this.activity(pen, frame);
    if (society && isOn("land")) this.lands(pen, society, frame);
    if (isOn("buildings")) this.buildings(pen, frame);
    if (society && isOn("events")) this.event(pen, society, frame);
    if (isOn("paths")) this.paths(pen, frame);
    this.findThings(world, now);
    if (isOn("things")) this.things(pen, world, frame);
    if (society && isOn("works")) this.works(pen, society, frame);
    if (isOn("people")) this.people(pen, world.crowd.list, poses, frame);
    if (society && isOn("land")) this.landNames(pen, society, frame);
    this.scaleBar(pen, frame);
    this.position(pen, world, atlas);
  }

  /** Draw the same ground in a small square, with the part that the camera sees. */
  drawSmall(
    pen: CanvasRenderingContext2D,
    world: World,
    poses: readonly Pose[],
    frame: Frame,
    side: number,
    reach: number,
    now: number,
  ): void {
    const atlas = this.settle(world);
    this.ground(pen, atlas, frame, now);
    const { society } = this.viewer;
    if (society) this.lands(pen, society, frame);
    const middle = this.screen(frame, frame.x, frame.z);
    pen.fillStyle = "rgb(255 255 255 / .28)";
    pen.beginPath();
    const eye = {
      x: middle.x + Math.sin(side) * reach * frame.scale,
      y: middle.y + Math.cos(side) * reach * frame.scale,
    };
    pen.moveTo(eye.x, eye.y);
    for (const turn of [-0.5, 0.5]) {
      pen.lineTo(
        eye.x - Math.sin(side + turn) * reach * 2.4 * frame.scale,
        eye.y - Math.cos(side + turn) * reach * 2.4 * frame.scale,
      );
    }
    pen.fill();
    world.crowd.list.forEach((body, i) => {
      if (body.agent.connected || body.id === this.viewer.attention.watched)
        this.dot(pen, body, this.screen(frame, poses[i].x, poses[i].z), 2.2);
    });
  }

  /** What is drawn at a point: somebody, a thing with a mark, a building, or the land around it. */
  pick(x: number, y: number): string | null {
    let best: Target | null = null;
    let least = PICK_PIXELS;
    for (const target of this.targets) {
      const far = Math.hypot(target.x - x, target.y - y);
      if (far < least) [best, least] = [target, far];
    }
    if (best) return best.see;
    const at = this.cellAt(x, y);
    const [east, south] = [Math.floor(at.x), Math.floor(at.z)];
    const { viewer } = this;
    const building = viewer.layers.has("buildings") ? buildingAt(viewer.buildings, east, null, south) : undefined;
    return building?.id ?? landAt(viewer.society, east, south)?.id ?? null;
  }

  /** The cell of the world at a point of the stage. */
  cellAt(x: number, y: number): { x: number; z: number } {
    const { frame } = this;
    return { x: frame.x + (x - frame.width / 2) / frame.scale, z: frame.z + (y - frame.height / 2) / frame.scale };
  }

  /** The largest number of deeds in one square. */
  get hottest(): number {
    return Math.max(0, ...this.squares().map((square) => Traces.count(square, this.viewer.deed)));
  }

  /** The number of things in each layer, as a short text. */
  counts(): Record<Layer, string> {
    const { society, world } = this.viewer;
    const crowd = world?.crowd;
    const away = (crowd?.list.length ?? 0) - (crowd?.connected ?? 0);
    const refused = this.viewer.deed === "refused";
    const changed = this.squares().reduce((sum, square) => sum + Traces.count(square, this.viewer.deed), 0);
    const open = society?.contracts.filter(({ state }) => state === "OPEN" || state === "ACCEPTED").length ?? 0;
    return {
      land: String(society?.lands.length ?? 0),
      buildings: String(this.viewer.buildings.length),
      people: `${crowd?.connected ?? 0}${away ? ` + ${away}` : ""}`,
      paths: `last ${Math.round((24 * PATH_TICKS) / (society?.day_ticks ?? 6000))} hours`,
      activity: refused ? `${changed}, last hours` : `${changed}, last day`,
      events: String(society?.event ? 1 : 0),
      works: `${open} open`,
      things: String(this.fixtures.length),
      heights: "a line every 3",
    };
  }

  // The ground

  /** Draw the ground or, if no time is given, its heights over it. */
  private ground(pen: CanvasRenderingContext2D, atlas: Atlas, frame: Frame, now: number | null): void {
    const { width, height, scale } = frame;
    const [x0, z0] = [frame.x - width / 2 / scale, frame.z - height / 2 / scale];
    const [tx0, tz0, tx1, tz1] = [tileOf(x0), tileOf(z0), tileOf(x0 + width / scale), tileOf(z0 + height / scale)];
    // The past has its own ground. The present one must not be shown instead.
    if (now !== null) {
      atlas.update(tx0, tz0, tx1, tz1, this.viewer.time.isPast ? null : now);
      pen.fillStyle = this.paper(pen);
      pen.fillRect(0, 0, width, height);
    }
    pen.imageSmoothingEnabled = scale < 1;
    for (let tz = tz0; tz <= tz1; tz++) {
      for (let tx = tx0; tx <= tx1; tx++) {
        const tile = atlas.at(tx, tz);
        if (!tile || tile.blank) continue;
        const left = Math.round((tx * TILE - x0) * scale);
        const top = Math.round((tz * TILE - z0) * scale);
        const right = Math.round(((tx + 1) * TILE - x0) * scale);
        const bottom = Math.round(((tz + 1) * TILE - z0) * scale);
        pen.drawImage(now === null ? tile.heights : tile.canvas, left, top, right - left, bottom - top);
      }
    }
  }

  /** Unknown ground is paper with a fine hatch. */
  private paper(pen: CanvasRenderingContext2D): CanvasPattern {
    const dark = isDark();
    if (this.hatch?.dark !== dark) {
      const cell = document.createElement("canvas");
      cell.width = cell.height = 8;
      const ink = cell.getContext("2d")!;
      ink.fillStyle = token("--well");
      ink.fillRect(0, 0, 8, 8);
      ink.strokeStyle = token("--edge");
      ink.beginPath();
      for (const shift of [-8, 0, 8]) {
        ink.moveTo(shift, 8);
        ink.lineTo(shift + 8, 0);
      }
      ink.stroke();
      this.hatch = { dark, pattern: pen.createPattern(cell, "repeat")! };
    }
    return this.hatch!.pattern;
  }

  private screen(frame: Frame, x: number, z: number): { x: number; y: number } {
    return { x: frame.width / 2 + (x - frame.x) * frame.scale, y: frame.height / 2 + (z - frame.z) * frame.scale };
  }

  // The layers

  /** Draw where things were done, or where they were refused, which only an open book shows. */
  private squares(): Square[] {
    if (this.viewer.deed !== "refused") return [...this.viewer.traces.squares.values()];
    const refused = new Traces();
    for (const { x, z } of this.viewer.time.book.refusals()) refused.square(x >> 3, z >> 3).mined++;
    return [...refused.squares.values()];
  }

  private activity(pen: CanvasRenderingContext2D, frame: Frame): void {
    const squares = this.squares();
    const counts = squares.map((square) => Traces.count(square, this.viewer.deed));
    const most = Math.sqrt(Math.max(1, ...counts));
    squares.forEach(({ x, z }, i) => {
      if (!counts[i]) return;
      const heat = Math.sqrt(counts[i]) / most;
      const middle = this.screen(frame, (x + 0.5) * SQUARE, (z + 0.5) * SQUARE);
      const radius = SQUARE * frame.scale * 0.85;
      if (
        middle.x < -radius ||
        middle.y < -radius ||
        middle.x > frame.width + radius ||
        middle.y > frame.height + radius
      )
        return;
      pen.drawImage(glow(Math.round(heat * HEATS)), middle.x - radius, middle.y - radius, 2 * radius, 2 * radius);
    });
  }

  private lands(pen: CanvasRenderingContext2D, society: Society, frame: Frame): void {
    for (const { id, owner, anchor, radius, core } of society.lands) {
      const colour = colourOf(owner);
      const chosen = this.viewer.see === id || this.viewer.see === owner;
      const from = this.screen(frame, anchor[0] - radius, anchor[2] - radius);
      const wide = (2 * radius + 1) * frame.scale;
      pen.fillStyle = css(colour, chosen ? 0.2 : 0.1);
      pen.fillRect(from.x, from.y, wide, wide);
      pen.strokeStyle = css(colour);
      pen.lineWidth = chosen ? 3.5 : 2.5;
      pen.strokeRect(from.x, from.y, wide, wide);
      if (!core || core >= radius) continue;
      const inner = this.screen(frame, anchor[0] - core, anchor[2] - core);
      pen.lineWidth = 1;
      pen.setLineDash([4, 4]);
      pen.strokeRect(inner.x, inner.y, (2 * core + 1) * frame.scale, (2 * core + 1) * frame.scale);
      pen.setLineDash([]);
    }
  }

  private buildings(pen: CanvasRenderingContext2D, frame: Frame): void {
    const named = frame.scale >= NAMED_SCALE;
    for (const building of this.viewer.buildings) {
      const { id, low, high } = building;
      const from = this.screen(frame, low[0], low[2]);
      const [wide, deep] = [(high[0] - low[0] + 1) * frame.scale, (high[2] - low[2] + 1) * frame.scale];
      const chosen = this.viewer.see === id;
      pen.strokeStyle = chosen ? token("--accent") : "rgb(28 27 24 / .7)";
      pen.lineWidth = chosen ? 3 : 1;
      pen.strokeRect(from.x, from.y, wide, deep);
      if (!chosen && (!named || isPlain(building))) continue;
      const word = capitalised(blueprintWord(building.blueprint_id));
      pen.font = `600 11px ${SANS}`;
      if (!chosen && pen.measureText(word).width > wide + NAME_SPILL) continue;
      pen.lineWidth = 3;
      pen.strokeStyle = "rgb(28 27 24 / .8)";
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.strokeText(word, from.x + wide / 2, from.y + deep / 2);
      pen.fillStyle = "#fff";
      pen.fillText(word, from.x + wide / 2, from.y + deep / 2);
    }
  }

  private landNames(pen: CanvasRenderingContext2D, society: Society, frame: Frame): void {
    for (const { id, owner, anchor, radius } of society.lands) {
      const top = this.screen(frame, anchor[0] + 0.5, anchor[2] - radius);
      this.plate(pen, this.viewer.nameOf(owner), top.x, top.y - 13, css(colourOf(owner)));
      this.targets.push({ see: id, x: top.x, y: top.y - 13 });
    }
  }

  private event(pen: CanvasRenderingContext2D, { event }: Society, frame: Frame): void {
    if (!event?.center) return;
    const middle = this.screen(frame, event.center[0] + 0.5, event.center[2] + 0.5);
    pen.strokeStyle = token("--talk");
    pen.lineWidth = 2;
    pen.setLineDash([7, 5]);
    pen.beginPath();
    pen.arc(middle.x, middle.y, Math.max(6, event.radius * frame.scale), 0, 2 * Math.PI);
    pen.stroke();
    pen.setLineDash([]);
    const top = middle.y - Math.max(6, event.radius * frame.scale);
    this.plate(pen, event.title, middle.x, top, token("--talk"));
    this.targets.push({ see: event.id, x: middle.x, y: top });
  }

  private paths(pen: CanvasRenderingContext2D, frame: Frame): void {
    pen.strokeStyle = "rgb(255 255 255 / .75)";
    pen.lineJoin = "round";
    for (const [id, path] of this.viewer.traces.paths) {
      pen.lineWidth = id === this.viewer.attention.watched ? 2.5 : 1;
      pen.setLineDash(id === this.viewer.attention.watched ? [] : [2, 3]);
      pen.beginPath();
      for (const { x, z } of path) {
        const at = this.screen(frame, x + 0.5, z + 0.5);
        pen.lineTo(at.x, at.y);
      }
      pen.stroke();
    }
    pen.setLineDash([]);
  }

  private findThings({ looks }: World, now: number): void {
    if (now - this.lookedAt < FIXTURES_EVERY_MS) return;
    this.lookedAt = now;
    this.fixtures = this.atlas!.fixtures(Uint8Array.from(looks.palette, (name) => Number(THINGS.includes(name))));
  }

  private things(pen: CanvasRenderingContext2D, world: World, frame: Frame): void {
    for (const { block, x, y, z } of this.fixtures) {
      this.mark(
        pen,
        `@${x},${y},${z}`,
        world.looks.word(block)[0].toUpperCase(),
        this.screen(frame, x + 0.5, z + 0.5),
        token("--pale"),
      );
    }
  }

  private works(pen: CanvasRenderingContext2D, society: Society, frame: Frame): void {
    const at = new Map<string, number>();
    for (const contract of society.contracts) {
      if (contract.state !== "OPEN" && contract.state !== "ACCEPTED") continue;
      const place = contract.anchor ?? contract.terminal;
      const key = place.join(",");
      const beside = at.get(key) ?? 0;
      at.set(key, beside + 1);
      if (beside >= MOST_BESIDE) continue;
      const spot = this.screen(frame, place[0] + 0.5, place[2] + 0.5);
      this.mark(
        pen,
        contract.id,
        String(Number(contract.id.slice(1))),
        { x: spot.x + 22 * beside, y: spot.y - 12 },
        token("--wait"),
      );
    }
  }

  private people(pen: CanvasRenderingContext2D, bodies: readonly Body[], poses: readonly Pose[], frame: Frame): void {
    const { watched } = this.viewer.attention;
    const spots = bodies
      .map((body, i) => ({ body, ...this.screen(frame, poses[i].x, poses[i].z) }))
      .filter(({ x, y }) => x > -20 && y > -20 && x < frame.width + 20 && y < frame.height + 20);
    const far = ({ x, y }: { x: number; y: number }) =>
      this.pointer ? Math.hypot(x - this.pointer.x, y - this.pointer.y) : Infinity;
    const crowded = spots.length > NAMES_UP_TO;
    const leads = new Set(
      this.viewer.society?.organisations.flatMap(({ members }) =>
        Object.keys(members).filter((id) => members[id] === "LEADER"),
      ),
    );
    const weight = ({ body, x, y }: (typeof spots)[number]) =>
      far({ x, y }) < 40 ? 0 : body.id === watched ? 1 : leads.has(body.id) ? 2 : body.agent.connected ? 3 : 4;
    const clusters = new Map<string, typeof spots>();
    for (const spot of spots) {
      this.targets.unshift({ see: spot.body.id, x: spot.x, y: spot.y });
      const key =
        crowded && spot.body.id !== watched
          ? `${Math.floor(spot.x / CLUSTER_PIXELS)},${Math.floor(spot.y / CLUSTER_PIXELS)}`
          : spot.body.id;
      clusters.set(key, [...(clusters.get(key) ?? []), spot]);
    }
    for (const group of clusters.values()) {
      if (group.length > 2) this.cluster(pen, group);
      else for (const { body, x, y } of group) this.dot(pen, body, { x, y }, body.id === watched ? 7 : 5);
    }
    const taken: Rect[] = [];
    const named = spots
      .filter((spot) => !crowded || weight(spot) < 2)
      .sort((a, b) => weight(a) - weight(b) || far(a) - far(b));
    for (const { body, x, y } of named) this.name(pen, body, x, y, taken);
  }

  // Small things

  private dot(pen: CanvasRenderingContext2D, body: Body, at: { x: number; y: number }, radius: number): void {
    pen.beginPath();
    pen.arc(at.x, at.y, radius, 0, 2 * Math.PI);
    pen.fillStyle = body.agent.connected ? `hsl(${Math.round(body.hue * 360)} 55% 52%)` : "#8d8a82";
    pen.fill();
    pen.strokeStyle = body.id === this.viewer.attention.watched ? "#ffd46b" : "#fff";
    pen.lineWidth = radius > 3 ? 2 : 1;
    pen.stroke();
  }

  private cluster(pen: CanvasRenderingContext2D, group: readonly { x: number; y: number }[]): void {
    const x = group.reduce((sum, one) => sum + one.x, 0) / group.length;
    const y = group.reduce((sum, one) => sum + one.y, 0) / group.length;
    pen.beginPath();
    pen.arc(x, y, 11, 0, 2 * Math.PI);
    pen.fillStyle = "rgb(28 27 24 / .75)";
    pen.fill();
    this.text(pen, String(group.length), x, y, `600 11px ${SANS}`, "#fff");
  }

  private name(pen: CanvasRenderingContext2D, body: Body, x: number, y: number, taken: Rect[]): void {
    pen.font = `600 12px ${SANS}`;
    const name = labelOf(body);
    const rect = { left: x + 8, right: x + 12 + pen.measureText(name).width, top: y - 9, bottom: y + 9 };
    if (taken.some((other) => meet(rect, other))) return;
    taken.push(rect);
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    pen.lineWidth = 3;
    pen.strokeStyle = "rgb(28 27 24 / .8)";
    pen.strokeText(name, x + 10, y);
    pen.fillStyle = body.agent.connected ? "#fff" : "#cfcbc0";
    pen.fillText(name, x + 10, y);
  }

  private mark(
    pen: CanvasRenderingContext2D,
    see: string,
    letter: string,
    at: { x: number; y: number },
    colour: string,
  ): void {
    this.targets.push({ see, ...at });
    pen.beginPath();
    pen.roundRect(at.x - 9, at.y - 9, 18, 18, 4);
    pen.fillStyle = token("--sheet");
    pen.fill();
    pen.strokeStyle = this.viewer.see === see ? token("--accent") : colour;
    pen.lineWidth = this.viewer.see === see ? 2.5 : 1;
    pen.stroke();
    this.text(pen, letter, at.x, at.y + 0.5, `600 11px ${SANS}`, token("--ink"));
  }

  private plate(pen: CanvasRenderingContext2D, text: string, x: number, y: number, colour: string): void {
    pen.font = `600 14px ${SERIF}`;
    const wide = pen.measureText(text).width + 16;
    pen.beginPath();
    pen.roundRect(x - wide / 2, y - 11, wide, 22, 5);
    pen.fillStyle = token("--sheet");
    pen.fill();
    pen.strokeStyle = colour;
    pen.lineWidth = 1.5;
    pen.stroke();
    this.text(pen, text, x, y + 1, pen.font, colour);
  }

  private text(pen: CanvasRenderingContext2D, text: string, x: number, y: number, font: string, colour: string): void {
    pen.font = font;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillStyle = colour;
    pen.fillText(text, x, y);
  }

  /** A length for the scale: one, two or five times a power of ten that fits into a corner. */
  private scaleBar(pen: CanvasRenderingContext2D, { width, height, scale }: Frame): void {
    const paces = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].filter((length) => length * scale <= 130).pop() ?? 1;
    const label = `${paces} ${paces === 1 ? "pace" : "paces"} · N ↑`;
    pen.font = `12px ${SANS}`;
    const long = paces * scale;
    const wide = long + pen.measureText(label).width + 30;
    const right = width - 70;
    pen.beginPath();
    pen.roundRect(right - wide, height - 38, wide, 26, 13);
    pen.fillStyle = token("--sheet");
    pen.fill();
    pen.strokeStyle = token("--ink");
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(right - wide + 12, height - 29);
    pen.lineTo(right - wide + 12, height - 25);
    pen.lineTo(right - wide + 12 + long, height - 25);
    pen.lineTo(right - wide + 12 + long, height - 29);
    pen.stroke();
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    pen.fillStyle = token("--ink");
    pen.fillText(label, right - 12, height - 25);
  }

  /** Write into the corner what is under the pointer. */
  private position(pen: CanvasRenderingContext2D, world: World, atlas: Atlas): void {
    if (!this.pointer) return;
    const at = this.cellAt(this.pointer.x, this.pointer.y);
    const [x, z] = [Math.floor(at.x), Math.floor(at.z)];
    const column = atlas.column(x, z);
    const label = column
      ? `${x}, ${column.top}, ${z} · ${world.looks.word(column.block)}`
      : `${x}, ${z} · nobody has been there`;
    pen.font = `12px ${SANS}`;
    const wide = pen.measureText(label).width + 20;
    pen.beginPath();
    pen.roundRect(12, this.frame.height - 38, wide, 26, 13);
    pen.fillStyle = token("--sheet");
    pen.fill();
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    pen.fillStyle = token("--ink");
    pen.fillText(label, 22, this.frame.height - 25);
  }
}

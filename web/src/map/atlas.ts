// The world from above, one pixel a column, in tiles. Generated land is requested tile by tile; watched land comes
// with the stream, and is newer.

import { request } from "../answers.ts";
import type { Looks } from "../blocks.ts";
import { CHUNK, COLUMNS } from "../bytes.ts";
import type { Terrain } from "../terrain.ts";

export const TILE = 256;
const CHUNKS = TILE / CHUNK;
const RECORD = 8 + COLUMNS * 3;
const ASK_AGAIN_MS = 20_000;
const MOST_ASKING = 4;
const TIMEOUT_MS = 8000;
const SHADE_PER_STEP = 0.055;
const MOST_SHADE = 0.2;
const GRAIN = 0.04;
// The heights between which the tint varies, and the steps between two contour lines.
const [LOWEST, HIGHEST] = [17, 32];
const LINE_EVERY = 3;

/** A tile's number from a column's coordinate. */
export const tileOf = (at: number): number => Math.floor(at / TILE);

/** The same for the same column: a number from 0 to 1. */
function grain(x: number, z: number): number {
  let h = Math.imul(x, 374761393) ^ Math.imul(z, 1440670441);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) & 0xffff) / 0xffff;
}

/** How light a column is: lit from the north-west, and a little different from its neighbours. */
export function lightOf(top: number, northWest: number, x: number, z: number): number {
  const slope = Math.max(-MOST_SHADE, Math.min(MOST_SHADE, (top - northWest) * SHADE_PER_STEP));
  return 1 + slope + (grain(x, z) - 0.5) * GRAIN;
}

/** The tint of a column, by its height and that of the ones to the west and north: low is blue, high is light. */
export function tint(top: number, west: number, north: number): [r: number, g: number, b: number, a: number] {
  const line =
    Math.floor(top / LINE_EVERY) !== Math.floor(west / LINE_EVERY) ||
    Math.floor(top / LINE_EVERY) !== Math.floor(north / LINE_EVERY);
  if (line) return [60, 40, 20, 210];
  const share = Math.max(0, Math.min(1, (top - LOWEST) / (HIGHEST - LOWEST)));
  return [70 + 185 * share, 110 + 130 * share, 150 + 60 * share, 170];
}

/** The chunks of an answer: where each is, and where its columns begin. */
export function* records(bytes: Uint8Array): Generator<[cx: number, cz: number, at: number]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + RECORD <= bytes.length; at += RECORD)
    yield [view.getInt32(at, true), view.getInt32(at + 4, true), at + 8];
}

export class Tile {
  readonly block = new Uint16Array(TILE * TILE);
  readonly top = new Uint8Array(TILE * TILE);
  /** By chunk: 1 once it has been painted. */
  readonly isPainted = new Uint8Array(CHUNKS * CHUNKS);
  readonly canvas = document.createElement("canvas");
  readonly pen: CanvasRenderingContext2D;
  askedAt = -Infinity;
  private drawn: HTMLCanvasElement | null = null;
  /** Whether heights must be drawn anew. */
  grown = true;

  constructor(
    readonly tx: number,
    readonly tz: number,
  ) {
    this.canvas.width = this.canvas.height = TILE;
    this.pen = this.canvas.getContext("2d")!;
  }

  /** How high the ground is: a tint by height, and a line wherever it crosses a multiple of some steps. */
  get heights(): HTMLCanvasElement {
    if (this.drawn && !this.grown) return this.drawn;
    this.grown = false;
    this.drawn ??= Object.assign(document.createElement("canvas"), { width: TILE, height: TILE });
    const image = new ImageData(TILE, TILE);
    for (let i = 0; i < this.top.length; i++)
      if (this.block[i])
        image.data.set(tint(this.top[i], this.top[i % TILE ? i - 1 : i], this.top[i - TILE] || this.top[i]), 4 * i);
    this.drawn.getContext("2d")!.putImageData(image, 0, 0);
    return this.drawn;
  }

  get blank(): boolean {
    return !this.isPainted.includes(1);
  }
}

/** A thing on the ground that can be seen from above. */
export interface Fixture {
  block: number;
  x: number;
  y: number;
  z: number;
}

export class Atlas {
  readonly tiles = new Map<string, Tile>();
  private readonly drawn = new Map<number, number>();
  private readonly dirty = new Map<string, readonly [cx: number, cz: number]>();
  private readonly square = new ImageData(CHUNK, CHUNK);
  private asking = 0;

  constructor(
    private readonly terrain: Terrain,
    private readonly looks: Looks,
  ) {}

  /**
   * Request tiles that are missing or old (none if no time is given), take in what the stream has brought, and paint.
   */
  update(tx0: number, tz0: number, tx1: number, tz1: number, now: number | null): void {
    for (let tz = tz0; now !== null && tz <= tz1; tz++) {
      for (let tx = tx0; tx <= tx1; tx++) {
        const tile = this.tile(tx, tz);
        if (now - tile.askedAt > ASK_AGAIN_MS && this.asking < MOST_ASKING) void this.ask(tile, now);
      }
    }
    for (const [key, chunk] of this.terrain.chunks) {
      if (this.drawn.get(key) === chunk.version || !chunk.surface.block[0]) continue;
      this.drawn.set(key, chunk.version);
      this.put(
        chunk.cx,
        chunk.cz,
        (i) => chunk.surface.block[i],
        (i) => chunk.surface.top[i],
      );
    }
    for (const [cx, cz] of this.dirty.values()) this.paint(cx, cz);
    this.dirty.clear();
  }

  at(tx: number, tz: number): Tile | undefined {
    return this.tiles.get(`${tx},${tz}`);
  }

  /** The topmost block of a column and its height, where they are known. */
  column(x: number, z: number): { block: number; top: number } | null {
    const tile = this.at(tileOf(x), tileOf(z));
    const at = (z & (TILE - 1)) * TILE + (x & (TILE - 1));
    return tile?.block[at] ? { block: tile.block[at], top: tile.top[at] } : null;
  }

  /** Everything that can be seen from above whose block's number is marked. */
  fixtures(isOne: Uint8Array): Fixture[] {
    const fixtures: Fixture[] = [];
    for (const { tx, tz, block, top } of this.tiles.values()) {
      for (let i = 0; i < block.length; i++) {
        if (isOne[block[i]])
          fixtures.push({ block: block[i], x: tx * TILE + (i % TILE), y: top[i], z: tz * TILE + Math.floor(i / TILE) });
      }
    }
    return fixtures;
  }

  private tile(tx: number, tz: number): Tile {
    const key = `${tx},${tz}`;
    const existing = this.tiles.get(key);
    if (existing) return existing;
    const tile = new Tile(tx, tz);
    this.tiles.set(key, tile);
    return tile;
  }

  private async ask(tile: Tile, now: number): Promise<void> {
    tile.askedAt = now;
    this.asking++;
    try {
      const [x, z] = [tile.tx * TILE, tile.tz * TILE];
      const path = `admin/v1/observer/surfaces?x0=${x}&z0=${z}&x1=${x + TILE - 1}&z1=${z + TILE - 1}`;
      const answer = await request(path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (answer.ok) this.take(new Uint8Array(await answer.arrayBuffer()));
    } catch {
      // the next look requests it again
    }
    this.asking--;
  }

  private take(bytes: Uint8Array): void {
    for (const [cx, cz, at] of records(bytes)) {
      if (this.terrain.at(cx, cz)) continue;
      this.put(
        cx,
        cz,
        (i) => bytes[at + 3 * i] | (bytes[at + 3 * i + 1] << 8),
        (i) => bytes[at + 3 * i + 2],
      );
    }
  }

  private put(cx: number, cz: number, block: (i: number) => number, top: (i: number) => number): void {
    const tile = this.tile(Math.floor(cx / CHUNKS), Math.floor(cz / CHUNKS));
    const left = (cx - tile.tx * CHUNKS) * CHUNK;
    const above = (cz - tile.tz * CHUNKS) * CHUNK;
    let changed = false;
    for (let i = 0; i < COLUMNS; i++) {
      const at = (above + (i >> 4)) * TILE + left + (i & 15);
      if (tile.block[at] === block(i) && tile.top[at] === top(i)) continue;
      tile.block[at] = block(i);
      tile.top[at] = top(i);
      changed = true;
    }
    tile.grown ||= changed;
    tile.isPainted[(above / CHUNK) * CHUNKS + left / CHUNK] = 1;
    // Columns to the east and south are shaded by these.
    if (changed)
      for (const [dx, dz] of [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
      ])
        this.dirty.set(`${cx + dx},${cz + dz}`, [cx + dx, cz + dz]);
  }

  private paint(cx: number, cz: number): void {
    const tile = this.at(Math.floor(cx / CHUNKS), Math.floor(cz / CHUNKS));
    if (!tile) return;
    const { data } = this.square;
    for (let i = 0; i < COLUMNS; i++) {
      const x = cx * CHUNK + (i & 15);
      const z = cz * CHUNK + (i >> 4);
      const here = this.column(x, z);
      const [r, g, b] = this.looks.top[here?.block ?? 0] ?? [0, 0, 0];
      const light = here ? lightOf(here.top, this.column(x - 1, z - 1)?.top ?? here.top, x, z) : 0;
      data.set([r * light, g * light, b * light, here ? 255 : 0], 4 * i);
    }
    tile.pen.putImageData(this.square, (cx - tile.tx * CHUNKS) * CHUNK, (cz - tile.tz * CHUNKS) * CHUNK);
  }
}

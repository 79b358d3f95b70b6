// The known ground: the surfaces of many chunks, and every cell of a few.

import type { Looks } from "./blocks.ts";
import { CHUNK, COLUMNS, readSurface, readVoxels, type Surface } from "./bytes.ts";
import type { ChunkMessage } from "./protocol.ts";

const ORIGIN = 1 << 15;

/** A chunk's two coordinates as one number. */
export const chunkKey = (cx: number, cz: number): number => (cx + ORIGIN) * 2 * ORIGIN + (cz + ORIGIN);

/** Chunks up to this far from what the camera looks at are shown with every cell, others by their surface. */
export const VOXEL_RADIUS = 3;

// Where only leaves are visible, the ground is assumed to be this far below them.
const CROWN_HEIGHT = 6;

// The corners of a chunk. A change of all four affects every neighbouring chunk.
const LAST = CHUNK - 1;
const CORNERS = [
  { x: 0, z: 0 },
  { x: LAST, z: 0 },
  { x: 0, z: LAST },
  { x: LAST, z: LAST },
];

/** Along one axis: the chunks whose faces or shades depend on a cell of this chunk. */
function reach(cell: number, chunk: number): number[] {
  if (cell === 0) return [chunk - 1, chunk];
  return cell === LAST ? [chunk, chunk + 1] : [chunk];
}

// How far in front of somebody a block can hide them, and the step with which that is checked.
const SIGHT = 24;
const SIGHT_STEP = 0.4;
const HIT_STEP = 0.05;

interface Point {
  x: number;
  y: number;
  z: number;
}

export interface Lamp {
  x: number;
  y: number;
  z: number;
}

export class Chunk {
  voxels: Uint16Array | null = null;
  /** Grows with every change. */
  version = 0;
  private floor: Uint8Array | null = null;
  private shining: Lamp[] | null = null;

  constructor(
    readonly cx: number,
    readonly cz: number,
    public surface: Surface,
  ) {}

  /** The height of the ground in each column. Under leaves, that of the nearest column where it is visible. */
  ground(looks: Looks): Uint8Array {
    this.floor ??= groundUnder(this.surface, looks.leaves);
    return this.floor;
  }

  /** The known lamps of this chunk. */
  lamps(looks: Looks): readonly Lamp[] {
    this.shining ??= lampsIn(this, looks);
    return this.shining;
  }

  changed(): void {
    this.floor = this.shining = null;
    this.version++;
  }
}

function lampsIn({ cx, cz, voxels, surface }: Chunk, { glow }: Looks): Lamp[] {
  const lamps: Lamp[] = [];
  const add = (i: number, y: number) =>
    lamps.push({ x: cx * CHUNK + (i & 15) + 0.5, y: y + 0.6, z: cz * CHUNK + (i >> 4) + 0.5 });
  if (voxels) {
    for (let at = 0; at < voxels.length; at++)
      if (voxels[at] && glow[voxels[at]]) add(at % COLUMNS, Math.floor(at / COLUMNS));
  } else {
    for (let i = 0; i < COLUMNS; i++) if (glow[surface.block[i]]) add(i, surface.top[i]);
  }
  return lamps;
}

function groundUnder({ block, top }: Surface, leaves: number): Uint8Array {
  const ground = top.slice();
  const hasHeight = new Uint8Array(COLUMNS);
  let edge: number[] = [];
  for (let i = 0; i < COLUMNS; i++) {
    if (block[i] !== leaves) {
      hasHeight[i] = 1;
      edge.push(i);
    } else {
      ground[i] = Math.max(0, top[i] - CROWN_HEIGHT);
    }
  }
  while (edge.length) {
    const next: number[] = [];
    for (const i of edge) {
      for (const beside of besides(i)) {
        if (hasHeight[beside]) continue;
        hasHeight[beside] = 1;
        ground[beside] = Math.min(ground[i], top[beside]);
        next.push(beside);
      }
    }
    edge = next;
  }
  return ground;
}

function* besides(i: number): Generator<number> {
  const x = i % CHUNK;
  if (x > 0) yield i - 1;
  if (x < CHUNK - 1) yield i + 1;
  if (i >= CHUNK) yield i - CHUNK;
  if (i < COLUMNS - CHUNK) yield i + CHUNK;
}

export class Terrain {
  readonly chunks = new Map<number, Chunk>();
  /** Chunks that must be meshed again or removed. */
  readonly stale = new Map<number, readonly [cx: number, cz: number]>();

  constructor(
    readonly height: number,
    readonly looks: Looks,
  ) {}

  at(cx: number, cz: number): Chunk | undefined {
    return this.chunks.get(chunkKey(cx, cz));
  }

  /** The height of the ground at a place; undefined if it is not known. */
  groundAt(x: number, z: number): number | undefined {
    const bx = Math.floor(x);
    const bz = Math.floor(z);
    const chunk = this.at(bx >> 4, bz >> 4);
    return chunk?.ground(this.looks)[(bz & 15) * CHUNK + (bx & 15)];
  }

  /** The block in a cell of a chunk whose cells are all known; else undefined. */
  blockAt(x: number, y: number, z: number): number | undefined {
    if (y < 0 || y >= this.height) return 0;
    return this.at(x >> 4, z >> 4)?.voxels?.[y * COLUMNS + (z & 15) * CHUNK + (x & 15)];
  }

  /** The number of chunks around a place of which every cell is known. */
  wholeAround(x: number, z: number, radius: number): number {
    const cx = Math.floor(x) >> 4;
    const cz = Math.floor(z) >> 4;
    let count = 0;
    for (let dx = -radius; dx <= radius; dx++) {
      for (let dz = -radius; dz <= radius; dz++) if (this.at(cx + dx, cz + dz)?.voxels) count++;
    }
    return count;
  }

  /** The first block that a ray meets, where all cells are known. */
  hit(from: Point, way: Point, most: number): (Point & { block: number }) | null {
    for (let far = 0; far < most; far += HIT_STEP) {
      const [x, y, z] = [from.x + way.x * far, from.y + way.y * far, from.z + way.z * far].map(Math.floor);
      const block = this.blockAt(x, y, z);
      if (block) return { x, y, z, block };
    }
    return null;
  }

  /** Whether no known opaque block lies between two points. */
  sees(from: Point, to: Point): boolean {
    const way = Math.hypot(to.x - from.x, to.y - from.y, to.z - from.z);
    const steps = Math.ceil(Math.min(way, SIGHT) / SIGHT_STEP);
    for (let n = 1; n < steps; n++) {
      // Starting at the far end, because what hides somebody is mostly near them.
      const share = (n * SIGHT_STEP) / way;
      const [x, y, z] = [
        to.x + (from.x - to.x) * share,
        to.y + (from.y - to.y) * share,
        to.z + (from.z - to.z) * share,
      ].map(Math.floor);
      const block = this.blockAt(x, y, z);
      const ground = block === undefined ? this.groundAt(x, z) : undefined;
      if (block !== undefined ? this.looks.opaque[block] : ground !== undefined && y <= ground) return false;
    }
    return true;
  }

  take(message: ChunkMessage): void {
    const { cx, cz } = message;
    const chunk = this.at(cx, cz);
    const before = chunk?.lamps(this.looks).length ?? 0;
    switch (message.type) {
      case "CHUNK_SURFACE": {
        const surface = readSurface(message.data);
        if (!surface) return;
        if (chunk) chunk.surface = surface;
        else this.chunks.set(chunkKey(cx, cz), new Chunk(cx, cz, surface));
        break;
      }
      case "CHUNK_VOXELS": {
        const voxels = readVoxels(message.data, this.height);
        if (!voxels) return;
        (chunk ?? this.bare(cx, cz)).voxels = voxels;
        break;
      }
      case "CHUNK_PATCH":
        if (!chunk) return;
        for (const { x, z, block, y } of message.cells) {
          chunk.surface.block[z * CHUNK + x] = block;
          chunk.surface.top[z * CHUNK + x] = y;
        }
        break;
      case "CHUNK_VOXEL_PATCH":
        if (!chunk?.voxels) return;
        for (const { x, y, z, block } of message.cells) chunk.voxels[y * COLUMNS + z * CHUNK + x] = block;
        break;
      case "CHUNK_EVICT":
        this.chunks.delete(chunkKey(cx, cz));
        break;
      case "CHUNK_VOXELS_EVICT":
        if (chunk) chunk.voxels = null;
        break;
    }
    const here = this.at(cx, cz);
    here?.changed();
    // Light reaches into every neighbour.
    const lit = (here?.lamps(this.looks).length ?? 0) !== before;
    this.spoil(cx, cz, "cells" in message && !lit ? message.cells : CORNERS);
  }

  /** A chunk of the past, with every cell or without. */
  put(cx: number, cz: number, surface: Surface, voxels: Uint16Array | null): void {
    const chunk = this.at(cx, cz) ?? this.bare(cx, cz);
    chunk.surface = surface;
    chunk.voxels = voxels;
    chunk.changed();
    this.spoil(cx, cz, CORNERS);
  }

  /** A chunk whose surface has not come yet. */
  private bare(cx: number, cz: number): Chunk {
    const chunk = new Chunk(cx, cz, { block: new Uint16Array(COLUMNS), top: new Uint8Array(COLUMNS) });
    this.chunks.set(chunkKey(cx, cz), chunk);
    return chunk;
  }

  /** A change at a chunk's edge also affects the faces and shades of its neighbours. */
  private spoil(cx: number, cz: number, changed: readonly { x: number; z: number }[]): void {
    this.stale.set(chunkKey(cx, cz), [cx, cz]);
    for (const { x, z } of changed) {
      for (const nx of reach(x, cx)) {
        for (const nz of reach(z, cz)) {
          const key = chunkKey(nx, nz);
          if (this.chunks.has(key)) this.stale.set(key, [nx, nz]);
        }
      }
    }
  }
}

// Turns chunks into quads: the faces between opaque cells and others, darker in corners.
//
// A chunk is copied into a box with a margin of one cell, so that neighbours need no special case. Where only
// the surface of a column is known, the rest of it is what most likely lies there.

import type { Rgb } from "./blocks.ts";
import { CHUNK } from "./bytes.ts";
import type { Chunk, Lamp, Terrain } from "./terrain.ts";

/** The faces of one chunk, four corners each. Positions are in sixteenths of a cell from the chunk's corner. */
export interface Quads {
  count: number;
  /** For each corner: x, y, z, and the side (see SIDES) plus eight times the light of lamps (see BRIGHTEST). */
  place: Uint16Array;
  /** For each corner: red, green, blue, and 255 if it shines by itself, else KIND_STEP times its pattern. */
  paint: Uint8Array;
}

export const UNITS = 16;
export const KIND_STEP = 8;
export const BRIGHTEST = 31;
// How far the light of a lamp reaches, in cells.
const LAMP_REACH = 9;
export const SIDES: readonly (readonly [number, number, number])[] = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
];
const UP = 2;
const DOWN = 3;

const WIDTH = CHUNK + 2;
const LAYER = WIDTH * WIDTH;
const MARGIN_LAYERS = 2;
// The height of the cut that is shown where the known ground ends.
const EDGE_DEPTH = 4;
const CROWN_DEPTH = 2;
const WATER_TOP = 14;

const SHADES = [0.64, 0.78, 0.9, 1];
// How much colour varies from cell to cell.
const GRAIN = 0.07;

const offsetOf = (x: number, y: number, z: number): number => y * LAYER + z * WIDTH + x;

interface Corner {
  x: number;
  y: number;
  z: number;
  /** The offsets of the two cells beside a corner and of the one across it, from the cell itself. */
  one: number;
  two: number;
  across: number;
}

const CORNERS: readonly (readonly Corner[])[] = SIDES.map((normal) => {
  const axis = normal.findIndex((part) => part !== 0);
  const u = (axis + 1) % 3;
  const v = (axis + 2) % 3;
  const around = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ];
  if (normal[axis] < 0) around.reverse();
  return around.map(([atU, atV]) => {
    const corner = [0, 0, 0];
    corner[axis] = normal[axis] > 0 ? 1 : 0;
    corner[u] = atU;
    corner[v] = atV;
    const one = [...normal];
    one[u] += 2 * atU - 1;
    const two = [...normal];
    two[v] += 2 * atV - 1;
    const across = [...one];
    across[v] += 2 * atV - 1;
    const [x, y, z] = corner;
    return {
      x,
      y,
      z,
      one: offsetOf(one[0], one[1], one[2]),
      two: offsetOf(two[0], two[1], two[2]),
      across: offsetOf(across[0], across[1], across[2]),
    };
  });
});
const BESIDE = SIDES.map(([x, y, z]) => offsetOf(x, y, z));

/** The boxes of small things, from and to, in sixteenths of a cell. */
const BOXES = {
  post: [7, 0, 7, 9, 11, 9],
  board: [2, 4, 7, 14, 15, 9],
  flat: [0, 0, 0, 16, 1, 16],
} as const;

/** A growing buffer for quads, which is used again for the next chunk. */
class Sheet {
  private place = new Uint16Array(4096 * 16);
  private paint = new Uint8Array(4096 * 16);
  count = 0;

  corner(
    quad: number,
    n: number,
    x: number,
    y: number,
    z: number,
    side: number,
    colour: Rgb,
    light: number,
    sheen: number,
  ): void {
    const at = (quad * 4 + n) * 4;
    this.place[at] = x;
    this.place[at + 1] = y;
    this.place[at + 2] = z;
    this.place[at + 3] = side;
    this.paint[at] = Math.min(255, colour[0] * light);
    this.paint[at + 1] = Math.min(255, colour[1] * light);
    this.paint[at + 2] = Math.min(255, colour[2] * light);
    this.paint[at + 3] = sheen;
  }

  next(): number {
    if ((this.count + 1) * 16 > this.place.length) {
      const place = new Uint16Array(this.place.length * 2);
      place.set(this.place);
      this.place = place;
      const paint = new Uint8Array(this.paint.length * 2);
      paint.set(this.paint);
      this.paint = paint;
    }
    return this.count++;
  }

  take(): Quads {
    const { count } = this;
    this.count = 0;
    return { count, place: this.place.slice(0, count * 16), paint: this.paint.slice(0, count * 16) };
  }
}

/** The same for the same cell: a number from 0 to 1. */
function grain(x: number, y: number, z: number): number {
  let h = Math.imul(x, 374761393) ^ Math.imul(y, 668265263) ^ Math.imul(z, 1440670441);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) & 0xffff) / 0xffff;
}

export class Mesher {
  private readonly cells: Uint16Array;
  private readonly sheet = new Sheet();
  private low = 0;
  private high = 0;
  private lamps: Lamp[] = [];

  constructor(private readonly terrain: Terrain) {
    this.cells = new Uint16Array(LAYER * (terrain.height + MARGIN_LAYERS));
  }

  /** All faces of a chunk that can be seen. */
  mesh(chunk: Chunk): Quads {
    this.copy(chunk);
    this.lamps = this.lampsNear(chunk);
    for (let y = this.low; y <= this.high; y++) {
      for (let z = 0; z < CHUNK; z++) {
        let at = offsetOf(1, y + 1, z + 1);
        for (let x = 0; x < CHUNK; x++, at++) {
          if (this.cells[at] !== 0) this.cell(chunk, at, x, y, z);
        }
      }
    }
    return this.sheet.take();
  }

  /** The fourth value of a corner's paint: that it shines, or its pattern. */
  private sheen(block: number): number {
    const { glow, kind } = this.terrain.looks;
    return glow[block] ? 255 : kind[block] * KIND_STEP;
  }

  private lampsNear({ cx, cz }: Chunk): Lamp[] {
    const lamps: Lamp[] = [];
    for (let dz = -1; dz <= 1; dz++) {
      for (let dx = -1; dx <= 1; dx++) {
        for (const { x, y, z } of this.terrain.at(cx + dx, cz + dz)?.lamps(this.terrain.looks) ?? []) {
          const lamp = { x: x - cx * CHUNK, y, z: z - cz * CHUNK };
          if (Math.max(-lamp.x, lamp.x - CHUNK, -lamp.z, lamp.z - CHUNK) < LAMP_REACH) lamps.push(lamp);
        }
      }
    }
    return lamps;
  }

  /** The side and the light of lamps at a corner, packed into one number. */
  private lit(side: number, x: number, y: number, z: number): number {
    let most = 0;
    const [nx, ny, nz] = SIDES[side];
    for (const lamp of this.lamps) {
      const [dx, dy, dz] = [lamp.x - x, lamp.y - y, lamp.z - z];
      const square = dx * dx + dy * dy + dz * dz;
      if (square >= LAMP_REACH * LAMP_REACH) continue;
      const far = Math.sqrt(square);
      // What faces away gets little.
      const faces = 0.45 + 0.55 * Math.max(0, Math.min(1, (dx * nx + dy * ny + dz * nz) / (far + 0.5) + 0.35));
      most = Math.max(most, (1 - far / LAMP_REACH) * faces);
    }
    return side + 8 * Math.round(BRIGHTEST * most);
  }

  private cell(chunk: Chunk, at: number, x: number, y: number, z: number): void {
    const { looks } = this.terrain;
    const block = this.cells[at];
    const light = 1 - GRAIN / 2 + GRAIN * grain(chunk.cx * CHUNK + x, y, chunk.cz * CHUNK + z);
    switch (looks.shape[block]) {
      case "cube":
        for (let side = 0; side < 6; side++) {
          if (this.shows(at, side, y)) this.face(at, side, x, y, z, block, light);
        }
        break;
      case "water":
        this.water(at, x, y, z, block);
        break;
      case "plant":
        this.plant(x, y, z, block, light);
        break;
      case "post":
      case "board":
      case "flat":
        this.box(BOXES[looks.shape[block] as keyof typeof BOXES], x, y, z, block, light);
        break;
    }
  }

  /** Whether the face of a cube can be seen: not through what is opaque, and not deep under water. */
  private shows(at: number, side: number, y: number): boolean {
    const { opaque, shape } = this.terrain.looks;
    if (side === DOWN && y === this.low) return false;
    const beside = at + BESIDE[side];
    const there = this.cells[beside];
    if (opaque[there]) return false;
    return shape[there] !== "water" || (side !== UP && shape[this.cells[beside + LAYER]] !== "water");
  }

  private face(at: number, side: number, x: number, y: number, z: number, block: number, light: number): void {
    const { looks } = this.terrain;
    const { cells, sheet } = this;
    const colour = side === UP ? looks.top[block] : looks.side[block];
    const corners = CORNERS[side];
    const shades = corners.map(({ one, two, across }) => {
      const a = looks.opaque[cells[at + one]];
      const b = looks.opaque[cells[at + two]];
      return a && b ? 0 : 3 - a - b - looks.opaque[cells[at + across]];
    });
    // The diagonal joins the lighter pair, so that a dark corner stays in its corner.
    const first = shades[0] + shades[2] >= shades[1] + shades[3] ? 0 : 1;
    const quad = sheet.next();
    for (let n = 0; n < 4; n++) {
      const c = corners[(first + n) & 3];
      const shade = light * SHADES[shades[(first + n) & 3]];
      const lit = this.lit(side, x + c.x, y + c.y, z + c.z);
      sheet.corner(
        quad,
        n,
        (x + c.x) * UNITS,
        (y + c.y) * UNITS,
        (z + c.z) * UNITS,
        lit,
        colour,
        shade,
        this.sheen(block),
      );
    }
  }

  private water(at: number, x: number, y: number, z: number, block: number): void {
    const { looks } = this.terrain;
    const surface = looks.shape[this.cells[at + LAYER]] !== "water";
    for (let side = 0; side < 6; side++) {
      const there = this.cells[at + BESIDE[side]];
      const hidden = looks.opaque[there] || looks.shape[there] === "water" || side === DOWN;
      if (hidden && !(side === UP && surface)) continue;
      const colour = side === UP ? looks.top[block] : looks.side[block];
      const quad = this.sheet.next();
      CORNERS[side].forEach((c, n) => {
        const rise = c.y && surface ? WATER_TOP : c.y * UNITS;
        const lit = this.lit(side, x + c.x, y + c.y, z + c.z);
        this.sheet.corner(
          quad,
          n,
          (x + c.x) * UNITS,
          y * UNITS + rise,
          (z + c.z) * UNITS,
          lit,
          colour,
          1,
          this.sheen(block),
        );
      });
    }
  }

  /** A plant: two crossed blades, visible from both sides, with the light of the ground below. */
  private plant(x: number, y: number, z: number, block: number, light: number): void {
    const { looks } = this.terrain;
    const lit = this.lit(UP, x + 0.5, y, z + 0.5);
    for (const [fromX, fromZ, toX, toZ] of [
      [2, 2, 14, 14],
      [14, 2, 2, 14],
    ]) {
      for (const [ax, az, bx, bz] of [
        [fromX, fromZ, toX, toZ],
        [toX, toZ, fromX, fromZ],
      ]) {
        const quad = this.sheet.next();
        const put = (n: number, px: number, py: number, pz: number, colour: Rgb) =>
          this.sheet.corner(
            quad,
            n,
            x * UNITS + px,
            y * UNITS + py,
            z * UNITS + pz,
            lit,
            colour,
            light,
            this.sheen(block),
          );
        put(0, ax, 0, az, looks.side[block]);
        put(1, bx, 0, bz, looks.side[block]);
        put(2, bx, 14, bz, looks.top[block]);
        put(3, ax, 14, az, looks.top[block]);
      }
    }
  }

  private box(box: readonly number[], x: number, y: number, z: number, block: number, light: number): void {
    const { looks } = this.terrain;
    for (let side = 0; side < 6; side++) {
      const colour = side === UP ? looks.top[block] : looks.side[block];
      const quad = this.sheet.next();
      CORNERS[side].forEach((c, n) => {
        const place = [c.x, c.y, c.z].map((end, axis) => box[axis + 3 * end]);
        this.sheet.corner(
          quad,
          n,
          x * UNITS + place[0],
          y * UNITS + place[1],
          z * UNITS + place[2],
          this.lit(side, x + 0.5, y + 0.5, z + 0.5),
          colour,
          light,
          this.sheen(block),
        );
      });
    }
  }

  // The box with its margin

  private copy(chunk: Chunk): void {
    const { terrain, cells } = this;
    cells.fill(0);
    this.low = chunk.voxels ? 0 : terrain.height;
    this.high = 0;
    const around: (Chunk | undefined)[] = [];
    for (let dz = -1; dz <= 1; dz++) {
      for (let dx = -1; dx <= 1; dx++) around.push(terrain.at(chunk.cx + dx, chunk.cz + dz));
    }
    const columnOf = (x: number, z: number) => {
      const owner = around[((z + CHUNK) >> 4) * 3 + ((x + CHUNK) >> 4)];
      return owner && { owner, i: (z & 15) * CHUNK + (x & 15) };
    };
    for (let z = -1; z <= CHUNK; z++) {
      for (let x = -1; x <= CHUNK; x++) {
        const column = columnOf(x, z);
        if (column) this.measure(column.owner, column.i, column.owner === chunk);
      }
    }
    this.low = Math.max(0, this.low - EDGE_DEPTH);
    for (let z = -1; z <= CHUNK; z++) {
      for (let x = -1; x <= CHUNK; x++) {
        const column = columnOf(x, z);
        if (column) this.column(column.owner, column.i, offsetOf(x + 1, 1, z + 1));
      }
    }
    this.trunks(chunk);
  }

  private measure(chunk: Chunk, i: number, own: boolean): void {
    if (!chunk.voxels || !own) this.low = Math.min(this.low, chunk.ground(this.terrain.looks)[i]);
    if (own) this.high = Math.max(this.high, chunk.voxels ? this.terrain.height - 1 : chunk.surface.top[i]);
  }

  /** Write one column of the box, whose lowest cell is at `base`. */
  private column(chunk: Chunk, i: number, base: number): void {
    const { cells, terrain } = this;
    const { looks, height } = terrain;
    if (chunk.voxels) {
      for (let y = this.low; y < height; y++) cells[base + y * LAYER] = chunk.voxels[y * CHUNK * CHUNK + i];
      return;
    }
    const block = chunk.surface.block[i];
    const top = chunk.surface.top[i];
    if (block === 0) return;
    let under = looks.under[block];
    let next = top - 1;
    cells[base + top * LAYER] = block;
    if (block === looks.leaves) {
      const ground = chunk.ground(looks)[i];
      for (; next > ground && next > top - CROWN_DEPTH; next--) cells[base + next * LAYER] = block;
      next = Math.min(next, ground);
      under = looks.grass;
    }
    for (let y = next; y >= this.low; y--) {
      cells[base + y * LAYER] = under;
      under = looks.under[under];
    }
  }

  /** Add the trunks that surfaces do not show: below the middle of a crown, where it is flat and three leaves wide. */
  private trunks(chunk: Chunk): void {
    if (chunk.voxels) return;
    const { looks } = this.terrain;
    const { block, top } = chunk.surface;
    const ground = chunk.ground(looks);
    for (let i = 0; i < CHUNK * CHUNK; i++) {
      if (block[i] !== looks.leaves) continue;
      const base = offsetOf((i & 15) + 1, 1, (i >> 4) + 1);
      const crown = base + top[i] * LAYER;
      const level = [1, -1, WIDTH, -WIDTH].every(
        (beside) => this.cells[crown + beside] === looks.leaves && this.cells[crown + beside + LAYER] !== looks.leaves,
      );
      if (!level) continue;
      for (let y = ground[i] + 1; y < top[i]; y++) this.cells[base + y * LAYER] = looks.log;
    }
  }
}

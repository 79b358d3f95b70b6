// The ground as meshes, one for four chunks, so that a thousand chunks need only a few hundred draw calls. Chunks
// that changed are meshed again, the nearest first, within a budget of time for each frame.

import { BufferAttribute, BufferGeometry, Group, Mesh, Sphere, Vector3 } from "three";
import { CHUNK } from "../bytes.ts";
import { Mesher, type Quads, UNITS } from "../mesher.ts";
import { chunkKey, type Terrain } from "../terrain.ts";
import { groundMaterial } from "./shaders.ts";

const SIDE = 2;
const BUDGET_MS = 5;
// If frames take long anyway, this share of a frame may be spent on the ground.
const BUDGET_SHARE = 0.4;

const regionKey = (cx: number, cz: number) => chunkKey(Math.floor(cx / SIDE), Math.floor(cz / SIDE));

/** The index of two triangles for every four corners, shared by all meshes. */
let quadIndex = new BufferAttribute(new Uint32Array(0), 1);

function indexFor(quads: number): BufferAttribute {
  if (quadIndex.count < quads * 6) {
    const room = Math.max(quads, 4096) * 2;
    const index = new Uint32Array(room * 6);
    for (let quad = 0; quad < room; quad++) {
      index.set(
        [0, 1, 2, 0, 2, 3].map((corner) => quad * 4 + corner),
        quad * 6,
      );
    }
    quadIndex = new BufferAttribute(index, 1);
  }
  return quadIndex;
}

class Region {
  readonly quads = new Map<number, { cx: number; cz: number; quads: Quads }>();
  readonly mesh = new Mesh(new BufferGeometry(), groundMaterial);

  constructor(
    private readonly rx: number,
    private readonly rz: number,
    private readonly height: number,
  ) {
    this.mesh.scale.setScalar(1 / UNITS);
    this.mesh.position.set(rx * SIDE * CHUNK, 0, rz * SIDE * CHUNK);
  }

  rebuild(): void {
    const parts = [...this.quads.values()];
    const count = parts.reduce((sum, part) => sum + part.quads.count, 0);
    const place = new Uint16Array(count * 16);
    const paint = new Uint8Array(count * 16);
    let at = 0;
    for (const { cx, cz, quads } of parts) {
      const dx = (cx - this.rx * SIDE) * CHUNK * UNITS;
      const dz = (cz - this.rz * SIDE) * CHUNK * UNITS;
      paint.set(quads.paint, at);
      for (let i = 0; i < quads.place.length; i += 4, at += 4) {
        place[at] = quads.place[i] + dx;
        place[at + 1] = quads.place[i + 1];
        place[at + 2] = quads.place[i + 2] + dz;
        place[at + 3] = quads.place[i + 3];
      }
    }
    this.dispose();
    const geometry = new BufferGeometry();
    geometry.setAttribute("place", new BufferAttribute(place, 4));
    geometry.setAttribute("paint", new BufferAttribute(paint, 4, true));
    geometry.setIndex(indexFor(count));
    geometry.setDrawRange(0, count * 6);
    const half = (SIDE * CHUNK * UNITS) / 2;
    const rise = (this.height * UNITS) / 2;
    geometry.boundingSphere = new Sphere(new Vector3(half, rise, half), Math.hypot(half, half, rise));
    this.mesh.geometry = geometry;
  }

  dispose(): void {
    this.mesh.geometry.setIndex(null); // all meshes share the index
    this.mesh.geometry.dispose();
  }
}

export class Ground {
  readonly group = new Group();
  private readonly regions = new Map<number, Region>();
  private readonly mesher: Mesher;

  constructor(private readonly terrain: Terrain) {
    this.mesher = new Mesher(terrain);
  }

  /** Mesh changed chunks for a few milliseconds, those nearest to (x, z) first. */
  update(x: number, z: number, frameMs = 0): void {
    const { stale } = this.terrain;
    const end = performance.now() + Math.max(BUDGET_MS, frameMs * BUDGET_SHARE);
    const touched = new Set<Region>();
    while (stale.size && performance.now() < end) {
      const [cx, cz] = nearest(stale.values(), x / CHUNK, z / CHUNK);
      const key = chunkKey(cx, cz);
      stale.delete(key);
      touched.add(this.draw(key, cx, cz));
    }
    for (const region of touched) this.finish(region);
  }

  /** How many chunks are still to be drawn. */
  get behind(): number {
    return this.terrain.stale.size;
  }

  dispose(): void {
    for (const region of this.regions.values()) region.dispose();
  }

  private draw(key: number, cx: number, cz: number): Region {
    const region = this.regionOf(cx, cz);
    const chunk = this.terrain.at(cx, cz);
    if (chunk) region.quads.set(key, { cx, cz, quads: this.mesher.mesh(chunk) });
    else region.quads.delete(key);
    return region;
  }

  private regionOf(cx: number, cz: number): Region {
    const key = regionKey(cx, cz);
    let region = this.regions.get(key);
    if (!region) {
      region = new Region(Math.floor(cx / SIDE), Math.floor(cz / SIDE), this.terrain.height);
      this.regions.set(key, region);
      this.group.add(region.mesh);
    }
    return region;
  }

  private finish(region: Region): void {
    if (region.quads.size) {
      region.rebuild();
      return;
    }
    region.dispose();
    this.group.remove(region.mesh);
    for (const [key, one] of this.regions) if (one === region) this.regions.delete(key);
  }
}

function nearest(chunks: Iterable<readonly [number, number]>, x: number, z: number): readonly [number, number] {
  let best: readonly [number, number] = [0, 0];
  let least = Infinity;
  for (const chunk of chunks) {
    const far = (chunk[0] + 0.5 - x) ** 2 + (chunk[1] + 0.5 - z) ** 2;
    if (far < least) [best, least] = [chunk, far];
  }
  return best;
}

// The ground of the past: fetched around the centre of the view, then moved from tick to tick by the changes in
// segments.

import type { Position } from "../protocol.ts";
import { RequestPace } from "../request_pace.ts";
import { askGround, Cells, type Segment, surfaceOf } from "../tape.ts";
import { type Terrain, VOXEL_RADIUS } from "../terrain.ts";
import type { TapeReader } from "./tape_reader.ts";

const GROUND_RADIUS = 6;
// The ground is fetched anew when the view has moved this far.
const MOVED_CHUNKS = 3;
// After a failure it is requested again no sooner than this.
const AGAIN_MS = 1000;

type Chunk = readonly [cx: number, cz: number];

/** Where the view is centred, given where each agent is. */
export type Focus = (positionOf: (id: string) => Position | undefined) => { x: number; z: number };

/** Is told about the results of requests for ground. */
export interface GroundListener {
  readonly isPast: boolean;
  groundArrived(): void;
  /** `problem` is null when new ground can be shown. */
  groundFailed(problem: string | null): void;
}

export class PastGround {
  private cells: Cells | null = null;
  private terrain: Terrain | null = null;
  /** The chunk in the middle of the ground that was fetched. */
  private centre: Chunk = [0, 0];
  /** The chunk around which every block is shown. */
  private near: Chunk = [0, 0];
  private isLoading = false;
  private readonly pace = new RequestPace<"ground">(AGAIN_MS);

  constructor(
    private readonly tape: TapeReader,
    private readonly focus: Focus,
    private readonly listener: GroundListener,
  ) {}

  get isLoaded(): boolean {
    return this.cells !== null;
  }

  /** Show the ground in this terrain from now on. */
  showIn(terrain: Terrain): void {
    this.terrain = terrain;
    if (this.cells) this.fill(this.cells.chunks.keys());
  }

  clear(): void {
    this.cells = null;
    this.terrain = null;
  }

  /** Request at once even after a failure, because the reader has chosen another tick. */
  retry(): void {
    this.pace.reset();
  }

  /** Move the ground to a tick, or fetch it if that is not possible or the view has moved. */
  move(segment: Segment, tick: number): void {
    const positionOf = (id: string) => segment.tickAt(tick).agents.find((agent) => agent.id === id)?.pos;
    const { x, z } = this.focus(positionOf);
    const chunk: Chunk = [Math.floor(x) >> 4, Math.floor(z) >> 4];
    const way = this.cells && this.tape.between(this.cells.tick, tick);
    if (this.cells && way) this.fill(this.cells.follow(tick, way));
    if (!this.cells || !way || distance(chunk, this.centre) >= MOVED_CHUNKS) void this.fetch(tick, chunk);
    if (this.cells && this.terrain && distance(chunk, this.near) > 0) this.showEveryBlockAround(chunk);
  }

  /** The block in a cell; undefined where the ground is not loaded. */
  blockAt([x, y, z]: readonly number[]): number | undefined {
    return this.cells?.chunks.get(`${x >> 4},${z >> 4}`)?.[(y << 8) | ((z & 15) << 4) | (x & 15)];
  }

  /** Show every block around another chunk, and only surfaces around the one before. */
  private showEveryBlockAround(chunk: Chunk): void {
    const before = this.near;
    this.near = chunk;
    const differs = (key: string) => isNear(chunkOf(key), before) !== isNear(chunkOf(key), chunk);
    this.fill([...this.cells!.chunks.keys()].filter(differs));
  }

  private async fetch(tick: number, centre: Chunk): Promise<void> {
    if (this.isLoading || !this.pace.isDue("ground")) return;
    this.isLoading = true;
    const answer = await askGround({ tick, cx: centre[0], cz: centre[1], r: GROUND_RADIUS }, this.tape.of).catch(
      (problem: Error) => problem,
    );
    this.isLoading = false;
    if (answer instanceof Error) {
      this.centre = centre;
      this.pace.note("ground");
      this.listener.groundFailed(this.cells ? null : answer.message);
    } else if (this.listener.isPast) {
      this.replace(tick, centre, answer);
      this.listener.groundArrived();
    }
  }

  private replace(tick: number, centre: Chunk, chunks: Map<string, Uint8Array>): void {
    const gone = [...(this.cells?.chunks.keys() ?? [])].filter((key) => !chunks.has(key));
    this.cells = new Cells(tick);
    for (const [key, cells] of chunks) this.cells.chunks.set(key, cells);
    this.centre = centre;
    this.near = centre;
    for (const key of gone) {
      const [cx, cz] = chunkOf(key);
      this.terrain?.take({ type: "CHUNK_EVICT", cx, cz });
    }
    this.fill(chunks.keys());
  }

  private fill(keys: Iterable<string>): void {
    if (!this.terrain) return;
    for (const key of keys) {
      const cells = this.cells?.chunks.get(key);
      if (!cells) continue;
      const [cx, cz] = chunkOf(key);
      const everyBlock = isNear([cx, cz], this.near) ? Uint16Array.from(cells) : null;
      this.terrain.put(cx, cz, surfaceOf(cells), everyBlock);
    }
  }
}

const distance = (a: Chunk, b: Chunk): number => Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]));

/** Whether a chunk is one of those whose every block is shown. */
const isNear = (chunk: Chunk, middle: Chunk): boolean => distance(chunk, middle) <= VOXEL_RADIUS;

function chunkOf(key: string): Chunk {
  const [cx, cz] = key.split(",").map(Number);
  return [cx, cz];
}

// One world as far as the page has seen it: since the last connection, or at a tick of the past.

import { Looks } from "./blocks.ts";
import { Crowd } from "./crowd.ts";
import type { Bootstrap, Tick } from "./protocol.ts";
import { Terrain } from "./terrain.ts";

export class World {
  readonly looks: Looks;
  readonly terrain: Terrain;
  readonly crowd: Crowd;
  tick: Tick | null = null;
  /** When the last tick came, or since when the first one has been awaited. */
  heardAt = performance.now();

  constructor(readonly bootstrap: Bootstrap) {
    this.looks = new Looks(bootstrap.block_palette);
    this.terrain = new Terrain(bootstrap.world_params.height, this.looks);
    this.crowd = new Crowd(bootstrap.world_params.tick_rate_hz);
  }
}

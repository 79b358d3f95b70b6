// One world as far as it is known: as it was told since the last connection, or as it was in the past.

import { Looks } from "./blocks.ts";
import { Crowd } from "./crowd.ts";
import type { Bootstrap, Tick } from "./protocol.ts";
import { Terrain } from "./terrain.ts";

export class Known {
  readonly looks: Looks;
  readonly terrain: Terrain;
  readonly crowd: Crowd;
  tick: Tick | null = null;
  /** When the last tick came; before the first one, since when it is waited for. */
  heardAt = performance.now();

  constructor(readonly bootstrap: Bootstrap) {
    this.looks = new Looks(bootstrap.block_palette);
    this.terrain = new Terrain(bootstrap.world_params.height, this.looks);
    this.crowd = new Crowd(bootstrap.world_params.tick_rate_hz);
  }
}

// Which part of the world the stream shows: surfaces far around, and every block near what the camera looks at.

import type { Attention } from "./attention.ts";
import type { Subscribe } from "./protocol.ts";
import { RequestPace } from "./request_pace.ts";
import { VOXEL_RADIUS } from "./terrain.ts";

const CHUNK_RADIUS = 6;
const MAX_CHUNKS = 1024;
// Chunks with all their cells around what the camera looks at: 2 MB of them.
const VOXEL_CHUNKS = 64;
// While the camera moves, the server hears where it looks no more often than this.
const FOCUS_EVERY_MS = 400;

type Place = { x: number; z: number };

export class Subscription {
  /** Whom or which chunk the server was last asked to show every block of. */
  private focus = "";
  private readonly pace = new RequestPace<"focus">(FOCUS_EVERY_MS);

  constructor(
    private readonly subscribe: (wish: Subscribe) => void,
    private readonly attention: Attention,
    private readonly lookingAt: () => Place | null,
  ) {}

  /** Have every block shown of what the camera looks at: whom it follows, or the ground before it. */
  followCamera(now: number): void {
    if (!this.pace.isDue("focus", now)) return;
    const place = this.lookingAt();
    const followed = this.attention.following ? this.attention.watched : null;
    const focus = followed ?? (place ? `${Math.floor(place.x) >> 4},${Math.floor(place.z) >> 4}` : "");
    if (focus === this.focus) return;
    this.focus = focus;
    this.pace.note("focus", now);
    this.send();
  }

  send(): void {
    const place = this.lookingAt();
    this.subscribe({
      chunk_radius: CHUNK_RADIUS,
      max_chunks: MAX_CHUNKS,
      focus_agent_id: (this.attention.following && this.attention.watched) || "",
      focus_pos: place && [Math.floor(place.x), 0, Math.floor(place.z)],
      voxel_radius: VOXEL_RADIUS,
      voxel_max_chunks: VOXEL_CHUNKS,
    });
  }
}

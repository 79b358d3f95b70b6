// Whom the reader watches, and whether the camera follows.

import { isInside, opening } from "./opening.ts";
import type { Society } from "./society.ts";
import type { World } from "./world.ts";

export class Attention {
  watched: string | null = null;
  /** Whether the camera follows whoever is watched. */
  following = false;
  /** Whether the reader has chosen. Until then the page chooses. */
  isChosen = false;
  /** Where the camera must jump to; null when it has done so. */
  opensAt: { x: number; z: number } | null = null;
  private hasOpened = false;

  /** Follow somebody; null watches nobody. */
  follow(id: string | null): void {
    this.isChosen = true;
    this.following = id !== null;
    this.watched = id;
  }

  /** Stop following. Returns whether the camera followed somebody before. */
  letGo(): boolean {
    const wasFollowing = this.following;
    this.isChosen = true;
    this.following = false;
    return wasFollowing;
  }

  /** Until the reader chooses: look at the city, or at whoever has most people around. Stop watching who has left. */
  chooseFirst(world: World, society: Society | null): void {
    const body = world.crowd.get(this.watched);
    if (this.watched !== null && !body) this.following = false;
    if (this.isChosen) {
      if (!body) this.follow(null);
      return;
    }
    if (body?.agent.connected && isInside(society, body)) return;
    const { watched, plaza } = opening(society, world.crowd.list);
    if (watched !== this.watched && (watched !== null || !body)) {
      this.follow(watched);
      this.isChosen = false;
    }
    this.following = watched !== null && !plaza;
    if (plaza && !this.hasOpened) this.opensAt = plaza;
    this.hasOpened ||= plaza !== null;
  }
}

// Turns pointer, touch and keys into movements of the camera and choices of whom to watch.

import { PLACES } from "../address.ts";
import type { Viewer } from "../viewer.ts";
import type { Camera } from "./camera.ts";

const TURN_PER_PIXEL = 0.006;
const KEY_PAN_PER_SECOND = 0.9;
const KEY_TURN_PER_SECOND = 1.6;
const CLICK_PIXELS = 6;

export interface Acts {
  /** Choose whom or what is drawn near a point of the screen, if there is something. */
  choose(x: number, y: number): void;
  /** The cell of the map at a point of the screen. */
  cellAt(x: number, y: number): { x: number; z: number };
  toggleHelp(): void;
  toggleLayers(): void;
  toggleTour(): void;
  toggleCompare(): void;
  toggleGoingOn(): void;
  /** Close what lies over the page; false if nothing does. */
  closeTop(): boolean;
}

/** Keys that act while they are held: how far to the right, forward and around. */
const HELD: Record<string, readonly [right: number, forward: number, around: number]> = {
  KeyW: [0, 1, 0],
  ArrowUp: [0, 1, 0],
  KeyS: [0, -1, 0],
  ArrowDown: [0, -1, 0],
  KeyA: [-1, 0, 0],
  ArrowLeft: [-1, 0, 0],
  KeyD: [1, 0, 0],
  ArrowRight: [1, 0, 0],
  KeyQ: [0, 0, -1],
  KeyE: [0, 0, 1],
};

export class Controls {
  private readonly down = new Set<string>();
  /** Keys released since the last frame. Each still acts for one frame, so that a short press is not lost. */
  private readonly up = new Set<string>();
  private readonly fingers = new Map<number, { x: number; y: number }>();
  private travelled = 0;

  constructor(
    private readonly surface: HTMLElement,
    private readonly camera: Camera,
    private readonly viewer: Viewer,
    private readonly acts: Acts,
  ) {
    surface.addEventListener("pointerdown", (event) => this.press(event));
    surface.addEventListener("pointermove", (event) => this.drag(event));
    surface.addEventListener("pointerup", (event) => this.release(event));
    surface.addEventListener("pointercancel", (event) => this.fingers.delete(event.pointerId));
    surface.addEventListener("contextmenu", (event) => event.preventDefault());
    surface.addEventListener("dblclick", (event) => this.goThere(event));
    surface.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("keyup", (event) => this.up.add(event.code));
    addEventListener("blur", () => this.down.clear());
  }

  /** Let held keys act for the time since the last frame. */
  update(elapsedMs: number): void {
    const seconds = Math.min(elapsedMs, 100) / 1000;
    for (const code of this.down) {
      const [right, forward, around] = HELD[code];
      if (right || forward) this.pan(right * KEY_PAN_PER_SECOND * seconds, forward * KEY_PAN_PER_SECOND * seconds);
      if (around) this.camera.turn(around * KEY_TURN_PER_SECOND * seconds, 0);
    }
    for (const code of this.up) this.down.delete(code);
    this.up.clear();
  }

  private pan(right: number, forward: number): void {
    this.viewer.letGo();
    const { distance } = this.camera.wished;
    if (this.viewer.isMap) this.camera.slide(right * distance, -forward * distance);
    else this.camera.pan(right, forward);
  }

  private zoom(factor: number): void {
    this.camera.zoom(factor, this.viewer.isMap);
  }

  /** Leave the map for the world, at the place that was double-clicked. */
  private goThere(event: MouseEvent): void {
    if (!this.viewer.isMap) return;
    const { x, z } = this.acts.cellAt(event.offsetX, event.offsetY);
    this.viewer.letGo();
    this.camera.lookAt(x, this.camera.wished.y, z);
    this.camera.cut();
    this.viewer.showMap(false);
  }

  private press(event: PointerEvent): void {
    this.surface.setPointerCapture(event.pointerId);
    if (!this.fingers.size) this.travelled = 0;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  private drag(event: PointerEvent): void {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const dx = now.x - before.x;
    const dy = now.y - before.y;
    this.travelled += Math.abs(dx) + Math.abs(dy);
    if (this.travelled < CLICK_PIXELS) return;
    if (this.fingers.size === 2) {
      const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1] ?? now;
      const spread = (a: { x: number; y: number }) => Math.max(10, Math.hypot(a.x - other.x, a.y - other.y));
      this.zoom(spread(before) / spread(now));
      this.slide(dx / 2, dy / 2);
    } else if (event.shiftKey || event.buttons & 6 || this.viewer.isMap) {
      this.slide(dx, dy);
    } else {
      this.camera.turn(-dx * TURN_PER_PIXEL, dy * TURN_PER_PIXEL);
    }
    this.fingers.set(event.pointerId, now);
  }

  /** Drag the ground along. */
  private slide(dx: number, dy: number): void {
    const perPixel = 0.77 / this.surface.clientHeight;
    this.pan(-dx * perPixel, dy * perPixel);
  }

  private release(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    if (this.travelled >= CLICK_PIXELS || event.button !== 0) return;
    const box = this.surface.getBoundingClientRect();
    this.acts.choose(event.clientX - box.left, event.clientY - box.top);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const before = this.camera.wished.distance;
    this.zoom(Math.exp(Math.max(-80, Math.min(80, event.deltaY)) * 0.0025));
    if (!this.viewer.isMap || this.viewer.attention.following) return;
    // The cell under the pointer stays under the pointer.
    const { x, z } = this.acts.cellAt(event.offsetX, event.offsetY);
    const share = 1 - this.camera.wished.distance / before;
    this.camera.slide((x - this.camera.wished.x) * share, (z - this.camera.wished.z) * share);
  }

  private key(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      if (this.acts.closeTop()) return;
      if (this.viewer.see === null && this.viewer.time.isPast) this.viewer.time.goLive();
      else this.viewer.choose(null);
      return;
    }
    if (event.target instanceof Element && event.target.matches("input, textarea, select")) return;
    const place = PLACES[Number(event.key) - 1];
    if (place) this.viewer.go(place);
    else if (event.key === "?") this.acts.toggleHelp();
    else if (this.viewer.place === "world") this.inWorld(event);
  }

  private hold(code: string): void {
    this.down.add(code);
    this.up.delete(code);
  }

  private inWorld(event: KeyboardEvent): void {
    const acts: Record<string, () => void> = {
      "+": () => this.zoom(0.8),
      "=": () => this.zoom(0.8),
      "-": () => this.zoom(1.25),
      m: () => this.viewer.showMap(!this.viewer.isMap),
      l: () => this.acts.toggleLayers(),
      t: () => this.acts.toggleTour(),
      c: () => this.acts.toggleCompare(),
      g: () => this.acts.toggleGoingOn(),
      n: () => this.viewer.watchNext(1),
      p: () => this.viewer.watchNext(-1),
      f: () => this.viewer.watch(this.viewer.attention.watched),
    };
    if (event.code in HELD) this.hold(event.code);
    else if (acts[event.key.toLowerCase()]) acts[event.key.toLowerCase()]();
    else return;
    event.preventDefault();
  }
}

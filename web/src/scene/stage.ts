// Draws the scene, frame by frame.

import { Color, ColorManagement, LinearSRGBColorSpace, Scene, Vector3, WebGLRenderer } from "three";
import { type Building, buildingAt, isBuilding } from "../buildings.ts";
import { lightAt } from "../daylight.ts";
import { isFirstTime } from "../first_time.ts";
import { THINGS } from "../map/layers.ts";
import { frameOf, MapView } from "../map/view.ts";
import type { Pose } from "../motion.ts";
import { VOXEL_RADIUS } from "../terrain.ts";
import type { Scenery } from "../viewer.ts";
import type { World } from "../world.ts";
import { Borders } from "./borders.ts";
import { Camera } from "./camera.ts";
import { Chips } from "./chips.ts";
import { Figures } from "./figures.ts";
import { Ground } from "./ground.ts";
import { Labels } from "./labels.ts";
import { Lamps } from "./lamps.ts";
import { Marks } from "./marks.ts";
import { Pace } from "./pace.ts";
import { Paper } from "./paper.ts";
import { Precipitation } from "./precipitation.ts";
import type { Rect } from "./rects.ts";
import { LIGHT, setLight } from "./shaders.ts";

const SHARPEST = 2;
const COARSEST = 0.5;
const LOADING_CHUNKS = 16;
const PICK_PIXELS = 30;
const EYE_HEIGHT = 1;
/** The width of the small map, in pixels. */
export const SMALL = 168;
const SMALL_EVERY_MS = 250;
/** How long new weather takes to show on the ground. */
const WEATHER_MS = 6000;
const LONGEST_FRAME_MS = 300;
const SMALL_REACH = 2.2;
// What lies over the scene, and how often its place is measured again.
const COVERING = ".going-on, .views, .tools, .small-map, .tour, .notice, .past-banner";
const COVERED_EVERY_MS = 300;
// Haze begins at this part of the way to the horizon.
const HAZE_FROM = 0.5;

ColorManagement.enabled = false;

export class Stage {
  readonly camera: Camera;
  private readonly renderer: WebGLRenderer;
  private readonly pace: Pace;
  private readonly scene = new Scene();
  private readonly figures = new Figures();
  private readonly marks = new Marks();
  private readonly borders = new Borders();
  private readonly chips = new Chips();
  private readonly paper = new Paper();
  private readonly lamps = new Lamps();
  private readonly labels: Labels;
  readonly map: MapView;
  private small: CanvasRenderingContext2D | null = null;
  private coveredBy: readonly Rect[] = [];
  private coveredAt = -Infinity;
  private smallAt = 0;
  private readonly precipitation: Precipitation;
  private readonly haze = new Color();
  private readonly ray = new Vector3();
  private ground: Ground | null = null;
  private world: World | null = null;
  private arrived = false;
  private wasMap = false;
  private weathered = false;
  /** How much snow and wetness lies on the ground. */
  private readonly lies = { COLD: 0, STORM: 0 };
  private readonly still: boolean;
  private drawnAt = 0;
  private ratio = Math.min(devicePixelRatio, SHARPEST);
  private readonly resized = new ResizeObserver(() => this.resize());
  private keep: ((picture: HTMLCanvasElement) => void) | null = null;
  /** Whether the camera keeps its view, even if the ground below it changes. */
  steady = false;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly overlay: HTMLCanvasElement,
    private readonly viewer: Scenery,
  ) {
    this.still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.camera = new Camera(this.still);
    this.precipitation = new Precipitation(this.still);
    this.labels = new Labels(overlay);
    this.map = new MapView(viewer);
    canvas.addEventListener("pointermove", ({ offsetX: x, offsetY: y }) => {
      this.map.pointer = { x, y };
    });
    canvas.addEventListener("pointerleave", () => {
      this.map.pointer = null;
    });
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.pace = new Pace(this.renderer.getContext() as WebGL2RenderingContext);
    this.scene.add(
      this.figures.group,
      this.marks.group,
      this.borders.mesh,
      this.chips.mesh,
      this.lamps.points,
      this.paper.mesh,
      this.precipitation.points,
    );
    this.resized.observe(canvas);
  }

  /** Draw no more, and give back what the graphics card holds for it. */
  dispose(): void {
    this.resized.disconnect();
    this.show(null);
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  pick(x: number, y: number): string | null {
    return this.viewer.isMap ? this.map.pick(x, y) : (this.labels.near(x, y, PICK_PIXELS) ?? this.thingAt(x, y));
  }

  /** What is drawn at a point: a chest, a board or another such thing, a building, or the ground. */
  private thingAt(x: number, y: number): string | null {
    const { world } = this.viewer;
    if (!world) return null;
    const { clientWidth, clientHeight } = this.canvas;
    const from = this.camera.lens.position;
    const way = this.ray
      .set((2 * x) / clientWidth - 1, 1 - (2 * y) / clientHeight, 0.5)
      .unproject(this.camera.lens)
      .sub(from)
      .normalize();
    const cell = world.terrain.hit(from, way, this.camera.horizon);
    if (!cell) return null;
    const address = `@${cell.x},${cell.y},${cell.z}`;
    if (THINGS.includes(world.looks.palette[cell.block])) return address;
    return buildingAt(this.viewer.buildings, cell.x, cell.y, cell.z)?.id ?? address;
  }

  private chosenBuilding(): Building | undefined {
    const { see, papers } = this.viewer;
    return see && isBuilding(see) ? papers.buildings.find(({ id }) => id === see) : undefined;
  }

  /** The places where something lies over the scene and would hide a name. */
  private covered(now: number): readonly Rect[] {
    if (now - this.coveredAt < COVERED_EVERY_MS) return this.coveredBy;
    this.coveredAt = now;
    const { left: x, top: y } = this.canvas.getBoundingClientRect();
    const boxes = [...(this.canvas.parentElement?.querySelectorAll(COVERING) ?? [])].map((one) =>
      one.getBoundingClientRect(),
    );
    this.coveredBy = boxes.map(({ left, top, right, bottom }) => ({
      left: left - x,
      top: top - y,
      right: right - x,
      bottom: bottom - y,
    }));
    return this.coveredBy;
  }

  /** The next picture to be drawn, with its names. */
  picture(): Promise<HTMLCanvasElement> {
    return new Promise((resolve) => {
      this.keep = resolve;
    });
  }

  /** Copy what has just been drawn. The browser clears it soon after. */
  private copy(): HTMLCanvasElement {
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [this.canvas.width, this.canvas.height];
    const pen = copy.getContext("2d")!;
    for (const layer of [this.canvas, this.overlay]) pen.drawImage(layer, 0, 0, copy.width, copy.height);
    return copy;
  }

  /** Draw the small map into this canvas from now on; null stops that. */
  drawSmallInto(canvas: HTMLCanvasElement | null): void {
    this.small = canvas?.getContext("2d") ?? null;
    if (!canvas || !this.small) return;
    canvas.width = canvas.height = SMALL * SHARPEST;
    this.small.setTransform(SHARPEST, 0, 0, SHARPEST, 0, 0);
  }

  /** Draw, if it is time to. */
  frame(now: number): void {
    if (this.viewer.place !== "world" || !this.pace.ready(now)) return;
    const elapsedMs = now - this.drawnAt;
    this.drawnAt = now;
    this.draw(now, elapsedMs);
    this.pace.drawn(now);
  }

  private draw(now: number, elapsedMs: number): void {
    const { world, isMap } = this.viewer;
    if (world !== this.world) this.show(world);
    if (isMap !== this.wasMap) {
      this.wasMap = isMap;
      if (isMap) this.camera.enterMap();
      else this.camera.leaveMap();
    }
    this.adapt();
    const bodies = world?.crowd.list ?? [];
    const poses = bodies.map((body) => body.pose(now));
    const at = bodies.findIndex((body) => body.id === this.viewer.attention.watched);
    if (world) this.aim(world, poses[at]);
    this.camera.update(elapsedMs);
    if (world && isMap) {
      const { x, z } = this.camera.target;
      this.map.draw(
        this.labels.pen,
        world,
        poses,
        frameOf(x, z, this.camera.distance, this.canvas.clientWidth, this.canvas.clientHeight),
        now,
      );
      return;
    }
    this.light(world, now, elapsedMs);
    this.ground?.update(this.camera.target.x, this.camera.target.z, Math.min(elapsedMs, LONGEST_FRAME_MS));
    this.paper.update(this.camera.target);
    this.figures.update(bodies, poses, now, this.camera.distance);
    this.marks.update(bodies[at], poses[at]);
    this.marks.enclose(this.chosenBuilding());
    if (world) {
      this.chips.update(this.still ? [] : bodies, poses, world.terrain, now);
      this.lamps.update(world.terrain, this.canvas.height, now);
    }
    if (world) this.borders.update(this.viewer.society?.lands ?? [], this.viewer.see, world.terrain, now);
    this.precipitation.update(world?.tick?.weather ?? "", this.camera.target, this.canvas.height);
    this.renderer.render(this.scene, this.camera.lens);
    this.tell();
    this.labels.update(
      bodies,
      poses,
      this.camera.lens,
      this.viewer.attention.watched,
      world?.terrain ?? null,
      this.covered(now),
    );
    this.keep?.(this.copy());
    this.keep = null;
    if (world && this.small && now - this.smallAt > SMALL_EVERY_MS) {
      this.smallAt = now;
      const { x, z } = this.camera.target;
      const reach = this.camera.distance * 0.6;
      const frame = frameOf(x, z, Math.max(60, this.camera.distance) * SMALL_REACH, SMALL, SMALL);
      this.map.drawSmall(this.small, world, poses, frame, this.camera.side, reach, now);
    }
  }

  /**
   * Publish figures on the canvas element, for tests and measurements: draw calls, chunks that still have to be meshed,
   * where the camera looks, and around how many chunks there every block is known.
   */
  private tell(): void {
    const { dataset } = this.canvas;
    const { x, z } = this.camera.target;
    const figures: Record<string, string> = {
      draws: String(this.renderer.info.render.calls),
      behind: String(this.ground?.behind ?? 0),
      at: `${Math.round(x)},${Math.round(z)}`,
      whole: String(this.viewer.world?.terrain.wholeAround(x, z, VOXEL_RADIUS) ?? 0),
    };
    if (Object.keys(figures).some((name) => dataset[name] !== figures[name])) Object.assign(dataset, figures);
  }

  private show(world: World | null): void {
    this.ground?.dispose();
    if (this.ground) this.scene.remove(this.ground.group);
    this.ground = world && new Ground(world.terrain);
    if (this.ground) this.scene.add(this.ground.group);
    this.world = world;
  }

  /** Aim the camera at whoever is followed; otherwise keep its target a little above the ground. */
  private aim(world: World, followed: Pose | undefined): void {
    const { camera, viewer } = this;
    if (this.steady) return;
    if (viewer.attention.opensAt) {
      camera.lookAt(viewer.attention.opensAt.x, camera.wished.y, viewer.attention.opensAt.z);
      camera.cut();
      viewer.attention.opensAt = null;
    }
    if (viewer.attention.following && followed) {
      camera.lookAt(followed.x, followed.y + EYE_HEIGHT, followed.z);
      if (!this.arrived) camera.cut();
      this.arrived = true;
    } else {
      const ground = world.terrain.groundAt(camera.wished.x, camera.wished.z);
      if (ground !== undefined) camera.wished.y = ground + 1 + EYE_HEIGHT;
    }
  }

  private light(world: World | null, now: number, elapsedMs: number): void {
    const tick = world?.tick;
    const light = lightAt(tick?.time_of_day ?? 0.5, tick?.weather ?? "CLEAR");
    setLight(light);
    this.renderer.setClearColor(this.haze.setRGB(...light.haze));
    LIGHT.uSeconds.value = this.still ? 0 : (now / 1000) % 3600;
    // Snow comes and melts slowly.
    const share = this.weathered ? 1 - Math.exp(-elapsedMs / WEATHER_MS) : 1;
    this.weathered ||= tick !== undefined && tick !== null;
    for (const [value, weather] of [
      [LIGHT.uFrost, "COLD"],
      [LIGHT.uWet, "STORM"],
    ] as const) {
      this.lies[weather] += ((tick?.weather === weather ? 1 : 0) - this.lies[weather]) * share;
      // Two scenes of one page share the shaders' values.
      value.value = this.lies[weather];
    }
    LIGHT.uFocus.value = this.camera.distance;
    LIGHT.uReach.value.set(this.camera.horizon * HAZE_FROM, this.camera.horizon);
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    this.renderer.setPixelRatio(this.ratio);
    this.renderer.setSize(width, height, false);
    this.labels.resize(width, height, Math.min(devicePixelRatio, SHARPEST));
    this.camera.lens.aspect = width / height;
  }

  /** Reduce the resolution, rather than the frame rate, on a machine that cannot keep up; loading does not count. */
  private adapt(): void {
    if (!this.ground || this.ground.behind > LOADING_CHUNKS) this.pace.forget();
    if (!this.pace.slow || this.ratio <= COARSEST) return;
    this.ratio = Math.max(COARSEST, this.ratio * 0.75);
    if (!this.viewer.coarseAt) {
      this.viewer.coarseAt = performance.now();
      this.viewer.tellsCoarse = isFirstTime("thorp-coarser");
    }
    this.pace.forget();
    this.resize();
  }
}

// The page: a stream fills the viewer; the scene draws it every frame, the panel a few times a second.

import { render } from "preact";
import { cameraOf, here, IS_FILM, matchShown } from "./address.ts";
import { ASK_EVERY_MS, askLateness } from "./lateness.ts";
import { Controls } from "./scene/controls.ts";
import { Stage } from "./scene/stage.ts";
import { Stream } from "./stream.ts";
import "./style.css";
import { takeToken } from "./token.ts";
import { Tour } from "./tour.ts";
import { App, type Hands } from "./ui/app.tsx";
import { Lane } from "./ui/lane.tsx";
import { Viewer } from "./viewer.ts";

const PANEL_EVERY_MS = 200;
// On a screen no wider than this, the layers of the map are folded at first.
const PHONE_WIDTH = 800;
// Without a tick the panel still tells for how long there was none.
const IDLE_PANEL_EVERY_MS = 1000;

// How often it is considered whether the society's papers are out of date.
const PAPERS_EVERY_MS = 1000;

takeToken();
const root = document.getElementById("page")!;
let stage: Stage | null = null;
let controls: Controls | null = null;
let small: HTMLCanvasElement | null = null;
let unsettled = true;
let panelAt = 0;

const stream: Stream = new Stream({
  begin: (bootstrap) => viewer.begin(bootstrap),
  hear: (message) => viewer.hear(message),
  link: (link) => viewer.link(link),
  beginAt: (tick) => viewer.beginAt(tick),
});
const viewer: Viewer = new Viewer(
  () => {
    unsettled = true;
  },
  (wish) => stream.subscribe(wish),
);

const tour = new Tour(viewer, () => {
  unsettled = true;
});

const hands: Hands = {
  tour,
  folded: false,
  lane: new Lane(viewer, () => {
    unsettled = true;
  }),
  help: false,
  join: false,
  send: false,
  layers: innerWidth > PHONE_WIDTH,
  retry: () => stream.retry(),
  zoom: (factor) => stage?.camera.zoom(factor, viewer.isMap),
  toggleMap: () => viewer.showMap(!viewer.isMap),
  toggleLayers: () => {
    hands.layers = !hands.layers;
    showPanel();
  },
  counts: () => stage?.map.counts(),
  hottest: () => stage?.map.hottest ?? 0,
  drawSmallInto: (canvas) => {
    small = canvas;
    stage?.drawSmallInto(canvas);
  },
  toggleHelp: () => {
    hands.help = !hands.help;
    void askForLateness();
    showPanel();
  },
  toggleJoin: () => {
    hands.join = !hands.join;
    showPanel();
  },
  toggleSend: () => {
    hands.send = !hands.send;
    showPanel();
  },
  kept: null,
  toggleCompare: () => void compare(),
  /** Close what lies on top; false if nothing does. */
  closeTop: () => {
    if (hands.help || hands.join || hands.send) hands.help = hands.join = hands.send = false;
    else if (hands.kept) endCompare();
    else if (hands.layers && viewer.isMap && viewer.place === "world") hands.layers = false;
    else return false;
    showPanel();
    return true;
  },
  attach(canvas, overlay) {
    const made = new Stage(canvas, overlay, viewer);
    stage = made;
    made.drawSmallInto(small);
    viewer.lookingAt = () => made.camera.target;
    viewer.cameraSaid = () => made.camera.said;
    if (made.camera.heed(cameraOf(here().query))) viewer.stayHere();
    viewer.goTo = (x, z) => {
      viewer.letGo();
      made.camera.lookAt(x, made.camera.wished.y, z);
    };
    controls = new Controls(canvas, made.camera, viewer, {
      pick: (x, y) => made.pick(x, y),
      cellAt: (x, y) => made.map.cellAt(x, y),
      toggleHelp: hands.toggleHelp,
      toggleLayers: hands.toggleLayers,
      toggleTour: () => tour.toggle(),
      toggleCompare: hands.toggleCompare,
      toggleGoingOn: () => {
        hands.folded = !hands.folded;
        showPanel();
      },
      closeTop: hands.closeTop,
    });
  },
};

/** Keep what is shown, and show what was an hour before beside it; or end that. */
async function compare(): Promise<void> {
  const { time } = viewer;
  if (hands.kept) return endCompare();
  if (!stage || viewer.isMap || !time.tape.state || time.loading || !viewer.world?.tick) return;
  viewer.letGo();
  stage.steady = true;
  const [tick, wasLive] = [time.tick, !time.isPast];
  hands.kept = { picture: await stage.picture(), tick, wasLive, camera: stage.camera.said };
  time.playing = false;
  time.jump(tick - Math.round(time.dayTicks / 24));
}

/** Go back to the moment that was kept. */
function endCompare(): void {
  const { kept } = hands;
  if (!kept) return;
  dropKept();
  if (kept.wasLive) viewer.time.goLive();
  else viewer.time.jump(kept.tick);
}

function dropKept(): void {
  hands.kept = null;
  if (stage) stage.steady = false;
  unsettled = true;
}

function showPanel(): void {
  unsettled = false;
  panelAt = performance.now();
  render(<App viewer={viewer} hands={hands} now={panelAt} />, root);
}

let frameAt = performance.now();
function frame(now: number): void {
  const elapsed = now - frameAt;
  frameAt = now;
  controls?.update(elapsed);
  viewer.time.frame(performance.now());
  stage?.frame(performance.now());
  viewer.lookAround(performance.now());
  if (hands.kept && (viewer.isMap || viewer.place !== "world" || stage?.camera.said !== hands.kept.camera)) dropKept();
  const age = performance.now() - panelAt;
  if (age > (unsettled ? PANEL_EVERY_MS : IDLE_PANEL_EVERY_MS)) showPanel();
  requestAnimationFrame(frame);
}

/** It stands in the help alone, and is a long answer. */
async function askForLateness(): Promise<void> {
  if (hands.help && viewer.current.state === "live" && !document.hidden) viewer.lateness = await askLateness();
}

function askForPapers(): void {
  void tour.step(performance.now());
  if (viewer.current.state !== "live" || document.hidden) return;
  void viewer.papers.refresh(performance.now());
  void viewer.time.refresh(performance.now());
}

showPanel();
requestAnimationFrame(frame);
setInterval(askForLateness, ASK_EVERY_MS);
setInterval(askForPapers, PAPERS_EVERY_MS);
const match = matchShown();
void (IS_FILM ? stream.runFilm() : match === null ? stream.run() : stream.runMatch(match));

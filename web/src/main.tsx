// The page: a stream fills the viewer; the scene draws it every frame, the panel a few times a second.

import { render } from "preact";
import { besideOf, cameraOf, here, IS_FILM, ownName, pathFor, readdress, withPart } from "./address.ts";
import { ASK_EVERY_MS, askLateness } from "./lateness.ts";
import { type RunState, SecondSide } from "./past/second.ts";
import { Controls } from "./scene/controls.ts";
import { Stage } from "./scene/stage.ts";
import { ask } from "./society.ts";
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
let secondStage: Stage | null = null;
/** The other run of this server, if it shows one; and whether it was asked for one. */
let otherRun: string | null = null;
let askedForRuns = false;
/** The second side that the address names, until it is shown. */
let wantedBeside = IS_FILM ? null : besideOf(here().query);
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
  whatIf: false,
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
  toggleWhatIf: () => {
    hands.whatIf = !hands.whatIf;
    showPanel();
  },
  kept: null,
  toggleCompare: () => void compare(),
  second: null,
  compareMoments: () => {
    endBeside();
    void compareMoments();
  },
  attachSecond(canvas, overlay) {
    if (hands.second) secondStage = new Stage(canvas, overlay, hands.second);
    if (secondStage) secondStage.steady = true;
  },
  /** Close what lies on top; false if nothing does. */
  closeTop: () => {
    if (hands.help || hands.join || hands.send || hands.whatIf)
      hands.help = hands.join = hands.send = hands.whatIf = false;
    else if (hands.kept) endCompare();
    else if (hands.second?.chosen) hands.second.choose(null);
    else if (hands.second) endBeside();
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
      choose: (x, y) => choose(x, y, canvas.clientWidth),
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

/** Choose what is drawn at a point, in the run that is shown there. */
function choose(x: number, y: number, width: number): void {
  const { second } = hands;
  if (second && secondStage && !viewer.isMap && second.covers(x / width)) {
    const id = secondStage.pick(x, y);
    if (id !== null) second.choose(id);
    return;
  }
  const id = stage?.pick(x, y) ?? null;
  if (id === null) return;
  second?.choose(null);
  viewer.choose(id);
}

/** Show another run beside this one, if there is one, and else another moment; or end that. */
async function compare(): Promise<void> {
  if (hands.kept) return endCompare();
  if (hands.second) return endBeside();
  if (otherRun !== null && !viewer.isMap) return showBeside(otherRun);
  return compareMoments();
}

/** Show another run beside this one, at a tick that both have. */
function showBeside(name: string): void {
  const { time } = viewer;
  hands.second = new SecondSide(name, viewer, () => {
    unsettled = true;
  });
  viewer.time.otherSide = () => hands.second?.keepsUp ?? true;
  if (!time.isPast && !time.isOver) {
    time.playing = false;
    time.jump(time.tick);
  }
  sayBeside(name);
  unsettled = true;
}

function endBeside(): void {
  hands.second?.end();
  hands.second = null;
  secondStage?.dispose();
  secondStage = null;
  viewer.time.otherSide = () => true;
  sayBeside(null);
  unsettled = true;
}

/** Let the address name the run beside this one. */
function sayBeside(name: string | null): void {
  readdress(pathFor(viewer.place, viewer.see, withPart(here().query, "beside", name), viewer.part), "replace");
}

/** Keep what is shown, and show what was an hour before beside it. */
async function compareMoments(): Promise<void> {
  const { time } = viewer;
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
  if (hands.second && stage && !viewer.isMap && viewer.place === "world") {
    hands.second.frame(performance.now());
    secondStage?.camera.mirror(stage.camera);
    secondStage?.frame(performance.now());
  }
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

/** Ask once whether this server shows another run; and show the one that the address names. */
async function askForRuns(): Promise<void> {
  if (wantedBeside !== null && stage && viewer.time.tape.state && viewer.world?.tick) {
    showBeside(wantedBeside);
    wantedBeside = null;
  }
  if (askedForRuns || ownName() !== "own" || IS_FILM) return;
  askedForRuns = true;
  const listed = await ask<{ runs: RunState[] }>("v1/runs");
  otherRun = listed?.runs[0]?.id ?? null;
}

function askForPapers(): void {
  void tour.step(performance.now());
  if (viewer.current.state !== "live" || document.hidden) return;
  void viewer.papers.refresh(performance.now());
  void viewer.time.refresh(performance.now());
  void askForRuns();
}

showPanel();
requestAnimationFrame(frame);
setInterval(askForLateness, ASK_EVERY_MS);
setInterval(askForPapers, PAPERS_EVERY_MS);
void (IS_FILM ? stream.runFilm() : ownName() === "own" ? stream.run() : stream.runOther(ownName()));

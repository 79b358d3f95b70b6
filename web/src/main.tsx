// The page: a stream fills the viewer; the scene draws it every frame, the panel a few times a second.

import { render } from "preact";
import { ASK_EVERY_MS, askLateness } from "./lateness.ts";
import { Controls } from "./scene/controls.ts";
import { Stage } from "./scene/stage.ts";
import { Stream } from "./stream.ts";
import "./style.css";
import { takeToken } from "./token.ts";
import { App, type Hands } from "./ui/app.tsx";
import { Viewer } from "./viewer.ts";

const PANEL_EVERY_MS = 200;
// Without a tick the panel still tells for how long there was none.
const IDLE_PANEL_EVERY_MS = 1000;

// How often it is considered whether the society's papers are out of date.
const PAPERS_EVERY_MS = 1000;

takeToken();
const root = document.getElementById("page")!;
let stage: Stage | null = null;
let controls: Controls | null = null;
let unsettled = true;
let panelAt = 0;

const stream: Stream = new Stream({
  begin: (bootstrap) => viewer.begin(bootstrap),
  hear: (message) => viewer.hear(message),
  link: (link) => viewer.link(link),
});
const viewer: Viewer = new Viewer(() => { unsettled = true; }, (wish) => stream.subscribe(wish));

const hands: Hands = {
  fromAbove: false,
  help: false,
  join: false,
  retry: () => stream.retry(),
  zoom: (factor) => stage?.camera.zoom(factor),
  toggleAbove: () => stage?.camera.toggleAbove(),
  toggleHelp: () => {
    hands.help = !hands.help;
    showPanel();
  },
  toggleJoin: () => {
    hands.join = !hands.join;
    showPanel();
  },
  /** Close what lies on top; false if nothing does. */
  closeTop: () => {
    const open = hands.help || hands.join;
    hands.help = hands.join = false;
    if (open) showPanel();
    return open;
  },
  attach(canvas, overlay) {
    const made = (stage = new Stage(canvas, overlay, viewer));
    controls = new Controls(canvas, made.camera, viewer, { pick: (x, y) => made.pick(x, y), toggleHelp: hands.toggleHelp, closeTop: hands.closeTop });
  },
};

function showPanel(): void {
  unsettled = false;
  panelAt = performance.now();
  hands.fromAbove = stage?.camera.fromAbove ?? false;
  render(<App viewer={viewer} hands={hands} now={panelAt} />, root);
}

let frameAt = performance.now();
function frame(now: number): void {
  const elapsed = now - frameAt;
  frameAt = now;
  controls?.update(elapsed);
  stage?.frame(performance.now());
  const turned = stage !== null && stage.camera.fromAbove !== hands.fromAbove;
  const age = performance.now() - panelAt;
  if (turned || age > (unsettled ? PANEL_EVERY_MS : IDLE_PANEL_EVERY_MS)) showPanel();
  requestAnimationFrame(frame);
}

async function askForLateness(): Promise<void> {
  if (viewer.current.state === "live" && !document.hidden) viewer.lateness = await askLateness();
}

function askForPapers(): void {
  if (viewer.current.state === "live" && !document.hidden) void viewer.papers.refresh(performance.now());
}

showPanel();
requestAnimationFrame(frame);
setInterval(askForLateness, ASK_EVERY_MS);
setInterval(askForPapers, PAPERS_EVERY_MS);
void stream.run();

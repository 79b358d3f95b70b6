// The page: a masthead with the places, the place, and a dock that shows one thing at a time.

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { IS_FILM, isAgent } from "../address.ts";
import { SORTS, type Sort } from "../chronicle.ts";
import type { Layer } from "../map/layers.ts";
import type { SecondSide } from "../past/second.ts";
import type { Tour } from "../tour.ts";
import type { Viewer } from "../viewer.ts";
import { Beside, Differences, OfRun } from "./beside.tsx";
import { Compare, type Kept } from "./compare.tsx";
import { Events } from "./events.tsx";
import { AboutFilm } from "./film.tsx";
import { GoingOn } from "./going_on.tsx";
import { Help } from "./help.tsx";
import { Inspector } from "./inspector.tsx";
import { Join } from "./join.tsx";
import { type Lane, LaneBar, PastBanner } from "./lane.tsx";
import { MapTools } from "./map.tsx";
import { Masthead } from "./masthead.tsx";
import { Coarser, Notice } from "./notice.tsx";
import { Roster } from "./roster.tsx";
import { Send } from "./send.tsx";
import { SocietyPage } from "./society.tsx";
import { Thing } from "./thing.tsx";
import { Tools } from "./tools.tsx";
import { WhatIf } from "./what_if.tsx";

export interface Hands {
  lane: Lane;
  tour: Tour;
  /** Whether the panel of what is going on is folded. */
  folded: boolean;
  retry(): void;
  zoom(factor: number): void;
  toggleMap(): void;
  toggleLayers(): void;
  /** The number of things that each layer of the map shows. */
  counts(): Record<Layer, string> | undefined;
  hottest(): number;
  drawSmallInto(canvas: HTMLCanvasElement | null): void;
  toggleHelp(): void;
  toggleJoin(): void;
  toggleSend(): void;
  toggleWhatIf(): void;
  closeTop(): boolean;
  /** The picture that the moment shown is compared with. */
  kept: Kept | null;
  toggleCompare(): void;
  /** The other run that this one is compared with. */
  second: SecondSide | null;
  /** Compare two moments of this run instead. */
  compareMoments(): void;
  attachSecond(canvas: HTMLCanvasElement, overlay: HTMLCanvasElement): void;
  layers: boolean;
  help: boolean;
  join: boolean;
  /** Whether a film can be asked for. */
  send: boolean;
  /** Whether it can be asked what would have happened. */
  whatIf: boolean;
  /** The scene is drawn into these, outside of all this. */
  attach(canvas: HTMLCanvasElement, overlay: HTMLCanvasElement): void;
}

// The heights of the dock on a phone.
const SHEETS = ["low", "half", "high"];
const SCENE_LABEL =
  "The world. Arrows move, Q and E turn, plus and minus zoom, N and P watch the next and the previous agent.";
const TITLES = { world: "Thorp", society: "Society of Thorp", story: "Story of Thorp", matches: "Matches" };

type PlaceComponent = (props: { viewer: Viewer }) => VNode;

interface Props {
  viewer: Viewer;
  hands: Hands;
  now: number;
}

export function App({ viewer, hands, now }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  useEffect(() => hands.attach(canvas.current!, overlay.current!), []);
  const { place } = viewer;
  const isWorld = place === "world";
  useEffect(() => {
    document.title = [viewer.see && viewer.nameOf(viewer.see), TITLES[place]].filter(Boolean).join(" · ");
  });
  return (
    <>
      <Masthead viewer={viewer} hands={hands} now={now} />
      <main
        class="scene"
        hidden={!isWorld}
        data-state={viewer.current.state}
        data-empty={!viewer.world?.tick}
        data-time={viewer.time.isPast || viewer.awaitsPast ? "past" : "live"}
        data-watched={viewer.attention.watched}
      >
        <canvas id="scene" tabIndex={0} aria-label={SCENE_LABEL} ref={canvas} />
        <canvas class="overlay" aria-hidden="true" ref={overlay} />
        {viewer.isMap || hands.second !== null || <GoingOn viewer={viewer} hands={hands} now={now} />}
        <div class="foot">
          <Coarser viewer={viewer} now={now} />
          {hands.tour.on && (
            <p class="tour" id="tour" role="status">
              <strong>Tour</strong> <bdi>{hands.tour.why || "Looking for something to see…"}</bdi>{" "}
              <small>any key ends it</small>
            </p>
          )}
        </div>
        {hands.kept && <Compare viewer={viewer} kept={hands.kept} end={hands.toggleCompare} />}
        {hands.second && !viewer.isMap && (
          <Beside
            viewer={viewer}
            second={hands.second}
            attach={hands.attachSecond}
            compareMoments={hands.compareMoments}
            end={hands.toggleCompare}
          />
        )}
        {!hands.second && <PastBanner viewer={viewer} />}
        <Notice viewer={viewer} now={now} retry={hands.retry} join={hands.toggleJoin} />
        <MapTools viewer={viewer} hands={hands} />
        <Tools viewer={viewer} hands={hands} />
      </main>
      {place === "society" && (
        <SocietyPage
          viewer={viewer}
          notice={<Notice viewer={viewer} now={now} retry={hands.retry} join={hands.toggleJoin} />}
        />
      )}
      {Object.hasOwn(LATER, place) && <Later key={place} viewer={viewer} {...LATER[place]} />}
      {((isWorld && viewer.current.state !== "founding") ||
        (viewer.see &&
          !(place === "society" && viewer.society?.organisations.some(({ id }) => id === viewer.see)))) && (
        <Dock viewer={viewer} second={isWorld ? hands.second : null} />
      )}
      {isWorld && <LaneBar viewer={viewer} lane={hands.lane} second={hands.second} />}
      {hands.help && <Help viewer={viewer} close={hands.toggleHelp} />}
      {hands.join &&
        (IS_FILM ? (
          <AboutFilm viewer={viewer} close={hands.toggleJoin} />
        ) : (
          <Join viewer={viewer} close={hands.toggleJoin} />
        ))}
      {hands.send && !IS_FILM && <Send viewer={viewer} close={hands.toggleSend} />}
      {hands.whatIf && !IS_FILM && <WhatIf viewer={viewer} close={hands.toggleWhatIf} />}
    </>
  );
}

const LATER: Record<string, { load: () => Promise<PlaceComponent>; name: string }> = {
  story: { load: async () => (await import("./story.tsx")).StoryPlace, name: "the story" },
  ...(IS_FILM ? {} : { matches: { load: async () => (await import("./matches.tsx")).MatchesPlace, name: "matches" } }),
};

/** A place whose script is loaded when somebody goes there. */
function Later({ viewer, load, name }: { viewer: Viewer; load: () => Promise<PlaceComponent>; name: string }) {
  const [place, setPlace] = useState<PlaceComponent | string>(`Looking for ${name}…`);
  useEffect(() => {
    load().then(
      (loaded) => setPlace(() => loaded),
      () => setPlace("This part of the page did not come; load the page again."),
    );
  }, []);
  const Place = place;
  return typeof Place === "string" ? (
    <main class="society">
      <p class="none">{Place}</p>
    </main>
  ) : (
    <Place viewer={viewer} />
  );
}

/** The thing that the reader looks at; without one, what differs to another run, or everybody and the latest events. */
function Dock({ viewer, second }: { viewer: Viewer; second: SecondSide | null }) {
  const [tab, setTab] = useState<"people" | "lately">("people");
  const [sorts, setSorts] = useState<readonly Sort[]>(SORTS);
  const toggle = (sort: Sort) =>
    setSorts(SORTS.filter((one) => (one === sort ? !sorts.includes(one) : sorts.includes(one))));
  const [sheet, setSheet] = useState(1);
  const grip = (
    <button
      type="button"
      class="grip"
      aria-label={`Panel: ${SHEETS[sheet]}. Change its height`}
      onClick={() => setSheet((sheet + 1) % SHEETS.length)}
    />
  );
  const isThere = second?.chosen != null;
  const shown = isThere ? second.viewer : viewer;
  const { see } = shown;
  const body = see ? shown.world?.crowd.get(see) : undefined;
  const side = isThere ? "there" : "here";
  if (body)
    return (
      <aside class="panel one" data-sheet={SHEETS[sheet]}>
        {grip}
        {second && <OfRun second={second} isThere={isThere} />}
        <Inspector key={side} viewer={shown} body={body} />
      </aside>
    );
  if (see && (!isAgent(see) || shown.world?.tick))
    return (
      <aside class="panel one" data-sheet={SHEETS[sheet]}>
        {grip}
        {second && <OfRun second={second} isThere={isThere} />}
        <Thing key={side} viewer={shown} see={see} />
      </aside>
    );
  if (second)
    return (
      <aside class="panel one" data-sheet={SHEETS[sheet]}>
        {grip}
        <Differences viewer={viewer} second={second} />
      </aside>
    );
  return (
    <aside class="panel" data-tab={tab} data-sheet={SHEETS[sheet]}>
      {grip}
      <nav class="tabs" aria-label="Panel">
        {(["people", "lately"] as const).map((one) => (
          <button type="button" aria-pressed={tab === one} onClick={() => setTab(one)}>
            {one}
          </button>
        ))}
      </nav>
      <Roster
        bodies={viewer.world?.crowd.list ?? []}
        people={viewer.people}
        prices={viewer.prices}
        watched={viewer.attention.watched}
        watch={(id) => viewer.choose(id)}
        nameOf={(id) => viewer.nameOf(id)}
      />
      <Events viewer={viewer} sorts={sorts} toggle={toggle} />
    </aside>
  );
}

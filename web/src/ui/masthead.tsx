// The header: the places, search, the time and weather of the world, who is here, and how to join.

import { IS_FILM, PLACES, type PlaceName, pathFor } from "../address.ts";
import { clockText, isNight } from "../daylight.ts";
import type { Viewer } from "../viewer.ts";
import { weatherWord } from "../words.ts";
import type { Hands } from "./app.tsx";
import { Search } from "./search.tsx";

// A world whose clock stands still sends nothing. After this time the header says so.
const QUIET_MS = 4000;

const number = (n: number) => n.toLocaleString("en-GB");

function Sky({ hour }: { hour: number }) {
  const night = isNight(hour);
  return (
    <svg class="sky" viewBox="0 0 20 20" aria-label={night ? "night" : "day"} role="img">
      {night ? <path d="M13 3a7.2 7.2 0 1 0 4 9.6A6 6 0 0 1 13 3z" /> : <circle cx="10" cy="10" r="5" />}
    </svg>
  );
}

// A film has no matches.
const SHOWN_PLACES = PLACES.filter((place) => !IS_FILM || place !== "matches");

const IDS: Record<PlaceName, string> = {
  world: "world",
  society: "society-link",
  story: "story",
  matches: "matches-link",
};

function state(viewer: Viewer, now: number): { name: string; text: string } {
  const { current, world } = viewer;
  if (viewer.place === "story") return viewer.story.link;
  if (current.state === "founding") return { name: "founding", text: "founding" };
  if (current.state === "opening") return { name: "connecting", text: "opening" };
  if (viewer.time.past.world || viewer.awaitsPast) return { name: "past", text: IS_FILM ? "a film" : "the past" };
  if (current.state === "away") return { name: "away", text: "disconnected" };
  if (current.state === "locked") return { name: "away", text: "token needed" };
  if (current.state === "connecting" || !world) return { name: "connecting", text: "connecting" };
  const quiet = now - world.heardAt;
  if (quiet > QUIET_MS) return { name: "quiet", text: `no tick for ${Math.floor(quiet / 1000)} s` };
  return world.tick ? { name: "live", text: "live" } : { name: "connecting", text: "connecting" };
}

export function Masthead({ viewer, hands, now }: { viewer: Viewer; hands: Hands; now: number }) {
  const { world, society } = viewer;
  const tick = world?.tick;
  const { name, text } = state(viewer, now);
  const go = (place: PlaceName) => (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    viewer.go(place);
  };
  const day = society && tick ? Math.floor(tick.tick / society.day_ticks) + 1 : null;
  return (
    <header class="masthead">
      <h1>Thorp</h1>
      <nav class="places" aria-label="Places">
        {SHOWN_PLACES.map((one) => (
          <a
            id={IDS[one]}
            href={pathFor(one, null)}
            aria-current={viewer.place === one ? "page" : undefined}
            onClick={go(one)}
          >
            {one}
          </a>
        ))}
      </nav>
      <Search viewer={viewer} />
      <span class="state" id="state" data-state={name} role="status">
        {text}
      </span>
      {world && tick && (
        <dl>
          <div class="hour">
            <dt>{day ? `Day ${day}` : "Time"}</dt>
            <dd>
              <Sky hour={tick.time_of_day} />
              {clockText(tick.time_of_day)}
            </dd>
          </div>
          <div class="seldom">
            <dt>Weather</dt>
            <dd id="weather">{weatherWord(tick.weather)}</dd>
          </div>
          <div class="seldom">
            <dt>Tick</dt>
            <dd id="tick">{number(tick.tick)}</dd>
          </div>
          <div class="seldom">
            <dt>Here</dt>
            <dd id="here">{number(world.crowd.connected)}</dd>
          </div>
        </dl>
      )}
      <button type="button" id="join-button" aria-expanded={hands.join} onClick={hands.toggleJoin}>
        {IS_FILM ? "About" : "Join"}
        <span class="seldom">{IS_FILM ? " this film" : " with an agent"}</span>
      </button>
    </header>
  );
}

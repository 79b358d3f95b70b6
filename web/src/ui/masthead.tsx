// The header: connection state, time and weather of the world, tick, and how late the server is.

import { clockText, isNight } from "../daylight.ts";
import type { Viewer } from "../viewer.ts";

// A world whose clock stands still sends nothing; after this time the header says so.
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

function state(viewer: Viewer, now: number): { name: string; text: string } {
  const { current, known } = viewer;
  if (current.state === "away") return { name: "away", text: "disconnected" };
  if (current.state === "connecting" || !known?.tick) return { name: "connecting", text: "connecting" };
  const quiet = now - known.heardAt;
  if (quiet > QUIET_MS) return { name: "quiet", text: `no tick for ${Math.floor(quiet / 1000)} s` };
  return { name: "live", text: "live" };
}

export function Masthead({ viewer, now }: { viewer: Viewer; now: number }) {
  const { known, lateness } = viewer;
  const tick = known?.tick;
  const { name, text } = state(viewer, now);
  return (
    <header class="masthead">
      <h1>Thorp</h1>
      <span class="state" id="state" data-state={name} role="status">{text}</span>
      <a id="story" href="story">Story</a>
      {known && tick && (
        <dl>
          <div class="hour">
            <dt>Time</dt>
            <dd><Sky hour={tick.time_of_day} />{clockText(tick.time_of_day)}</dd>
          </div>
          <div><dt>Weather</dt><dd id="weather">{tick.weather.toLowerCase()}</dd></div>
          <div><dt>Tick</dt><dd id="tick">{number(tick.tick)}</dd></div>
          <div class="seldom"><dt>Online</dt><dd>{number(known.crowd.connected)} of {number(known.crowd.list.length)}</dd></div>
          <div class="seldom" title="Ticks that began late, and ticks that were skipped">
            <dt>Late</dt>
            <dd id="late">{lateness ? `${number(lateness.late)}${lateness.skipped ? `, ${number(lateness.skipped)} skipped` : ""}` : "–"}</dd>
          </div>
          <div class="seldom"><dt>Seed</dt><dd>{known.bootstrap.world_params.seed}</dd></div>
        </dl>
      )}
    </header>
  );
}

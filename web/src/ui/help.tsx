// The keys, and what is known of this server.

import { when } from "../society.ts";
import type { Viewer } from "../viewer.ts";

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["/, Ctrl K", "find a person, place, law or word"],
  ["1, 2, 3, 4", "the world, its society, its story, matches"],
  ["W A S D, arrows", "move over the ground"],
  ["Q, E", "turn"],
  ["+, −, wheel, pinch", "zoom in, zoom out"],
  ["drag", "turn and tilt; with Shift or two fingers, move"],
  ["M, L", "the map and back, its layers"],
  ["double-click", "on the map: go there"],
  ["N, P", "watch the next or the previous person"],
  ["click", "watch the person that stands there; on the map, choose"],
  ["F", "follow the watched person"],
  ["T", "a tour: the camera goes to what is worth seeing; any key ends it"],
  ["G", "fold what is going on"],
  ["Space", "pause; play, pause the past"],
  [", .", "one tick back, one forth"],
  ["[ ]", "the event before, the next one; of whom you look at, with Alt of all"],
  ["Home, End", "the founding, live"],
  ["C", "compare with an hour before, or with any moment of the lane"],
  ["Esc", "close what is on top, then what you look at"],
  ["Tab", "go to the lists; arrows move, Enter chooses"],
];

export function Help({ viewer, close }: { viewer: Viewer; close: () => void }) {
  const { world, lateness, society, time } = viewer;
  return (
    <section class="help" aria-label="Keys">
      <dl>
        {KEYS.map(([keys, does]) => (
          <div>
            <dt>{keys}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <h2>This server</h2>
      <dl>
        <div>
          <dt>seed</dt>
          <dd>{world?.bootstrap.world_params.seed ?? "–"}</dd>
        </div>
        <div>
          <dt>ticks a second</dt>
          <dd>{world?.bootstrap.world_params.tick_rate_hz ?? "–"}</dd>
        </div>
        <div title="Ticks that began late, and ticks that were skipped">
          <dt>late</dt>
          <dd id="late">
            {lateness ? `${lateness.late}${lateness.skipped ? `, ${lateness.skipped} skipped` : ""}` : "–"}
          </dd>
        </div>
        <div>
          <dt>picture</dt>
          <dd>{viewer.coarseAt ? "coarser, for this machine is slow" : "as fine as the screen"}</dd>
        </div>
        <div>
          <dt>past</dt>
          <dd>
            {time.tape.state
              ? `kept since ${when(time.tape.state.playable[0]?.[0] ?? time.liveTick, time.dayTicks)}`
              : "not kept by this server"}
          </dd>
        </div>
        <div>
          <dt>book</dt>
          <dd>
            {society?.open_book
              ? "open: pockets, chests and refusals are shown"
              : "closed: pockets, chests and refusals are private"}
          </dd>
        </div>
      </dl>
      <button type="button" onClick={close}>
        Close
      </button>
    </section>
  );
}

// What is going on, as sentences over the scene. They change seldom, and never under the pointer.

import { useRef } from "preact/hooks";
import { pathFor } from "../address.ts";
import { digest, type Sentence } from "../digest.ts";
import { countdown, upcoming } from "../upcoming.ts";
import type { Viewer } from "../viewer.ts";
import type { Hands } from "./app.tsx";
import { See, SentenceLine } from "./see.tsx";

const EVERY_MS = 20_000;

export function GoingOn({ viewer, hands, now }: { viewer: Viewer; hands: Hands; now: number }) {
  const { folded } = hands;
  const kept = useRef<{ at: number; of: string; sentences: Sentence[] } | null>(null);
  const over = useRef(false);
  const { world, society } = viewer;
  if (!world?.tick) return null;
  // In the past, the sentences are made again for each hour of the village.
  const isPast = viewer.time.past.world !== null;
  const of = `${society !== null} ${isPast && Math.floor((24 * viewer.time.tick) / viewer.time.dayTicks)}`;
  const stale = !kept.current || now - kept.current.at > EVERY_MS || of !== kept.current.of;
  if (stale && !over.current)
    kept.current = { at: now, of, sentences: digest(society, world.crowd.list, talkOfTown(viewer)) };
  return (
    <section
      class="going-on"
      id="going-on"
      role="status"
      aria-label="What is going on"
      onPointerEnter={() => {
        over.current = true;
      }}
      onPointerLeave={() => {
        over.current = false;
      }}
    >
      <button
        type="button"
        class="label"
        aria-expanded={!folded}
        onClick={() => {
          hands.folded = !folded;
        }}
      >
        What {isPast ? "was" : "is"} going on
      </button>
      <a
        class="see"
        href={pathFor("story", null)}
        onClick={(event) => {
          event.preventDefault();
          viewer.go("story");
        }}
      >
        the story so far
      </a>
      {!folded && !isPast && (
        <small class="what">
          Thorp is a small world in which AI agents live, work, trade and make laws. You watch; anybody's agent may
          join.
        </small>
      )}
      {!folded && kept.current?.sentences.map((sentence) => <SentenceLine viewer={viewer} sentence={sentence} />)}
      {!folded && <Next viewer={viewer} />}
    </section>
  );
}

/** The quarrel that people talk of: its newest step, for a quarter of a day. */
function talkOfTown({ chronicle, time }: Viewer) {
  const { quarrel } = chronicle;
  return quarrel && quarrel.tick <= time.tick && time.tick - quarrel.tick <= time.dayTicks / 4 ? quarrel : undefined;
}

/** What comes next, and how long it is until then from the moment that is shown. */
function Next({ viewer }: { viewer: Viewer }) {
  const { society, time, papers, world } = viewer;
  const all = upcoming(society, papers.elections, time.tick);
  const rate = world?.bootstrap.world_params.tick_rate_hz ?? 5;
  if (!all.length) return null;
  return (
    <div id="next">
      <p class="label">Next</p>
      <ul>
        {all.map(({ tick, see, before, text, after }) => (
          <li>
            <span>
              {before}
              <See viewer={viewer} id={see}>
                {text}
              </See>
              {after}
            </span>{" "}
            <small>{countdown(tick - time.tick, rate)}</small>
          </li>
        ))}
      </ul>
    </div>
  );
}

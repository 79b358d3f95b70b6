// What happened, the newest first.

import { type Sort, SORTS } from "../chronicle.ts";
import { when } from "../society.ts";
import type { Viewer } from "../viewer.ts";
import { Moment } from "./lane.tsx";
import { Says, See } from "./see.tsx";

const SHOWN_LINES = 120;

interface Props {
  viewer: Viewer;
  sorts: readonly Sort[];
  toggle(sort: Sort): void;
}

export function Events({ viewer, sorts, toggle }: Props) {
  const day = viewer.society?.day_ticks ?? 6000;
  const lines = viewer.chronicle.lines(sorts, SHOWN_LINES);
  return (
    <section class="chronicle" aria-labelledby="events-title">
      <div class="heading">
        <h2 id="events-title">Lately</h2>
        <div class="sorts" role="group" aria-label="Which events">
          {SORTS.map((sort) => (
            <button type="button" aria-pressed={sorts.includes(sort)} onClick={() => toggle(sort)}>{sort}</button>
          ))}
        </div>
      </div>
      <ol id="events" tabIndex={0} aria-labelledby="events-title">
        {lines.map((line) => (
          <li key={line.key} data-sort={line.sort}>
            <Moment viewer={viewer} tick={line.tick}>{when(line.tick, day).split(", ")[1]}</Moment>
            <span>
              {line.see ? <See viewer={viewer} id={line.see}><bdi class="who">{line.who}</bdi></See> : <bdi class="who">{line.who}</bdi>} <See viewer={viewer} id={`E${line.tick}`}><span class="did">{line.did}</span></See>
              {line.count > 1 && <small> × {line.count}</small>}
              {line.quote !== undefined && <Says viewer={viewer} text={line.quote} />}
            </span>
          </li>
        ))}
        {!lines.length && <li class="none">No events yet.</li>}
      </ol>
    </section>
  );
}

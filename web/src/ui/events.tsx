// What happened, the newest first.

import { type Chronicle, type Sort, SORTS } from "../chronicle.ts";

const SHOWN_LINES = 120;

interface Props {
  chronicle: Chronicle;
  sorts: readonly Sort[];
  toggle(sort: Sort): void;
}

export function Events({ chronicle, sorts, toggle }: Props) {
  const lines = chronicle.lines(sorts, SHOWN_LINES);
  return (
    <section class="chronicle" aria-labelledby="events-title">
      <div class="heading">
        <h2 id="events-title">Events</h2>
        <div class="sorts" role="group" aria-label="Which events">
          {SORTS.map((sort) => (
            <button type="button" aria-pressed={sorts.includes(sort)} onClick={() => toggle(sort)}>{sort}</button>
          ))}
        </div>
      </div>
      <ol id="events" tabIndex={0} aria-labelledby="events-title">
        {lines.map((line) => (
          <li key={line.key} data-sort={line.sort}>
            <time title={`tick ${line.tick}`}>{line.tick}</time>
            <span>
              <bdi class="who">{line.who}</bdi> {line.did}
              {line.count > 1 && <small> × {line.count}</small>}
              {line.quote !== undefined && <q><bdi>{line.quote}</bdi></q>}
            </span>
          </li>
        ))}
        {!lines.length && <li class="none">No events yet.</li>}
      </ol>
    </section>
  );
}

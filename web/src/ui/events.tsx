// What happened, the newest first.

import { Component, type VNode } from "preact";
import { useRef } from "preact/hooks";
import { eventAddress } from "../address.ts";
import { fold, SORTS, type Sort } from "../chronicle.ts";
import { when } from "../society.ts";
import type { Viewer } from "../viewer.ts";
import { Moment } from "./lane.tsx";
import { Says, See } from "./see.tsx";

const SHOWN_LINES = 120;

/**
 * Renders a part of the page again only if its inputs have changed. Keeping the rendered node instead would keep its
 * whole tree in memory.
 */
class Kept extends Component<{ of: string; make: () => VNode }> {
  override shouldComponentUpdate(next: { of: string }): boolean {
    return next.of !== this.props.of;
  }

  override render(): VNode {
    return this.props.make();
  }
}

interface Props {
  viewer: Viewer;
  sorts: readonly Sort[];
  toggle(sort: Sort): void;
}

export function Events({ viewer, sorts, toggle }: Props) {
  const day = viewer.society?.day_ticks ?? 6000;
  const lines = fold(viewer.chronicle.lines(sorts, SHOWN_LINES));
  // Few lines change in a tick, so unchanged ones are not rendered again.
  const made = useRef({ society: viewer.society, revision: 0 });
  if (made.current.society !== viewer.society)
    made.current = { society: viewer.society, revision: made.current.revision + 1 };
  const of = `${location.href} ${day} ${viewer.time.tape.state !== null} ${made.current.revision}`;
  return (
    <section class="chronicle" aria-labelledby="events-title">
      <div class="heading">
        <h2 id="events-title">Lately</h2>
        <div class="sorts" role="group" aria-label="Which events">
          {SORTS.map((sort) => (
            <button type="button" aria-pressed={sorts.includes(sort)} onClick={() => toggle(sort)}>
              {sort}
            </button>
          ))}
        </div>
      </div>
      <ol id="events" tabIndex={0} aria-labelledby="events-title">
        {lines.map((line) => (
          <Kept
            key={line.key}
            of={`${of} ${line.tick} ${line.which} ${line.count} ${line.others} ${line.who} ${line.did}`}
            make={() => (
              <li data-sort={line.sort}>
                <Moment viewer={viewer} tick={line.tick}>
                  {when(line.tick, day).split(", ")[1]}
                </Moment>
                <span>
                  {line.see ? (
                    <See viewer={viewer} id={line.see}>
                      <bdi class="who">{line.who}</bdi>
                    </See>
                  ) : (
                    <bdi class="who">{line.who}</bdi>
                  )}
                  {line.others > 0 && ` and ${line.others} ${line.others > 1 ? "others" : "other"}`}{" "}
                  <See viewer={viewer} id={eventAddress(line.tick, line.which)}>
                    <span class="did">{line.did}</span>
                  </See>
                  {line.count > 1 && <small> × {line.count}</small>}
                  {line.quote !== undefined && <Says viewer={viewer} text={line.quote} />}
                </span>
              </li>
            )}
          />
        ))}
        {!lines.length && <li class="none">No events yet.</li>}
      </ol>
    </section>
  );
}

// What happened, the newest first.

import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { type Line, type Sort, SORTS } from "../chronicle.ts";
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
  const made = useRef({ of: "", society: viewer.society, lines: new Map<Line, { as: string; node: VNode }>() });
  const of = `${location.href} ${day} ${viewer.time.state !== null}`;
  if (made.current.of !== of || made.current.society !== viewer.society) made.current = { of, society: viewer.society, lines: new Map() };
  const before = made.current.lines;
  made.current.lines = new Map();
  /** What was made of a line before, unless something of it has changed: few of them do in a tick. */
  const kept = (line: Line, make: () => VNode) => {
    const as = `${line.tick} ${line.count} ${line.who}`;
    const old = before.get(line);
    const one = old?.as === as ? old : { as, node: make() };
    made.current.lines.set(line, one);
    return one.node;
  };
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
        {lines.map((line) => kept(line, () => (
          <li key={line.key} data-sort={line.sort}>
            <Moment viewer={viewer} tick={line.tick}>{when(line.tick, day).split(", ")[1]}</Moment>
            <span>
              {line.see ? <See viewer={viewer} id={line.see}><bdi class="who">{line.who}</bdi></See> : <bdi class="who">{line.who}</bdi>} <See viewer={viewer} id={`E${line.tick}`}><span class="did">{line.did}</span></See>
              {line.count > 1 && <small> × {line.count}</small>}
              {line.quote !== undefined && <Says viewer={viewer} text={line.quote} />}
            </span>
          </li>
        )))}
        {!lines.length && <li class="none">No events yet.</li>}
      </ol>
    </section>
  );
}

// An event: what happened in a tick, where, what came before and after it, what it changed, and the way to watch it.

import { useEffect, useState } from "preact/hooks";
import { eventAddress, ROOT } from "../address.ts";
import { Chronicle } from "../chronicle.ts";
import { changesAt, related } from "../related.ts";
import { when } from "../society.ts";
import type { Mark } from "../tape.ts";
import type { Viewer } from "../viewer.ts";
import { Moment } from "./lane.tsx";
import { Says, See } from "./see.tsx";

// The range around an event in which related events are searched for.
const AROUND_TICKS = 6000;
// "Watch it" begins a little before.
const LEAD_TICKS = 25;

// The most lines of the same tick, besides the one that the card is about.
const SHOWN_LINES = 20;

export function EventCard({ viewer, tick, which }: { viewer: Viewer; tick: number; which: string }) {
  const { time, world } = viewer;
  const [marks, setMarks] = useState<Mark[] | null>(null);
  useEffect(() => {
    setMarks(null);
    // For a long range the server names only the weightiest marks, so those of the tick itself are requested too.
    const around = [
      [tick, tick],
      [tick - AROUND_TICKS, tick - 1],
      [tick + 1, Math.min(time.liveTick, tick + AROUND_TICKS)],
    ];
    void Promise.all(around.map(([from, to]) => (from <= to ? time.marks(from, to, 1) : null))).then((answers) =>
      setMarks(answers.flatMap((one) => one?.marks ?? [])),
    );
  }, [tick]);
  const segment = time.tape.segmentWith(tick);
  if (tick > time.liveTick) return <p class="none">Tick {tick} has not come yet.</p>;
  if (!segment || !world)
    return (
      <p class="none">{time.tape.isGone(tick) ? "This moment is not on the tape: it cannot be shown." : "Looking…"}</p>
    );
  const chronicle = new Chronicle();
  chronicle.takeEach(segment, tick - 1, tick, world.looks, (id) => viewer.nameOf(id));
  const all = chronicle.lines(["society", "people", "talk", "work"], Infinity);
  const lines = all.slice(0, SHOWN_LINES);
  const first = all.find((line) => line.which === which) ?? lines.find(({ sort }) => sort !== "work") ?? lines[0];
  // An address without a number means the weightiest event of the tick.
  const main = marks
    ?.filter((mark) => mark.tick === tick && (!which || `${mark.number}` === which))
    .sort((a, b) => b.weight - a.weight)[0];
  const happened = segment.tickAt(tick);
  const who = main?.refs.find((ref) => happened.agents.some(({ id }) => id === ref)) ?? first?.see;
  const own = which
    ? happened.happenings?.[Number(which) - 1]
    : happened.happenings?.find((one) => Array.isArray(one.pos));
  const pos = (Array.isArray(own?.pos) ? own.pos : undefined) ?? happened.agents.find(({ id }) => id === who)?.pos;
  const near = main && marks ? related(marks, main) : [];
  const changes = changesAt(segment, tick);
  const day = time.dayTicks;
  const watch = () => {
    if (who) viewer.along(who);
    else if (pos) viewer.goTo(pos[0], pos[2]);
    time.jump(Math.max(1, tick - LEAD_TICKS));
    time.playing = true;
  };
  return (
    <article class="paper event" id="event">
      <p class="label">Event</p>
      <h3>{main?.text ?? (first ? `${first.who} ${first.did}` : "Nothing that anyone noticed")}</h3>
      <p>
        <small>
          {when(tick, day)}, tick {tick}
          {pos && (
            <>
              {" "}
              · at{" "}
              <button type="button" class="see" onClick={() => viewer.goTo(pos[0], pos[2])}>
                {pos[0]}, {pos[2]}
              </button>
            </>
          )}
        </small>
      </p>
      <div class="buttons">
        <button type="button" id="watch" onClick={watch}>
          Watch it
        </button>
      </div>
      {lines.length > 0 && (
        <>
          <h4>What happened</h4>
          <ul class="lately">
            {lines.map((line) => (
              <li>
                <span>
                  {line.see ? (
                    <See viewer={viewer} id={line.see}>
                      <bdi>{line.who}</bdi>
                    </See>
                  ) : (
                    <bdi>{line.who}</bdi>
                  )}{" "}
                  <See viewer={viewer} id={eventAddress(line.tick, line.which)}>
                    <span class="did">{line.did}</span>
                  </See>
                  {line.count > 1 && <small> × {line.count}</small>}
                  {line.quote !== undefined && (
                    <>
                      {" "}
                      <Says viewer={viewer} text={line.quote} />
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {marks === null && <p class="none">Looking for what came before and after…</p>}
      {near.length > 0 && (
        <>
          <h4>Before and after</h4>
          <ol class="lately" id="related">
            {near.map((mark) => (
              <li data-after={mark.tick > tick}>
                <Moment viewer={viewer} tick={mark.tick}>
                  {when(mark.tick, day).replace("day ", "")}
                </Moment>{" "}
                <span>
                  <See viewer={viewer} id={eventAddress(mark.tick, `${mark.number}`)}>
                    {mark.text}
                  </See>
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
      {changes.length > 0 && (
        <>
          <h4>What changed</h4>
          <dl class="facts">
            {changes.map(({ of, what }) => (
              <div>
                <dt>
                  <See viewer={viewer} id={of} />
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <p>
        <small>
          A world of your own from here: <code>thorp world fork --at {tick} --into what-if</code>
        </small>
      </p>
      <p>
        <small>
          <a
            class="see"
            href={`${ROOT.pathname}story/day/${Math.floor(tick / day) + 1}`}
            onClick={(event) => {
              event.preventDefault();
              viewer.go("story", `day/${Math.floor(tick / day) + 1}`);
            }}
          >
            read on at day {Math.floor(tick / day) + 1}
          </a>
        </small>
      </p>
    </article>
  );
}

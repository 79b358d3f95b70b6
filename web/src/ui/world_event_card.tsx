// The event that the world is going through: what there is to do, and who has taken part.

import { type WorldEvent, when } from "../society.ts";
import { eventTitle } from "../words.ts";
import { dayOf, type Of, People } from "./card.tsx";
import { Moment } from "./lane.tsx";

/** How many of the newest moments are searched for those who took part. */
const PARTS_LOOKED_AT = 600;

/** The event under way: what there is to do, where and until when, and who has taken part. */
export function WorldEventCard({ viewer, event }: Of & { event: WorldEvent }) {
  const day = dayOf(viewer);
  const { center } = event;
  const part = `took part: ${eventTitle(event.id)}`;
  const did = viewer.chronicle
    .lines(["society"], PARTS_LOOKED_AT)
    .filter((line) => line.did === part && line.tick >= event.start_tick);
  const ids = [...new Set(did.flatMap(({ see }) => see ?? []))];
  return (
    <article class="paper" id="world-event">
      <p class="label">Event of the world</p>
      <h3>{event.title}</h3>
      <p>{event.description}</p>
      <dl class="facts">
        <div>
          <dt>from</dt>
          <dd>
            <Moment viewer={viewer} tick={event.start_tick}>
              {when(event.start_tick, day)}
            </Moment>
          </dd>
        </div>
        <div>
          <dt>until</dt>
          <dd>{when(event.ends_tick, day)}</dd>
        </div>
        <div>
          <dt>where</dt>
          <dd>
            {center ? (
              <>
                {event.radius} around{" "}
                <button type="button" class="see" onClick={() => viewer.goTo(center[0], center[2])}>
                  {center[0]}, {center[2]}
                </button>
              </>
            ) : (
              "everywhere"
            )}
          </dd>
        </div>
        <div>
          <dt>took part</dt>
          <dd>{ids.length ? <People viewer={viewer} ids={ids} /> : "nobody yet, as far as is told here"}</dd>
        </div>
      </dl>
    </article>
  );
}

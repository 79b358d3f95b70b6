// A building: how it came to be, and who lives there.

import { useState } from "preact/hooks";
import { type Building, middleOf, residentsOf } from "../buildings.ts";
import { ask, landAt, when } from "../society.ts";
import { dayOf, type Of } from "./card.tsx";
import { Moment } from "./lane.tsx";
import { Goods, See } from "./see.tsx";

/** How long watching a building rise takes, and how much is shown before its first block and after its last. */
const RISING_SECONDS = 14;
const LEAD_TICKS = 20;
const TRAIL_TICKS = 15;

/** A building: who asked for it, who built it and from what, who lives there, and a button to watch it rise. */
export function BuildingCard({ viewer, building }: Of & { building: Building }) {
  const { time } = viewer;
  const day = dayOf(viewer);
  const [problem, setProblem] = useState("");
  const residents = residentsOf(building, viewer.papers.buildings, time.tick);
  const { x, z } = middleOf(building);
  const land = landAt(viewer.society, Math.floor(x), Math.floor(z));
  const watch = async () => {
    const path = `${time.tape.of}rising?building=${encodeURIComponent(building.id)}`;
    const rising = await ask<{ first: number; last: number }>(path);
    setProblem(rising ? "" : "This server does not know when it was built.");
    if (!rising) return;
    viewer.goTo(x, z);
    time.playStretch(rising.first - LEAD_TICKS, rising.last + TRAIL_TICKS, RISING_SECONDS);
  };
  return (
    <article class="paper" id="building">
      <p class="label">Building</p>
      <h3>{viewer.nameOf(building.id)}</h3>
      <div class="buttons">
        <button type="button" id="rise" disabled={!time.tape.state} onClick={() => void watch()}>
          Watch it rise
        </button>
        <button type="button" onClick={() => viewer.goTo(x, z)}>
          Go there
        </button>
      </div>
      {problem && <p class="none">{problem}</p>}
      <dl class="facts">
        <div>
          <dt>asked by</dt>
          <dd>
            {building.asked_by ? (
              <>
                <See viewer={viewer} id={building.asked_by} /> <small>{when(building.asked_tick, day)},</small>{" "}
                <See viewer={viewer} id={building.contract} />
              </>
            ) : (
              "nobody: it was built without a contract"
            )}
          </dd>
        </div>
        <div>
          <dt>built by</dt>
          <dd>
            <See viewer={viewer} id={building.builder} />
          </dd>
        </div>
        <div>
          <dt>from</dt>
          <dd>
            <Goods items={building.cost} />
          </dd>
        </div>
        <div>
          <dt>lives here</dt>
          <dd id="residents">
            {residents.length
              ? residents.map(({ id, since_tick }, i) => (
                  <>
                    {i > 0 && ", "}
                    <See viewer={viewer} id={id} /> <small>since {when(since_tick, day)}</small>
                  </>
                ))
              : "nobody, as far as was said in public"}
          </dd>
        </div>
        <div>
          <dt>since</dt>
          <dd>
            <Moment viewer={viewer} tick={building.completed_tick}>
              {when(building.completed_tick, day)}
            </Moment>
          </dd>
        </div>
        <div>
          <dt>on</dt>
          <dd>{land ? <See viewer={viewer} id={land.id} /> : "land that nobody owns"}</dd>
        </div>
      </dl>
    </article>
  );
}

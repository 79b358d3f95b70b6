// A land: whose it is, and what a stranger may do there.

import { clockText } from "../daylight.ts";
import { amount, type Land, when } from "../society.ts";
import { dayOf, type Of, People } from "./card.tsx";
import { Moods, TreasuryLine } from "./council.tsx";
import { Goods, See } from "./see.tsx";

const RIGHTS = ["trade", "build", "break", "damage"];

/** What a stranger pays for a right, or when a stranger does not have it. */
function conditions({ market_tax, fine, curfew }: Land, right: string): string {
  if (right === "trade") return market_tax ? `${Math.round(market_tax * 100)} % is kept` : "";
  if (right === "break" && fine) return `costs ${amount(...fine)} a block`;
  return right !== "damage" && curfew ? `not from ${clockText(curfew[0])} to ${clockText(curfew[1])}` : "";
}

export function LandCard({ viewer, land }: Of & { land: Land }) {
  const laws = viewer.society?.laws.filter(({ land_id, status }) => land_id === land.id && status === "ACTIVE") ?? [];
  const org = viewer.society?.organisations.find(({ id }) => id === land.owner);
  const town = viewer.papers.town(land.owner);
  return (
    <article class="paper">
      <h3>
        <span>{viewer.nameOf(land.id)}</span>
      </h3>
      <dl class="facts">
        <div>
          <dt>owner</dt>
          <dd>
            <See viewer={viewer} id={land.owner} />
          </dd>
        </div>
        <div>
          <dt>size</dt>
          <dd>
            {2 * land.radius + 1} across, around {land.anchor[0]}, {land.anchor[2]}
          </dd>
        </div>
        <div>
          <dt>upkeep</dt>
          <dd>
            {["paid", "late", "missed: open to all"][land.stage] ?? "missed"}, due {when(land.due_tick, dayOf(viewer))}
          </dd>
        </div>
        <div>
          <dt>a stranger</dt>
          <dd class="rights">
            {RIGHTS.map((right) => {
              const may = land.visitors_may.includes(right);
              return (
                <span data-may={may}>
                  {may ? "may" : "may not"} {right} <small>{conditions(land, right)}</small>
                </span>
              );
            })}
            {land.ticket && (
              <span data-may="true">
                may enter the middle <small>for {amount(...land.ticket)}</small>
              </span>
            )}
          </dd>
        </div>
        <div>
          <dt>laws</dt>
          <dd>
            {laws.length
              ? laws.map(({ id }, i) => (
                  <>
                    {i > 0 && ", "}
                    <See viewer={viewer} id={id} />
                  </>
                ))
              : "none"}
          </dd>
        </div>
        {org && (
          <div>
            <dt>treasury</dt>
            <dd>
              <Goods items={org.treasury} />
              <TreasuryLine viewer={viewer} org={org} />
            </dd>
          </div>
        )}
        {org && (
          <div>
            <dt>members</dt>
            <dd class="members">
              <People viewer={viewer} ids={Object.keys(org.members)} />
            </dd>
          </div>
        )}
      </dl>
      {town && !viewer.time.past.world && (
        <>
          <h4>How the town fares</h4>
          <Moods of={town.pressure} />
        </>
      )}
    </article>
  );
}

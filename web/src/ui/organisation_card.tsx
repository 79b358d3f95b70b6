// An organisation: its members, its treasury and its contracts.

import { type Organisation, when } from "../society.ts";
import { organisationWord } from "../words.ts";
import { dayOf, type Of, People } from "./card.tsx";
import { TreasuryLine } from "./council.tsx";
import { Goods, See } from "./see.tsx";

export function OrganisationCard({ viewer, org }: Of & { org: Organisation }) {
  const leaders = Object.entries(org.members)
    .filter(([, rank]) => rank === "LEADER")
    .map(([id]) => id);
  const lands = viewer.society?.lands.filter(({ owner }) => owner === org.id) ?? [];
  return (
    <article class="paper">
      <h3>
        <bdi>{org.name}</bdi> <small>{organisationWord(org.kind)}</small>
      </h3>
      <dl class="facts">
        <div>
          <dt>led by</dt>
          <dd>
            {leaders.map((id) => (
              <See viewer={viewer} id={id} />
            ))}
          </dd>
        </div>
        <div>
          <dt>land</dt>
          <dd>
            {lands.length
              ? lands.map(({ id, radius }) => (
                  <>
                    <See viewer={viewer} id={id} /> <small>{2 * radius + 1} across</small>
                  </>
                ))
              : "none"}
          </dd>
        </div>
        <div>
          <dt>treasury</dt>
          <dd id="treasury">
            <Goods items={org.treasury} />
            <TreasuryLine viewer={viewer} org={org} />
          </dd>
        </div>
        <div>
          <dt>since</dt>
          <dd>{when(org.created_tick, dayOf(viewer))}</dd>
        </div>
        <div>
          <dt>members</dt>
          <dd class="members">
            <People viewer={viewer} ids={Object.keys(org.members)} />
          </dd>
        </div>
      </dl>
    </article>
  );
}

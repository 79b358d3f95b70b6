// The society of the world: organisations, laws, works, contracts, boards. What you see is what anyone in it may know.

import type { ComponentChildren } from "preact";
import { asks, goods, type Organisation, type Society, when } from "../society.ts";
import { electionAt } from "../upcoming.ts";
import type { Viewer } from "../viewer.ts";
import { organisationWord, workName } from "../words.ts";
import { Posts, State } from "./card.tsx";
import { Council, Moods, useDecisions } from "./council.tsx";
import { ElectionCard } from "./election_card.tsx";
import { PastBanner } from "./lane.tsx";
import { LawCard } from "./law_card.tsx";
import { OrganisationCard } from "./organisation_card.tsx";
import { Goods, See } from "./see.tsx";

/** The state of a town when its council last looked, before the tick of the past that is shown. */
function TownThen({ viewer, org }: { viewer: Viewer; org: Organisation }) {
  const seen = useDecisions(viewer, org)?.find(({ saw }) => Object.keys(saw).length);
  return seen ? (
    <article class="paper" id="town">
      <h3>
        How {org.name} stood <small>as its council saw it, {when(seen.tick, viewer.time.dayTicks)}</small>
      </h3>
      <Moods of={seen.saw} />
    </article>
  ) : null;
}

function TownCard({ viewer, org }: { viewer: Viewer; org: Organisation }) {
  const town = viewer.papers.town(org.id);
  if (viewer.time.past.world) return <TownThen viewer={viewer} org={org} />;
  if (!town) return null;
  return (
    <article class="paper" id="town">
      <h3>How {org.name} stands</h3>
      <Moods of={town.pressure} />
      <p>
        {town.mission ? (
          <>
            <strong>{town.mission.title}.</strong> {town.mission.description}
          </>
        ) : (
          "The council has taken up no mission."
        )}
      </p>
      <ul class="works">
        {town.projects.map((work) => (
          <li key={work.id}>
            {workName(work.name)}{" "}
            <span class="bar">
              <i style={{ width: `${work.progress * 100}%` }} />
            </span>{" "}
            <small>{work.status}</small>
          </li>
        ))}
      </ul>
    </article>
  );
}

function Contracts({ viewer, society }: { viewer: Viewer; society: Society }) {
  if (!society.contracts.length) return <p class="none">Nobody has asked for anything yet.</p>;
  return (
    <div class="wide" tabIndex={0} role="region" aria-label="All contracts">
      <table>
        <thead>
          <tr>
            {["No", "Asked for", "By", "Reward", "Taken by", "State", "Until"].map((head) => (
              <th scope="col">{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {society.contracts.map((contract) => (
            <tr key={contract.id}>
              <td>
                <See viewer={viewer} id={contract.id}>
                  {Number(contract.id.slice(1))}
                </See>
              </td>
              <td>
                {asks(contract)}
                {Object.keys(contract.brought).length > 0 && <small> {goods(contract.brought)} brought</small>}
              </td>
              <td>
                <See viewer={viewer} id={contract.poster} />
              </td>
              <td>
                <Goods items={contract.reward} />
                {contract.backer && (
                  <small>
                    {" "}
                    + {goods(contract.bonus)} from <See viewer={viewer} id={contract.backer} />
                  </small>
                )}
              </td>
              <td>
                <See viewer={viewer} id={contract.acceptor} />
              </td>
              <td>
                <State of={contract.state} />
              </td>
              <td>{when(contract.deadline_tick, society.day_ticks)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function SocietyPage({ viewer, notice }: { viewer: Viewer; notice: ComponentChildren }) {
  const { society, time } = viewer;
  if (time.isPast && !time.past.world) {
    return (
      <main class="society" data-time="past">
        <PastBanner viewer={viewer} />
        <p class="none">
          {time.problem ? "There are no papers of that time." : "Looking for the papers of that time…"}
        </p>
      </main>
    );
  }
  if (!society)
    return (
      <main class="society">
        {viewer.current.state === "live" ? <p class="none">Looking for the society's papers…</p> : notice}
      </main>
    );
  const { organisations, laws, boards } = society;
  const election = electionAt(viewer.papers.elections, time.tick);
  const org = organisations.find(({ id }) => id === viewer.see) ?? organisations[0];
  const lands = new Set(society.lands.filter(({ owner }) => owner === org?.id).map(({ id }) => id));
  const own = laws.filter(({ land_id }) => lands.has(land_id));
  const others = laws.filter(({ land_id }) => !lands.has(land_id));
  const posts = Object.values(boards)
    .flat()
    .sort((a, b) => b.tick - a.tick)
    .filter(({ title, body }, i, all) => all.findIndex((one) => one.title === title && one.body === body) === i)
    .slice(0, 8);
  return (
    <main class="society" id="society" data-time={viewer.time.isPast ? "past" : "live"}>
      {viewer.current.state === "away" && (
        <p class="old" role="alert">
          {viewer.current.why} These are the last papers it sent, from {when(society.tick, society.day_ticks)}.
        </p>
      )}
      <PastBanner viewer={viewer} />
      <nav aria-label="Organisations">
        <h2>Organisations</h2>
        {organisations.map((one) => (
          <button type="button" key={one.id} aria-pressed={one === org} onClick={() => viewer.choose(one.id)}>
            <bdi>{one.name}</bdi>{" "}
            <small>
              {organisationWord(one.kind)}, {Object.keys(one.members).length}
            </small>
          </button>
        ))}
        {!organisations.length && <p class="none">Nobody has founded anything yet.</p>}
        <h2>Everyone</h2>
        {(
          [
            ["laws", "Laws", laws.length],
            ["contracts", "Contracts", society.contracts.length],
            ["boards", "Boards", posts.length],
          ] as const
        ).map(([id, name, n]) => (
          <button
            type="button"
            onClick={() => document.getElementById(`all-${id}`)?.scrollIntoView({ block: "nearest" })}
          >
            {name} <small>{n}</small>
          </button>
        ))}
        {society.event && (
          <button
            type="button"
            aria-pressed={viewer.see === society.event.id}
            onClick={() => viewer.choose(society.event!.id)}
          >
            {society.event.title} <small>event</small>
          </button>
        )}
        {society.cut && (
          <p>
            <small>The tape had no room for all that there was.</small>
          </p>
        )}
        <p>
          <small>What you see is what anyone in the world may know. Votes are counted, never named.</small>
        </p>
      </nav>
      <section id="all-laws" aria-label="Laws">
        <h2>
          Laws
          {org && (
            <>
              {" "}
              of the land of <bdi>{org.name}</bdi>
            </>
          )}
        </h2>
        {own.map((law) => (
          <LawCard viewer={viewer} law={law} />
        ))}
        {!own.length && <p class="none">No law has been proposed here.</p>}
        {others.length > 0 && <h2>Laws elsewhere</h2>}
        {others.map((law) => (
          <LawCard viewer={viewer} law={law} />
        ))}
        {org && <TownCard viewer={viewer} org={org} />}
      </section>
      <section aria-label="Organisation and its council">
        <h2>{org ? <bdi>{org.name}</bdi> : "Nobody rules here"}</h2>
        {org && <OrganisationCard viewer={viewer} org={org} />}
        {election && election.town === org?.id && <ElectionCard viewer={viewer} election={election} />}
        {org?.kind === "CITY" && (
          <>
            <h2>The council</h2>
            <Council viewer={viewer} org={org} />
          </>
        )}
      </section>
      <section class="all" id="all-contracts" aria-label="Contracts">
        <h2>Contracts</h2>
        <Contracts viewer={viewer} society={society} />
      </section>
      <section class="all" id="all-boards" aria-label="Boards">
        <h2>On the boards</h2>
        {posts.length ? <Posts viewer={viewer} posts={posts} /> : <p class="none">Nothing is posted.</p>}
      </section>
    </main>
  );
}

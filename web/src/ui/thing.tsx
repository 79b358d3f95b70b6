// The card for anything that an id can name, except a person.

import { useEffect, useState } from "preact/hooks";
import { eventAddress, eventOf, isCell, sentenceOf } from "../address.ts";
import { isBuilding } from "../buildings.ts";
import { when } from "../society.ts";
import type { Mark } from "../tape.ts";
import { ELECTION, electionAt } from "../upcoming.ts";
import { BuildingCard } from "./building_card.tsx";
import type { Of } from "./card.tsx";
import { CellCard } from "./cell_card.tsx";
import { ContractCard } from "./contract_card.tsx";
import { ElectionCard } from "./election_card.tsx";
import { EventCard } from "./event.tsx";
import { LandCard } from "./land_card.tsx";
import { Moment } from "./lane.tsx";
import { LaterPart } from "./later.tsx";
import { LawCard } from "./law_card.tsx";
import { OrganisationCard } from "./organisation_card.tsx";
import { CopyLink, See } from "./see.tsx";
import { WorldEventCard } from "./world_event_card.tsx";

/** For what does not exist, or no longer: a sentence, and the moments in which it took part. */
function Gone({ viewer, see }: Of & { see: string }) {
  const { time } = viewer;
  const [marks, setMarks] = useState<Mark[]>([]);
  useEffect(() => {
    setMarks([]);
    if (time.tape.state)
      void time
        .marks(0, time.liveTick, 1)
        .then((answer) => setMarks(answer?.marks.filter(({ refs }) => refs.includes(see)) ?? []));
  }, [see, time.tape.state !== null]);
  return (
    <div id="gone">
      <p class="none">There is no {see} here, or not any more.</p>
      {marks.length > 0 && (
        <ol class="lately">
          {marks.map((mark) => (
            <li>
              <Moment viewer={viewer} tick={mark.tick}>
                {when(mark.tick, time.dayTicks).replace("day ", "")}
              </Moment>{" "}
              <span>
                <See viewer={viewer} id={eventAddress(mark.tick, `${mark.number}`)}>
                  {mark.text}
                </See>
              </span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

const loadWhy = async () => (await import("./why.tsx")).WhyCard;

/** The card for anything that an id can name, except a person. */
export function Thing({ viewer, see }: Of & { see: string }) {
  const society = viewer.society;
  const law = society?.laws.find(({ id }) => id === see);
  const contract = society?.contracts.find(({ id }) => id === see);
  const org = society?.organisations.find(({ id }) => id === see);
  const land = society?.lands.find(({ id }) => id === see);
  const event = eventOf(see);
  const election = electionAt(viewer.papers.elections, viewer.time.tick);
  const structure = isBuilding(see) ? viewer.papers.buildings.find(({ id }) => id === see) : undefined;
  return (
    <section class="thing" id="thing" aria-label="What you look at">
      <div class="buttons">
        {viewer.isOther || <CopyLink viewer={viewer} />}
        <button type="button" onClick={() => viewer.choose(null)}>
          Close
        </button>
      </div>
      {law ? (
        <LawCard viewer={viewer} law={law} />
      ) : contract ? (
        <ContractCard viewer={viewer} contract={contract} />
      ) : org ? (
        <OrganisationCard viewer={viewer} org={org} />
      ) : land ? (
        <LandCard viewer={viewer} land={land} />
      ) : society?.event?.id === see ? (
        <WorldEventCard viewer={viewer} event={society.event} />
      ) : event ? (
        <EventCard viewer={viewer} tick={event.tick} which={event.which} />
      ) : sentenceOf(see) ? (
        <LaterPart load={loadWhy} with={{ viewer, see }} />
      ) : see === ELECTION && election ? (
        <ElectionCard viewer={viewer} election={election} />
      ) : structure ? (
        <BuildingCard key={see} viewer={viewer} building={structure} />
      ) : isCell(see) ? (
        <CellCard viewer={viewer} at={see.slice(1)} />
      ) : society ? (
        <Gone viewer={viewer} see={see} />
      ) : (
        <p class="none">Looking…</p>
      )}
    </section>
  );
}

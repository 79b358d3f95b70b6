// A law, a contract, an organisation, a land or a cell of the world, as the dock and the society's page show it.

import { useEffect, useState } from "preact/hooks";
import { eventAddress, eventOf, isAgent, isCell, sentenceOf } from "../address.ts";
import { type Building, isBuilding, middleOf, residentsOf } from "../buildings.ts";
import { changed } from "../chronicle.ts";
import { clockText } from "../daylight.ts";
import type { Position } from "../protocol.ts";
import {
  amount,
  ask,
  asks,
  building,
  type Contract,
  goods,
  type Items,
  type Land,
  type Law,
  landAt,
  type Organisation,
  type Post,
  sense,
  type WorldEvent,
  when,
} from "../society.ts";
import type { Mark } from "../tape.ts";
import { ELECTION, type Election, electionAt } from "../upcoming.ts";
import type { Viewer } from "../viewer.ts";
import { blockWord, capitalised, eventTitle, organisationWord, stateWord } from "../words.ts";
import { Moods, TreasuryLine, useAnswer } from "./council.tsx";
import { EventCard } from "./event.tsx";
import { Moment } from "./lane.tsx";
import { LaterPart } from "./later.tsx";
import { CopyLink, Goods, Says, See } from "./see.tsx";

interface Of {
  viewer: Viewer;
}

const PARTS_LOOKED_AT = 600;

export function State({ of }: { of: string }) {
  const { word, mood } = stateWord(of);
  return (
    <span class="pill" data-mood={mood}>
      {word}
    </span>
  );
}

const dayOf = (viewer: Viewer) => viewer.society?.day_ticks ?? 6000;

/** How many have voted and how many are needed; the votes themselves only after they were counted. */
function Turnout({ law: { tally, voted, members, quorum, status } }: { law: Law }) {
  if (status === "NOTICE") return null;
  const share = (count: number) => `${(100 * count) / Math.max(1, members)}%`;
  return (
    <div class="turnout" role="img" aria-label={`${voted} of ${members} have voted, ${quorum} are enough`}>
      {tally ? (
        <>
          <i data-vote="yes" style={{ width: share(tally.yes) }} />
          <i data-vote="no" style={{ width: share(tally.no) }} />
          <i style={{ width: share(tally.abstain) }} />
        </>
      ) : (
        <i style={{ width: share(voted) }} />
      )}
      <b style={{ left: share(quorum) }} />
    </div>
  );
}

export function LawCard({ viewer, law }: Of & { law: Law }) {
  const day = dayOf(viewer);
  const { tally } = law;
  return (
    <article class="paper" id={law.id}>
      <h3>
        <See viewer={viewer} id={law.id}>
          <bdi>{law.title}</bdi>
        </See>{" "}
        <State of={law.status} />
      </h3>
      <p>{sense(law)}</p>
      <p>
        <small>
          proposed by <See viewer={viewer} id={law.proposer} />, {when(law.proposed_tick, day)}; on{" "}
          <See viewer={viewer} id={law.land_id} />
        </small>
      </p>
      <ol class="stages">
        <li data-on={law.status === "NOTICE"}>
          notice<small>{when(law.proposed_tick, day)}</small>
        </li>
        <li data-on={law.status === "VOTING"}>
          voting<small>{when(law.notice_ends_tick, day)}</small>
        </li>
        <li data-on={tally !== null}>
          {tally ? stateWord(law.status).word : "in force or rejected"}
          <small>{when(law.vote_ends_tick, day)}</small>
        </li>
      </ol>
      <Turnout law={law} />
      {tally ? (
        <p>
          <strong>{tally.yes} yes</strong>, {tally.no} no, {tally.abstain} abstained{" "}
          <small>of {law.members} members</small>
        </p>
      ) : (
        <p>
          <strong>
            {law.voted} of {law.members}
          </strong>{" "}
          have voted; {law.quorum} are enough. <small>Counted when the voting ends.</small>
        </p>
      )}
      {law.status === "ACTIVE" && <Effects viewer={viewer} law={law} />}
    </article>
  );
}

const VERBS: Record<string, [once: string, times: string]> = {
  MARKET_TAX: ["taxed one trade", "trades were taxed"],
  FINE_BREAK_PER_BLOCK: ["fined once", "times somebody was fined"],
  ACCESS_PASS_CORE: ["one ticket was sold", "tickets were sold"],
};

/** The effects of a law: since when it is in force, what it has brought in, and who paid last. */
function Effects({ viewer, law }: Of & { law: Law }) {
  const { time } = viewer;
  const day = dayOf(viewer);
  const verbs = VERBS[law.template_id];
  // While the past plays, it is requested now and then.
  const upTo = time.past.world ? `?tick=${time.playing ? Math.floor(time.tick / 50) * 50 : time.tick}` : "";
  const enforcement = useAnswer<{ times: number; paid: Items; newest: [tick: number, who: string, goods: Items][] }>(
    verbs ? `admin/v1/observer/laws/${law.id}/effects${upTo}` : null,
  );
  const since = (
    <>
      In force since{" "}
      <Moment viewer={viewer} tick={law.vote_ends_tick}>
        {when(law.vote_ends_tick, day)}
      </Moment>
    </>
  );
  if (!verbs)
    return (
      <p class="effects">
        <small>{since}. It takes nothing from anyone: whoever acts against it is refused.</small>
      </p>
    );
  if (!enforcement)
    return (
      <p class="effects">
        <small>{since}.</small>
      </p>
    );
  return (
    <details class="effects">
      <summary>
        <small>
          {since}.{" "}
          {enforcement.times === 0 ? (
            "Nobody has paid because of it."
          ) : (
            <>
              {enforcement.times === 1 ? verbs[0] : `${enforcement.times} ${verbs[1]}`}
              {Object.keys(enforcement.paid).length > 0 && <>, which brought {goods(enforcement.paid)}</>}.
            </>
          )}
        </small>
      </summary>
      <ol class="lately">
        {enforcement.newest.map(([tick, who, paid]) => (
          <li>
            <Moment viewer={viewer} tick={tick}>
              {when(tick, day).replace("day ", "")}
            </Moment>{" "}
            <span>
              <See viewer={viewer} id={who} />{" "}
              {Object.keys(paid).length ? `paid ${goods(paid)}` : "traded too little to be taxed"}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}

export function ContractCard({ viewer, contract }: Of & { contract: Contract }) {
  const day = dayOf(viewer);
  const raised = viewer.buildings.find((one) => one.contract === contract.id);
  return (
    <article class="paper">
      <h3>
        Contract {Number(contract.id.slice(1))} <State of={contract.state} />
      </h3>
      <p>
        {asks(contract)}
        {Object.keys(contract.brought).length > 0 && <small>, brought {goods(contract.brought)}</small>}
      </p>
      <dl class="facts">
        <div>
          <dt>asked by</dt>
          <dd>
            <See viewer={viewer} id={contract.poster} />
          </dd>
        </div>
        <div>
          <dt>taken by</dt>
          <dd>
            <See viewer={viewer} id={contract.acceptor} />
          </dd>
        </div>
        <div>
          <dt>reward</dt>
          <dd>
            <Goods items={contract.reward} />
            {contract.backer && (
              <small>
                {" "}
                and {goods(contract.bonus)} from <See viewer={viewer} id={contract.backer} />
              </small>
            )}
          </dd>
        </div>
        {Object.keys(contract.deposit).length > 0 && (
          <div>
            <dt>deposit</dt>
            <dd>
              <Goods items={contract.deposit} />
            </dd>
          </div>
        )}
        {raised && (
          <div>
            <dt>built</dt>
            <dd>
              <See viewer={viewer} id={raised.id} />
            </dd>
          </div>
        )}
        <div>
          <dt>since</dt>
          <dd>{when(contract.created_tick, day)}</dd>
        </div>
        <div>
          <dt>until</dt>
          <dd>{when(contract.deadline_tick, day)}</dd>
        </div>
        <div>
          <dt>at</dt>
          <dd>
            <See viewer={viewer} id={`@${contract.terminal.join(",")}`}>
              the terminal at {contract.terminal[0]}, {contract.terminal[2]}
            </See>
          </dd>
        </div>
      </dl>
    </article>
  );
}

const People = ({ viewer, ids }: Of & { ids: readonly string[] }) => (
  <>
    {ids.map((id, i) => (
      <>
        {i > 0 && ", "}
        <See viewer={viewer} id={id} />
      </>
    ))}
  </>
);

/** The event under way: what there is to do, where and until when, and who has taken part. */
function WorldEventCard({ viewer, event }: Of & { event: WorldEvent }) {
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

/** An election: candidates, promises and result, all of it as citizens have said it. */
export function ElectionCard({ viewer, election }: Of & { election: Election }) {
  const { time } = viewer;
  const day = dayOf(viewer);
  const { election_state: state, office, candidates, votes, winner, next_tick } = election;
  const words = { called: "called", open: "voting", decided: "decided" }[state];
  const next = { called: "the vote opens", open: "the vote ends", decided: "the next one" }[state];
  return (
    <article class="paper" id="election">
      <p class="label">Election</p>
      <h3>
        {capitalised(office || "mayor")} of <See viewer={viewer} id={election.town} />{" "}
        <span class="pill" data-mood={state === "decided" ? "good" : "wait"}>
          {words}
        </span>
      </h3>
      <ul class="candidates">
        {candidates.map(({ id, name, promise }) => (
          <li>
            {viewer.world?.crowd.get(id) ? <See viewer={viewer} id={id} /> : <bdi>{name || id}</bdi>}
            {state === "decided" && Object.hasOwn(votes, id) && <b> {votes[id]}</b>}
            {id === winner && <strong> elected</strong>}
            {promise && (
              <>
                {" "}
                <Says viewer={viewer} text={promise} />
              </>
            )}
          </li>
        ))}
      </ul>
      <p>
        <small>
          said by <See viewer={viewer} id={election.said_by} />, {when(election.tick, day)}
          {next_tick > time.tick && `; ${next}: ${when(next_tick, day)}`} <i class="told">told</i>
        </small>
      </p>
    </article>
  );
}

/** How long watching a building rise takes, and how much is shown before its first block and after its last. */
const RISING_SECONDS = 14;
const LEAD_TICKS = 20;
const TRAIL_TICKS = 15;

/** A building: who asked for it, who built it and from what, who lives there, and a button to watch it rise. */
function BuildingCard({ viewer, building }: Of & { building: Building }) {
  const { time } = viewer;
  const day = dayOf(viewer);
  const [problem, setProblem] = useState("");
  const residents = residentsOf(building, viewer.papers.buildings, time.tick);
  const { x, z } = middleOf(building);
  const land = landAt(viewer.society, Math.floor(x), Math.floor(z));
  const watch = async () => {
    const path = `admin/v1/observer/rising?building=${encodeURIComponent(building.id)}`;
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

interface Cell {
  position: Position;
  block: string;
  land: string;
  sign: string;
  posts: Post[];
  contracts: string[];
  building: string;
  builder: string;
  structure?: string;
  holds: Items | null;
}

/** A cell as it was at the tick of the past that is shown. */
function cellThen({ time, society, world }: Viewer, at: string): Cell | null {
  const position = at.split(",").map(Number) as unknown as Position;
  const [x, , z] = position;
  const place = time.past.placeAt(position);
  if (!place || place.block === undefined || !society || !world) return null;
  const block = world.looks.name(place.block);
  const land = landAt(society, x, z);
  return {
    ...place,
    position,
    block,
    land: land?.id ?? "",
    posts: Object.hasOwn(society.boards, `${block}@${at}`) ? society.boards[`${block}@${at}`] : [],
    contracts: society.contracts
      .filter(({ terminal, state }) => terminal.join() === at && (state === "OPEN" || state === "ACCEPTED"))
      .map(({ id }) => id),
    holds: society.open_book ? (time.book.chestAt(at) ?? null) : null,
  };
}

interface Change {
  tick: number;
  before: number;
  after: number;
  actor: string;
  reason: string;
}

/** Who changed a cell last, and how. Requested once for each cell, since the server must read some segments. */
function Changes({ viewer, at }: Of & { at: string }) {
  const { time, world } = viewer;
  const upTo = time.past.world ? `?tick=${time.playing ? Math.floor(time.tick / 50) * 50 : time.tick}` : "";
  const path = time.tape.state && `admin/v1/observer/places/${at}/changes${upTo}`;
  const [changes, setChanges] = useState<Change[] | null>(null);
  useEffect(() => {
    let left = false;
    if (path) void ask<Change[]>(path).then((answer) => left || setChanges(answer));
    return () => {
      left = true;
    };
  }, [path]);
  if (!changes?.length || !world) return null;
  return (
    <section class="effects" id="changes" aria-label="What changed here">
      <h4>What changed here</h4>
      <ol class="lately">
        {changes.map(({ tick, before, after, actor, reason }) => (
          <li>
            <Moment viewer={viewer} tick={tick}>
              {when(tick, dayOf(viewer)).replace("day ", "")}
            </Moment>{" "}
            <span>
              {isAgent(actor) ? <See viewer={viewer} id={actor} /> : "the world"}{" "}
              {changed({ actor, pos: [0, 0, 0], from: before, to: after, reason }, world.looks)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function CellCard({ viewer, at }: Of & { at: string }) {
  const [now, setCell] = useState<Cell | null | undefined>(undefined);
  const isPast = viewer.time.isPast || viewer.awaitsPast;
  useEffect(() => {
    setCell(undefined);
    if (!isPast) void ask<Cell>(`admin/v1/observer/places/${at}`).then(setCell);
  }, [at, isPast]);
  const cell = !isPast ? now : viewer.time.past.world ? cellThen(viewer, at) : undefined;
  if (!cell)
    return <p class="none">{cell === undefined ? "Looking…" : `Nothing is known of ${at}: nobody is near it.`}</p>;
  const openBook = viewer.society?.open_book;
  return (
    <article class="paper">
      <h3>
        {capitalised(blockWord(cell.block))} <small>at {cell.position.join(", ")}</small>
      </h3>
      <dl class="facts">
        {cell.building && (
          <div>
            <dt>part of</dt>
            <dd>
              {cell.structure ? (
                <See viewer={viewer} id={cell.structure}>
                  {building(cell.building)}
                </See>
              ) : (
                building(cell.building)
              )}
              , built by <See viewer={viewer} id={cell.builder} />
            </dd>
          </div>
        )}
        <div>
          <dt>on</dt>
          <dd id="land-here">{cell.land ? <See viewer={viewer} id={cell.land} /> : "land that nobody owns"}</dd>
        </div>
        {cell.sign && (
          <div>
            <dt>says</dt>
            <dd>
              <Says viewer={viewer} text={cell.sign} />
            </dd>
          </div>
        )}
        {cell.holds && (
          <div>
            <dt>holds</dt>
            <dd>
              <Goods items={cell.holds} />
            </dd>
          </div>
        )}
        {!cell.holds && !openBook && /CHEST|FURNACE|TERMINAL/.test(cell.block) && (
          <div>
            <dt>holds</dt>
            <dd>kept private here</dd>
          </div>
        )}
        {cell.contracts.length > 0 && (
          <div>
            <dt>contracts</dt>
            <dd>
              {cell.contracts.map((id) => (
                <>
                  <See viewer={viewer} id={id} />{" "}
                </>
              ))}
            </dd>
          </div>
        )}
      </dl>
      <Posts viewer={viewer} posts={cell.posts} />
      <Changes key={at} viewer={viewer} at={at} />
    </article>
  );
}

export function Posts({ viewer, posts }: Of & { posts: readonly Post[] }) {
  return (
    <ol class="posts">
      {posts.map((post) => (
        <li key={post.id}>
          <strong>
            <bdi>{post.title}</bdi>
          </strong>{" "}
          <Says viewer={viewer} text={post.body} />
          <small>
            {" "}
            <See viewer={viewer} id={post.author} />, {when(post.tick, dayOf(viewer))}
          </small>
        </li>
      ))}
    </ol>
  );
}

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
        <CopyLink viewer={viewer} />
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

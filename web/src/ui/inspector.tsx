// One person: what they do and why, as far as the world knows, and what they say about it themselves.

import { useEffect, useState } from "preact/hooks";
import { pathFor } from "../address.ts";
import { type Body, doing, MIND_TITLE, verbOf } from "../crowd.ts";
import type { Position, ShownAgent, Task } from "../protocol.ts";
import { hintInWords } from "../says.ts";
import { ask, asks, type Contract, type Inspected, landAt, when } from "../society.ts";
import type { Viewer } from "../viewer.ts";
import { achievementWish, capitalised, rankWord } from "../words.ts";
import { Moment } from "./lane.tsx";
import { LaterPart } from "./later.tsx";
import { MindPanel } from "./mind.tsx";
import { CopyLink, Goods, Says, See } from "./see.tsx";
import { VitalsTable } from "./vitals.tsx";

const ASK_EVERY_MS = 2000;
const SHOWN_REFUSALS = 4;
const SHOWN_LINES = 8;
const HUNGRY = 10;
// Somebody whose standing with the law is below this is wanted.
const WANTED = 200;
// A task whose target is this near to where a contract is fulfilled counts as work on it.
const NEAR_CELLS = 12;

function TaskLine({ viewer, task, rate }: { viewer: Viewer; task: Task; rate: number }) {
  const seconds = task.eta_ticks ? Math.ceil(task.eta_ticks / rate) : 0;
  return (
    <p class="task">
      <strong>{verbOf(task)}</strong> {task.kind === "MOVE_TO" ? "to" : "at"}{" "}
      <See viewer={viewer} id={`@${task.target.join(",")}`}>
        {task.target[0]}, {task.target[2]}
      </See>
      <span class="bar">
        <i style={{ width: `${Math.round(task.progress * 100)}%` }} />
      </span>
      {seconds > 0 && <small>{seconds} s to go</small>}
    </p>
  );
}

/** What the server knows about somebody, refreshed while they are shown. */
function useInspected(id: string | null): Inspected | null {
  const [about, setAbout] = useState<Inspected | null>(null);
  useEffect(() => {
    if (id === null) return;
    let left = false;
    const look = async () => {
      const answer = document.hidden ? null : await ask<Inspected>(`admin/v1/observer/agents/${id}`);
      if (answer && !left) setAbout(answer);
    };
    void look();
    const timer = setInterval(look, ASK_EVERY_MS);
    return () => {
      left = true;
      clearInterval(timer);
    };
  }, [id]);
  return about?.id === id ? about : null;
}

/** The same for a tick of the past, as far as the tape has it. */
function inspectedThen(viewer: Viewer, { id, pos: [x, , z] }: ShownAgent): Inspected | null {
  const { society, time } = viewer;
  if (!society) return null;
  const { organisations, laws, contracts } = society;
  const org = organisations.find(({ members }) => id in members);
  const land = landAt(society, x, z)?.id ?? "";
  const refused = time.book
    .refusals()
    .filter(({ agent }) => agent === id)
    .map(({ deed }) => deed)
    .reverse();
  return {
    id,
    joined_tick: 0,
    organisation: org?.id ?? "",
    rank: org?.members[id] ?? "",
    reputation: time.past.standingOf(id) ?? {},
    achievements: time.past.achievementsOf(id),
    contracts: contracts
      .filter(
        ({ poster, acceptor, state }) =>
          (state === "OPEN" || state === "ACCEPTED") && (poster === id || acceptor === id),
      )
      .map((one) => one.id),
    laws: laws.filter(({ status, land_id }) => status === "ACTIVE" && land_id === land).map((one) => one.id),
    land,
    carries: society.open_book ? time.book.pocketOf(id) : null,
    refused: society.open_book ? refused : null,
  };
}

/** Whether what somebody does leads to where a contract is fulfilled. */
function serves({ anchor, terminal }: Contract, { work_task, move_task }: ShownAgent): boolean {
  const near = ([x, , z]: Position) =>
    [work_task, move_task].some(
      (task) => task && Math.max(Math.abs(task.target[0] - x), Math.abs(task.target[2] - z)) <= NEAR_CELLS,
    );
  return near(anchor ?? terminal);
}

/** Why somebody does it, as far as the world can tell: never a guess. */
function Because({ viewer, body }: { viewer: Viewer; body: Body }) {
  const contract = viewer.society?.contracts.find(
    ({ acceptor, state }) => acceptor === body.id && state === "ACCEPTED",
  );
  if (contract) {
    return (
      <p class="because" id="because">
        {serves(contract, body.agent) ? "because of" : "has taken"} <See viewer={viewer} id={contract.id} />,{" "}
        {asks(contract)} for <See viewer={viewer} id={contract.poster} /> <i class="seen">seen</i>
      </p>
    );
  }
  return body.agent.hunger < HUNGRY ? (
    <p class="because">
      is hungry <i class="seen">seen</i>
    </p>
  ) : null;
}

/** Somebody's achievements: those of the tech tree, and those that take others. */
function Achieved({ about }: { about: Inspected }) {
  return (
    <div id="achieved">
      <h3>Achieved</h3>
      {Object.entries(about.achievements ?? {}).map(([group, counts]) => {
        const done = Object.values(counts).filter(Boolean).length;
        return (
          <p class="achieved" data-group={group}>
            <strong>
              {group === "tech" ? "Tech tree" : "With others"}{" "}
              <small>
                {done} of {Object.keys(counts).length}
              </small>
            </strong>
            {Object.entries(counts).map(([id, count]) => (
              <span class={count ? "done" : ""} title={count > 1 ? `${count} ×` : count ? "done" : "not yet"}>
                {achievementWish(id)}
              </span>
            ))}
          </p>
        );
      })}
    </div>
  );
}

const loadWhy = async () => (await import("./agent_why.tsx")).AgentWhy;

export function Inspector({ viewer, body }: { viewer: Viewer; body: Body }) {
  const { agent } = body;
  const { isPast } = viewer.time;
  const now = useInspected(isPast ? null : agent.id);
  const about = !isPast ? now : viewer.time.past.world ? inspectedThen(viewer, agent) : null;
  const rate = viewer.world!.bootstrap.world_params.tick_rate_hz;
  const day = viewer.society?.day_ticks ?? 6000;
  const tasks = [agent.work_task, agent.move_task].filter((task) => task !== undefined);
  const said = viewer.chronicle.saidBy(agent.id);
  const lines = viewer.chronicle.of(agent.id, SHOWN_LINES);
  const deeds = [...lines, ...(about?.refused?.slice(0, SHOWN_REFUSALS) ?? [])].sort((a, b) => b.tick - a.tick);
  const tell = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    viewer.visit((event.currentTarget as HTMLAnchorElement).href);
  };
  return (
    <section class="thing" id="card" aria-label="Person" data-agent={agent.id}>
      <header>
        <i
          class="portrait"
          data-away={!agent.connected}
          style={{ background: `hsl(${Math.round(body.hue * 360)} 45% 55%)` }}
          aria-hidden="true"
        />
        <h2>
          <bdi>{agent.name}</bdi> <small>{agent.id}</small>
          {about && about.reputation.law < WANTED && (
            <>
              {" "}
              <span class="pill" data-mood="bad">
                wanted
              </span>
            </>
          )}
        </h2>
        <p>
          <small>
            {agent.title && <bdi id="title">{agent.title}</bdi>}
            {agent.title && about?.organisation && " · "}
            {about?.organisation && (
              <>
                {rankWord(about.rank)} of <See viewer={viewer} id={about.organisation} />
              </>
            )}
          </small>
        </p>
        <div class="buttons">
          {viewer.attention.following || (
            <button type="button" id="follow" onClick={() => viewer.choose(agent.id)}>
              Follow
            </button>
          )}
          {viewer.isOther || (
            <>
              <CopyLink viewer={viewer} />
              <a class="button" href={pathFor("story", null, `with=${agent.id}`)} onClick={tell}>
                In the story
              </a>
            </>
          )}
          <button type="button" onClick={() => viewer.choose(null)}>
            Close
          </button>
        </div>
      </header>
      <div>
        <h3>
          {isPast ? "Then" : "Now"}{" "}
          <small>
            {about?.land ? (
              <>
                on <See viewer={viewer} id={about.land} />
              </>
            ) : (
              "in open country"
            )}
            , at {agent.pos.join(", ")}
          </small>
        </h3>
        {tasks.length ? (
          tasks.map((task) => <TaskLine viewer={viewer} task={task} rate={rate} />)
        ) : (
          <p class="task">
            <strong>{doing(agent)}</strong>
          </p>
        )}
        <Because viewer={viewer} body={body} />
        {agent.intent && (
          <p class="because" id="intent">
            <Says viewer={viewer} text={agent.intent} /> <i class="told">told</i>
          </p>
        )}
        {said && (
          <p class="because">
            {said.did} <Says viewer={viewer} text={said.quote ?? ""} /> <i class="told">told</i>{" "}
            <small>
              <Moment viewer={viewer} tick={said.tick}>
                {when(said.tick, day)}
              </Moment>
            </small>
          </p>
        )}
      </div>
      {agent.title === MIND_TITLE && !isPast && <MindPanel viewer={viewer} id={agent.id} />}
      <VitalsTable agent={agent} />
      <div>
        <h3>Carries</h3>
        <p id="carries">
          {about?.carries ? <Goods items={about.carries} /> : about?.carries === null ? "kept private here" : "…"}
        </p>
      </div>
      {viewer.isOther || <LaterPart key={agent.id} load={loadWhy} with={{ viewer, id: agent.id }} />}
      <div>
        <h3>Lately</h3>
        <ol class="lately">
          {deeds.map((one) => (
            <li key={"key" in one ? one.key : `${one.tick} ${one.code}`} class={"code" in one ? "refused" : ""}>
              <Moment viewer={viewer} tick={one.tick}>
                {when(one.tick, day).split(", ")[1]}
              </Moment>
              {"code" in one ? (
                <span>
                  was refused: {one.message || "no reason given"}
                  {one.hint && `. ${capitalised(hintInWords(one.hint))}`} <small>{one.code}</small>
                </span>
              ) : (
                <span>
                  {one.did}
                  {one.count > 1 && <small> × {one.count}</small>}
                  {one.quote !== undefined && (
                    <>
                      {" "}
                      <Says viewer={viewer} text={one.quote} />
                    </>
                  )}
                </span>
              )}
            </li>
          ))}
          {!deeds.length && <li class="none">Nothing that anyone noticed.</li>}
        </ol>
      </div>
      {about && (
        <>
          <div>
            <h3>Standing</h3>
            <dl class="standing">
              {Object.entries(about.reputation).map(([name, value]) => (
                <div>
                  <dt>{name}</dt>
                  <dd class="bar">
                    <i style={{ width: `${value / 10}%` }} />
                  </dd>
                  <dd class="figure">{Math.round(value / 10)}</dd>
                </div>
              ))}
            </dl>
          </div>
          {about.achievements && <Achieved about={about} />}
          <div>
            <h3>Bound by</h3>
            <p>
              {[...about.laws, ...about.contracts].map((id, i) => (
                <>
                  {i > 0 && " · "}
                  <See viewer={viewer} id={id} />
                </>
              ))}
              {!about.laws.length && !about.contracts.length && "nothing"}
            </p>
          </div>
        </>
      )}
    </section>
  );
}

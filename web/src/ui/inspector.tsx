// One person: what they do and why, as far as the world knows it, and what they say of it themselves.

import { useEffect, useState } from "preact/hooks";
import { type Body, doing, verbOf } from "../crowd.ts";
import type { ShownAgent, Task } from "../protocol.ts";
import { ask, asks, type Inspected, when, words } from "../society.ts";
import type { Viewer } from "../viewer.ts";
import { Moment } from "./lane.tsx";
import { Goods, See } from "./see.tsx";
import { VitalsTable } from "./vitals.tsx";

const ASK_EVERY_MS = 2000;
const SHOWN_REFUSALS = 4;
const SHOWN_LINES = 8;
const HUNGRY = 10;

function TaskLine({ task, rate }: { task: Task; rate: number }) {
  const seconds = task.eta_ticks ? Math.ceil(task.eta_ticks / rate) : 0;
  return (
    <p class="task">
      <strong>{verbOf(task)}</strong> {task.kind === "MOVE_TO" ? "to" : "at"} {task.target.join(", ")}
      <span class="bar"><i style={{ width: `${Math.round(task.progress * 100)}%` }} /></span>
      {seconds > 0 && <small>{seconds} s to go</small>}
    </p>
  );
}

/** What the server knows of someone, asked for as long as they are looked at. */
function useInspected(id: string | null): Inspected | null {
  const [about, setAbout] = useState<Inspected | null>(null);
  useEffect(() => {
    if (id === null) return;
    let left = false;
    const look = async () => {
      const found = document.hidden ? null : await ask<Inspected>(`admin/v1/observer/agents/${id}`);
      if (found && !left) setAbout(found);
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

/** The same of a tick of the past, from what the tape tells. */
function inspectedThen(viewer: Viewer, { id, pos: [x, , z] }: ShownAgent): Inspected | null {
  const { society, time } = viewer;
  if (!society) return null;
  const { lands, organisations, laws, contracts } = society;
  const org = organisations.find(({ members }) => id in members);
  const land = lands
    .filter(({ anchor, radius }) => Math.abs(x - anchor[0]) <= radius && Math.abs(z - anchor[2]) <= radius)
    .sort((a, b) => a.radius - b.radius)[0]?.id ?? "";
  const refused = time.refusals().filter(({ agent }) => agent === id).map(({ deed }) => deed).reverse();
  return {
    id,
    joined_tick: 0,
    organisation: org?.id ?? "",
    rank: org?.members[id] ?? "",
    reputation: time.standingOf(id) ?? {},
    achievements: time.achievedBy(id),
    contracts: contracts.filter(({ poster, acceptor, state }) => (state === "OPEN" || state === "ACCEPTED") && (poster === id || acceptor === id)).map((one) => one.id),
    laws: laws.filter(({ status, land_id }) => status === "ACTIVE" && land_id === land).map((one) => one.id),
    land,
    carries: society.open_book ? time.pocketOf(id) : null,
    refused: society.open_book ? refused : null,
  };
}

/** Why somebody does it, as far as the world can tell: never a guess. */
function Because({ viewer, body }: { viewer: Viewer; body: Body }) {
  const contract = viewer.society?.contracts.find(({ acceptor, state }) => acceptor === body.id && state === "ACCEPTED");
  if (contract) {
    return (
      <p class="because" id="because">
        because of <See viewer={viewer} id={contract.id} />, {asks(contract)} for <See viewer={viewer} id={contract.poster} /> <i class="seen">seen</i>
      </p>
    );
  }
  return body.agent.hunger < HUNGRY ? <p class="because">is hungry <i class="seen">seen</i></p> : null;
}

/** What somebody has done of all there is to do: the tech tree, and what takes others. */
function Achieved({ about }: { about: Inspected }) {
  return (
    <div id="achieved">
      <h3>Achieved</h3>
      {Object.entries(about.achievements ?? {}).map(([group, counts]) => {
        const done = Object.values(counts).filter(Boolean).length;
        return (
          <p class="achieved" data-group={group}>
            <strong>{group === "tech" ? "Tech tree" : "With others"} <small>{done} of {Object.keys(counts).length}</small></strong>
            {Object.entries(counts).map(([id, count]) => (
              <span class={count ? "done" : ""} title={count > 1 ? `${count} ×` : count ? "done" : "not yet"}>{words(id)}</span>
            ))}
          </p>
        );
      })}
    </div>
  );
}

export function Inspector({ viewer, body }: { viewer: Viewer; body: Body }) {
  const { agent, saying } = body;
  const { isPast } = viewer.time;
  const now = useInspected(isPast ? null : agent.id);
  const about = !isPast ? now : viewer.time.known ? inspectedThen(viewer, agent) : null;
  const rate = viewer.known!.bootstrap.world_params.tick_rate_hz;
  const day = viewer.society?.day_ticks ?? 6000;
  const tasks = [agent.work_task, agent.move_task].filter((task) => task !== undefined);
  const said = saying?.text ?? viewer.chronicle.saidBy(agent.name);
  const lines = viewer.chronicle.of(agent.name, SHOWN_LINES);
  return (
    <section class="thing" id="card" aria-label="Person" data-agent={agent.id}>
      <header>
        <h2><bdi>{agent.name}</bdi> <small>{agent.id}</small></h2>
        <p>
          <small>
            {agent.title && <bdi id="title">{agent.title}</bdi>}{agent.title && about?.organisation && " · "}
            {about?.organisation && <>{about.rank.toLowerCase()} of <See viewer={viewer} id={about.organisation} /></>}
          </small>
        </p>
        <div class="buttons">
          {viewer.following || <button type="button" id="follow" onClick={() => viewer.choose(agent.id)}>Follow</button>}
          <button type="button" onClick={() => viewer.choose(null)}>Close</button>
        </div>
      </header>
      <div>
        <h3>{isPast ? "Then" : "Now"} <small>{about?.land ? <>on <See viewer={viewer} id={about.land} /></> : "in open country"}, at {agent.pos.join(", ")}</small></h3>
        {tasks.length ? tasks.map((task) => <TaskLine task={task} rate={rate} />) : <p class="task"><strong>{doing(agent)}</strong></p>}
        <Because viewer={viewer} body={body} />
        {agent.intent && <p class="because" id="intent"><q><bdi>{agent.intent}</bdi></q> <i class="told">told</i></p>}
        {said && <p class="because">says <q><bdi>{said}</bdi></q> <i class="told">told</i></p>}
      </div>
      <VitalsTable agent={agent} />
      <div>
        <h3>Carries</h3>
        <p id="carries">{about?.carries ? <Goods items={about.carries} /> : about?.carries === null ? "kept private here" : "…"}</p>
      </div>
      <div>
        <h3>Lately</h3>
        <ol class="lately">
          {lines.map((line) => (
            <li key={line.key}><Moment viewer={viewer} tick={line.tick}>{when(line.tick, day).split(", ")[1]}</Moment> <span>{line.did}{line.count > 1 && <small> × {line.count}</small>}{line.quote !== undefined && <> <q><bdi>{line.quote}</bdi></q></>}</span></li>
          ))}
          {about?.refused?.slice(0, SHOWN_REFUSALS).map((one) => (
            <li class="refused"><Moment viewer={viewer} tick={one.tick}>{when(one.tick, day).split(", ")[1]}</Moment> <span>was refused: {one.message || "no reason given"} <small>{one.code}</small></span></li>
          ))}
          {!lines.length && !about?.refused?.length && <li class="none">Nothing that anyone noticed.</li>}
        </ol>
      </div>
      {about && (
        <>
          <div>
            <h3>Standing</h3>
            <dl class="standing">
              {Object.entries(about.reputation).map(([name, value]) => (
                <div><dt>{name}</dt><dd class="bar"><i style={{ width: `${value / 10}%` }} /></dd><dd class="figure">{Math.round(value / 10)}</dd></div>
              ))}
            </dl>
          </div>
          {about.achievements && <Achieved about={about} />}
          <div>
            <h3>Bound by</h3>
            <p>
              {[...about.laws, ...about.contracts].map((id, i) => <>{i > 0 && " · "}<See viewer={viewer} id={id} /></>)}
              {!about.laws.length && !about.contracts.length && "nothing"}
            </p>
          </div>
        </>
      )}
    </section>
  );
}

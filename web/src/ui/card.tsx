// The card of the watched agent: vitals, tasks, place.

import { type Body, doing, verbOf } from "../crowd.ts";
import type { Task } from "../protocol.ts";
import type { Viewer } from "../viewer.ts";
import { VitalsTable } from "./vitals.tsx";

function TaskLine({ task, rate }: { task: Task; rate: number }) {
  const seconds = task.eta_ticks ? Math.ceil(task.eta_ticks / rate) : 0;
  return (
    <p class="task">
      {verbOf(task)} {task.kind === "MOVE_TO" ? "to" : "at"} {task.target.join(", ")}
      <span class="bar"><i style={{ width: `${Math.round(task.progress * 100)}%` }} /></span>
      {seconds > 0 && <small>{seconds} s to go</small>}
    </p>
  );
}

export function Card({ viewer }: { viewer: Viewer }) {
  const { known } = viewer;
  const body: Body | undefined = known?.crowd.get(viewer.watched);
  if (!known || !body) return null;
  const { agent } = body;
  const rate = known.bootstrap.world_params.tick_rate_hz;
  const tasks = [agent.move_task, agent.work_task].filter((task) => task !== undefined);
  return (
    <section class="card" id="card" aria-label="Watched agent">
      <h2><bdi>{agent.name}</bdi> <small>{agent.id}</small></h2>
      <VitalsTable agent={agent} />
      {tasks.length ? tasks.map((task) => <TaskLine task={task} rate={rate} />) : <p class="task">{doing(agent)}</p>}
      <p class="where">at {agent.pos.join(", ")}</p>
      <div class="buttons">
        {viewer.following || <button type="button" onClick={() => viewer.watch(agent.id)}>Follow</button>}
        <button type="button" onClick={() => viewer.watch(null)}>Stop watching</button>
      </div>
    </section>
  );
}

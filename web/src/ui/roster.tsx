// Everyone, one line each. Only the lines in view exist, so a thousand agents cost what twenty do.

import { useEffect, useRef, useState } from "preact/hooks";
import { type Body, doing } from "../crowd.ts";
import { Vitals } from "./vitals.tsx";

const ROW = 48;
const SPARE_ROWS = 3;
const STEPS: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(last, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  PageDown: (at, last) => Math.min(last, at + 8),
  PageUp: (at) => Math.max(0, at - 8),
  Home: () => 0,
  End: (_, last) => last,
};

interface Props {
  bodies: readonly Body[];
  watched: string | null;
  watch(id: string | null): void;
}

export function Roster({ bodies, watched, watch }: Props) {
  const [wanted, setWanted] = useState("");
  const [view, setView] = useState({ top: 0, height: 400 });
  const box = useRef<HTMLDivElement>(null);
  const word = wanted.trim().toLowerCase();
  const found = word
    ? bodies.filter(({ agent }) => `${agent.name} ${agent.id}`.toLowerCase().includes(word))
    : bodies;
  const at = found.findIndex((body) => body.id === watched);
  const first = Math.max(0, Math.floor(view.top / ROW) - SPARE_ROWS);
  const last = Math.min(found.length, Math.ceil((view.top + view.height) / ROW) + SPARE_ROWS);
  const look = () => box.current && setView({ top: box.current.scrollTop, height: box.current.clientHeight });

  useEffect(() => {
    const watcher = new ResizeObserver(look);
    watcher.observe(box.current!);
    return () => watcher.disconnect();
  }, []);
  useEffect(() => {
    const list = box.current!;
    if (at < 0) return;
    if (at * ROW < list.scrollTop) list.scrollTop = at * ROW;
    if ((at + 1) * ROW > list.scrollTop + list.clientHeight) list.scrollTop = (at + 1) * ROW - list.clientHeight;
  }, [watched]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step || !found.length) return;
    event.preventDefault();
    watch(found[at < 0 ? 0 : step(at, found.length - 1)].id);
  };
  return (
    <section class="roster" aria-labelledby="roster-title">
      <div class="heading">
        <h2 id="roster-title">Agents</h2>
        <input
          type="search" placeholder="Find" aria-label="Find an agent by name" value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
      </div>
      <div
        class="rows" id="agents" role="listbox" tabIndex={0} aria-labelledby="roster-title" ref={box}
        aria-activedescendant={at < 0 ? undefined : `agent-${watched}`} onScroll={look} onKeyDown={onKeyDown}
      >
        <div style={{ height: `${found.length * ROW}px` }}>
          {found.slice(first, last).map((body, i) => (
            <Row key={body.id} body={body} top={(first + i) * ROW} chosen={body.id === watched} watch={watch} />
          ))}
        </div>
        {!found.length && <p class="none">{word ? "No agent has that name." : "No agents yet."}</p>}
      </div>
    </section>
  );
}

function Row({ body, top, chosen, watch }: { body: Body; top: number; chosen: boolean; watch(id: string): void }) {
  const { agent, hue } = body;
  const task = agent.work_task;
  return (
    <div
      class="row" role="option" id={`agent-${agent.id}`} aria-selected={chosen} data-away={!agent.connected}
      style={{ transform: `translateY(${top}px)` }} onClick={() => watch(agent.id)}
    >
      <i class="dye" style={{ background: agent.connected ? `hsl(${Math.round(hue * 360)} 45% 55%)` : "" }} />
      <span class="name"><bdi>{agent.name}</bdi> <small>{agent.id}</small></span>
      <Vitals agent={agent} />
      <span class="doing">{doing(agent)}{task ? ` ${Math.round(task.progress * 100)} %` : ""}</span>
      <span class="where">{agent.pos[0]}, {agent.pos[2]}</span>
    </div>
  );
}

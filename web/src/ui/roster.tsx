// Everyone, one line each. Only the lines in view exist, so a thousand agents cost what twenty do.

import { useEffect, useRef, useState } from "preact/hooks";
import { type Body, doing } from "../crowd.ts";
import { plainly } from "../says.ts";
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
  nameOf(id: string): string;
}

export function Roster({ bodies, watched, watch, nameOf }: Props) {
  const [wanted, setWanted] = useState("");
  const [view, setView] = useState({ top: 0, height: 400 });
  const box = useRef<HTMLDivElement>(null);
  const word = wanted.trim().toLowerCase();
  const matches = word
    ? bodies.filter(({ agent }) => `${agent.name} ${agent.id}`.toLowerCase().includes(word))
    : bodies;
  const [at, setCursor] = useState(-1);
  const cursor =
    at < 0
      ? Math.max(
          0,
          matches.findIndex((body) => body.id === watched),
        )
      : Math.min(at, matches.length - 1);
  const first = Math.max(0, Math.floor(view.top / ROW) - SPARE_ROWS);
  const last = Math.min(matches.length, Math.ceil((view.top + view.height) / ROW) + SPARE_ROWS);
  const look = () => box.current && setView({ top: box.current.scrollTop, height: box.current.clientHeight });

  useEffect(() => {
    const watcher = new ResizeObserver(look);
    watcher.observe(box.current!);
    return () => watcher.disconnect();
  }, []);
  useEffect(() => {
    const list = box.current!;
    if (cursor * ROW < list.scrollTop) list.scrollTop = cursor * ROW;
    if ((cursor + 1) * ROW > list.scrollTop + list.clientHeight)
      list.scrollTop = (cursor + 1) * ROW - list.clientHeight;
  }, [cursor]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.key === "Enter" && matches[cursor]) watch(matches[cursor].id);
    else if (step && matches.length) setCursor(step(cursor, matches.length - 1));
    else return;
    event.preventDefault();
  };
  return (
    <section class="roster" aria-labelledby="roster-title">
      <div class="heading">
        <h2 id="roster-title">People</h2>
        <input
          type="search"
          placeholder="Find"
          aria-label="Find somebody by name"
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
      </div>
      <div
        class="rows"
        id="agents"
        role="listbox"
        tabIndex={0}
        aria-labelledby="roster-title"
        ref={box}
        aria-activedescendant={matches[cursor] && `agent-${matches[cursor].id}`}
        onScroll={look}
        onKeyDown={onKeyDown}
      >
        <div style={{ height: `${matches.length * ROW}px` }}>
          {matches.slice(first, last).map((body, i) => (
            <Row
              key={body.id}
              body={body}
              top={(first + i) * ROW}
              chosen={body.id === watched}
              marked={first + i === at}
              watch={watch}
              nameOf={nameOf}
            />
          ))}
        </div>
        {!matches.length && <p class="none">{word ? "Nobody is called that." : "Nobody is here yet."}</p>}
      </div>
    </section>
  );
}

interface RowProps {
  body: Body;
  top: number;
  chosen: boolean;
  marked: boolean;
  watch(id: string): void;
  nameOf(id: string): string;
}

function Row({ body, top, chosen, marked, watch, nameOf }: RowProps) {
  const { agent, hue } = body;
  const task = agent.work_task;
  return (
    <div
      class="row"
      role="option"
      id={`agent-${agent.id}`}
      aria-selected={chosen}
      data-marked={marked}
      data-away={!agent.connected}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => watch(agent.id)}
    >
      <i class="dye" style={{ background: agent.connected ? `hsl(${Math.round(hue * 360)} 45% 55%)` : "" }} />
      <span class="name">
        <bdi>{agent.name}</bdi> <small>{agent.title ? <bdi>{agent.title}</bdi> : agent.id}</small>
      </span>
      <Vitals agent={agent} />
      <span class="doing">
        {doing(agent)}
        {task ? ` ${Math.round(task.progress * 100)} %` : ""}
        {agent.intent && (
          <>
            {" "}
            <q class="says">
              <bdi>{plainly(agent.intent, nameOf)}</bdi>
            </q>
          </>
        )}
      </span>
      {!agent.intent && (
        <span class="where">
          {agent.pos[0]}, {agent.pos[2]}
        </span>
      )}
    </div>
  );
}

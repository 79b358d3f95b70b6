// Everybody, a line each. Only the visible lines are rendered, so a thousand agents cost as much as twenty.

import { useEffect, useRef, useState } from "preact/hooks";
import { type Body, doing } from "../crowd.ts";
import { figureOf, ORDERS, type Order, type Person, reasonOf, sorted } from "../people.ts";
import { plainly } from "../says.ts";
import type { Items } from "../society.ts";
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
  /** What everybody has and has done, as far as it is known. */
  people: readonly Person[];
  prices: Items;
  watched: string | null;
  watch(id: string | null): void;
  nameOf(id: string): string;
}

/** Bodies in order, each with the value it is sorted by and the reason for that value. */
interface Ranked {
  body: Body;
  figure?: number | null;
  why?: string;
}

function ranked({ bodies, people, prices }: Props, order: Order): Ranked[] {
  if (order === "arrival") return bodies.map((body) => ({ body }));
  const byId = new Map(bodies.map((body) => [body.id, body]));
  return sorted(people, order).flatMap((person) => {
    const body = byId.get(person.id);
    return body ? [{ body, figure: figureOf(person, order), why: reasonOf(person, order, prices) }] : [];
  });
}

export function Roster(props: Props) {
  const { watched, watch, nameOf } = props;
  const [wanted, setWanted] = useState("");
  const [order, setOrder] = useState<Order>("arrival");
  const [view, setView] = useState({ top: 0, height: 400 });
  const box = useRef<HTMLDivElement>(null);
  const word = wanted.trim().toLowerCase();
  const all = ranked(props, order);
  const matches = word
    ? all.filter(({ body: { agent } }) => `${agent.name} ${agent.id}`.toLowerCase().includes(word))
    : all;
  const [at, setCursor] = useState(-1);
  const cursor =
    at < 0
      ? Math.max(
          0,
          matches.findIndex(({ body }) => body.id === watched),
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
    // Sorted by something, the list begins with whoever has most, wherever the one who is watched stands.
    if (order !== "arrival" && at < 0) return;
    const list = box.current!;
    if (cursor * ROW < list.scrollTop) list.scrollTop = cursor * ROW;
    if ((cursor + 1) * ROW > list.scrollTop + list.clientHeight)
      list.scrollTop = (cursor + 1) * ROW - list.clientHeight;
  }, [cursor, order]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.key === "Enter" && matches[cursor]) watch(matches[cursor].body.id);
    else if (step && matches.length) setCursor(step(cursor, matches.length - 1));
    else return;
    event.preventDefault();
  };
  return (
    <section class="roster" aria-labelledby="roster-title">
      <div class="heading">
        <h2 id="roster-title">People</h2>
        <select
          id="order"
          aria-label="Sorted by"
          value={order}
          onChange={(event) => {
            setOrder(event.currentTarget.value as Order);
            box.current?.scrollTo(0, 0);
          }}
        >
          {ORDERS.map((one) => (
            <option value={one}>by {one}</option>
          ))}
        </select>
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
        aria-activedescendant={matches[cursor] && `agent-${matches[cursor].body.id}`}
        onScroll={look}
        onKeyDown={onKeyDown}
      >
        <div style={{ height: `${matches.length * ROW}px` }}>
          {matches.slice(first, last).map(({ body, figure, why }, i) => (
            <Row
              key={body.id}
              body={body}
              figure={figure}
              why={why}
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
  /** The value the list is sorted by; null if that is private. */
  figure: number | null | undefined;
  why: string | undefined;
  top: number;
  chosen: boolean;
  marked: boolean;
  watch(id: string): void;
  nameOf(id: string): string;
}

function Row({ body, figure, why, top, chosen, marked, watch, nameOf }: RowProps) {
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
      {figure === undefined ? <Vitals agent={agent} /> : <b class="figure">{figure ?? "private"}</b>}
      <span class="doing">
        {why ?? doing(agent)}
        {task && why === undefined ? ` ${Math.round(task.progress * 100)} %` : ""}
        {agent.intent && why === undefined && (
          <>
            {" "}
            <q class="says">
              <bdi>{plainly(agent.intent, nameOf)}</bdi>
            </q>
          </>
        )}
      </span>
      {!agent.intent && why === undefined && (
        <span class="where">
          {agent.pos[0]}, {agent.pos[2]}
        </span>
      )}
    </div>
  );
}

// "What if…": an operator has this world forked with one thing changed, and looks at both forks.

import { useEffect, useState } from "preact/hooks";
import { pairPath } from "../address.ts";
import { request } from "../answers.ts";
import { asked } from "../asked.ts";
import { when } from "../society.ts";
import type { Viewer } from "../viewer.ts";
import "./beside.css";
import "./film.css";

const AGAIN_MS = 1000;
const STORM_TICKS = 3000;
const GOALS = ["house", "bigger house", "tool", "friend", "office"] as const;
const TOOLS: Record<string, string> = {
  IRON_AXE: "an iron axe",
  IRON_PICKAXE: "an iron pickaxe",
  IRON_SHOVEL: "an iron shovel",
};
const WEATHERS: Record<string, string> = { STORM: "a storm", COLD: "a cold spell", CLEAR: "clear weather" };

interface Answer {
  id: string;
  at_tick: number;
  days: number;
  change: string;
  asked: object;
  finished: boolean;
  control: string;
  changed: string;
}

interface WhatIfState {
  running: string;
  progress: { arm: string; tick: number; last_tick: number; done: number } | null;
  problem: string;
  max_days: number;
  answers: Answer[];
}

/** The change that the form says. */
interface Form {
  kind: "weather" | "repeal_law" | "pass_law" | "goal";
  weather: string;
  law: string;
  percent: number;
  person: string;
  goal: string;
  thing: string;
}

function changeOf({ kind, weather, law, percent, person, goal, thing }: Form): object {
  if (kind === "weather") return { change: kind, weather, ticks: STORM_TICKS };
  if (kind === "repeal_law") return { change: kind, law };
  if (kind === "pass_law") return { change: kind, law: "MARKET_TAX", params: { market_tax: percent / 100 } };
  return { change: kind, person, goal, thing: goal === "tool" || goal === "friend" ? thing : "" };
}

/** Send something to the server; returns the state then, or why it was refused. */
async function post(path: string, body: object): Promise<WhatIfState | { why: string }> {
  const how = { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  const answer = await request(path, how).catch(() => null);
  if (!answer) return { why: "the server cannot be reached" };
  const document = await answer.json().catch(() => ({}));
  return answer.ok ? document : { why: String(document.details ?? "the server gave no reason") };
}

export function WhatIf({ viewer, close }: { viewer: Viewer; close: () => void }) {
  const { time } = viewer;
  const [at] = useState(Math.max(1, Math.min(time.tick, time.liveTick - 1)));
  const [state, setState] = useState<WhatIfState | null>(null);
  const [why, setWhy] = useState("");
  const [days, setDays] = useState(2);
  const people = viewer.world?.crowd.list.map(({ agent }) => agent.name).sort() ?? [];
  const laws = viewer.society?.laws.filter(({ status }) => status === "ACTIVE") ?? [];
  const [form, setForm] = useState<Form>({
    kind: "weather",
    weather: "STORM",
    law: laws[0]?.id ?? "",
    percent: 10,
    person: people[0] ?? "",
    goal: "house",
    thing: "",
  });
  const take = (answer: WhatIfState | { why: string }) => {
    if ("why" in answer) setWhy(answer.why);
    else {
      setWhy(answer.problem);
      setState(answer);
    }
  };
  useEffect(() => {
    let open = true;
    const ask = async () => {
      const answer = await asked<WhatIfState>("v1/what-if");
      if (!open) return;
      if ("why" in answer) setWhy(answer.why);
      else take(answer);
    };
    void ask();
    const timer = setInterval(() => document.hidden || void ask(), AGAIN_MS);
    return () => {
      open = false;
      clearInterval(timer);
    };
  }, []);
  const start = async (event: SubmitEvent) => {
    event.preventDefault();
    setWhy("");
    take(await post("v1/what-if", { at_tick: at, days, change: changeOf(form) }));
  };
  const set = (part: Partial<Form>) => setForm({ ...form, ...part });
  const running = state?.answers.find(({ id }) => id === state.running);
  return (
    <form class="help film-about what-if" id="what-if-card" aria-label="What if" onSubmit={start}>
      <h2>What if…</h2>
      <p>
        Two forks of this world at <b>{when(at, time.dayTicks)}</b> (tick {at}): in one of them one thing is otherwise.
        Both live on without a server, and this world stays as it is.
      </p>
      <label>
        What{" "}
        <select
          id="what-if-kind"
          value={form.kind}
          onChange={({ currentTarget }) => set({ kind: currentTarget.value as Form["kind"] })}
        >
          <option value="weather">the weather changes</option>
          <option value="repeal_law" disabled={!laws.length}>
            a law is repealed
          </option>
          <option value="pass_law">a market tax is passed</option>
          <option value="goal" disabled={!people.length}>
            somebody wants something else
          </option>
        </select>
      </label>
      <Details form={form} set={set} people={people} laws={laws.map(({ id, title }) => [id, title])} />
      <label>
        and both live for{" "}
        <input
          id="what-if-days"
          type="number"
          min="1"
          max={state?.max_days ?? 1}
          value={days}
          onInput={({ currentTarget }) => setDays(Number(currentTarget.value))}
        />{" "}
        days
      </label>
      {why && (
        <p role="alert" id="what-if-why">
          {why}
        </p>
      )}
      {running && (
        <p id="what-if-progress" role="status">
          <bdi>{running.change}</bdi>: {progressWords(state?.progress ?? null)}{" "}
          <progress max="1" value={state?.progress?.done ?? 0} />{" "}
          <button type="button" id="what-if-cancel" onClick={async () => take(await post("v1/what-if/cancel", {}))}>
            Cancel
          </button>
        </p>
      )}
      <button type="submit" disabled={!state || Boolean(running)}>
        Find out
      </button>{" "}
      <button type="button" onClick={close}>
        Close
      </button>
      <ul id="what-if-answers">
        {state?.answers
          .filter(({ id }) => id !== state.running)
          .map((one) => (
            <li data-finished={one.finished}>
              <bdi>{one.change}</bdi>{" "}
              <small>
                at {when(one.at_tick, time.dayTicks)}, {one.days} {one.days === 1 ? "day" : "days"}
              </small>{" "}
              {one.finished ? (
                <a class="see" href={pairPath(one.control, one.changed, one.at_tick + 1)}>
                  Look
                </a>
              ) : (
                <button type="button" onClick={async () => take(await post("v1/what-if", one.asked))}>
                  Go on
                </button>
              )}
            </li>
          ))}
      </ul>
    </form>
  );
}

const progressWords = (progress: WhatIfState["progress"]): string =>
  progress?.last_tick ? `${progress.arm}, tick ${progress.tick} of ${progress.last_tick}` : "the fork is being made…";

interface DetailsProps {
  form: Form;
  set(part: Partial<Form>): void;
  people: readonly string[];
  laws: readonly (readonly [id: string, title: string])[];
}

/** What exactly is changed. */
function Details({ form, set, people, laws }: DetailsProps) {
  const choice = (
    [id, label]: readonly [string, string],
    value: string,
    options: readonly (readonly [string, string])[],
    part: keyof Form,
  ) => (
    <select
      id={id}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => set({ [part]: currentTarget.value })}
    >
      {options.map(([option, text]) => (
        <option value={option}>{text}</option>
      ))}
    </select>
  );
  const named = (names: readonly string[]) => names.map((name) => [name, name] as const);
  if (form.kind === "weather") {
    const weathers = Object.entries(WEATHERS);
    return <p>to {choice(["what-if-weather", "Which weather"], form.weather, weathers, "weather")} for half a day</p>;
  }
  if (form.kind === "repeal_law") return <p>namely {choice(["what-if-law", "Which law"], form.law, laws, "law")}</p>;
  if (form.kind === "pass_law")
    return (
      <label>
        of{" "}
        <input
          id="what-if-percent"
          type="number"
          min="0"
          max="100"
          value={form.percent}
          onInput={({ currentTarget }) => set({ percent: Number(currentTarget.value) })}
        />{" "}
        % on the city's land
      </label>
    );
  const others = people.filter((name) => name !== form.person);
  const things = form.goal === "tool" ? Object.entries(TOOLS) : named(others);
  return (
    <p>
      {choice(["what-if-person", "Who"], form.person, named(people), "person")} wants{" "}
      {choice(["what-if-goal", "Which wish"], form.goal, named(GOALS), "goal")}{" "}
      {(form.goal === "tool" || form.goal === "friend") &&
        choice(["what-if-thing", "Which one"], form.thing, [["", "…"], ...things], "thing")}
    </p>
  );
}

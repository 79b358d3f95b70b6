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
const PARAMS = "params.";

interface Option {
  value: string;
  text: string;
}

type Among = "people" | "laws" | "lands";

/** One thing to choose in a change. */
interface Field {
  name: string;
  text: string;
  kind: "choice" | "number" | "text";
  options: Option[];
  among: Among | "";
  optional: boolean;
  min: number;
  max: number;
  whole: boolean;
  default: string;
  of: string;
  values: string[];
}

/** A kind of change, as the server offers it. */
interface Offer {
  change: string;
  text: string;
  fields: Field[];
}

/** What stands in the world that is shown. */
type There = Record<Among, Option[]>;

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

/** What is chosen of a change, by the name of the field. */
type Form = Record<string, string>;

/** A number as a form has it; what is none is refused by the server, which says what it takes. */
const numberOr = (text: string): number | string =>
  text.trim() && Number.isFinite(Number(text)) ? Number(text) : text;

/** The change that a form says. */
function changeOf(offer: Offer, form: Form): object {
  const change: Record<string, unknown> = { change: offer.change };
  const params: Record<string, unknown> = {};
  for (const field of offer.fields.filter((one) => isThere(one, form))) {
    const value = field.kind === "number" ? numberOr(form[field.name] ?? "") : (form[field.name] ?? "");
    if (field.name.startsWith(PARAMS)) params[field.name.slice(PARAMS.length)] = value;
    else change[field.name] = value;
  }
  return Object.keys(params).length ? { ...change, params } : change;
}

/** Whether a field is asked for with what was chosen before it. */
const isThere = ({ of, values }: Field, form: Form): boolean => of === "" || values.includes(form[of]);

/** What can be chosen in a field, in the world that is shown. */
function optionsOf(field: Field, there: There, form: Form): Option[] {
  const none = field.optional ? [{ value: "", text: "the city’s land" }] : [];
  if (field.among === "") return [...none, ...field.options];
  const listed = there[field.among].filter(
    ({ value }) => !field.options.length || field.options.some((option) => option.value === value),
  );
  return [...none, ...listed.filter(({ value }) => field.of === "" || value !== form.person)];
}

/** A form in which each field has a value that it can have. */
function filled(offer: Offer, there: There, given: Form): Form {
  const form: Form = {};
  for (const field of offer.fields) {
    if (!isThere(field, form)) continue;
    const value = given[field.name];
    if (field.kind !== "choice") form[field.name] = value ?? field.default;
    else {
      const options = optionsOf(field, there, form);
      form[field.name] = options.some((option) => option.value === value) ? value : (options[0]?.value ?? "");
    }
  }
  return form;
}

/** Whether a change can be made here: there is a law to repeal, somebody to want something. */
const isPossible = ({ fields }: Offer, there: There): boolean =>
  fields.every(
    (field) => field.among === "" || field.optional || field.of !== "" || optionsOf(field, there, {}).length > 0,
  );

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
  const [offers, setOffers] = useState<readonly Offer[]>([]);
  const [kind, setKind] = useState("weather");
  const [given, setGiven] = useState<Form>({});
  const there: There = {
    people: (viewer.world?.crowd.list ?? []).map(({ agent: { name } }) => ({ value: name, text: name })),
    laws: (viewer.society?.laws ?? [])
      .filter(({ status }) => status === "ACTIVE")
      .map(({ id, title }) => ({ value: id, text: `${title} (${id})` })),
    lands: (viewer.society?.lands ?? []).map(({ id, owner }) => ({
      value: id,
      text: `the land ${id} of ${viewer.nameOf(owner)}`,
    })),
  };
  const offer = offers.find(({ change }) => change === kind);
  const form = offer ? filled(offer, there, given) : {};
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
    void asked<Offer[]>("v1/what-if/changes").then((answer) => {
      if (open && Array.isArray(answer)) setOffers(answer);
    });
    const timer = setInterval(() => document.hidden || void ask(), AGAIN_MS);
    return () => {
      open = false;
      clearInterval(timer);
    };
  }, []);
  const start = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!offer) return;
    setWhy("");
    take(await post("v1/what-if", { at_tick: at, days, change: changeOf(offer, form) }));
  };
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
          value={kind}
          onChange={({ currentTarget }) => {
            setKind(currentTarget.value);
            setGiven({});
          }}
        >
          {offers.map((one) => (
            <option value={one.change} disabled={!isPossible(one, there)}>
              {one.text}
            </option>
          ))}
        </select>
      </label>
      {offer?.fields
        .filter((field) => isThere(field, form))
        .map((field) => (
          <FieldShown
            key={`${field.name} ${field.values}`}
            field={field}
            options={field.kind === "choice" ? optionsOf(field, there, form) : []}
            value={form[field.name] ?? ""}
            take={(value) => setGiven({ ...form, [field.name]: value })}
          />
        ))}
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
          {isLiving(state?.progress ?? null) && (
            <a id="what-if-look" href={pairPath(running.control, running.changed, running.at_tick + 1)}>
              Look already
            </a>
          )}{" "}
          <button type="button" id="what-if-cancel" onClick={async () => take(await post("v1/what-if/cancel", {}))}>
            Cancel
          </button>
        </p>
      )}
      <button type="submit" disabled={!state || !offer || Boolean(running)}>
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

/** Whether both forks are there: the control lives first. */
const isLiving = (progress: WhatIfState["progress"]): boolean =>
  progress !== null && progress.last_tick > 0 && progress.arm.startsWith("changed");

const progressWords = (progress: WhatIfState["progress"]): string =>
  progress?.last_tick ? `${progress.arm}, tick ${progress.tick} of ${progress.last_tick}` : "the fork is being made…";

interface FieldProps {
  field: Field;
  options: readonly Option[];
  value: string;
  take(value: string): void;
}

/** One thing to choose: of a list, a number, or a text. */
function FieldShown({ field: { name, text, kind, min, max, whole, optional }, options, value, take }: FieldProps) {
  const id = `what-if-${name.replace(PARAMS, "")}`;
  const set = ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLSelectElement }) => take(currentTarget.value);
  return (
    <p>
      <label for={id}>{text}</label>{" "}
      {kind === "choice" && (
        <select id={id} value={value} onChange={set}>
          {options.map((option) => (
            <option value={option.value}>{option.text}</option>
          ))}
        </select>
      )}
      {kind === "number" && (
        <input
          id={id}
          type="number"
          value={value}
          required
          min={min}
          max={max}
          step={whole ? 1 : "any"}
          onInput={set}
        />
      )}
      {kind === "text" && (
        <input id={id} type="text" value={value} required={!optional} maxLength={max} onInput={set} />
      )}
    </p>
  );
}

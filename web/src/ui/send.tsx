// "Send this…": a stretch of the world as one file, with its size before it is made.

import { useEffect, useState } from "preact/hooks";
import { request } from "../answers.ts";
import { asked } from "../asked.ts";
import { save } from "../clip.ts";
import { typedTime } from "../moment.ts";
import { when } from "../society.ts";
import type { Viewer } from "../viewer.ts";
import "./film.css";

const ASK_AFTER_MS = 300;
// Letters of a tick, or of a day and hour.
const LONGEST_TIME = 40;
// Six hours up to what is looked at, if nothing else was chosen.
const USUAL_SHARE_OF_DAY = 0.25;

interface Size {
  first: number;
  last: number;
  bytes: number;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

export function Send({ viewer, close }: { viewer: Viewer; close: () => void }) {
  const { time } = viewer;
  const { dayTicks } = time;
  const [upTo] = useState(time.tick);
  const [from, setFrom] = useState(String(Math.max(1, Math.round(upTo - dayTicks * USUAL_SHARE_OF_DAY))));
  const [to, setTo] = useState(String(upTo));
  const [size, setSize] = useState<Size | null>(null);
  const [problem, setProblem] = useState("");
  const [making, setMaking] = useState(false);
  // Digits alone are a tick here, also the few of a young world.
  const tickOf = (text: string) =>
    /^\d{1,12}$/.test(text.trim()) ? Number(text) : (typedTime(text, dayTicks)?.[0] ?? null);
  const [first, last] = [tickOf(from), tickOf(to)];
  const query = first !== null && last !== null ? `from=${Math.max(1, first)}&to=${last}` : null;
  useEffect(() => {
    setSize(null);
    setProblem(query === null ? "Write a tick (13500), or a day and hour (day 2 5:30)." : "");
    if (query === null) return;
    let left = false;
    const timer = setTimeout(async () => {
      const answer = await asked<Size>(`v1/film/size?${query}`);
      if (left) return;
      if ("why" in answer) setProblem(answer.why);
      else setSize(answer);
    }, ASK_AFTER_MS);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [query]);
  const make = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!size || making) return;
    setMaking(true);
    const answer = await request(`v1/film?${query}`).catch(() => null);
    if (answer?.ok) save(await answer.blob(), `thorp-${size.first}-${size.last}.html`);
    else if (answer) setProblem(String((await answer.json().catch(() => ({}))).details));
    else setProblem("the server did not answer");
    setMaking(false);
    if (answer?.ok) close();
  };
  const field = (id: string, label: string, value: string, set: (text: string) => void, tick: number | null) => (
    <label>
      {label}{" "}
      <input id={id} value={value} maxLength={LONGEST_TIME} onInput={({ currentTarget }) => set(currentTarget.value)} />
      <small>{tick === null ? "" : ` ${when(tick, dayTicks)}`}</small>
    </label>
  );
  return (
    <form class="help film-about" id="send-card" aria-label="Send this" onSubmit={make}>
      <h2>Send this…</h2>
      <p>One file that plays this stretch in any browser, without a network. Nothing private is in it.</p>
      {field("send-from", "From", from, setFrom, first)}
      {field("send-to", "to", to, setTo, last)}
      <p role="status" id="send-size">
        {problem || (size ? `About ${megabytes(size.bytes)}.` : "Looking how large it is…")}
      </p>
      <button type="submit" disabled={!size || making}>
        {making ? "Making it…" : "Make it"}
      </button>{" "}
      <button type="button" onClick={close}>
        Close
      </button>
    </form>
  );
}

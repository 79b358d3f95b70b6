// The story as a text: days and quarters, hours in the margin, names as links, and a field to write in.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { here, IS_FILM, momentPath, pathFor, readdress, sentenceAddress } from "../address.ts";
import { clockText } from "../daylight.ts";
import { when } from "../society.ts";
import {
  dayName,
  dayTicks,
  type Entry,
  linked,
  type Pocket,
  QUARTERS,
  type Quarter,
  quarters,
  type Story,
  withOne,
  writtenBy,
} from "../story.ts";
import type { Viewer } from "../viewer.ts";
import { PastBanner } from "./lane.tsx";
import { See } from "./see.tsx";
import { Yesterday } from "./yesterday.tsx";
import "./story.css";

const WIDE = matchMedia("(min-width: 50.01rem)");
const AT_END_PX = 40;

export function StoryPlace({ viewer }: { viewer: Viewer }) {
  const { story } = viewer;
  const perDay = viewer.society?.day_ticks ?? dayTicks(story.ticks.values());
  const people = viewer.live?.crowd.list.length;
  const { time } = viewer;
  const whole = useMemo(() => quarters(story, perDay), [story.revision, perDay]);
  const who = new URLSearchParams(here().query).get("with");
  const timeline = useMemo(() => {
    const written = time.isPast ? writtenBy(whole, story, time.tick) : viewer.awaitsPast ? [] : whole;
    return who ? withOne(written, story, who) : written;
  }, [whole, time.isPast && time.tick, viewer.awaitsPast, who]);
  const text = useMemo(
    () => <Text viewer={viewer} timeline={timeline} perDay={perDay} />,
    [timeline, people, viewer.society, viewer.see],
  );
  const told = Math.max(0, ...Array.from(story.ticks.values(), ({ last }) => last));
  const now = time.isPast ? time.tick : (viewer.live?.tick?.tick ?? told);
  const [chosen, choose] = useState("");
  const look = ({ target }: Event) => {
    const id = target instanceof Element && target.closest<HTMLElement>("li[data-id]")?.dataset.id;
    if (id) choose(id);
  };
  /** A click on the words of a sentence asks why the story says it; links, and words being marked, are left alone. */
  const ask = (event: MouseEvent) => {
    look(event);
    const { target } = event;
    if (!(target instanceof Element) || target.closest("a, button") || getSelection()?.toString()) return;
    const why = target.closest<HTMLElement>("[data-why]")?.dataset.why;
    if (why) viewer.choose(why);
  };
  useEffect(() => story.start(), []);
  useEffect(() => {
    if (who) void story.loadAll();
  }, [who, story.hasEarlier]);
  return (
    <>
      <main class="story" id="story-place" data-time={time.isPast ? "past" : "live"}>
        <PastBanner viewer={viewer} />
        <Days viewer={viewer} timeline={timeline} />
        <section class="telling" aria-label="The stream" onClick={ask} onFocusIn={look}>
          <Complaint story={story} />
          {who && (
            <p class="with" id="with">
              Passages with <See viewer={viewer} id={who} /> ·{" "}
              <a class="see" href={pathFor("story", null)} onClick={watch}>
                the whole story
              </a>
            </p>
          )}
          {!who && !viewer.part && <Yesterday viewer={viewer} perDay={perDay} tick={now} />}
          <Scroll viewer={viewer} text={text} timeline={timeline} />
          {IS_FILM || <Composer story={story} />}
        </section>
      </main>
      {!viewer.see && <Side viewer={viewer} timeline={timeline} passage={chosen} perDay={perDay} />}
    </>
  );
}

function Days({ viewer, timeline }: { viewer: Viewer; timeline: readonly Quarter[] }) {
  const days = timeline.filter(({ day, world }) => day && !world);
  const go = (part: string) => (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    viewer.go("story", part);
    document.getElementById(part)?.scrollIntoView();
  };
  if (!days.length) return null;
  const most = Math.max(1, ...days.flatMap(({ strokes }) => strokes));
  return (
    <nav class="days" aria-label="Days">
      <h2 class="label">The story of Thorp</h2>
      {days.map((one, i) => (
        <>
          {one.day !== days[i - 1]?.day && (
            <a class="day" href={pathFor("story", null, "", `day/${one.day}`)} onClick={go(`day/${one.day}`)}>
              Day {one.day}
            </a>
          )}
          <a
            href={`#${anchor(one)}`}
            onClick={(event) => {
              if (!IS_FILM) return; // whose address is behind the #
              event.preventDefault();
              document.getElementById(anchor(one))?.scrollIntoView();
            }}
          >
            {QUARTERS[one.quarter]}
            <svg viewBox="0 0 40 14" aria-hidden="true">
              {one.strokes.map((n, at) => (
                <rect x={at * 5} y={14 - 1 - (13 * n) / most} width="4" height={1 + (13 * n) / most} />
              ))}
            </svg>
          </a>
        </>
      ))}
    </nav>
  );
}

const anchor = ({ day, quarter }: Quarter): string => `day/${day}/${QUARTERS[quarter].replace(" ", "-")}`;

/** The stream. New passages never move the text that is being read, unless the reader has just spoken. */
function Scroll({ viewer, text, timeline }: { viewer: Viewer; text: preact.VNode; timeline: readonly Quarter[] }) {
  const { story, part } = viewer;
  const stream = useRef<HTMLOListElement>(null);
  const kept = useRef({ height: 0, top: 0, atEnd: true, count: 0, prepended: 0, spoken: 0, sticks: true, part: "" });
  const [below, setBelow] = useState(0);
  const toEnd = () => {
    stream.current!.scrollTop = stream.current!.scrollHeight;
    setBelow(0);
  };
  const measure = () => {
    const { scrollHeight: height, scrollTop: top, clientHeight } = stream.current!;
    Object.assign(kept.current, { height, top, atEnd: height - top - clientHeight < AT_END_PX });
  };
  useLayoutEffect(() => {
    const list = stream.current!;
    const was = kept.current;
    const more = story.entries.length - was.count;
    const first = was.count === 0 && more > 0;
    const wanted = part && part !== was.part ? document.getElementById(part) : null;
    if (story.spoken !== was.spoken) was.sticks = true;
    if (wanted) {
      wanted.scrollIntoView();
      Object.assign(was, { part, sticks: false });
    } else if (part && part !== was.part && story.hasEarlier) void story.showEarlier();
    else if (story.prepended !== was.prepended) list.scrollTop = list.scrollHeight - (was.height - was.top);
    else if (first || (was.sticks && was.atEnd)) toEnd();
    else if (more > 0) setBelow(below + more);
    Object.assign(was, { count: story.entries.length, prepended: story.prepended, spoken: story.spoken });
    measure();
  }, [story.revision, story.spoken, part]);
  const onScroll = () => {
    measure();
    if (kept.current.atEnd) setBelow(0);
    else kept.current.sticks = false;
  };
  return (
    <>
      {story.hasEarlier && (
        <button id="earlier" type="button" onClick={() => void story.showEarlier()}>
          Earlier
        </button>
      )}
      <ol
        id="stream"
        role={"log" as "list"}
        aria-live="polite"
        aria-label="What you perceive"
        tabIndex={0}
        ref={stream}
        onScroll={onScroll}
      >
        {text}
        {timeline.length > 0 && <Coming viewer={viewer} />}
        {!timeline.length && story.link.name === "live" && <li class="none">Nothing has been told yet.</li>}
      </ol>
      <button id="below" type="button" hidden={!below} onClick={toEnd}>
        {below} new
      </button>
    </>
  );
}

/** Open the world at the moment a link leads to, without loading the page again. */
function watch(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  readdress((event.currentTarget as HTMLAnchorElement).href, "push");
  dispatchEvent(new PopStateEvent("popstate"));
}

function Text({ viewer, timeline, perDay }: { viewer: Viewer; timeline: readonly Quarter[]; perDay: number }) {
  return (
    <>
      {timeline.map((one, i) => {
        const newDay = one.day > 0 && (one.day !== timeline[i - 1]?.day || one.world !== timeline[i - 1].world);
        const anchored = one.world === 0 && one.day > 0;
        return (
          <>
            {newDay && (
              <li class="divide" id={anchored && one.day !== timeline[i - 1]?.day ? `day/${one.day}` : undefined}>
                <h2>
                  {dayName(one.day)}{" "}
                  <small>{one.world ? "of a world before this one" : "the village's own calendar"}</small>
                </h2>
              </li>
            )}
            {one.day > 0 && (
              <li class="divide" id={anchored ? anchor(one) : undefined}>
                <h3 class="label">{QUARTERS[one.quarter]}</h3>
                <hr />
                {anchored && (
                  <a class="watch" href={momentPath(one.first)} onClick={watch}>
                    ▶ watch it
                  </a>
                )}
              </li>
            )}
            {one.entries.map((entry) => (
              <Passage key={entry.entry_id} viewer={viewer} entry={entry} live={anchored} perDay={perDay} />
            ))}
          </>
        );
      })}
    </>
  );
}

function Passage({ viewer, entry, live, perDay }: { viewer: Viewer; entry: Entry; live: boolean; perDay: number }) {
  const { story } = viewer;
  const dated = story.ticks.get(entry.entry_id);
  const tick = dated?.sentences[0]?.[1] ?? dated?.first;
  const zone = story.pocket?.clock.timezone;
  return (
    <li
      data-id={entry.entry_id}
      data-channel={entry.channel}
      title={dated ? undefined : shownTime(entry.created_at_world, zone)}
    >
      {tick !== undefined &&
        (live ? (
          <a class="hour" href={momentPath(tick)} title="watch it" onClick={watch}>
            {clockText((tick % perDay) / perDay)}
          </a>
        ) : (
          <time class="hour">{clockText((tick % perDay) / perDay)}</time>
        ))}
      {entry.author_label !== null && <b>{entry.author_label}</b>}
      <span>
        {dated?.sentences.length ? (
          <Sentences viewer={viewer} entry={entry} sentences={dated.sentences} perDay={perDay} live={live} />
        ) : (
          <data data-why={sentenceAddress(entry.entry_id)} data-asked={viewer.see === sentenceAddress(entry.entry_id)}>
            {entry.text}
            <WhyButton viewer={viewer} see={sentenceAddress(entry.entry_id)} />
          </data>
        )}
      </span>
    </li>
  );
}

/** Ask why the story says something, by the keyboard: a click on the words does the same. It has no text of its own,
 * so that words copied from the story are the story's. */
function WhyButton({ viewer, see }: { viewer: Viewer; see: string }) {
  return (
    <button
      type="button"
      class="why-link"
      aria-label="Why does the story say this?"
      aria-pressed={viewer.see === see}
      onClick={() => viewer.choose(see)}
    />
  );
}

interface SentencesProps {
  viewer: Viewer;
  entry: Entry;
  /** Whether it is about the world that is shown. */
  live: boolean;
  sentences: readonly (readonly [end: number, tick: number, who: string[], weight?: number])[];
  perDay: number;
}

function Sentences({ viewer, entry, sentences, perDay, live }: SentencesProps) {
  const letters = Array.from(entry.text);
  const society = viewer.society;
  const owners = (society?.organisations ?? []).map(({ id, name }) => [name, id] as const);
  const laws = (society?.laws ?? []).map(({ id, title }) => [`“${title}”`, id] as const);
  return (
    <>
      {[...sentences, [letters.length, 0, []] as const].map(([end, tick, who], i) => {
        const people = who.flatMap(
          (id) =>
            [
              [id, id],
              [viewer.nameOf(id), id],
              [`${viewer.nameOf(id)} (${id})`, id],
            ] as [string, string][],
        );
        const part = letters.slice(i ? sentences[i - 1][0] : 0, end).join("");
        const see = sentenceAddress(entry.entry_id, i < sentences.length ? i + 1 : 0);
        return (
          part && (
            <data
              value={tick}
              title={tick ? `${when(tick, perDay)}; a click says why` : undefined}
              data-asked={viewer.see === see}
              data-why={see}
            >
              {linked(part, live ? [...owners, ...laws, ...people] : []).map((piece) =>
                piece.see ? (
                  <See viewer={viewer} id={piece.see}>
                    {piece.text}
                  </See>
                ) : (
                  piece.text
                ),
              )}
              <WhyButton viewer={viewer} see={see} />
            </data>
          )
        );
      })}
    </>
  );
}

/** What comes next: the quarter of the day that the village lives in now. */
function Coming({ viewer }: { viewer: Viewer }) {
  const { live: world, papers, story } = viewer;
  if (!world?.tick || !papers.society || !story.ticks.size) return null;
  const { tick, perDay } = { tick: world.tick.tick, perDay: papers.society.day_ticks };
  const quarter = Math.floor(((tick % perDay) * 4) / perDay);
  const left = ((quarter + 1) * perDay) / 4 - (tick % perDay);
  const minutes = Math.ceil(left / world.bootstrap.world_params.tick_rate_hz / 60);
  return (
    <li class="divide coming" id="coming">
      <h3 class="label">
        {QUARTERS[quarter]} of day {Math.floor(tick / perDay) + 1}
      </h3>
      <hr />
      <small>
        told at {clockText(((quarter + 1) / 4) % 1)}; {minutes} min for you
      </small>
    </li>
  );
}

function shownTime(text: string, zone: string | null | undefined): string {
  try {
    return zone ? `${new Date(text).toLocaleString("sv-SE", { timeZone: zone })} ${zone}` : text;
  } catch {
    return text; // the browser does not know this zone
  }
}

interface SideProps {
  viewer: Viewer;
  timeline: readonly Quarter[];
  /** The passage that was chosen, if any. */
  passage: string;
  perDay: number;
}

/** The people and things in a passage, and a link to watch it; if none is chosen, those in the newest. */
function InPassage({ viewer, timeline, passage, perDay }: SideProps) {
  const { story, society } = viewer;
  const entry = timeline
    .flatMap(({ entries }) => entries)
    .filter(({ entry_id }) => (passage ? entry_id === passage : story.ticks.has(entry_id)))
    .pop();
  const dated = entry && story.ticks.get(entry.entry_id);
  if (!entry || !dated) return null;
  const tick = dated.sentences[0]?.[1] ?? dated.first;
  const named = [
    ...(society?.organisations ?? []).map(({ id, name }) => [name, id] as const),
    ...(society?.laws ?? []).map(({ id, title }) => [`“${title}”`, id] as const),
  ];
  const ids = new Set([
    ...dated.sentences.flatMap(([, , who]) => who),
    ...linked(entry.text, named).flatMap(({ see }) => see ?? []),
  ]);
  const kind = (id: string) =>
    viewer.live?.crowd.get(id)?.agent.title ??
    society?.organisations.find((one) => one.id === id)?.kind.toLowerCase() ??
    (id.startsWith("LAW") ? "law" : "");
  return (
    <div id="in-passage" class={passage ? "" : "newest"}>
      <h3 class="label">{passage ? "In this passage" : "In the newest passage"}</h3>
      <ul>
        {[...ids].map((id) => (
          <li>
            <See viewer={viewer} id={id} />{" "}
            <small>
              <bdi>{kind(id)}</bdi>
            </small>
          </li>
        ))}
      </ul>
      {!ids.size && <p class="none">Nobody by name.</p>}
      <p>
        <a class="see" href={momentPath(tick)} onClick={watch}>
          see it at {when(tick, perDay)}
        </a>
      </p>
    </div>
  );
}

function Side({ viewer, ...passage }: SideProps) {
  const { story } = viewer;
  const { greeting, pocket } = story;
  return (
    <aside class="panel one story-side">
      <InPassage viewer={viewer} {...passage} />
      {greeting && (
        <p>
          <span class="label">Who reads</span>
          <br /> You read{" "}
          <strong id="eyes">
            {greeting.reader === null
              ? "as everybody"
              : greeting.sender?.operator_id === greeting.reader
                ? "as the operator"
                : `as ${greeting.reader}`}
          </strong>
          {greeting.reader === null && ": what is public"}.
        </p>
      )}
      <PocketCard viewer={viewer} pocket={pocket} />
    </aside>
  );
}

/** The clock: the village's day and hour if there is one, and a date only if somebody declared it. */
function PocketCard({ viewer, pocket }: { viewer: Viewer; pocket: Pocket | null }) {
  const { story, live: world, papers } = viewer;
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const fit = () => {
      details.current!.open = WIDE.matches;
    };
    fit();
    WIDE.addEventListener("change", fit);
    return () => WIDE.removeEventListener("change", fit);
  }, []);
  const village = story.ticks.size > 0 && world?.tick && papers.society;
  const dated = !story.ticks.size || story.declared.size > 0;
  const time = pocket?.clock.world_time;
  return (
    <details id="pocket" hidden={!pocket?.is_available} ref={details}>
      <summary>Pocket</summary>
      {village && <p>The village's clock: {when(world.tick!.tick, papers.society!.day_ticks)}.</p>}
      {dated && time && (
        <p>
          {story.declared.size > 0 && "declared: "}
          <time id="clock" dateTime={time}>
            {time.slice(0, 16).replace("T", " ")}
          </time>{" "}
          <small id="zone">{pocket.clock.timezone}</small>
        </p>
      )}
      <h3 class="label">Calendar</h3>
      <ul id="calendar">
        {pocket?.calendar.items.map(({ title, time, location, notes }) => (
          <Line first={title} rest={[time, location, notes]} />
        ))}
      </ul>
      {!pocket?.calendar.items.length && <p class="none">Nothing is planned.</p>}
      <h3 class="label">Messages</h3>
      <ul id="messages">
        {pocket?.messages.items.map(({ text, from, time }) => (
          <Line first={text} rest={[from, time]} />
        ))}
      </ul>
      {!pocket?.messages.items.length && <p class="none">No messages.</p>}
    </details>
  );
}

const Line = ({ first, rest }: { first: string; rest: (string | null)[] }) => (
  <li>
    {first}
    {rest.filter(Boolean).map((text) => (
      <small>{text}</small>
    ))}
  </li>
);

function Complaint({ story }: { story: Story }) {
  const again = () => document.querySelector<HTMLFormElement>("#composer")?.requestSubmit();
  return (
    <div class="complaint" id="notice" role="alert" hidden={!story.complaint}>
      <p id="why">{story.complaint?.text}</p>
      <button id="again" type="button" hidden={!story.complaint?.again} onClick={again}>
        Try again
      </button>
    </div>
  );
}

/** What the running beat is doing, as far as can be seen from outside. */
function Running({ story }: { story: Story }) {
  if (story.sentAt !== null) {
    const seconds = Math.floor((performance.now() - story.sentAt) / 1000);
    return (
      <>
        Your words are on their way: the clock moves, the writer is asked, the rules judge what it writes.{" "}
        {seconds > 0 && `${seconds} s so far.`}
      </>
    );
  }
  const others = story.greeting?.running ?? 0;
  return others > 0 ? (
    <>Somebody's words are being answered: the writer is at work.</>
  ) : (
    <>
      Press Enter to send; an empty message lets time pass. Shift+Enter starts a new line, Esc goes to the story, / back
      to your message.
    </>
  );
}

function Composer({ story }: { story: Story }) {
  const words = useRef<HTMLTextAreaElement>(null);
  const pause = useRef<HTMLSelectElement>(null);
  const may = Boolean(story.greeting?.sender);
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.matches("textarea, select, input");
      if (!may || event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      words.current!.focus();
    };
    addEventListener("keydown", key, { capture: true });
    return () => removeEventListener("keydown", key, { capture: true });
  }, [may]);
  const send = async (event?: Event) => {
    event?.preventDefault();
    const said = words.current!.value;
    if (await story.speak(said, JSON.parse(pause.current!.value))) {
      if (words.current && words.current.value === said) {
        words.current.value = "";
        pause.current!.value = "null";
      }
    }
    words.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      document.getElementById("stream")?.focus();
    }
    if (event.key === "Enter" && !event.shiftKey) void send(event);
  };
  const busy = story.sentAt !== null;
  return (
    <form id="composer" hidden={!may} onSubmit={(event) => void send(event)}>
      <textarea
        id="words"
        rows={2}
        aria-label="What you say"
        aria-describedby="keys"
        placeholder="Say what happens next…"
        maxLength={200000}
        spellcheck
        readOnly={busy}
        ref={words}
        onKeyDown={onKeyDown}
      />
      <div id="controls">
        <select id="pause" aria-label="The world's clock" disabled={busy} ref={pause}>
          <option value="null">leave the clock as it is</option>
          <option value="true">stop the clock</option>
          <option value="false">let the clock run</option>
        </select>
        <button id="send" type="submit" disabled={busy}>
          Send
        </button>
      </div>
      <p id="keys" role="status">
        <Running story={story} />
      </p>
    </form>
  );
}

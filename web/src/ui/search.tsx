// One field that finds people, organisations, lands, laws, contracts, posts and passages of the story by their words.

import { useEffect, useRef, useState } from "preact/hooks";
import { isCell } from "../address.ts";
import { type Building, residentsOf } from "../buildings.ts";
import { ellipsis } from "../ellipsis.ts";
import { superlative } from "../people.ts";
import { plainly } from "../says.ts";
import { asks, sense } from "../society.ts";
import { ELECTION, electionAt } from "../upcoming.ts";
import type { Viewer } from "../viewer.ts";
import { organisationWord } from "../words.ts";

const MOST_HITS = 12;
// The most characters of a hit: about two lines.
const MOST_LETTERS = 140;
// From this length on, a word is also searched for in passages of the story that are not loaded yet.
const LEAST_LETTERS = 3;

interface Hit {
  see: string;
  kind: string;
  text: string;
  /** The passage of the story, if it is one. */
  passage?: string;
}

const isText = ({ kind }: Hit): boolean => kind === "notice" || kind === "story";

/** A building with whoever lives there. */
function describe(viewer: Viewer, building: Building): string {
  const residents = residentsOf(building, viewer.papers.buildings, viewer.time.tick);
  const names = residents.map(({ id }) => viewer.nameOf(id)).join(" and ");
  return viewer.nameOf(building.id) + (names && `; ${names} ${residents.length > 1 ? "live" : "lives"} there`);
}

function* everything(viewer: Viewer): Generator<Hit> {
  const society = viewer.society;
  const passages = viewer.story.entries
    .map(({ entry_id, text }) => ({ see: "", kind: "story", text, passage: entry_id }))
    .reverse();
  for (const { agent } of viewer.world?.crowd.list ?? []) yield { see: agent.id, kind: "person", text: agent.name };
  if (!society) return yield* passages;
  for (const { id, name, kind } of society.organisations) yield { see: id, kind: organisationWord(kind), text: name };
  for (const building of viewer.buildings)
    yield { see: building.id, kind: "building", text: describe(viewer, building) };
  for (const { id } of society.lands) yield { see: id, kind: "land", text: viewer.nameOf(id) };
  for (const law of society.laws) yield { see: law.id, kind: "law", text: `${law.title}: ${sense(law)}` };
  for (const one of society.contracts)
    yield { see: one.id, kind: "contract", text: `${viewer.nameOf(one.id)}: ${asks(one)}` };
  for (const [board, posts] of Object.entries(society.boards)) {
    // A board without a place has no cell to look at, but its post has an author.
    const cell = board.slice(board.lastIndexOf("@"));
    for (const post of posts) {
      const text = plainly(`${post.title}: ${post.body}`, (id) => viewer.nameOf(id));
      yield { see: isCell(cell) ? cell : post.author, kind: "notice", text };
    }
  }
  yield* passages;
}

/** Open the story at this passage. */
function read(viewer: Viewer, passage: string): void {
  viewer.go("story");
  const timer = setInterval(() => {
    const element = document.querySelector(`#stream [data-id="${CSS.escape(passage)}"]`);
    element?.scrollIntoView({ block: "center" });
    if (element || viewer.place !== "story") clearInterval(timer);
  }, 100);
}

/** The part of a long text around a word, cut between words. */
function around(text: string, word: string): string {
  if (text.length <= MOST_LETTERS) return text;
  const at = Math.max(0, text.toLowerCase().indexOf(word) - MOST_LETTERS / 3);
  const from = at === 0 ? 0 : text.indexOf(" ", at) + 1;
  return (from ? "… " : "") + ellipsis(text.slice(from), ({ length }) => length <= MOST_LETTERS);
}

export function find(viewer: Viewer, wanted: string): Hit[] {
  const word = wanted.trim().toLowerCase();
  if (!word) return [];
  const hits: Hit[] = [];
  const first = superlative(word, viewer.people, viewer.prices);
  if (first) hits.push({ see: first.id, kind: "answer", text: first.text });
  else if (/^(rich|wealth|poor)/.test(word) && viewer.society?.open_book === false)
    hits.push({
      see: "",
      kind: "answer",
      text: "What people carry is private here, so nobody can say who is richest.",
    });
  if (electionAt(viewer.papers.elections, viewer.time.tick) && /^(elect|mayor|vote)/.test(word))
    hits.push({ see: ELECTION, kind: "election", text: "The election and its candidates" });
  // The same words on two boards are one hit; two people of one name, or a person and a city, are two.
  const shown = new Set<string>();
  for (const hit of everything(viewer)) {
    const key = isText(hit) ? hit.text : hit.see;
    if (hits.length >= MOST_HITS || shown.has(key)) continue;
    if (!`${hit.text} ${hit.see}`.toLowerCase().includes(word)) continue;
    shown.add(key);
    hits.push({ ...hit, text: around(hit.text, word) });
  }
  return hits;
}

export function Search({ viewer }: { viewer: Viewer }) {
  const [wanted, setWanted] = useState("");
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const hits = find(viewer, wanted);
  const searches = wanted.trim().length >= LEAST_LETTERS;
  useEffect(() => {
    if (searches && viewer.story.hasEarlier) void viewer.story.loadAll();
  }, [searches, viewer.story.revision]);
  const open = (hit: Hit | undefined) => {
    if (!hit) return;
    if (hit.passage) read(viewer, hit.passage);
    else if (hit.see) viewer.choose(hit.see);
    setWanted("");
    field.current?.blur();
  };
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      const typed = event.target instanceof Element && event.target.matches("input, textarea, select");
      if (
        (event.key === "/" && !typed && !event.defaultPrevented) ||
        (event.key === "k" && (event.ctrlKey || event.metaKey))
      ) {
        event.preventDefault();
        field.current?.focus();
      }
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") open(hits[at]);
    else if (event.key === "ArrowDown") setAt(Math.min(hits.length - 1, at + 1));
    else if (event.key === "ArrowUp") setAt(Math.max(0, at - 1));
    else if (event.key === "Escape") {
      setWanted("");
      field.current?.blur();
    } else return;
    event.preventDefault();
  };
  return (
    <div class="search">
      <input
        id="search"
        type="search"
        ref={field}
        value={wanted}
        placeholder="Find a person, place, law, word…"
        aria-label="Find"
        aria-controls="hits"
        onKeyDown={onKeyDown}
        onFocus={() => viewer.story.start()}
        onInput={(event) => {
          setWanted(event.currentTarget.value);
          setAt(0);
        }}
      />
      {wanted.trim() && (
        <ol id="hits" role="listbox">
          {hits.map((hit, i) => (
            <li
              key={hit.see + i}
              role="option"
              aria-selected={i === at}
              onMouseDown={(event) => {
                event.preventDefault();
                open(hit);
              }}
            >
              <small>{hit.kind}</small> <bdi>{hit.text}</bdi>
            </li>
          ))}
          {!hits.length && (
            <li class="none">
              {searches && viewer.story.hasEarlier
                ? "Looking through the whole story…"
                : "Nothing here is called that."}
            </li>
          )}
        </ol>
      )}
    </div>
  );
}

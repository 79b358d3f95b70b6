// Why the story says a sentence: its events, each a way to the moment, who knew of it, who proposed it, its proof.

import { useEffect, useState } from "preact/hooks";
import { pathFor, sentenceOf } from "../address.ts";
import { when } from "../society.ts";
import { dayTicks } from "../story.ts";
import type { Viewer } from "../viewer.ts";
import { askWhy, heldSentence, type Proof, proposalWords, type Told, type Why, type WhySentence } from "../why.ts";
import { See } from "./see.tsx";

const SHOWN_NAMES = 12;

interface Of {
  viewer: Viewer;
  /** Whether the moments of it are moments of the world that is shown. */
  leads: boolean;
}

/** A link to the world at a tick, with an event of it in the panel. */
function Jump({ viewer, tick, see, children }: { viewer: Viewer; tick: number; see: string; children: string }) {
  const path = pathFor("world", see, `at=${tick}`);
  const go = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    viewer.visit(path);
  };
  return (
    <a class="see" href={path} onClick={go}>
      {children}
    </a>
  );
}

function People({ viewer, ids, none = "nobody" }: { viewer: Viewer; ids: readonly string[]; none?: string }) {
  if (!ids.length) return <>{none}</>;
  return (
    <>
      {ids.slice(0, SHOWN_NAMES).map((id, i) => (
        <>
          {i > 0 && ", "}
          <See viewer={viewer} id={id} />
        </>
      ))}
      {ids.length > SHOWN_NAMES && ` and ${ids.length - SHOWN_NAMES} others`}
    </>
  );
}

const dayOf = (viewer: Viewer): number => viewer.society?.day_ticks ?? dayTicks(viewer.story.ticks.values());

function Events({ viewer, sentence, leads }: Of & { sentence: WhySentence }) {
  const day = dayOf(viewer);
  const { events, events_total: total, tick, basis } = sentence;
  const moment = (at: number, see: string) =>
    leads ? (
      <Jump viewer={viewer} tick={at} see={see}>
        {when(at, day).replace("day ", "")}
      </Jump>
    ) : (
      when(at, day)
    );
  if (basis === "nothing" || tick === null) return <p class="none">No event of a world is noted for it.</p>;
  if (!events.length)
    return (
      <p id="why-moment">
        {moment(tick, `E${tick}`)}, about <People viewer={viewer} ids={sentence.people} />
      </p>
    );
  return (
    <ol class="lately" id="why-events">
      {events.map((one) => (
        <li>
          {moment(one.tick, one.id)}{" "}
          <span>
            {one.kind}
            {one.people.length > 0 && (
              <>
                , by <People viewer={viewer} ids={one.people} />
              </>
            )}
            {one.place && (
              <>
                , at{" "}
                {leads ? (
                  <See viewer={viewer} id={`@${one.place.join(",")}`}>
                    {one.place[0]}, {one.place[2]}
                  </See>
                ) : (
                  `${one.place[0]}, ${one.place[2]}`
                )}
              </>
            )}{" "}
            <small>
              {one.id} <code title={`SHA-256 ${one.digest}`}>{one.digest.slice(0, 12)}…</code>
            </small>
          </span>
        </li>
      ))}
      {total > events.length && <li class="none">and {total - events.length} more of the kind</li>}
    </ol>
  );
}

function Knew({ viewer, why, asked }: { viewer: Viewer; why: Why; asked: readonly WhySentence[] }) {
  const { known, last } = why;
  const since = last === null ? known.since.slice(0, 16).replace("T", " ") : when(last, dayOf(viewer));
  const hidden = known.readers_total !== null && known.readers_total > known.readers.length;
  return (
    <div id="why-known">
      <h4>Who could know it</h4>
      <p>
        {known.scope === "PUBLIC" ? "everybody" : <People viewer={viewer} ids={known.readers} none="nobody else" />}
        {hidden && ` (${known.readers_total} in all)`} may read it, since {since}
      </p>
      {asked
        .filter(({ witnesses, tick }) => witnesses.length && tick !== null)
        .map(({ witnesses, tick }) => (
          <p>
            <People viewer={viewer} ids={witnesses} /> knew of it since {when(tick!, dayOf(viewer))}
          </p>
        ))}
    </div>
  );
}

function Proposed({ viewer, why, asked }: { viewer: Viewer; why: Why; asked: readonly WhySentence[] }) {
  const { proposal, handed } = why;
  const cited = new Set(asked.flatMap(({ events }) => events.map(({ id }) => id)));
  return (
    <div id="why-proposed">
      <h4>How it came to be written</h4>
      <p>{proposalWords(proposal)}</p>
      {handed.length > 0 && (
        <p>
          It was handed {handed.length} {handed.length === 1 ? "event" : "events"}, and this cites {cited.size}.
        </p>
      )}
      {!proposal.is_known && <p class="none">What it was given cannot be found out any more.</p>}
      {proposal.given.length > 0 && (
        <ol class="lately">
          {proposal.given.map((one) => (
            <li>
              <span>
                {one.cited && <strong>quoted </strong>}
                <See viewer={viewer} id={one.entry_id}>
                  <bdi>{one.excerpt}</bdi>
                </See>{" "}
                <small>{one.by === "WINDOW" ? "in its window" : `by ${one.by}`}</small>
              </span>
            </li>
          ))}
          {proposal.given_total > proposal.given.length && (
            <li class="none">and {proposal.given_total - proposal.given.length} more</li>
          )}
        </ol>
      )}
    </div>
  );
}

/** The proof is asked for on demand, since the server may read a long log for it. */
function Proved({ see }: { see: string }) {
  const [told, setTold] = useState<Told | "asked" | null>(null);
  const prove = () => {
    setTold("asked");
    void askWhy(see, true).then(setTold);
  };
  const proof: Proof | null = told && told !== "asked" && "why" in told ? told.why.proof : null;
  return (
    <div id="why-proof" aria-live="polite">
      <h4>Proof</h4>
      {told === null && (
        <p>
          <button type="button" onClick={prove}>
            Prove it
          </button>
        </p>
      )}
      {told === "asked" && <p class="none">Proving…</p>}
      {told && told !== "asked" && "refused" in told && <p class="none">Not proved: {told.refused}</p>}
      {proof && (
        <p>
          Proved: leaf {proof.leaf} of <bdi>{proof.origin}</bdi> has the story's tip after {proof.beats} beats,{" "}
          <code title={proof.tip}>{proof.tip.slice(0, 12)}…</code>, under the checkpoint of {proof.size} leaves signed
          by <bdi>{proof.signed_by.join(", ")}</bdi>.
        </p>
      )}
    </div>
  );
}

/** The panel for one sentence of the story, or for an entry as a whole. */
export function WhyCard({ viewer, see }: { viewer: Viewer; see: string }) {
  const { story } = viewer;
  const [told, setTold] = useState<{ see: string; answer: Told } | null>(null);
  useEffect(() => {
    let left = false;
    void askWhy(see).then((answer) => left || setTold({ see, answer }));
    return () => {
      left = true;
    };
  }, [see]);
  const answer = told?.see === see ? told.answer : null;
  const entry = story.entries.find(({ entry_id }) => entry_id === sentenceOf(see)?.entry);
  const held = entry ? heldSentence(see, entry.text, story.ticks.get(entry.entry_id)) : null;
  const why = answer && "why" in answer ? answer.why : null;
  const asked = why?.sentences.filter((one) => one.asked) ?? (held ? [held] : []);
  // A page of a world before this one has ticks of its own.
  const leads = !story.isOfEarlierWorld(sentenceOf(see)?.entry ?? "") && (why?.last ?? 0) <= viewer.time.liveTick;
  return (
    <article class="paper why" id="why">
      <p class="label">Why the story says this</p>
      {asked.map((sentence) => (
        <>
          <blockquote>
            <bdi>{sentence.text}</bdi>
          </blockquote>
          {(why || answer) && (
            <>
              <h4>What it was made from</h4>
              {why && sentence.basis === "tick and people" && (
                <p class="none">
                  Pages of this age did not note their events: it is known by its tick and people only.
                </p>
              )}
              <Events viewer={viewer} sentence={sentence} leads={leads} />
            </>
          )}
        </>
      ))}
      {!answer && <p class="none">Looking…</p>}
      {answer && "refused" in answer && (
        <p class="none" id="why-refused">
          {answer.refused}
        </p>
      )}
      {why && (
        <>
          {!leads && <p class="none">This is of a world before the one that is shown.</p>}
          <Knew viewer={viewer} why={why} asked={asked} />
          <Proposed viewer={viewer} why={why} asked={asked} />
          <Proved key={see} see={see} />
        </>
      )}
    </article>
  );
}

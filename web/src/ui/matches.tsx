// The matches of this server, running ones first, and tournaments; and any log that is dropped here.

import { useEffect, useRef, useState } from "preact/hooks";
import { matchOf, matchWorldPath, pathFor } from "../address.ts";
import { asked } from "../asked.ts";
import { MatchLog } from "../match/log.ts";
import {
  Followed,
  type Listing,
  type MatchRow,
  observation,
  type Tournament,
  type TournamentRow,
  type Verified,
} from "../matches.ts";
import type { Viewer } from "../viewer.ts";
import { Replay } from "./replay.tsx";
import { Ago, Cross, LEGENDS, MatchTable, rows, Standings } from "./tournament.tsx";
import { ChooseBeside, TwoMatches } from "./two_matches.tsx";
import "./matches.css";

const AGAIN_MS = 5000;
/** A match of a tournament is TOURNAMENT:KEY, the tournament itself TOURNAMENT: without a key. */
const OF_TOURNAMENT = ":";
const LARGEST_FILE = 256 << 20;

export function MatchesPlace({ viewer }: { viewer: Viewer }) {
  const { part } = viewer;
  const [dropped, drop] = useState<{ name: string; log: MatchLog } | null>(null);
  const [trouble, setTrouble] = useState("");
  const take = async (file: File | undefined) => {
    if (!file) return;
    setTrouble(file.size > LARGEST_FILE ? `${file.name} is too large for a browser; thorp match show tells it.` : "");
    if (file.size > LARGEST_FILE) return;
    const log = new MatchLog().take((await file.text()).split("\n"));
    if (log.problem && !log.moves.length) setTrouble(`${file.name}: ${log.problem}`);
    else drop({ name: file.name, log });
  };
  useEffect(() => {
    const over = (event: DragEvent) => event.preventDefault();
    const onDrop = (event: DragEvent) => {
      event.preventDefault();
      void take(event.dataTransfer?.files[0]);
    };
    addEventListener("dragover", over);
    addEventListener("drop", onDrop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("drop", onDrop);
    };
  }, []);
  useEffect(() => drop(null), [part]);
  if (dropped) {
    const crumbs = (
      <>
        <button type="button" class="plain" onClick={() => drop(null)}>
          Matches
        </button>{" "}
        › <bdi>{dropped.name}</bdi>, from this computer; nothing was sent anywhere
      </>
    );
    return (
      <Replay
        key={dropped.name}
        log={dropped.log}
        revision={0}
        live={false}
        first={null}
        went={() => {}}
        crumbs={crumbs}
      />
    );
  }
  if (part.endsWith(OF_TOURNAMENT)) return <TournamentPage key={part} viewer={viewer} id={part.slice(0, -1)} />;
  const beside = matchOf(`?match=${encodeURIComponent(new URLSearchParams(location.search).get("beside") ?? "")}`);
  if (part && beside !== null) {
    const crumbs = (
      <>
        <Go viewer={viewer} part="">
          Matches
        </Go>{" "}
        › two beside each other
      </>
    );
    const proof = (id: string) => <Proof id={id} atOnce />;
    const worldsOf = (scenario: string) =>
      hasWorld(scenario) ? `${matchWorldPath(part)}&beside=match:${encodeURIComponent(beside)}` : null;
    return (
      <TwoMatches key={`${part} ${beside}`} ids={[part, beside]} crumbs={crumbs} proof={proof} worldsOf={worldsOf} />
    );
  }
  if (part) return <OneMatch key={part} viewer={viewer} id={part} />;
  return <List viewer={viewer} take={(file) => void take(file)} trouble={trouble} />;
}

function Go({ viewer, part, children }: { viewer: Viewer; part: string; children: preact.ComponentChildren }) {
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    viewer.go("matches", part);
  };
  return (
    <a class="see" href={pathFor("matches", null, "", part)} onClick={open}>
      {children}
    </a>
  );
}

// The list

function List({ viewer, take, trouble }: { viewer: Viewer; take(file: File | undefined): void; trouble: string }) {
  const [latest, tell] = useState<Listing | { why: string } | null>(null);
  const [word, setWord] = useState("");
  useEffect(() => {
    let open = true;
    const ask = async () => {
      if (document.hidden) return;
      const answer = await asked<Listing>("v1/matches");
      if (open) tell((now) => (now && "matches" in now && now.matches.length > 50 ? now : answer));
    };
    void ask();
    const timer = setInterval(ask, AGAIN_MS);
    return () => {
      open = false;
      clearInterval(timer);
    };
  }, []);
  const more = async (from: number) => {
    const answer = await asked<Listing>(`v1/matches?from=${from}`);
    if ("matches" in answer && latest && "matches" in latest)
      tell({ ...latest, matches: [...latest.matches, ...answer.matches], next: answer.next });
  };
  const listing = latest && "matches" in latest ? latest : null;
  const fits = ({ scenario, id, ...rest }: MatchRow | TournamentRow) =>
    `${scenario} ${id} ${("seats" in rest ? rest.seats : rest.entrants).join(" ")}`
      .toLowerCase()
      .includes(word.trim().toLowerCase());
  const matches = listing?.matches.filter(fits) ?? [];
  const tournaments = listing?.tournaments.filter(fits) ?? [];
  return (
    <main class="matches" id="matches">
      <header>
        <h2>Matches</h2>
        <input
          type="search"
          aria-label="Filter by scenario or agent"
          placeholder="Scenario or agent…"
          value={word}
          onInput={(event) => setWord(event.currentTarget.value)}
        />
        <label class="drop">
          Open a log
          <input type="file" id="file" accept=".jsonl" onChange={(event) => take(event.currentTarget.files?.[0])} />
        </label>
      </header>
      {trouble && (
        <p class="fault" role="alert" id="trouble">
          {trouble}
        </p>
      )}
      {latest && "why" in latest && (
        <p class="fault" role="alert">
          The matches cannot be listed: {latest.why}.
        </p>
      )}
      {!latest && <p class="none">Looking for matches…</p>}
      {listing && !listing.matches.length && !listing.tournaments.length && (
        <p>
          Nobody has played a match here yet.{" "}
          <code>thorp match run connect-four --agent greedy --agent minimax --data DIR</code>, with this server's data
          directory, plays one, and it is shown here. Or drop the log of any match on this page.
        </p>
      )}
      {tournaments.length > 0 && <h3 class="label">Tournaments</h3>}
      {tournaments.length > 0 && (
        <div class="wide">
          <table id="tournaments">
            <thead>
              <tr>
                {["Tournament", "Scenario", "Agents", "Matches", "When"].map((head) => (
                  <th scope="col">{head}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {tournaments.map((one) => (
                <tr key={one.id}>
                  <td>
                    <Go viewer={viewer} part={one.id + OF_TOURNAMENT}>
                      {one.id}
                    </Go>{" "}
                    {!one.finished && <span class="pill">running</span>}
                  </td>
                  <td>{one.scenario}</td>
                  <td>
                    <bdi>
                      {one.entrants.slice(0, 8).join(", ")}
                      {one.entrants.length > 8 && "…"}
                    </bdi>
                  </td>
                  <td>{one.finished ? one.total : `${one.played} of ${one.total}`}</td>
                  <td>
                    <Ago when={one.when} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {matches.length > 0 && <h3 class="label">Matches</h3>}
      {matches.length > 0 && (
        <MatchTable
          matches={matches}
          name={(one, label) => (
            <Go viewer={viewer} part={one.id}>
              {label}
            </Go>
          )}
        />
      )}
      {listing && !matches.length && !tournaments.length && word && <p class="none">No match is called that.</p>}
      {listing?.next && (
        <button type="button" onClick={() => void more(listing.next!)}>
          Earlier matches
        </button>
      )}
    </main>
  );
}

// One match

/** Whether a match was played in a voxel world, which can be watched. */
const hasWorld = (scenario: string): boolean => scenario.startsWith("voxel");

function OneMatch({ viewer, id }: { viewer: Viewer; id: string }) {
  const [, redraw] = useState(0);
  const [followed] = useState(() => new Followed(id, () => redraw((n) => n + 1)));
  useEffect(() => () => followed.close(), []);
  const tournament = id.includes(":") ? id.slice(0, id.indexOf(":")) : "";
  const crumbs = (
    <>
      <Go viewer={viewer} part="">
        Matches
      </Go>{" "}
      ›{" "}
      {tournament && (
        <>
          <Go viewer={viewer} part={tournament + OF_TOURNAMENT}>
            {tournament}
          </Go>{" "}
          ›{" "}
        </>
      )}
      <bdi>{id.slice(id.indexOf(":") + 1)}</bdi>
    </>
  );
  if (followed.why)
    return (
      <main class="matches">
        <nav>{crumbs}</nav>
        <p class="fault" role="alert" id="trouble">
          {followed.why}
        </p>
      </main>
    );
  if (!followed.log.lines)
    return (
      <main class="matches">
        <p class="none">Opening the match…</p>
      </main>
    );
  const first = Number(new URLSearchParams(location.search).get("move")) || null;
  const went = (move: number) => history.replaceState(null, "", pathFor("matches", null, `move=${move}`, id));
  return (
    <Replay
      log={followed.log}
      revision={followed.revision}
      live={followed.live}
      first={first}
      went={went}
      crumbs={crumbs}
      reveal={(sha256) => observation(id, sha256)}
      {...(hasWorld(followed.log.scenario) && { worldAt: (tick?: number) => matchWorldPath(id, tick) })}
      badge={
        followed.live ? (
          <span class="pill" data-mood="good" id="badge">
            live
          </span>
        ) : (
          <>
            <Proof id={id} /> <ChooseBeside id={id} scenario={followed.log.scenario} />
          </>
        )
      }
    />
  );
}

// The server verifies one thing at a time; so often it is asked again while it is busy, and so long apart.
const MOST_TRIES = 60;
const BUSY_MS = 2000;

/** Only the server can replay a match to verify it: when the reader asks, or at once where two are compared. */
function Proof({ id, atOnce = false }: { id: string; atOnce?: boolean }) {
  const [verdict, find] = useState<Verified | { why: string } | null>(null);
  const [asking, ask] = useState(false);
  const path = `v1/matches/${encodeURIComponent(id)}`;
  const isOpen = useRef(true);
  useEffect(() => {
    void asked<{ verified: Verified | null }>(path).then((answer) => {
      if ("verified" in answer && answer.verified) find(answer.verified);
      else if (atOnce && isOpen.current) void verify();
    });
    return () => {
      isOpen.current = false;
    };
  }, []);
  const verify = async () => {
    ask(true);
    let answer = await asked<Verified>(`${path}/verify`);
    for (let tries = 1; atOnce && isBusy(answer) && tries < MOST_TRIES && isOpen.current; tries++) {
      await new Promise((go) => setTimeout(go, BUSY_MS));
      answer = await asked<Verified>(`${path}/verify`);
    }
    find(answer);
    ask(false);
  };
  if (verdict && "lines" in verdict) {
    const basis = verdict.basis === "manifest" ? "its manifest" : "default parameters";
    return verdict.difference === null ? (
      <span class="pill" data-mood="good" id="badge" title={`${verdict.lines} events, judged by ${basis}`}>
        replayed, every byte the same
      </span>
    ) : (
      <span class="pill" data-mood="bad" id="badge">
        differs in line {verdict.difference.line}: {verdict.difference.message}
      </span>
    );
  }
  return (
    <>
      {atOnce && (
        <small class={verdict ? "fault" : "none"} data-verified="false">
          not verified{verdict ? `: ${verdict.why}` : asking ? " yet" : ""}
        </small>
      )}
      {!atOnce && verdict && <small class="fault">{verdict.why}</small>}
      <button type="button" id="prove" disabled={asking} onClick={() => void verify()}>
        {asking ? "The server replays it…" : "Replay it on the server"}
      </button>
    </>
  );
}

const isBusy = (answer: Verified | { why: string }): boolean =>
  "why" in answer && answer.why.startsWith("something is being verified already");

// A tournament

function TournamentPage({ viewer, id }: { viewer: Viewer; id: string }) {
  const [tournament, tell] = useState<Tournament | { why: string } | null>(null);
  const [pair, setPair] = useState<readonly [string, string] | null>(null);
  useEffect(() => void load(), []);
  const load = async (from = 0) => {
    const answer = await asked<Tournament>(`v1/matches?tournament=${encodeURIComponent(id)}&from=${from}`);
    tell(
      "why" in answer
        ? answer
        : (now) => ({ ...answer, matches: [...(from && now && !("why" in now) ? rows(now) : []), ...rows(answer)] }),
    );
  };
  if (!tournament)
    return (
      <main class="matches">
        <p class="none">Opening the tournament…</p>
      </main>
    );
  if ("why" in tournament)
    return (
      <main class="matches">
        <nav>
          <Go viewer={viewer} part="">
            Matches
          </Go>
        </nav>
        <p class="fault" role="alert" id="trouble">
          {tournament.why}
        </p>
      </main>
    );
  const matches = rows(tournament);
  const rowsOfPair = pair ? matches.filter(({ seats }) => seats.includes(pair[0]) && seats.includes(pair[1])) : matches;
  return (
    <main class="matches" id="tournament">
      <nav>
        <Go viewer={viewer} part="">
          Matches
        </Go>{" "}
        › {tournament.id}
      </nav>
      <header>
        <h2>{tournament.scenario} tournament</h2>
        <small>
          {tournament.entrants.length} agents · {tournament.rounds} rounds ·{" "}
          {tournament.finished ? tournament.total : `${tournament.played} of ${tournament.total}`} matches · seed{" "}
          {tournament.seed}
        </small>
      </header>
      {tournament.standings && <Standings rows={tournament.standings} />}
      {tournament.standings &&
        tournament.cross &&
        Object.keys(tournament.cross).length > 0 &&
        tournament.ranking === "points" && (
          <Cross
            rows={tournament.standings}
            cross={tournament.cross}
            choose={(a, b) => {
              const own = matches.filter(({ seats }) => seats.includes(a) && seats.includes(b));
              if (own.length === 1 && tournament.logs) viewer.go("matches", own[0].id);
              else setPair([a, b]);
            }}
          />
        )}
      <h3 class="label">
        Matches{" "}
        {pair && (
          <>
            of <bdi>{pair.join(" and ")}</bdi>{" "}
            <button type="button" class="plain" onClick={() => setPair(null)}>
              all
            </button>
          </>
        )}
      </h3>
      <MatchTable
        matches={rowsOfPair}
        name={(one, label) => (
          <Go viewer={viewer} part={one.id}>
            {label}
          </Go>
        )}
      />
      {tournament.next && (
        <button type="button" onClick={() => void load(tournament.next!)}>
          More matches
        </button>
      )}
      <p>
        <small>
          {LEGENDS[tournament.ranking]} <code>thorp tournament verify</code> proves all of it again.
        </small>
      </p>
    </main>
  );
}

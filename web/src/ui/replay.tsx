// Plays a match: its moves, a stage, a bar to move along it, and what each seat saw and answered and how it was judged.

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { winningLine } from "../match/four.ts";
import { choice, digestIn, isFault, type Json, type MatchLog, type Move, short } from "../match/log.ts";
import { terminationWords } from "../words.ts";
import "./replay.css";

const SPEEDS = [1, 2, 4, 16];
const STEP_MS = 900;
/** Rounds and turns that are shown around the present one. */
const ROUNDS_SHOWN = 40;
const TURNS_SHOWN = 150;
const ROUNDS_TOLD = 4;

interface Props {
  log: MatchLog;
  /** Grows with the log. */
  revision: number;
  live: boolean;
  /** The move that the address names, from 1 on. */
  first: number | null;
  went(move: number): void;
  crumbs?: ComponentChildren;
  badge?: ComponentChildren;
  /** The address of the match's world at a tick; absent if it was not played in one. */
  worldAt?(tick: number | undefined): string;
  /** Fetch an observation of which the log has only a digest; null if it is not kept. */
  reveal?(sha256: string): Promise<Json | null>;
}

export function Replay({ log, revision, live, first, went, crumbs, badge, reveal, worldAt }: Props) {
  const [chosen, choose] = useState<number | null>(first === null ? null : first - 1);
  const [speed, setSpeed] = useState(0);
  const [playing, play] = useState(false);
  const last = log.moves.length - 1;
  const at = Math.max(0, Math.min(chosen ?? last, last));
  const jumps = useMemo(() => log.jumps(), [revision, log]);
  const go = (to: number) => {
    const next = Math.max(0, Math.min(to, last));
    choose(live && next === last ? null : next);
    went(next + 1);
  };
  const here = useRef({ at, go });
  here.current = { at, go };
  useEffect(() => {
    if (!playing) return undefined;
    const timer = setInterval(
      () => (here.current.at < last ? here.current.go(here.current.at + 1) : play(false)),
      STEP_MS / SPEEDS[speed],
    );
    return () => clearInterval(timer);
  }, [playing, speed, last]);
  useEffect(() => {
    const keys: Record<string, () => void> = {
      ",": () => here.current.go(here.current.at - 1),
      ".": () => here.current.go(here.current.at + 1),
      "[": () => here.current.go(jumps.filter((one) => one.at < here.current.at).at(-1)?.at ?? 0),
      "]": () => here.current.go(jumps.find((one) => one.at > here.current.at)?.at ?? last),
      Home: () => here.current.go(0),
      End: () => here.current.go(last),
      " ": () => play((is) => !is),
    };
    const key = (event: KeyboardEvent) => {
      const typing =
        event.target instanceof Element &&
        event.target.matches(`input:not([type=range]), textarea, select${event.key === " " ? ", button" : ""}`);
      if (typing || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key])
        return;
      event.preventDefault();
      keys[event.key]();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [jumps, last]);
  const move = log.moves[at] as Move | undefined;
  const stage = useMemo(() => <Stage log={log} at={at} />, [log, revision, at]);
  const moves = useMemo(() => <Moves log={log} at={at} go={go} />, [log, revision, at]);
  return (
    <>
      <main class="match" id="match">
        <header>
          <nav aria-label="Where">{crumbs}</nav>
          <h2>
            <bdi>{log.title}</bdi>
          </h2>
          {badge}
        </header>
        {log.problem && (
          <p class="problem" role="alert">
            {log.problem}
          </p>
        )}
        <ul class="seats">
          {log.seats.map((id, seat) => (
            <Seat log={log} id={id} seat={seat} at={at} />
          ))}
        </ul>
        <div class="stage" id="stage" data-view={log.view}>
          {worldAt && !live && (
            <p class="to-world">
              <a class="button" id="watch-world" href={worldAt(undefined)}>
                Watch it in 3D
              </a>{" "}
              {tickOf(move) !== undefined && (
                <a class="see" id="watch-move" href={worldAt(tickOf(move))}>
                  this move, at tick {tickOf(move)}
                </a>
              )}
            </p>
          )}
          {move ? stage : <p class="none">{live ? "Nobody has moved yet." : "There are no moves in it."}</p>}
        </div>
        {move && (
          <footer>
            <div class="scrub">
              {jumps
                .filter(({ what }) => what !== "the end")
                .slice(0, 500)
                .map((one) => (
                  <i
                    data-fault={one.what !== "the lead changes"}
                    style={{ left: `${(one.at / Math.max(1, last)) * 100}%` }}
                  />
                ))}
              <input
                id="scrub"
                type="range"
                min={0}
                max={last}
                value={at}
                aria-label="Moves"
                aria-valuetext={`Move ${at + 1} of ${last + 1}, turn ${move.turn}`}
                onInput={(event) => go(Number(event.currentTarget.value))}
              />
            </div>
            <div class="buttons">
              <button type="button" aria-label="First move" onClick={() => go(0)}>
                |‹
              </button>
              <button type="button" id="back" aria-label="Move before" onClick={() => go(at - 1)}>
                ‹
              </button>
              <button
                type="button"
                id="play"
                aria-label={playing ? "Pause" : "Play"}
                aria-pressed={playing}
                onClick={() => {
                  if (at === last && !playing) go(0);
                  play(!playing);
                }}
              >
                {playing ? "❚❚" : "▶"}
              </button>
              <button type="button" id="next" aria-label="Next move" onClick={() => go(at + 1)}>
                ›
              </button>
              <button type="button" id="last" aria-label="Last move" onClick={() => go(last)}>
                ›|
              </button>
              <button type="button" aria-label="Speed" onClick={() => setSpeed((speed + 1) % SPEEDS.length)}>
                {SPEEDS[speed]}×
              </button>
              <button
                type="button"
                id="copy-move"
                title="Copy a link to this move"
                onClick={() => void navigator.clipboard?.writeText(location.href).catch(() => {})}
              >
                Copy link
              </button>
              <span id="where">
                move {at + 1} of {last + 1} · turn {move.turn}
                {live && chosen === null && " · live"}
              </span>
            </div>
          </footer>
        )}
      </main>
      <aside class="panel one match-side">
        {moves}
        {move && <Detail log={log} move={move} at={at} reveal={reveal} />}
        {jumps.length > 0 && (
          <section>
            <h3 class="label">
              Jump to <small>[ ]</small>
            </h3>
            <ul id="jumps">
              {jumps.slice(0, 60).map((one) => (
                <li>
                  <button
                    type="button"
                    class="plain"
                    data-fault={one.what !== "the lead changes" && one.what !== "the end"}
                    onClick={() => go(one.at)}
                  >
                    {one.at + 1} · {one.what}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )}
        <section>
          <h3 class="label">The match</h3>
          <dl class="facts">
            <div>
              <dt>scenario</dt>
              <dd>{log.scenario}</dd>
            </div>
            <div>
              <dt>id</dt>
              <dd>{log.id}</dd>
            </div>
            <div>
              <dt>seed</dt>
              <dd>{short(log.seed)}</dd>
            </div>
            <div>
              <dt>ended</dt>
              <dd>{endOf(log)}</dd>
            </div>
            <div>
              <dt>log</dt>
              <dd>{log.lines} lines</dd>
            </div>
          </dl>
        </section>
      </aside>
    </>
  );
}

/** How the match ended, and after how many turns. */
function endOf({ end }: MatchLog): string {
  if (!end) return "not yet";
  return `${terminationWords(end.reason)}, after ${end.turns} ${end.turns === 1 ? "turn" : "turns"}`;
}

/** The tick of the world after a move, if the log has it. */
function tickOf(move: Move | undefined): number | undefined {
  const summary = move?.summary;
  if (typeof summary !== "object" || summary === null || Array.isArray(summary)) return undefined;
  return typeof summary.tick === "number" ? summary.tick : undefined;
}

export function Seat({ log, id, seat, at }: { log: MatchLog; id: string; seat: number; at: number }) {
  const { refused, errors } = log.faults(seat);
  const atEnd = at >= log.moves.length - 1;
  const score = atEnd && log.end ? log.end.scores[id] : log.moves[at]?.scores?.[seat];
  const faults = [refused && `${refused} refused`, errors && `${errors} without an answer`].filter(Boolean).join(", ");
  return (
    <li data-seat={seat % 8} data-turn={log.moves[at]?.seat === seat}>
      <i class="disc" />
      <strong>
        <bdi>{id}</bdi>
      </strong>{" "}
      {faults && <small class="fault">{faults}</small>}
      <span class="figure">{score ?? ""}</span>
    </li>
  );
}

export function Stage({ log, at }: { log: MatchLog; at: number }) {
  const { view } = log;
  if (view === "board") return <Board log={log} at={at} />;
  if (view === "rounds") return <Rounds log={log} at={at} />;
  return <Summary value={log.moves[at].summary} before={log.moves[at - 1]?.summary} />;
}

// A board

const EMPTY = new Set([".", " ", "_", "-"]);
const CROSS = "M-.16 -.16L.16 .16M.16 -.16L-.16 .16";
const RING = "M-.19 0a.19 .19 0 1 0 .38 0a.19 .19 0 1 0 -.38 0";
const SIGNS: Record<string, string> = { x: CROSS, X: CROSS, o: RING, O: RING };

const CONNECT_FOUR = "connect-four";
// The height of the numbers below a board, as a fraction of a cell.
const NUMBERS_HIGH = 0.5;

const isColumn = (answered: Json | undefined): boolean =>
  typeof answered === "object" && answered !== null && !Array.isArray(answered) && typeof answered.column === "number";

function Board({ log, at }: { log: MatchLog; at: number }) {
  const board = log.boardAt(at);
  const before = log.boardAt(at - 1);
  if (!board) return <p class="none">The board is not shown yet.</p>;
  // Agents answer with the number of a column, so the board shows these numbers.
  const isNumbered = log.moves.some(({ answered }) => isColumn(answered));
  const high = board.length + (isNumbered ? NUMBERS_HIGH : 0);
  const isFour = log.scenario === CONNECT_FOUR && log.end !== null && at >= log.moves.length - 1;
  const won = isFour ? winningLine(board, (glyph) => !EMPTY.has(glyph)) : new Set<string>();
  return (
    <svg
      class="board"
      role="img"
      aria-label={`The board: ${board.join(", ")}${won.size ? `; four in a row at ${[...won].join(" ")}` : ""}`}
      style={{ "--ratio": String((board[0].length + 0.2) / (high + 0.2)) }}
      viewBox={`-.1 -.1 ${board[0].length + 0.2} ${high + 0.2}`}
    >
      {isNumbered &&
        [...board[0]].map((_, x) => (
          <text class="column" x={x + 0.5} y={board.length + 0.35}>
            {x}
          </text>
        ))}
      {board.flatMap((row, y) =>
        [...row].map((glyph, x) => {
          const seat = log.glyphs.get(glyph);
          const changed = at > 0 && before?.[y]?.[x] !== glyph && !EMPTY.has(glyph);
          return (
            <g
              class={seat === undefined ? "cell" : "cell disc"}
              data-seat={seat === undefined ? undefined : seat % 8}
              data-changed={changed}
              data-won={won.has(`${x},${y}`)}
              transform={`translate(${x + 0.5} ${y + 0.5})`}
            >
              <circle r={0.42} />
              {!EMPTY.has(glyph) && (SIGNS[glyph] ? <path d={SIGNS[glyph]} /> : <text y={0.17}>{glyph}</text>)}
            </g>
          );
        }),
      )}
    </svg>
  );
}

// Rounds

function Rounds({ log, at }: { log: MatchLog; at: number }) {
  const turns = [...new Set(log.moves.map(({ turn }) => turn))];
  const now = turns.indexOf(log.moves[at].turn);
  const from = Math.max(0, Math.min(now - ROUNDS_SHOWN / 2, turns.length - ROUNDS_SHOWN));
  const visible = turns.slice(from, from + ROUNDS_SHOWN);
  const by = new Map(log.moves.map((move) => [`${move.turn} ${move.seat}`, move]));
  const counts = new Set<string>();
  for (const move of log.moves) if (move.valid) counts.add(choice(move.answered));
  const kinds = counts.size <= 6 ? [...counts].sort() : [];
  const scored = log.moves.filter((move, i) => move.scores && log.moves[i + 1]?.turn !== move.turn);
  const most = Math.max(1, ...scored.flatMap(({ scores }) => scores!));
  const least = Math.min(0, ...scored.flatMap(({ scores }) => scores!));
  const x = (i: number) => (i / Math.max(1, scored.length - 1)) * 100;
  const y = (score: number) => 38 - ((score - least) / (most - least)) * 36;
  return (
    <div class="rounds">
      <h3 class="label">
        Every round, and the score
        <span>
          {kinds.map((kind, i) => (
            <>
              <i class="cell" data-kind={i}>
                {i === 1 ? "✕" : ""}
              </i>{" "}
              {kind}{" "}
            </>
          ))}
        </span>
      </h3>
      <table>
        <tbody>
          {log.seats.map((id, seat) => (
            <tr>
              <th scope="row">
                <bdi>{id}</bdi>
              </th>
              {visible.map((turn) => {
                const move = by.get(`${turn} ${seat}`);
                const kind = kinds.indexOf(choice(move?.answered));
                const fault = move && isFault(move);
                return (
                  <td data-now={turn === turns[now]}>
                    <i
                      class="cell"
                      data-kind={fault ? undefined : kind}
                      data-fault={fault}
                      title={`round ${turn}: ${fault ? "refused" : choice(move?.answered)}`}
                    >
                      {fault
                        ? "!"
                        : kind < 0
                          ? choice(move?.answered).slice(0, 4)
                          : kind === 1
                            ? "✕"
                            : kind > 1
                              ? kinds[kind].slice(0, 1)
                              : ""}
                    </i>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <svg viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label={`Scores from ${least} to ${most}`}>
        {log.seats.map((_, seat) => (
          <polyline
            data-seat={seat % 8}
            points={scored.map(({ scores }, i) => `${x(i)},${y(scores![seat])}`).join(" ")}
          />
        ))}
        <line x1={x(now)} x2={x(now)} y1="0" y2="40" />
      </svg>
      <ul class="now">
        {turns
          .slice(Math.max(0, now - ROUNDS_TOLD + 1), now + 1)
          .reverse()
          .flatMap((turn) =>
            log.seats.map((id, seat) => {
              const move = by.get(`${turn} ${seat}`);
              return (
                move && (
                  <li data-seat={seat % 8}>
                    <span>
                      <i class="disc" />
                      <strong>
                        <bdi>{id}</bdi>
                      </strong>
                      <small>round {turn}</small>
                    </span>{" "}
                    <span>{move.error ?? short(move.answered)}</span>{" "}
                    <small class={isFault(move) ? "fault" : ""}>{verdict(move)}</small>
                  </li>
                )
              );
            }),
          )}
      </ul>
    </div>
  );
}

// Text

function Summary({ value, before }: { value: Json | undefined; before: Json | undefined }) {
  const members =
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value)
      : [["state", value ?? null] as const];
  const old = typeof before === "object" && before !== null && !Array.isArray(before) ? before : {};
  return (
    <dl class="summary">
      {members.map(([name, one]) => (
        <div data-changed={before !== undefined && JSON.stringify(old[name]) !== JSON.stringify(one)}>
          <dt>{name}</dt>
          <dd>{pretty(one)}</dd>
        </div>
      ))}
    </dl>
  );
}

// Beside the stage

const pretty = (value: Json | undefined): string => {
  const text =
    typeof value === "string"
      ? value
      : (JSON.stringify(value, null, 1)?.replace(/\n\s+/g, " ").replace(/\n/g, " ") ?? "");
  return text.length > 20_000 ? `${text.slice(0, 20_000)}…` : text;
};

const verdict = (move: Move): string =>
  move.error !== null ? `no answer: ${move.error}` : `${move.valid ? "valid" : "refused"}, ${short(move.feedback)}`;

function Moves({ log, at, go }: { log: MatchLog; at: number; go(at: number): void }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const now = list.current!.querySelector<HTMLElement>("[aria-current]");
    if (now) list.current!.scrollTop = now.offsetTop - list.current!.offsetTop - list.current!.clientHeight / 2;
  }, [at]);
  const turns: [turn: number, moves: { move: Move; i: number }[]][] = [];
  log.moves.forEach((move, i) => {
    if (turns.at(-1)?.[0] !== move.turn) turns.push([move.turn, []]);
    turns.at(-1)![1].push({ move, i });
  });
  const now = turns.findIndex(([turn]) => turn === log.moves[at]?.turn);
  const from = Math.max(0, Math.min(now - TURNS_SHOWN / 2, turns.length - TURNS_SHOWN));
  return (
    <section>
      <h3 class="label">Moves</h3>
      <ol class="moves" id="moves" ref={list}>
        {turns.slice(from, from + TURNS_SHOWN).map(([turn, moves]) => (
          <li>
            <small>{turn}</small>
            {moves.map(({ move, i }) => (
              <button
                type="button"
                class="plain"
                data-seat={move.seat % 8}
                data-fault={isFault(move)}
                aria-current={i === at ? "step" : undefined}
                onClick={() => go(i)}
              >
                {move.error !== null
                  ? "no answer"
                  : Number.isNaN(Number(choice(move.answered)))
                    ? choice(move.answered)
                    : short(move.answered)}
              </button>
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What a seat saw: from the log, or from beside it where the log has only the digest. */
function Saw({ saw, reveal }: { saw: Json | undefined; reveal: Props["reveal"] }) {
  const kept = digestIn(saw);
  const [revelation, setRevelation] = useState<{ of: string; value: Json | null } | null>(null);
  useEffect(() => {
    let left = false;
    if (kept && reveal) void reveal(kept.sha256).then((value) => left || setRevelation({ of: kept.sha256, value }));
    return () => {
      left = true;
    };
  }, [kept?.sha256]);
  if (!kept)
    return (
      <pre tabIndex={0} id="saw">
        {pretty(saw)}
      </pre>
    );
  const value = revelation?.of === kept.sha256 ? revelation.value : null;
  if (value !== null)
    return (
      <pre tabIndex={0} id="saw">
        {pretty(value)}
      </pre>
    );
  const waits = reveal !== undefined && revelation?.of !== kept.sha256;
  return (
    <p id="saw">
      {waits ? (
        "Looking for what it saw…"
      ) : (
        <>
          Only a digest is kept here, of {kept.bytes} bytes: <code>{kept.sha256}</code>.{" "}
          <small>The file NAME.observations.txt beside the log has the rest.</small>
        </>
      )}
    </p>
  );
}

function Detail({ log, move, at, reveal }: { log: MatchLog; move: Move; at: number; reveal: Props["reveal"] }) {
  return (
    <section id="detail">
      <h3 class="label">
        Move {at + 1} <small>seq {move.seq}</small>
      </h3>
      <p>
        <strong>
          <bdi>{log.seats[move.seat] ?? "nobody"}</bdi>
        </strong>
        , turn {move.turn}
      </p>
      <h4>It saw</h4>
      <Saw saw={move.saw} reveal={reveal} />
      <h4>It answered</h4>
      <pre tabIndex={0} id="answered">
        {move.error === null ? pretty(move.answered) : "nothing"}
      </pre>
      {move.wrote && (
        <>
          <blockquote id="wrote">{pretty(move.wrote)}</blockquote>
          <p>
            <i class="told">told</i> <small>by the model, from the recorded reply</small>
          </p>
        </>
      )}
      <p id="judged" class={isFault(move) ? "fault" : undefined}>
        {move.error !== null ? (
          `no answer: ${move.error}`
        ) : (
          <>
            judged: {move.valid ? "valid" : "refused"}, {pretty(move.feedback)}
          </>
        )}
      </p>
    </section>
  );
}

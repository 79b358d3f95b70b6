// The result of a tournament: its table, who beat whom, and its matches. Used by the page and by the report.

import type { ComponentChildren } from "preact";
import type { MatchRow, Standing, Tournament } from "../matches.ts";
import "./matches.css";

const sum = (counts: readonly number[]): number => counts.reduce((a, b) => a + b, 0);

/** The matches of a tournament, as the server lists them. */
export const rows = ({ id, scenario, when, matches, outcomes }: Tournament): MatchRow[] =>
  matches ??
  (outcomes ?? []).map(({ key, seats, scores, invalid, errors, seed, turns, reason, error }) => ({
    id: `${id}:${key}`,
    scenario,
    seats,
    seed,
    turns,
    reason: error ? `${reason}: ${error}` : reason,
    when,
    running: false,
    refused: sum(invalid),
    errors: sum(errors),
    scores: scores && Object.fromEntries(seats.map((seat, i) => [seat, scores[i]])),
  }));

/** The data in `report.html`: a finished tournament, and what else a reader wants to know about it. */
export interface Report extends Tournament {
  aborted: string[];
  given: [string, string][];
}

/** The page of a report, made from the data in its file. */
export function TournamentReport({ report }: { report: Report }) {
  const name = (_: MatchRow, key: string) =>
    report.logs ? <a href={`logs/${encodeURIComponent(key)}.jsonl`}>{key}</a> : key;
  const matches = rows(report);
  const { length } = report.entrants;
  return (
    <main class="matches" id="tournament">
      <header>
        <h2>
          <bdi>{report.scenario}</bdi> tournament
        </h2>
        <small>
          {length} agents · {report.rounds} {report.rounds === 1 ? "round" : "rounds"} · {report.total}{" "}
          {report.total === 1 ? "match" : "matches"} · seed {report.seed}
        </small>
      </header>
      <Standings rows={report.standings!} />
      {report.ranking === "points" &&
        (report.cross ? (
          <Cross rows={report.standings!} cross={report.cross} />
        ) : (
          <p>The cross table is left out, with {length} columns; the figures are in results.jsonl.</p>
        ))}
      {report.aborted.length > 0 && (
        <section id="aborted">
          <h3 class="fault">Aborted matches: {report.aborted.length}</h3>
          <p>The scenario failed in these; they count for nobody. {report.aborted.join(", ")}</p>
        </section>
      )}
      <h3 class="label">What was played</h3>
      <dl id="given">
        {report.given.map(([fact, value]) => (
          <>
            <dt>
              <bdi>{fact}</bdi>
            </dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </>
        ))}
      </dl>
      <details>
        <summary>
          {report.played < report.total
            ? `The first ${report.played} of ${report.total} matches`
            : `All ${report.total} matches`}
        </summary>
        <MatchTable matches={matches} name={name} />
      </details>
      <p>
        <small>
          {LEGENDS[report.ranking]} Invalid: the share of actions that were refused. Errors: the share of times an agent
          failed to act. All of this follows from manifest.json and results.jsonl
          {report.logs && ", and those from the logs"}; prove it again with <code>thorp tournament verify DIR</code>.
        </small>
      </p>
    </main>
  );
}

export const LEGENDS = {
  points:
    "A duel won is 3 points, a draw 1. Equal points are decided by head-to-head, score difference, score, " +
    "fewer errors, fewer invalid actions and a seeded coin, in this order; what decided is noted beside the points. " +
    "The rating is Bradley and Terry's, with the seats' advantage: 400 points are odds of ten to one, the average is " +
    "1500, and the bar shows the 95 % interval. The tier beside it is that of maximal lotteries, which copies of an " +
    "agent cannot move.",
  score:
    "Ranked by the mean score over rounds; all matches of a round have the same seed. " +
    "The bar shows the 95 % t-interval over rounds, less what a seed does to everyone: " +
    "where two bars do not overlap, luck hardly explains the difference. " +
    "Equal means are decided by fewer errors, fewer invalid actions and a seeded coin.",
};

/** Matches as a table. `name` renders the name of one, as a link if there is something to open. */
export function MatchTable({
  matches,
  name,
}: {
  matches: readonly MatchRow[];
  name(one: MatchRow, label: string): ComponentChildren;
}) {
  const dated = matches.some(({ when }) => when);
  return (
    <div class="wide">
      <table id="match-list">
        <thead>
          <tr>
            {["Match", "Scenario", "Seats and scores", "Result", "Refused", ...(dated ? ["When"] : ["Seed"])].map(
              (head) => (
                <th scope="col">{head}</th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {matches.map((one) => {
            const best = one.scores ? Math.max(...Object.values(one.scores)) : null;
            return (
              <tr key={one.id}>
                <td>{name(one, one.id.slice(one.id.indexOf(":") + 1))}</td>
                <td>{one.scenario}</td>
                <td>
                  {one.seats.map((id, i) => {
                    const score = one.scores?.[id];
                    return (
                      <>
                        {i > 0 && ", "}
                        {score !== undefined && score === best ? (
                          <strong>
                            <bdi>{id}</bdi> {score}
                          </strong>
                        ) : (
                          <>
                            <bdi>{id}</bdi> {score}
                          </>
                        )}
                      </>
                    );
                  })}
                </td>
                <td>
                  {one.running ? (
                    <span class="pill" data-mood="good">
                      running
                    </span>
                  ) : one.reason ? (
                    `${one.reason}, ${one.turns} turns`
                  ) : (
                    "broken off"
                  )}
                </td>
                <td class={one.refused || one.errors ? "fault" : undefined}>
                  {one.refused === null
                    ? "–"
                    : [one.refused && `${one.refused} refused`, one.errors && `${one.errors} errors`]
                        .filter(Boolean)
                        .join(", ") || "0"}
                </td>
                <td>{dated ? <Ago when={one.when} /> : one.seed}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

export function Ago({ when }: { when: string }) {
  const minutes = Math.max(0, Math.round((Date.now() - Date.parse(when)) / 60_000));
  const text =
    minutes < 1
      ? "just now"
      : minutes < 60
        ? `${minutes} min ago`
        : minutes < 2880
          ? `${Math.round(minutes / 60)} h ago`
          : when.slice(0, 10);
  return <time dateTime={when}>{text}</time>;
}

const number = (value = 0) => String(Math.round(value * 1000) / 1000);
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

export function Standings({ rows }: { rows: readonly Standing[] }) {
  const interval = (row: Standing) => row.rating ?? row.mean ?? null;
  const ends = rows
    .flatMap((row) => [interval(row)?.low, interval(row)?.value, interval(row)?.high])
    .filter((end): end is number => typeof end === "number");
  const rated = rows.some((row) => row.rating);
  // Scores are shown from zero on; a rating has no zero.
  const [low, high] = rated
    ? [Math.min(1499, ...ends), Math.max(1501, ...ends)]
    : [Math.floor(Math.min(0, ...ends)), Math.ceil(Math.max(1, ...ends))];
  const x = (value: number) => ((value - low) / (high - low)) * 150;
  const byScore = rows[0]?.mean !== undefined;
  return (
    <div class="wide">
      <table id="standings">
        <thead>
          <tr>
            {[
              "#",
              "Agent",
              byScore ? "Mean score" : "Points",
              byScore ? "95 %" : "Rating, 95 %",
              byScore ? "Rounds" : "Won, drawn, lost",
              ...(byScore ? [] : ["Win rate", "Score", "Difference"]),
              "Invalid",
              "Errors",
            ].map((head) => (
              <th scope="col">{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const { value, low: from, high: to } = interval(row) ?? { value: null, low: null, high: null };
            return (
              <tr key={row.id}>
                <td>{row.rank}</td>
                <th scope="row" class="name">
                  <bdi>{row.id}</bdi>
                </th>
                <td>
                  <strong>{byScore ? value?.toFixed(1) : row.points}</strong>
                  {row.decided_by && row.decided_by !== "points" && row.decided_by !== "score" && (
                    <small> by {row.decided_by}</small>
                  )}
                </td>
                <td>
                  {value !== null && !byScore && <>{value.toFixed(0)} </>}
                  {value !== null && <Reach value={value} from={from} to={to} byScore={byScore} x={x} />}
                </td>
                <td>{byScore ? row.rounds : `${row.wins} ${row.draws} ${row.losses}`}</td>
                {row.win_rate && (
                  <td title={`95 % interval: ${percent(row.win_rate.low ?? 0)} to ${percent(row.win_rate.high ?? 0)}`}>
                    {percent(row.win_rate.value ?? 0)}
                  </td>
                )}
                {row.win_rate && (
                  <>
                    <td>{number(row.score)}</td>
                    <td>
                      {(row.difference ?? 0) > 0 && "+"}
                      {number(row.difference)}
                    </td>
                  </>
                )}
                <td class={row.invalid ? "fault" : undefined} title={`${row.invalid} actions refused`}>
                  {percent(row.invalid_rate)}
                </td>
                <td class={row.errors ? "fault" : undefined} title={`${row.errors} times failed to act`}>
                  {percent(row.error_rate)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** A value on the scale of its column, with its interval; too few games have none. */
function Reach({
  value,
  from,
  to,
  byScore,
  x,
}: {
  value: number;
  from: number | null;
  to: number | null;
  byScore: boolean;
  x: (value: number) => number;
}) {
  const known = from !== null && to !== null;
  const label = known ? `from ${from.toFixed(1)} to ${to.toFixed(1)}` : "too few games for an interval";
  return (
    <>
      {!byScore && <small>{known ? `±${(to - value).toFixed(0)}` : "?"} </small>}
      <svg class="reach" viewBox="0 0 150 14" role="img" aria-label={label}>
        <title>{label}</title>
        {known && <line x1={x(from)} x2={x(to)} y1="7" y2="7" />}
        <circle cx={x(value)} cy="7" r="4" />
      </svg>
    </>
  );
}

export function Cross({
  rows,
  cross,
  choose,
}: {
  rows: readonly Standing[];
  cross: NonNullable<Tournament["cross"]>;
  choose?(a: string, b: string): void;
}) {
  return (
    <>
      <h3 class="label">Row against column: points, and duels won, drawn, lost</h3>
      <div class="wide">
        <table id="cross">
          <thead>
            <tr>
              <th />
              {rows.map((row) => (
                <th scope="col" title={row.id}>
                  {row.rank}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <th scope="row" class="name">
                  {row.rank}. <bdi>{row.id}</bdi>
                </th>
                {rows.map((other) => {
                  const duels =
                    Object.hasOwn(cross, row.id) && Object.hasOwn(cross[row.id], other.id)
                      ? cross[row.id][other.id]
                      : undefined;
                  if (row.id === other.id || !duels) return <td />;
                  const cell = (
                    <>
                      <strong>{3 * duels.wins + duels.draws}</strong>{" "}
                      <small>
                        {duels.wins} {duels.draws} {duels.losses}
                      </small>
                    </>
                  );
                  const title = `${row.id} against ${other.id}`;
                  return choose ? (
                    <td>
                      <button type="button" class="plain" title={title} onClick={() => choose(row.id, other.id)}>
                        {cell}
                      </button>
                    </td>
                  ) : (
                    <td title={title}>{cell}</td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

"""A finished tournament, and its report: one HTML file that shows who won and how certain that is.

The file has no scripts and fetches nothing: a policy in its head forbids that. Ids and specs are foreign
text; all of it is escaped by `_text`. The same outcomes give the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

import msgspec

from thorp import __version__
from thorp.arena.tournament.outcome import Outcome
from thorp.arena.tournament.plan import Plan
from thorp.arena.tournament.ratings import Interval, Rating, rate
from thorp.arena.tournament.schedule import count_matches
from thorp.arena.tournament.score_table import MeanScore, ScoreStanding, make_score_table
from thorp.arena.tournament.standings import Duels, Row, Standing, Tally, make_standings
from thorp.kernel.canonical import canonical_bytes, canonical_text
from thorp.kernel.numbers import number_text
from thorp.kernel.text import make_label

MAX_CROSS_ENTRANTS = 50
"""The most entrants in a cross table; a larger one is unreadable."""

MAX_LISTED_MATCHES = 2000
"""The most matches listed; all of them are in results.jsonl."""

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What the browser may fetch for this page: nothing."""

LEGEND = (
    "A duel won is 3 points, a draw 1. Equal points are decided by head-to-head, score difference, score, "
    "fewer errors, fewer invalid actions and a seeded coin, in this order; what decided is noted under the "
    "points. The rating is openskill’s Plackett–Luce model, updated in schedule order, everyone starting at "
    "25; the bar shows its 95 % interval. Invalid: the share of actions that were refused. Errors: the share "
    "of times an agent failed to act."
)

SCORE_LEGEND = (
    "Ranked by the mean score over rounds; all matches of a round have the same seed. The bar shows the 95 % "
    "t-interval over rounds, less what a seed does to everyone: where two bars do not overlap, luck hardly "
    "explains the difference. Equal means are decided by fewer errors, fewer invalid actions and a seeded "
    "coin. Invalid: the share of actions that were refused. Errors: the share of times an agent failed to "
    "act."
)

MINUS = "\u2212"


def make_report(
    plan: Plan,
    standings: list[Standing] | list[ScoreStanding],
    tally: Tally,
    outcomes: Sequence[Outcome],
) -> bytes:
    """The page of a finished tournament, in UTF-8."""
    title = f"{_text(plan.scenario)} tournament"
    facts = [
        f"{len(plan.entrants)} agents",
        f"{plan.rounds} {'round' if plan.rounds == 1 else 'rounds'}",
        f"{tally.matches} {'match' if tally.matches == 1 else 'matches'}",
        f"seed {plan.seed}",
    ]
    style = files(__package__).joinpath("report.css").read_text("utf-8")
    parts = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        f"<title>{title}</title>",
        f"<style>\n{style}</style>",
        "</head>",
        "<body><main>",
        f'<header><h1>{title}</h1><p class="soft">{" · ".join(facts)}</p></header>',
        *_tables(standings, tally),
        *_aborted(tally),
        *_given(plan),
        *_matches(plan, outcomes),
        _footer(plan),
        "</main></body>",
        "</html>",
        "",
    ]
    return "\n".join(parts).encode("utf-8")


def _tables(standings: list[Standing] | list[ScoreStanding], tally: Tally) -> Iterable[str]:
    by_score = [row for row in standings if isinstance(row, ScoreStanding)]
    by_points = [row for row in standings if isinstance(row, Standing)]
    yield "<section><h2>Standings</h2>"
    if by_score:
        means = {row.id: bounded for row in by_score if (bounded := _bounded(row.mean)) is not None}
        scale = RatingScale(list(means.values()))
        yield '<div class="scroll"><table class="wide"><thead><tr>'
        yield _heads(("#", ""), ("agent", "text"), ("mean score, 95 %", ""), (scale.heading(), "text"))
        yield _heads(("rounds", ""), ("matches", ""), ("invalid", ""), ("errors", ""))
        yield "</tr></thead><tbody>"
        for row in by_score:
            yield from _score_row(row, means.get(row.id), scale)
    else:
        scale = RatingScale([row.rating for row in by_points if row.rating is not None])
        yield '<div class="scroll"><table class="wide">\n<thead><tr>'
        yield _heads(
            ("#", ""), ("agent", "text"), ("points", ""), ("rating, 95 %", ""), (scale.heading(), "text")
        )
        yield _heads(*((name, "") for name in ("won", "drawn", "lost", "win rate", "invalid", "errors")))
        yield _heads(("score", ""), ("difference", ""))
        yield "</tr></thead><tbody>"
        for standing in by_points:
            yield f"<tr>{_standing(standing, scale)}</tr>"
    yield "</tbody></table></div></section>"
    if not by_score:
        yield from _cross_table(by_points, tally)


def _bounded(mean: MeanScore) -> Interval | None:
    if mean.value is None or mean.low is None or mean.high is None:
        return None
    return Interval(mean.value, mean.low, mean.high)


def _score_row(row: ScoreStanding, mean: Interval | None, scale: RatingScale) -> Iterable[str]:
    value = "" if row.mean.value is None else _number(row.mean.value)
    reach = "" if mean is None else f' <span class="soft">±{_number(mean.high - mean.value)}</span>'
    yield f"<tr>{_who(row)}"
    yield f'<td class="lead">{value}{reach}{_tie_break(row, "score")}</td>'
    yield f'<td class="text">{"" if mean is None else scale.bar(mean)}</td>'
    yield f"<td>{row.rounds}</td><td>{row.matches}</td>"
    yield _rate_cell(row.invalid, row.invalid_rate, "actions refused")
    yield _rate_cell(row.errors, row.error_rate, "times failed to act")
    yield "</tr>"


def _standing(row: Standing, scale: RatingScale) -> str:
    win_range = f"{_percent(row.win_rate.low)} to {_percent(row.win_rate.high)}"
    cells = [
        _who(row),
        f'<td class="lead">{row.points}{_tie_break(row, "points")}</td>',
        _rating_cells(row.rating, scale),
        f"<td>{row.wins}</td><td>{row.draws}</td><td>{row.losses}</td>",
        f'<td title="95 % interval: {win_range}">{_percent(row.win_rate.value)}</td>',
        _rate_cell(row.invalid, row.invalid_rate, "actions refused"),
        _rate_cell(row.errors, row.error_rate, "times failed to act"),
        f"<td>{_number(row.score)}</td><td>{'+' if row.difference > 0 else ''}{_number(row.difference)}</td>",
    ]
    return "".join(cells)


def _who(row: Row) -> str:
    return f'<td>{row.rank}</td><th scope="row" class="text">{_text(row.id)}</th>'


def _tie_break(row: Row, measure: str) -> str:
    """A note of what decided, unless it was the measure itself."""
    tied = row.decided_by not in (None, measure)
    return f'<span class="by">{_text(str(row.decided_by))}</span>' if tied else ""


def _rating_cells(rating: Rating | None, scale: RatingScale) -> str:
    if rating is None:
        return "<td></td><td></td>"
    reach = f'<span class="soft">±{rating.high - rating.value:.1f}</span>'
    value = f"{rating.value:.1f}".replace("-", MINUS)
    return f'<td><b>{value}</b> {reach}</td><td class="text">{scale.bar(rating)}</td>'


def _rate_cell(count: int, rate: float, what: str) -> str:
    mark = ' class="fault"' if count else ""
    return f'<td{mark} title="{count} {what}">{_percent(rate)}</td>'


def _cross_table(standings: Sequence[Standing], tally: Tally) -> Iterable[str]:
    yield "<section><h2>Cross table</h2>"
    if len(standings) > MAX_CROSS_ENTRANTS:
        yield f"<p>Left out, with {len(standings)} columns; the figures are in results.jsonl.</p></section>"
        return
    yield '<p class="soft">Row against column: points, and below them duels won, drawn and lost.</p>'
    yield '<div class="scroll"><table class="cross"><thead><tr><th></th>'
    for row in standings:
        yield f'<th scope="col" title="{_text(row.id)}">{row.rank}</th>'
    yield "</tr></thead><tbody>"
    for row in standings:
        against = tally.totals[row.id].against
        cells = "".join(_cross_cell(row, other, against.get(other.id, Duels())) for other in standings)
        yield f'<tr><th scope="row" class="text">{row.rank}. {_text(row.id)}</th>{cells}</tr>'
    yield "</tbody></table></div></section>"


def _cross_cell(row: Standing, other: Standing, duels: Duels) -> str:
    if other.id == row.id:
        return '<td class="self"></td>'
    if duels.played == 0:
        return "<td></td>"
    shade = min(4, 5 * (2 * duels.wins + duels.draws) // (2 * duels.played))
    title = f"{_text(row.id)} against {_text(other.id)}"
    record = f"{duels.wins} {duels.draws} {duels.losses}"
    return f'<td class="s{shade}" title="{title}">{duels.points}<span class="by">{record}</span></td>'


def _aborted(tally: Tally) -> Iterable[str]:
    if tally.aborted:
        keys = ", ".join(f"<code>{_text(key)}</code>" for key in tally.aborted[:MAX_LISTED_MATCHES])
        yield f'<section><h2 class="fault">Aborted matches: {len(tally.aborted)}</h2>'
        yield f"<p>The scenario failed in these; they count for nobody. {keys}</p></section>"


def _given(plan: Plan) -> Iterable[str]:
    yield "<section><h2>What was played</h2><dl>"
    facts = {
        "scenario": plan.scenario,
        **{f"with {name}": canonical_text(value) for name, value in plan.parameters.items()},
        "seats at a table": str(plan.table),
        "turns at most": str(plan.max_turns),
        "seed": str(plan.seed),
        "thorp": __version__,
    }
    for name, value in facts.items():
        yield f"<dt>{_text(name)}</dt><dd>{_text(value, 200)}</dd>"
    for entrant in plan.entrants:
        yield f"<dt>agent {_text(entrant.id)}</dt><dd><code>{_text(entrant.spec, 200)}</code></dd>"
    yield "</dl></section>"


def _matches(plan: Plan, outcomes: Sequence[Outcome]) -> Iterable[str]:
    yield "<section><h2>Matches</h2><details><summary>"
    listed = outcomes[:MAX_LISTED_MATCHES]
    rest = len(outcomes) - len(listed)
    yield f"The first {len(listed)} of {len(outcomes)}" if rest else f"All {len(outcomes)}"
    yield '</summary><div class="scroll"><table class="wide"><thead><tr>'
    yield _heads(
        ("match", "text"), ("seats and scores", "text"), ("turns", ""), ("end", "text"), ("seed", "")
    )
    yield "</tr></thead><tbody>"
    for outcome in listed:
        yield f"<tr>{_match(plan, outcome)}</tr>"
    yield "</tbody></table></div></details></section>"


def _match(plan: Plan, outcome: Outcome) -> str:
    key = f"<code>{_text(outcome.key, 255)}</code>"
    name = f'<a href="logs/{_text(outcome.key, 255)}.jsonl">{key}</a>' if plan.logs else key
    best = max(outcome.scores or (0,))
    scores = outcome.scores or (None,) * len(outcome.seats)
    seated = []
    for id, score in zip(outcome.seats, scores, strict=True):
        told = _text(id) if score is None else f"{_text(id)} {_number(score)}"
        seated.append(f"<strong>{told}</strong>" if score is not None and score == best else told)
    seats = ", ".join(seated)
    end = outcome.reason if outcome.error is None else f"{outcome.reason}: {outcome.error}"
    mark = ' class="text fault"' if outcome.scores is None else ' class="text"'
    return (
        f'<td class="text">{name}</td><td class="text wrap">{seats}</td><td>{outcome.turns}</td>'
        f"<td{mark}>{_text(end)}</td><td>{outcome.seed}</td>"
    )


def _footer(plan: Plan) -> str:
    legend = SCORE_LEGEND if plan.ranking == "score" else LEGEND
    logs = ", and those from the logs" if plan.logs else ""
    source = f"All of this follows from manifest.json and results.jsonl{logs}; prove it again with"
    return f"<footer><p>{legend}</p><p>{source} <code>thorp tournament verify DIR</code>.</p></footer>"


def _heads(*heads: tuple[str, str]) -> str:
    return "".join(
        f'<th scope="col" class="{kind}">{head}</th>' if kind else f'<th scope="col">{head}</th>'
        for head, kind in heads
    )


def _text(text: str, length: int = 48) -> str:
    """Escape foreign text for an element or a quoted attribute."""
    return escape(make_label(text, length), quote=True)


def _number(value: float) -> str:
    return number_text(round(value, 3)).replace("-", MINUS)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


BAR_WIDTH, BAR_HEIGHT, BAR_MARGIN = 150, 16, 6
"""Pixels. `.ends` in report.css has the same width."""


class RatingScale:
    """Draws ratings or mean scores as bars on one scale, from whole number to whole number."""

    def __init__(self, intervals: Sequence[Interval]) -> None:
        self.low = math.floor(min((interval.low for interval in intervals), default=0))
        self.high = max(self.low + 1, math.ceil(max((interval.high for interval in intervals), default=1)))

    def bar(self, interval: Interval) -> str:
        """Draw the interval as an SVG element, with its figures as a label for screen readers."""
        low, value, high = (self._place(number) for number in (interval.low, interval.value, interval.high))
        return (
            f'<svg width="{BAR_WIDTH}" height="{BAR_HEIGHT}" viewBox="0 0 {BAR_WIDTH} {BAR_HEIGHT}" '
            f'role="img" aria-label="{interval.value:.1f}, from {interval.low:.1f} to {interval.high:.1f}">'
            f'<line class="axis" x1="{BAR_MARGIN}" y1="8" x2="{BAR_WIDTH - BAR_MARGIN}" y2="8"/>'
            f'<line class="span" x1="{low}" y1="8" x2="{high}" y2="8"/>'
            f'<circle class="dot" cx="{value}" cy="8" r="4"/></svg>'
        )

    def heading(self) -> str:
        """The heading of the bars: the ends of the scale."""
        return f'<span class="ends"><span>{self.low}</span><span>{self.high}</span></span>'.replace(
            "-", MINUS
        )

    def _place(self, value: float) -> str:
        share = (value - self.low) / (self.high - self.low)
        return f"{BAR_MARGIN + share * (BAR_WIDTH - 2 * BAR_MARGIN):.1f}"


def make_table(
    plan: Plan, tally: Tally, outcomes: Sequence[Outcome], *, rated: bool
) -> list[Standing] | list[ScoreStanding]:
    """Make the table of a plan's ranking; ratings need the outcomes in schedule order."""
    if plan.ranking == "score":
        matches_a_round = count_matches(len(plan.ids), 1, plan.table)
        return make_score_table(tally, outcomes, plan.seed, matches_a_round)
    return make_standings(tally, plan.seed, rate(plan.ids, outcomes) if rated else None)


class FinishedTournament:
    """All outcomes, which must be in schedule order, with their totals and their table."""

    def __init__(self, plan: Plan, outcomes: Sequence[Outcome]) -> None:
        self.plan = plan
        self.outcomes = outcomes
        self.tally = Tally(plan.ids, outcomes)
        self.standings = make_table(plan, self.tally, outcomes, rated=True)

    def to_bytes(self) -> bytes:
        """The content of `standings.json`."""
        value = {
            "matches": self.tally.matches,
            "aborted": self.tally.aborted,
            "ranking": self.plan.ranking,
            "standings": msgspec.to_builtins(self.standings),
        }
        return canonical_bytes(value) + b"\n"

    def report(self) -> bytes:
        """The content of `report.html`."""
        return make_report(self.plan, self.standings, self.tally, self.outcomes)

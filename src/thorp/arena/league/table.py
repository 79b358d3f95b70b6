"""The table of a league: a function of the set of what was added, in whatever order it came."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from thorp import __version__
from thorp.arena.league.accounts import SeatAccount
from thorp.arena.league.batch import STATUSES, Batch, outcomes_in
from thorp.arena.league.directory import League
from thorp.arena.league.suite import Game, Suite
from thorp.arena.rating import MeanScore, RatedAgent, Result, mean_scores, rate_all
from thorp.arena.rating.results import code_units
from thorp.arena.rating.table import rounded
from thorp.arena.tournament.outcome import Outcome
from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.identity import digest
from thorp.store import Disk

FORMAT: Final = "thorp.leaderboard"
VERSION: Final = 1
DIGITS_OF_IDENTITY: Final = 8  # Beside a name that two entrants have.


class Entrant(msgspec.Struct, kw_only=True):
    """One identity over all batches: its names, what is known of it, and what it cost."""

    digest: str
    id: str
    names: list[str]
    version: str | None
    track: str
    ran: dict[str, Json]
    status: str
    valid: int = 0
    invalid: int = 0
    errors: int = 0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    uncounted: dict[str, str]


class Row(RatedAgent, frozen=True, kw_only=True):
    """One agent's row: what its results say (see `RatedAgent`), and who it is. `played` has the
    matches of each game; `missing` counts the deals of games by score that others have played;
    `mean` is there in the table of one such game."""

    identity: str
    names: list[str]
    version: str | None
    track: str
    status: str
    played: dict[str, int]
    missing: int
    mean: MeanScore | None
    invalid_rate: float
    error_rate: float
    calls: int
    tokens_in: int
    tokens_out: int


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A league's table: of all games, or of one. `set` is the digest of the tips of all batches
    that it is made of; `uncounted` says whose results of which batch do not count, and why."""

    suite: dict[str, Json]
    game: str | None
    set: str
    results: int
    agents: list[Row]
    cycles: list[dict[str, Json]]
    cyclic_share: float
    variance: dict[str, float] | None
    uncounted: list[dict[str, str]]

    def to_bytes(self) -> bytes:
        """The content of `leaderboard.json`."""
        content = msgspec.json.decode(msgspec.json.encode(self))
        head = {"format": FORMAT, "version": VERSION, "thorp": __version__}
        return canonical_bytes({**head, **content}) + b"\n"


def make_table(disk: Disk, league: League, game: str | None = None) -> Table:
    """Make the table of a league, of all its games or of one."""
    suite = league.suite
    games = suite.games if game is None else (suite.game(game),)
    names = [each.name for each in games]
    batches = [batch for batch in league.batches if batch.game in names]
    batches.sort(key=lambda batch: batch.tip)
    entrants = entrants_of(batches, _endorsed(league), everyone=league.batches)
    kept = ((batch, outcomes_in(disk, league.folder(batch), batch)) for batch in batches)
    results = list(count_results(kept))
    return table_of(suite, games, entrants, results, batches, whole=game is None)


def table_of(
    suite: Suite,
    games: Sequence[Game],
    entrants: dict[str, Entrant],
    results: list[Result],
    batches: Iterable[Batch],
    *,
    whole: bool,
) -> Table:
    """Make the table of these results, which name agents by the digest of their identity."""
    shared = frozenset(game.name for game in games if game.kind == "scores")
    absent = _absent(games, results)
    named = _named([*results, *absent], entrants)
    played = _played(results, entrants)
    ids = [id for id, games in played.items() if games]
    field = rate_all(named, ids, shared=shared)
    missing = Counter(entrants[result.agents[0]].id for result in absent)
    of_id = {entrant.id: entrant for entrant in entrants.values()}
    means: dict[str, MeanScore] = {}
    if not whole and games[0].kind == "scores":
        means = mean_scores(_named(results, entrants), ids, games[0].worst)
    rows = [
        _row(rated, of_id[rated.id], played[rated.id], missing[rated.id], means.get(rated.id))
        for rated in field.agents
    ]
    return Table(
        suite=suite.document(),
        game=None if whole else games[0].name,
        set=digest(canonical_bytes(sorted(batch.tip for batch in batches))),
        results=len(results),
        agents=_by_mean(rows) if means else rows,
        cycles=[{"agents": ids, "margin": margin} for ids, margin in field.cycles],
        cyclic_share=field.cyclic_share,
        variance=None if field.variance is None else field.variance._asdict(),
        uncounted=[
            {"agent": entrant.id, "batch": tip, "reason": reason}
            for entrant in entrants.values()
            for tip, reason in entrant.uncounted.items()
        ],
    )


def _row(
    rated: RatedAgent,
    entrant: Entrant,
    played: dict[str, int],
    missing: int,
    mean: MeanScore | None,
) -> Row:
    acted = entrant.valid + entrant.invalid
    values = msgspec.structs.asdict(rated)
    values["games"] = sum(played.values())
    return Row(
        **values,
        identity=entrant.digest,
        names=entrant.names,
        version=entrant.version,
        track=entrant.track,
        status=entrant.status,
        played=played,
        missing=missing,
        mean=mean if mean is None else _rounded_mean(mean),
        invalid_rate=rounded(entrant.invalid / max(1, acted)),
        error_rate=rounded(entrant.errors / max(1, acted + entrant.errors)),
        calls=entrant.calls,
        tokens_in=entrant.tokens_in,
        tokens_out=entrant.tokens_out,
    )


def _rounded_mean(mean: MeanScore) -> MeanScore:
    bounds = {
        name: None if value is None else rounded(value)
        for name, value in (("value", mean.value), ("low", mean.low), ("high", mean.high))
    }
    return msgspec.structs.replace(mean, **bounds)


def _by_mean(rows: Sequence[Row]) -> list[Row]:
    """Rows of a game by score, the best mean first."""

    def value(row: Row) -> float:
        assert row.mean is not None, "who has a row has played"
        return row.mean.value or 0.0

    ordered = sorted(rows, key=lambda row: (-value(row), code_units(row.id)))
    ranked: list[Row] = []
    for place, row in enumerate(ordered, start=1):
        tied = ranked and value(ranked[-1]) == value(row)
        ranked.append(msgspec.structs.replace(row, rank=ranked[-1].rank if tied else place))
    return ranked


# Who played


def entrants_of(
    batches: Iterable[Batch], endorsed: frozenset[str], everyone: Iterable[Batch] | None = None
) -> dict[str, Entrant]:
    """Everybody who sat in these batches, by the digest of their identity. Names are chosen among
    `everyone`, so that they are the same in each table of a league."""
    batches = list(batches)
    names = _names(batches if everyone is None else everyone)
    entrants: dict[str, Entrant] = {}
    for batch in batches:
        for seat in batch.seats:
            identity = seat.identity
            status = STATUSES[-1] if batch.tip in endorsed else seat.status
            entrant = entrants.get(identity.digest)
            if entrant is None:
                entrant = entrants[identity.digest] = Entrant(
                    digest=identity.digest,
                    id=names[identity.digest][0],
                    names=names[identity.digest][1],
                    version=identity.version,
                    track=identity.track,
                    ran=identity.ran,
                    status=status,
                    uncounted={},
                )
            _count(entrant, batch, seat, status)
    return dict(sorted(entrants.items()))


def _count(entrant: Entrant, batch: Batch, seat: SeatAccount, status: str) -> None:
    entrant.status = min(entrant.status, status, key=STATUSES.index)
    entrant.valid += seat.valid
    entrant.invalid += seat.invalid
    entrant.errors += seat.errors
    entrant.calls += seat.calls
    entrant.tokens_in += seat.tokens_in
    entrant.tokens_out += seat.tokens_out
    if seat.gate is not None:
        entrant.uncounted[batch.tip] = seat.gate


def _names(batches: Iterable[Batch]) -> dict[str, tuple[str, list[str]]]:
    """The id of each identity and all names that it sat under. The id is its own name if it has
    one, else the first of its seats' names; two identities of one name are told apart by their
    digests."""
    own: dict[str, str | None] = {}
    seats: dict[str, set[str]] = {}
    for batch in batches:
        for seat in batch.seats:
            own[seat.identity.digest] = seat.identity.name
            seats.setdefault(seat.identity.digest, set()).add(seat.seat)
    all_names = {identity: sorted(names, key=code_units) for identity, names in seats.items()}
    chosen = {identity: own[identity] or all_names[identity][0] for identity in all_names}
    common = Counter(chosen.values())
    return {
        identity: (
            name if common[name] == 1 else f"{name}@{_digits(identity)}",
            all_names[identity],
        )
        for identity, name in chosen.items()
    }


def _digits(identity: str) -> str:
    return identity.rpartition("_")[2][:DIGITS_OF_IDENTITY]


def _endorsed(league: League) -> frozenset[str]:
    return frozenset(each.tip for each in league.endorsements)


# What they played


def count_results(batches: Iterable[tuple[Batch, Iterable[Outcome]]]) -> Iterator[Result]:
    """The results that count, each log once. Agents are named by the digest of their identity."""
    seen: set[str] = set()
    for batch, outcomes in batches:
        identities = {seat.seat: seat.identity.digest for seat in batch.seats}
        failed = {seat.seat for seat in batch.seats if seat.gate is not None}
        for outcome in outcomes:
            counts = outcome.log not in seen and failed.isdisjoint(outcome.seats)
            if not counts or outcome.scores is None:
                continue
            seen.add(outcome.log)
            agents = tuple(identities[id] for id in outcome.seats)
            yield Result(batch.game, str(outcome.seed), agents, outcome.scores)


def _absent(games: Sequence[Game], results: Sequence[Result]) -> list[Result]:
    """For each entrant of a game by score, the deals that others have played and the entrant has
    not: they count as the worst score."""
    absent = []
    for game in games:
        if game.kind != "scores":
            continue
        deals: dict[str, set[str]] = {}
        for result in results:
            if result.game == game.name:
                for agent in result.agents:
                    deals.setdefault(agent, set()).add(result.deal)
        everything = sorted(set().union(*deals.values()))
        for agent, own in sorted(deals.items()):
            absent += [
                Result(game.name, deal, (agent,), (game.worst,))
                for deal in everything
                if deal not in own
            ]
    return absent


def _named(results: Iterable[Result], entrants: dict[str, Entrant]) -> list[Result]:
    return [
        Result(
            result.game,
            result.deal,
            tuple(entrants[agent].id for agent in result.agents),
            result.scores,
        )
        for result in results
    ]


def _played(results: Iterable[Result], entrants: dict[str, Entrant]) -> dict[str, dict[str, int]]:
    """How many matches of each game every entrant has played."""
    counts: dict[str, Counter[str]] = {entrant.id: Counter() for entrant in entrants.values()}
    for result in results:
        for agent in dict.fromkeys(result.agents):
            counts[entrants[agent].id][result.game] += 1
    return {id: dict(sorted(games.items())) for id, games in counts.items()}

"""A tournament's plan: all of its inputs, as data.

Schedule, tasks and manifest are computed from the plan; the same plan gives the same bytes on any
machine. How it is played (how many workers, where) is not part of it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from thorp import __version__
from thorp.arena.contract import Limits, MatchTask, Seat
from thorp.arena.rating.results import code_units
from thorp.arena.registry import make_scenario, scenario_parameters
from thorp.arena.sealed import match_secret, parse_secret
from thorp.arena.service import choose_secret
from thorp.arena.tournament.schedule import (
    Fixture,
    check_field,
    count_matches,
    make_schedule,
    match_seed,
)
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError, LimitError
from thorp.kernel.numbers import SAFE_INTEGER

FORMAT = "thorp.tournament"
FORMAT_VERSION = 2
STANDINGS_VERSION = 2
"""Of `standings.json`. The first had ratings of the package openskill, whose version is in the
manifests of that time."""
ID_LENGTH = 100  # The longest id, in characters: it is in every line of every log.


class Plan(msgspec.Struct, frozen=True):
    """What to play, with complete parameters and entrants sorted by id. Made by `make_plan`."""

    scenario: str
    parameters: dict[str, Json]
    entrants: tuple[Seat, ...]
    seed: int
    rounds: int
    table: int
    max_turns: int
    limits: Limits
    logs: bool
    ranking: Literal["points", "score"] = "points"
    """By points from duels, or by mean score; for that, all matches of a round have one seed."""
    secret: str | msgspec.UnsetType | None = msgspec.UNSET
    """For a sealed scenario; None until it is drawn at the start of the tournament."""
    mirrored: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether every deal is played from every seat. Left out of the manifest if not."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the entrants."""
        return tuple(entrant.id for entrant in self.entrants)

    def schedule(self) -> list[Fixture]:
        """Every match, in canonical order."""
        return make_schedule(self.ids, self.rounds, self.table, mirrored=self.mirrored is True)

    @property
    def matches(self) -> int:
        """How many matches the schedule has."""
        return count_matches(
            len(self.entrants), self.rounds, self.table, mirrored=self.mirrored is True
        )

    def tasks(self, fixtures: Iterable[Fixture]) -> Iterator[MatchTask]:
        """Yield the task of each fixture, complete in itself."""
        seats = {entrant.id: entrant for entrant in self.entrants}
        for fixture in fixtures:
            yield MatchTask(
                scenario=self.scenario,
                seats=tuple(seats[id] for id in fixture.seats),
                seed=match_seed(
                    self.seed,
                    f"r{fixture.round}" if self.ranking == "score" else fixture.deal or fixture.key,
                ),
                max_turns=self.max_turns,
                parameters=self.parameters,
                match_id=fixture.key,
                limits=self.limits,
                secret=self._secret(fixture.deal or fixture.key),
            )

    def _secret(self, key: str) -> str | msgspec.UnsetType:
        """The secret of one match, if this is a sealed scenario."""
        if isinstance(self.secret, msgspec.UnsetType):
            return msgspec.UNSET
        if self.secret is None:
            raise InvalidError("the secret of this tournament is not drawn yet", code="secret")
        return match_secret(parse_secret(self.secret), key).hex()

    def manifest(self, code: Mapping[str, str]) -> dict[str, Json]:
        """The content of `manifest.json`. `code` has the SHA-256 of entrants' files, by id."""
        plan = msgspec.json.decode(msgspec.json.encode(self))
        for entrant in plan["entrants"]:
            entrant["sha256"] = code.get(entrant["id"])
        versions = {
            "version": FORMAT_VERSION,
            "standings": STANDINGS_VERSION,
            "thorp": __version__,
        }
        return {"format": FORMAT, **versions, **plan}


def make_plan(
    scenario: str,
    entrants: Sequence[Seat],
    *,
    seed: int = 42,
    rounds: int = 2,
    table: int | None = None,
    max_turns: int = 1000,
    parameters: Mapping[str, Json] | None = None,
    limits: Limits | None = None,
    logs: bool = True,
    secret: str | None = None,
    mirrored: bool = False,
) -> Plan:
    """Make the plan of a tournament. Refuses one that could not be played.

    By default a `table` has the fewest seats that the scenario allows, but at least two if duels
    decide. A sealed scenario without a `secret` (64 hexadecimal digits, or "none") gets a new one
    at the start. If it is `mirrored`, every group plays each deal from every seat.
    """
    if not entrants:
        raise InvalidError(
            "a tournament needs agents; give --agent [ID=]SPEC twice or more", code="no_agents"
        )
    built = make_scenario(scenario, parameters or {})
    is_sealed = getattr(built, "sealed", False)
    fewest, most = getattr(built, "seats", (1, None))
    by_score = most == 1 or getattr(built, "ranking", "points") == "score"
    if table is None:
        table = max(1 if by_score else 2, fewest)
    _check_table(scenario, table, len(entrants), fewest=fewest, most=most, by_score=by_score)
    if mirrored and by_score:
        raise InvalidError(
            f"{scenario} is ranked by score, and all matches of a round have one deal already; "
            "leave --mirrored out",
            code="mirrored",
        )
    for name, value, least in (("seed", seed, -SAFE_INTEGER), ("max_turns", max_turns, 1)):
        if not least <= value <= SAFE_INTEGER:
            raise InvalidError(f"{name} must be from {least} to 2^53, not {value}", code=name)
    for entrant in entrants:
        check_id(entrant.id)
    check_field([entrant.id for entrant in entrants], rounds, table, mirrored=mirrored)
    return Plan(
        scenario=scenario,
        # Sorted as in the manifest, so that a plan read from there is equal.
        parameters=dict(sorted(scenario_parameters(scenario, parameters or {}).items())),
        entrants=tuple(sorted(entrants, key=lambda entrant: code_units(entrant.id))),
        seed=seed,
        rounds=rounds,
        table=table,
        max_turns=max_turns,
        limits=limits or Limits(),
        logs=logs,
        ranking="score" if by_score else "points",
        secret=None
        if secret is None and is_sealed
        else choose_secret(scenario, parameters or {}, secret),
        mirrored=True if mirrored else msgspec.UNSET,
    )


def _check_table(
    scenario: str,
    table: int,
    entrants: int,
    *,
    fewest: int,
    most: int | None,
    by_score: bool,
) -> None:
    """Refuse tables at which a scenario cannot be played, or would rank nobody."""
    if table < fewest or (most is not None and table > most):
        raise InvalidError(
            f"{scenario} is not for a table of {table}; it seats {fewest} to {most or 'any'}",
            code="table",
        )
    if table == 1 and not by_score:
        raise InvalidError(
            f"at a table of 1 nobody meets anybody in {scenario}; give 2", code="table"
        )
    if by_score and 1 < table == entrants:
        raise InvalidError(
            f"all {table} agents would share every score of {scenario}; enter more, or lower "
            "--table",
            code="table",
        )


def read_plan(manifest: Mapping[str, Json]) -> Plan:
    """Read the plan in a manifest. Refuses a manifest that is not a tournament's."""
    if manifest.get("format") != FORMAT:
        raise InvalidError("this is no manifest of a tournament", code="manifest")
    try:
        return msgspec.convert(manifest, Plan)
    except msgspec.ValidationError as problem:
        raise InvalidError(
            f"the tournament's manifest cannot be read: {problem}", code="manifest"
        ) from None


def check_id(id: str) -> None:
    """Refuse an agent's id that is empty, too long, or not Unicode text."""
    if not id or len(id) > ID_LENGTH:
        raise LimitError(
            f"an agent's id has 1 to {ID_LENGTH} characters; {id[:20]!r}… has {len(id)}", code="id"
        )
    try:
        id.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidError(
            f"agent id {id!r} is not Unicode text; choose another", code="id"
        ) from None

"""A fleet's plan: a TOML file of `[[job]]` tables, each of one kind and a number of seeds.

    [[job]]
    kind = "village"
    seeds = {from = 1, to = 200}
    days = 2

A table makes a job for each seed; one of kind `env` for each `pool` of seeds. Every mistake in a plan is
told, each with its path, before anything is started.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args, get_origin

import msgspec
from msgspec import Meta

from thorp import __version__
from thorp.arena.external import parse_seats
from thorp.arena.registry import make_scenario
from thorp.arena.scenarios.validation import take_seats
from thorp.arena.service import NO_SECRET, choose_secret
from thorp.arena.task import MatchTask, Seat
from thorp.arena.tournament import Plan, make_plan
from thorp.arena.tournament.run import probe_seats
from thorp.env.world import MAX_AGENTS
from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import ROOT, ContractError, InvalidError, ThorpError, Violation, item, member
from thorp.kernel.numbers import SAFE_INTEGER
from thorp.voxel.tuning import read_tuning

FORMAT: Final = "thorp.fleet"
VERSION: Final = 1

MAX_PLAN_BYTES: Final = 65_536
"""A plan is written by hand or by a small program."""
MAX_DOTS: Final = 1_000
"""In a line. The time to parse a dotted key grows with the square of its parts."""
MAX_JOBS: Final = 10_000
"""Their results are held in memory at the end."""
MAX_SEATS: Final = 100
MAX_DAYS: Final = 1_000
"""The lines of so many days are half of what one record may have."""
MAX_TICKS: Final = 10_000_000
MAX_POOL: Final = 1_024

Count: TypeAlias = Annotated[int, Meta(ge=1, le=SAFE_INTEGER)]
Agents: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_AGENTS)]
Ticks: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_TICKS)]
Seed: TypeAlias = Annotated[int, Meta(ge=-SAFE_INTEGER, le=SAFE_INTEGER)]


class SeedRange(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"first": "from", "last": "to"}
):
    """Every seed from the first to the last."""

    first: Seed
    last: Seed


class Table(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True):
    """What a `[[job]]` of any kind has."""

    seeds: Annotated[list[Seed], Meta(min_length=1, max_length=MAX_JOBS)] | SeedRange

    @property
    def seed_range(self) -> "range | list[int]":
        seeds = self.seeds
        return range(seeds.first, seeds.last + 1) if isinstance(seeds, SeedRange) else seeds

    @property
    def seeds_a_job(self) -> int:
        return 1

    def check(self) -> None:
        """Refuse what types cannot say."""

    def seats(self) -> tuple[Seat, ...]:
        """The agents of a match; nobody where there is none."""
        return ()


class VillageJobs(Table, frozen=True, tag="village"):
    """The demo village lives for some days, without a server."""

    days: Annotated[int, Meta(ge=1, le=MAX_DAYS)] = 2


class WorldJobs(Table, frozen=True, tag="world"):
    """Agents live in a world for so many ticks."""

    agents: Agents = 10
    ticks: Ticks = 6_000
    policy: Literal["idle", "random", "scripted"] = "scripted"
    tuning: dict[str, Any] = {}

    def check(self) -> None:
        read_tuning(self.tuning)


class EnvJobs(Table, frozen=True, tag="env"):
    """An episode of some steps in each world of a pool, as a learner would see it."""

    agents: Agents = 1
    steps: Ticks = 500
    policy: Literal["idle", "random"] = "random"
    tuning: dict[str, Any] = {}
    pool: Annotated[int, Meta(ge=1, le=MAX_POOL)] = 16

    @property
    def seeds_a_job(self) -> int:
        return self.pool

    def check(self) -> None:
        read_tuning(self.tuning)


class MatchJobs(Table, frozen=True, tag="match"):
    """A match. A sealed scenario draws from the seed, unless a secret is given."""

    scenario: str
    agents: Annotated[list[str], Meta(min_length=1, max_length=MAX_SEATS)]
    max_turns: Count = 1000
    parameters: dict[str, Any] = {}
    secret: str = NO_SECRET

    def check(self) -> None:
        scenario = make_scenario(self.scenario, self.parameters)
        ids = [seat.id for seat in self.task(0).seats]
        take_seats(self.scenario, ids, getattr(scenario, "seats", (1, None)))

    def seats(self) -> tuple[Seat, ...]:
        return parse_seats(self.agents)

    def task(self, seed: int) -> MatchTask:
        secret = choose_secret(self.scenario, self.parameters, self.secret)
        return MatchTask(self.scenario, self.seats(), seed, self.max_turns, self.parameters, secret=secret)


class TournamentJobs(MatchJobs, frozen=True, tag="tournament"):
    """A round robin, in one worker, of which only the table is kept."""

    rounds: Count = 2
    table: Count | None = None

    def check(self) -> None:
        self.plan(0)

    def plan(self, seed: int) -> Plan:
        return make_plan(
            self.scenario,
            self.seats(),
            seed=seed,
            rounds=self.rounds,
            table=self.table,
            max_turns=self.max_turns,
            parameters=self.parameters,
            logs=False,
            secret=self.secret,
        )


AnyTable: TypeAlias = VillageJobs | WorldJobs | EnvJobs | MatchJobs | TournamentJobs
KINDS: Final[dict[str, type[AnyTable]]] = {
    str(one.__struct_config__.tag): one
    for one in (WorldJobs, VillageJobs, EnvJobs, MatchJobs, TournamentJobs)
}


class Job(msgspec.Struct, frozen=True):
    """One job: everything that its result follows from."""

    number: int
    """From 1, in the order of the plan."""
    table: AnyTable
    seeds: tuple[int, ...]

    @property
    def kind(self) -> str:
        return str(self.table.__struct_config__.tag)

    @property
    def head(self) -> dict[str, Json]:
        """How its row begins."""
        return {"job": self.number, "kind": self.kind, "seeds": list(self.seeds)}


class Fleet(msgspec.Struct, frozen=True):
    """A plan that was read, and the SHA-256 of the files of its agents."""

    tables: tuple[AnyTable, ...]
    code: dict[str, str]

    def jobs(self) -> list[list[Job]]:
        """The jobs of each table."""
        numbers = iter(range(1, MAX_JOBS + 1))
        return [[Job(next(numbers), table, seeds) for seeds in _pools(table)] for table in self.tables]

    def manifest(self) -> dict[str, Json]:
        """Everything that the results follow from."""
        tables = {
            f"job[{number}].{name}": value
            for number, table in enumerate(self.tables)
            for name, value in msgspec.to_builtins(table).items()
        }
        own = {"format": FORMAT, "fleet_version": VERSION, "thorp": __version__}
        return {**own, "tables": tables, "code": self.code}


def _pools(table: AnyTable) -> Iterator[tuple[int, ...]]:
    seeds = iter(table.seed_range)
    return iter(lambda: tuple(islice(seeds, table.seeds_a_job)), ())


def read_fleet(data: bytes) -> Fleet:
    """Read a plan. Raises a ContractError with all that is wrong with it."""
    if any(line.count(b".") > MAX_DOTS for line in data.split(b"\n")):
        raise ContractError([Violation("limit", ROOT, f"a line has more than {MAX_DOTS} dots; divide it")])
    try:
        given = tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as problem:
        why = "it nests too deeply" if isinstance(problem, RecursionError) else str(problem)
        raise ContractError([Violation("toml", ROOT, f"not a TOML file: {why:.200}")]) from None
    found: list[Violation] = [_unknown(ROOT, key, ("job",)) for key in given if key != "job"]
    listed = given.get("job")
    if not isinstance(listed, list) or not listed:
        found.append(Violation("required", "$.job", "a plan has at least one [[job]] table"))
        listed = []
    tables = [_read_table(one, item("$.job", number), found) for number, one in enumerate(listed)]
    _check_count([one for one in tables if one is not None], found)
    if found:
        raise ContractError(found)
    read = [one for one in tables if one is not None]
    code: dict[str, str] = {}
    for number, table in enumerate(read):
        if isinstance(table, MatchJobs):
            check = partial(probe_seats, table.seats(), table.task(0))
            code |= _checked(check, f"{item('$.job', number)}.agents", found) or {}
    if found:
        raise ContractError(found)
    return Fleet(tuple(read), code)


def _read_table(given: object, path: str, found: list[Violation]) -> AnyTable | None:
    """A table of the plan; None if something is wrong with it, which is added to what was found."""
    before = len(found)
    if not isinstance(given, dict):
        found.append(Violation("type", path, "a job is a table; write [[job]]"))
        return None
    kind = given.get("kind")
    table = KINDS.get(kind) if isinstance(kind, str) else None
    if table is None:
        found.append(Violation("kind", f"{path}.kind", f"it must be one of {', '.join(KINDS)}"))
        return None
    fields = {field.encode_name: field for field in msgspec.structs.fields(table)}
    found += [_unknown(path, key, ("kind", *fields)) for key in given if key not in ("kind", *fields)]
    for name, field in fields.items():
        if name in given:
            _read_value(given[name], field.type, member(path, name), found)
        elif field.required:
            found.append(Violation("required", member(path, name), f"jobs of kind {kind} need it"))
    _checked(partial(canonical_bytes, given), path, found)
    if len(found) > before:
        return None
    read: AnyTable = msgspec.convert(given, table)
    _checked(partial(_check_seeds, read), f"{path}.seeds", found)
    _checked(read.check, path, found)
    return None if len(found) > before else read


_VALUE: Final = re.compile(r"(?P<what>.*?)(?: - at `\$(?P<inner>.*)`)?", re.DOTALL)


def _read_value(value: object, kind: Any, path: str, found: list[Violation]) -> None:
    if get_origin(kind) is Literal and value not in get_args(kind):
        known = ", ".join(get_args(kind))
        found.append(Violation("value", path, f"it must be one of {known}"))
        return
    try:
        msgspec.convert(value, kind)
    except (msgspec.ValidationError, UnicodeError) as problem:
        match = _VALUE.fullmatch(str(problem))
        assert match is not None, "it matches any text"
        found.append(Violation("value", f"{path}{match['inner'] or ''}", match["what"].replace("`", "")))


def _checked(check: Any, path: str, found: list[Violation]) -> Any:
    try:
        return check()
    except ThorpError as refusal:
        found.append(Violation(refusal.code, path, refusal.message))


def _check_seeds(table: AnyTable) -> None:
    seeds = table.seed_range
    if not seeds:
        raise InvalidError("it is empty; from must not be above to", code="seeds")
    if isinstance(seeds, list) and len(set(seeds)) < len(seeds):
        raise InvalidError("a seed is in it twice, and would give the same again", code="seeds")


def _check_count(tables: Iterable[AnyTable], found: list[Violation]) -> None:
    jobs = sum(-(-_length(table.seed_range) // table.seeds_a_job) for table in tables)
    if jobs > MAX_JOBS:
        found.append(
            Violation("limit", "$.job", f"{jobs} jobs, where {MAX_JOBS} are the most; divide the plan")
        )


def _length(seeds: "range | list[int]") -> int:
    """How many there are, also if `len` cannot count so far."""
    return seeds.stop - seeds.start if isinstance(seeds, range) else len(seeds)


def _unknown(path: str, key: str, known: Iterable[str]) -> Violation:
    return Violation("unknown_key", member(path, key), f"there is no such key; known are {', '.join(known)}")

"""Reads a fleet's plan: a TOML file of `[[job]]` tables, as `docs/fleets.md` describes it.

A table makes a job for each seed, or for each `pool` of seeds if its kind is `env`. All mistakes in
a plan are reported, each with its path, before anything is started.
"""

import tomllib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args, get_origin

import msgspec
from msgspec import Meta

from thorp import __version__
from thorp.arena.contract import MatchTask, Scenario, Seat
from thorp.arena.external import parse_seats
from thorp.arena.registry import make_scenario, scenario_names, scenario_parameters
from thorp.arena.scenarios.validation import take_seats
from thorp.arena.service import NO_SECRET, choose_secret
from thorp.arena.tournament import Plan, make_plan
from thorp.arena.tournament.plan import check_id
from thorp.arena.tournament.run import probe_seats
from thorp.env.world import MAX_AGENTS
from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import (
    ROOT,
    ContractError,
    InvalidError,
    ThorpError,
    Violation,
    item,
    member,
)
from thorp.kernel.numbers import SAFE_INTEGER
from thorp.voxel import Tuning, read_tuning

VERSION: Final = 1
MAX_PLAN_BYTES: Final = 65_536
"""A plan is written by hand or by a small program."""
MAX_DOTS: Final = 1_000
"""Dots in a line. The time to parse a dotted key grows with the square of its parts."""
MAX_JOBS: Final = 10_000
"""Their results are held in memory at the end."""
MAX_SEATS: Final = 100
MAX_DAYS: Final = 1_000
"""The lines of this many days are half as long as one record may be."""
MAX_TICKS: Final = 10_000_000
MAX_POOL: Final = 1_024

Ask: TypeAlias = Callable[..., Any]
"""Takes a key, a function and its arguments, and calls the function. If that refuses, the refusal
is reported as a mistake at the key, and None is returned."""
Count: TypeAlias = Annotated[int, Meta(ge=1, le=SAFE_INTEGER)]
Ticks: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_TICKS)]
Seed: TypeAlias = Annotated[int, Meta(ge=-SAFE_INTEGER, le=SAFE_INTEGER)]

_EMPTY: Final = {"seeds": (), "scenario": "", "agents": ()}
"""Stands for a required key whose value is missing or wrong; no plan can contain these values."""


class SeedRange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every seed from the first to the last."""

    first: Seed = msgspec.field(name="from")
    last: Seed = msgspec.field(name="to")


class JobTable(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True
):
    """The keys of a `[[job]]` of any kind."""

    seeds: Annotated[list[Seed], Meta(min_length=1, max_length=MAX_JOBS)] | SeedRange

    @property
    def every_seed(self) -> Sequence[int]:
        """All seeds of the table, however they were written."""
        seeds = self.seeds
        return range(seeds.first, seeds.last + 1) if isinstance(seeds, SeedRange) else seeds

    @property
    def seeds_a_job(self) -> int:
        """How many seeds one job of the table takes."""
        return 1

    def check(self, ask: Ask) -> dict[str, str]:
        """Check everything that types cannot express, except for keys that are empty because they
        were wrong. Returns the SHA-256 of agents' files, by the ids of the agents."""
        ask("seeds", self._check_seeds)
        return {}

    def _check_seeds(self) -> None:
        if isinstance(self.seeds, SeedRange) and not self.every_seed:
            raise InvalidError("there is no seed: from must not be above to", code="seeds")
        if isinstance(self.seeds, list) and len(set(self.seeds)) < len(self.seeds):
            raise InvalidError("a seed is there twice, and would give the same again", code="seeds")


class VillageJobs(JobTable, frozen=True, tag="village"):
    """The demo village lives for some days, without a server."""

    days: Annotated[int, Meta(ge=1, le=MAX_DAYS)] = 2


class LifeJobs(JobTable, frozen=True):
    """The keys of both kinds of jobs that run a world."""

    agents: Annotated[int, Meta(ge=1, le=MAX_AGENTS)] = 1
    tuning: dict[str, Any] = {}

    def check(self, ask: Ask) -> dict[str, str]:
        ask("tuning", read_tuning, self.tuning)
        return super().check(ask)


class WorldJobs(LifeJobs, frozen=True, tag="world"):
    """Agents live in a world for some ticks."""

    ticks: Ticks = 6_000
    policy: Literal["scripted", "random", "idle"] = "scripted"


class EnvJobs(LifeJobs, frozen=True, tag="env"):
    """An episode of some steps in each world of a pool, as a learner would see it."""

    steps: Ticks = 500
    policy: Literal["random", "idle"] = "random"
    pool: Annotated[int, Meta(ge=1, le=MAX_POOL)] = 16

    @property
    def seeds_a_job(self) -> int:
        return self.pool


class MatchJobs(JobTable, frozen=True, tag="match"):
    """A match. A sealed scenario draws from the seed, unless a secret is given."""

    scenario: Annotated[str, Meta(min_length=1)]
    agents: Annotated[list[str], Meta(min_length=1, max_length=MAX_SEATS)]
    max_turns: Count = 1000
    parameters: dict[str, Any] = {}
    secret: str = NO_SECRET

    def check(self, ask: Ask) -> dict[str, str]:
        code = super().check(ask)
        is_known = self.scenario in scenario_names()
        sound = list[str]()
        for agent in self.agents:
            sound += [agent] if ask("agents", self.seats, [*sound, agent]) else []
        if not is_known:
            if self.scenario:
                ask("scenario", make_scenario, self.scenario, {})
            return code
        for name, value in self.parameters.items():
            ask("parameters", scenario_parameters, self.scenario, {name: value})
        scenario = ask("parameters", make_scenario, self.scenario, self.parameters)
        if scenario is not None:
            ask("secret", choose_secret, self.scenario, self.parameters, self.secret)
            if self.agents:
                self.check_number(ask, scenario, [str(place) for place in range(len(self.agents))])
        seats = self.seats(sound) if sound else ()
        for spec in dict.fromkeys(seat.spec for seat in seats):
            alike = tuple(seat for seat in seats if seat.spec == spec)
            task = MatchTask(
                scenario=self.scenario,
                seats=alike,
                seed=0,
                max_turns=1,
                parameters=self.parameters if scenario else {},
            )
            code |= ask("agents", probe_seats, alike, task) or {}
        return code

    def check_number(self, ask: Ask, scenario: Scenario, ids: list[str]) -> None:
        """Check that this many agents may play."""
        ask("agents", take_seats, self.scenario, ids, getattr(scenario, "seats", (1, None)))

    def seats(self, agents: Sequence[str]) -> tuple[Seat, ...]:
        """The seats of these agents. Refuses one that cannot be read."""
        return parse_seats(agents)

    def task(self, seed: int) -> MatchTask:
        """The match of one job."""
        secret = choose_secret(self.scenario, self.parameters, self.secret)
        seats = parse_seats(self.agents)
        return MatchTask(
            scenario=self.scenario,
            seats=seats,
            seed=seed,
            max_turns=self.max_turns,
            parameters=self.parameters,
            secret=secret,
        )


class TournamentJobs(MatchJobs, frozen=True, tag="tournament"):
    """A round robin, in one worker; only its table is kept."""

    rounds: Count = 2
    table: Count | None = None

    def check_number(self, ask: Ask, scenario: Scenario, ids: list[str]) -> None:
        anybody = [f"{id}=random" for id in ids]
        ask("table", msgspec.structs.replace(self, agents=anybody, secret=NO_SECRET).plan, 0)

    def seats(self, agents: Sequence[str]) -> tuple[Seat, ...]:
        seats = parse_seats(agents)
        for seat in seats:
            check_id(seat.id)
        return seats

    def plan(self, seed: int) -> Plan:
        """The tournament of one job."""
        return make_plan(
            self.scenario,
            parse_seats(self.agents),
            seed=seed,
            rounds=self.rounds,
            table=self.table,
            max_turns=self.max_turns,
            parameters=self.parameters,
            secret=self.secret,
            logs=False,
        )


AnyTable: TypeAlias = VillageJobs | WorldJobs | EnvJobs | MatchJobs | TournamentJobs
KINDS: Final = {str(table.__struct_config__.tag): table for table in get_args(AnyTable)}


class Job(msgspec.Struct, frozen=True):
    """One job, numbered from 1 in the order of the plan, with everything on which its result
    depends."""

    number: int
    table: AnyTable
    seeds: tuple[int, ...]

    @property
    def kind(self) -> str:
        return str(self.table.__struct_config__.tag)

    @property
    def head(self) -> dict[str, Json]:
        """The members with which its row begins."""
        return {"job": self.number, "kind": self.kind, "seeds": list(self.seeds)}


class Fleet(msgspec.Struct, frozen=True):
    """A plan that was read, and the SHA-256 of the files of its agents."""

    tables: list[AnyTable]
    code: dict[str, str]

    def jobs(self) -> list[list[Job]]:
        """The jobs of each table."""
        groups: list[list[Job]] = []
        number = 0
        for table in self.tables:
            seeds = table.every_seed
            size = table.seeds_a_job
            pools = [tuple(seeds[begin : begin + size]) for begin in range(0, len(seeds), size)]
            groups.append(
                [Job(number + place, table, pool) for place, pool in enumerate(pools, start=1)]
            )
            number += len(pools)
        return groups

    def manifest(self) -> dict[str, Json]:
        """Everything on which the results depend."""
        given = {
            f"job[{number}].{name}": value
            for number, table in enumerate(self.tables)
            for name, value in msgspec.to_builtins(table).items()
        }
        own = {"format": "thorp.fleet", "fleet_version": VERSION, "thorp": __version__}
        return {**own, "given": given, "code": self.code}


def read_toml(data: bytes) -> dict[str, Any]:
    """The tables of a TOML file. Refuses, as a ContractError, text that is not TOML, and what would
    take too long to parse."""
    if any(line.count(b".") > MAX_DOTS for line in data.split(b"\n")):
        raise ContractError(
            [Violation("limit", ROOT, f"a line has more than {MAX_DOTS} dots; divide it")]
        )
    try:
        return tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as problem:
        why = "it nests too deeply" if isinstance(problem, RecursionError) else str(problem)
        raise ContractError([Violation("toml", ROOT, f"not a TOML file: {why:.200}")]) from None


def read_fleet(data: bytes) -> Fleet:
    """Read a plan. Raises a ContractError with everything that is wrong with it."""
    given = read_toml(data)
    violations = _unknown(ROOT, given, ["job"])
    listed = given.get("job")
    if not isinstance(listed, list) or not listed:
        violations.append(Violation("required", "$.job", "a plan has at least one [[job]] table"))
        listed = []
    tables: list[AnyTable] = []
    code: dict[str, str] = {}
    for number, entry in enumerate(listed):
        path = item("$.job", number)
        if table := _table(entry, path, violations):
            tables.append(table)
            code |= table.check(partial(_ask, path, violations))
    jobs = sum(-(-len(table.every_seed) // table.seeds_a_job) for table in tables)
    if jobs > MAX_JOBS:
        advice = f"{jobs} jobs, where {MAX_JOBS} are the most; divide the plan"
        violations.append(Violation("limit", "$.job", advice))
    if violations:
        raise ContractError(violations)
    return Fleet(tables, code)


def _ask(
    path: str, violations: list[Violation], key: str, call: Callable[..., Any], *given: Any
) -> Any:
    """Call a function; note a refusal as a violation at this key, once. See `Ask`."""
    try:
        return call(*given)
    except ThorpError as refusal:
        violation = Violation(refusal.code, member(path, key), refusal.message)
        violations += [] if violation in violations else [violation]
        return None


def _table(given: Any, path: str, violations: list[Violation]) -> AnyTable | None:
    """Read a table; None if its kind is unknown. A key whose value is wrong is reported, and left
    empty."""
    kind = given.get("kind") if isinstance(given, dict) else None
    table = KINDS.get(kind) if isinstance(kind, str) else None
    if table is None:
        violations.append(
            Violation("kind", f"{path}.kind", f"it must be one of {', '.join(KINDS)}")
        )
        return None
    violations += _unknown(path, given, ["kind", *table.__struct_fields__])
    values = _values(table, given, path, violations)
    if tuning := values.get("tuning"):
        violations += _unknown(f"{path}.tuning", tuning, Tuning.__struct_fields__)
        values["tuning"] = {
            name: tuning[name] for name in _values(Tuning, tuning, f"{path}.tuning", violations)
        }
    made: AnyTable = table(**values)
    return made


def _values(
    struct: type, given: dict[str, Any], path: str, violations: list[Violation]
) -> dict[str, Any]:
    """The values of a struct's keys. A wrong or missing one is reported, and left empty if it is
    required."""
    values = {}
    for field in msgspec.structs.fields(struct):
        where = member(path, field.name)
        if field.required:
            values[field.name] = _EMPTY[field.name]
        if field.name in given:
            try:
                value = msgspec.convert(given[field.name], field.type)
                if field.name != "tuning":  # whose keys are checked one by one
                    canonical_bytes(given[field.name])
                values[field.name] = value
            except ThorpError as refusal:
                violations.append(Violation(refusal.code, where, refusal.message))
            except msgspec.ValidationError as problem:
                reason, _, inner = str(problem).replace("`", "").partition(" - at $")
                is_choice = get_origin(field.type) is Literal
                fields = (
                    f"; it must be one of {', '.join(get_args(field.type))}" if is_choice else ""
                )
                violations.append(Violation("value", f"{where}{inner}", f"{reason}{fields}"))
        elif field.required:
            violations.append(Violation("required", where, f"jobs of kind {given['kind']} need it"))
    return values


def _unknown(path: str, given: dict[str, Any], names: Sequence[str]) -> list[Violation]:
    """A violation for each key that is not one of these names."""
    advice = f"there is no such key; known are {', '.join(names)}"
    return [
        Violation("unknown_key", member(path, key), advice) for key in given if key not in names
    ]

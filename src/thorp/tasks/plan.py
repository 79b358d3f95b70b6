"""The plan of a run: which rows are played, by whom, and how. All of it is data, in the run's
manifest."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from thorp import __version__
from thorp.arena.contract import Level, Limits, MatchTask, Seat
from thorp.arena.external.spec import BotSpec, ModelSpec, parse_spec
from thorp.arena.tournament.schedule import Fixture
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError
from thorp.tasks.record import Family, Row, Seed, Split, row_id
from thorp.tasks.suite import Suite
from thorp.workers.directory import RunKind

FORMAT: Final = "thorp.task-run"
RUN: Final = RunKind("run", "version", 1)
SCENARIO: Final = "task"
PERSON: Final = "person"
"""The spec of a person at a terminal. Nothing can prove that it was one."""

PlayerKind = Literal["bot", "model", "person", "program"]


class RowPlace(msgspec.Struct, frozen=True):
    """What a run notes of a row: where it stands in the suite, and how to begin it."""

    id: str
    task: str
    """With its version."""
    family: Family
    difficulty: int
    split: Split
    seed: Seed
    max_turns: int
    digest: str


def row_match(
    row: RowPlace, agent: Seat, limits: Limits, level: Level | UnsetType = UNSET
) -> MatchTask:
    """A row as a match of one agent. Its seed also decides what the agent itself draws."""
    return MatchTask(
        scenario=SCENARIO,
        seats=(agent,),
        seed=row.seed,
        max_turns=row.max_turns,
        parameters={"task": row_id(row.task, row.seed)},
        match_id=row.id,
        limits=limits,
        level=level,
    )


def place_of(row: Row) -> RowPlace:
    """What a run notes of a row."""
    return RowPlace(
        id=row.id,
        task=row.task_name,
        family=row.family,
        difficulty=row.difficulty,
        split=row.split,
        seed=row.seed,
        max_turns=row.max_turns,
        digest=row.digest,
    )


class RunPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What to play, and by whom: all inputs of a run, as data."""

    suite: str
    suite_digest: str
    agent: Seat
    rows: Annotated[tuple[RowPlace, ...], Meta(min_length=1)]
    limits: Limits = Limits()
    commitment: str = ""
    """Of a run over fresh rows: the digest of the secret that they were drawn from."""
    level: Level | UnsetType = UNSET
    """How a model is asked, where that was said."""

    @property
    def kind(self) -> PlayerKind:
        """What plays: a bot of Thorp's, a model, a person, or a program of somebody's."""
        if self.agent.spec == PERSON:
            return "person"
        spec = parse_spec(self.agent.spec)
        if isinstance(spec, ModelSpec):
            return "model"
        return "bot" if isinstance(spec, BotSpec) else "program"

    @property
    def split(self) -> Split:
        """The split of all of its rows."""
        return self.rows[0].split

    def match(self, row: RowPlace) -> MatchTask:
        """A row as a match."""
        return row_match(row, self.agent, self.limits, self.level)

    def fixtures(self) -> list[Fixture]:
        """The rows as a schedule."""
        return [Fixture(row.id, 1, (self.agent.id,)) for row in self.rows]

    def manifest(self, code: str | None) -> dict[str, Json]:
        """The content of `manifest.json`. `code` is the digest of the agent's file, if it is
        one."""
        plan: dict[str, Json] = msgspec.json.decode(msgspec.json.encode(self))
        plan["agent"]["sha256"] = code
        return {"format": FORMAT, "version": RUN.version, "thorp": __version__, **plan}


def plan_run(
    suite: Suite,
    rows: Sequence[Row],
    agent: Seat,
    *,
    limits: Limits | None = None,
    commitment: str = "",
    level: Level | UnsetType = UNSET,
) -> RunPlan:
    """The plan of a run. Refuses rows of several splits: a mean over them means nothing."""
    splits = sorted({row.split for row in rows})
    if len(splits) > 1:
        raise InvalidError(
            f"these rows are of {' and '.join(splits)}; choose one with --split", code="splits"
        )
    return RunPlan(
        suite=suite.name,
        suite_digest=suite.digest,
        agent=agent,
        rows=tuple(map(place_of, rows)),
        limits=limits or Limits(),
        commitment=commitment,
        level=level,
    )


class Revealed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is published about fresh rows after play."""

    secret: str
    failed: dict[str, str]
    """The oracle's score, for each row that it failed."""
    is_judged: bool
    """Whether the oracle has played; it may be elsewhere."""

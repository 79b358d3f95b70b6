"""The records of a suite: a *task* is a template, a *row* is that task at one seed.

A record is a line of JSON Lines in canonical form. Its `digest` is the SHA-256 of the line without
it, so that a changed task cannot pass for the old one: it is a new version. The suite's digest is
that of all lines, sorted by id.
"""

import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Annotated, Any, Final, Literal, Self

import msgspec
from msgspec import Meta

from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import DamagedError, InvalidError
from thorp.kernel.strict_json import StrictJson
from thorp.tasks.goal import Goal, read_goal
from thorp.tasks.numbers import PARAM, draw_numbers, fill

Family = Literal["live", "build", "trade", "remember", "govern", "society"]
Split = Literal["train", "dev", "test"]
SPLITS: Final[tuple[Split, ...]] = ("train", "dev", "test")
Reward = Literal["progress", "final"]

MAX_LINE_BYTES: Final = 64 << 10  # The longest record here has some 4 kB.
MAX_TURNS: Final = 2_000
MAX_TICKS: Final = 60_000  # Ten days of a world.
# Seeds that every interface can carry: OpenEnv's are smaller than 2 to the 32nd.
MAX_SEED: Final = 2**32 - 1

Name = Annotated[str, Meta(pattern="^[a-z]+(-[a-z][a-z0-9]*)*$", max_length=40)]
Seed = Annotated[int, Meta(ge=0, le=MAX_SEED)]

_JSON: Final = StrictJson(bytes_limit=MAX_LINE_BYTES, depth_limit=24, storable=True)
# No part of a task's id begins with a digit, so a number at the end is a seed.
_ID: Final = re.compile(
    r"(?P<task>[a-z]+(-[a-z][a-z0-9]*)*)(@(?P<version>[0-9]{1,4}))?(-(?P<seed>[0-9]{1,10}))?"
)


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every line of a suite has."""

    id: str
    digest: str = ""

    @classmethod
    def read(cls, line: bytes) -> Self:
        """The record of a line. Refuses one that is malformed, or whose digest is another's."""
        document = _JSON.read(line)
        try:
            record = msgspec.convert(document, cls)
        except msgspec.ValidationError as problem:
            raise InvalidError(f"no record of a task: {problem}", code="task") from None
        if record.digest != record.computed_digest:
            raise DamagedError(
                f"{record.id}: its digest is that of another record; a changed task is a new "
                "version",
                code="digest",
            )
        return record

    @property
    def fields(self) -> dict[str, Json]:
        """The record as JSON."""
        fields: dict[str, Json] = msgspec.to_builtins(self)
        return fields

    @property
    def line(self) -> bytes:
        """The record in its canonical form, with the end of the line."""
        return canonical_bytes(self.fields) + b"\n"

    @property
    def computed_digest(self) -> str:
        """The digest of what the record says."""
        fields = self.fields
        del fields["digest"]
        return sha256(canonical_bytes(fields)).hexdigest()

    def sealed(self) -> Self:
        """The same record with its digest."""
        return msgspec.structs.replace(self, digest=self.computed_digest)


class Task(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A template: what is asked for, in which world, and when it is over."""

    id: Name
    version: Annotated[int, Meta(ge=1, le=9_999)] = 1
    family: Family
    difficulty: Annotated[int, Meta(ge=1, le=3)]
    title: str
    engine: str
    params: dict[str, Any] = {}
    prompt: str
    """The task in words, for those who play it; `{site}` and other anchors of the engine are
    places."""
    tools: tuple[str, ...] = ()
    goal: dict[str, Any]
    never: tuple[dict[str, Any], ...] = ()
    """Goals that must not be reached: reaching one costs all points, for good."""
    max_turns: Annotated[int, Meta(ge=1, le=MAX_TURNS)]
    max_ticks: Annotated[int, Meta(ge=1, le=MAX_TICKS)] = MAX_TICKS
    canaries: tuple[str, ...] = ()
    """Shortcuts, by name, that must not be worth more than doing nothing."""

    @property
    def name(self) -> str:
        """The id with its version."""
        return f"{self.id}@{self.version}"

    @property
    def reward(self) -> Reward:
        """How the score is paid out. Progress can be paid as it is made only if nothing takes it
        back."""
        return "final" if self.never else "progress"

    def check(self) -> None:
        """Refuse goals that cannot be read. Places may still be relative."""
        numbers = draw_numbers(self.params.get(PARAM, {}), 0)
        read_goal(_without_anchors(fill(self.goal, numbers)))
        for number, tree in enumerate(self.never):
            read_goal(_without_anchors(fill(tree, numbers)), f"$.never[{number}]")


class Row(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A task at one seed, with its words and goal as they are there."""

    task: Name
    version: int
    family: Family
    difficulty: int
    seed: Seed
    split: Split
    prompt: str
    goal: dict[str, Any]
    never: tuple[dict[str, Any], ...] = ()
    max_turns: int
    max_ticks: int

    @property
    def task_name(self) -> str:
        """The task's id with its version."""
        return f"{self.task}@{self.version}"


class RowName(msgspec.Struct, frozen=True):
    """What an id names: a task, of a version or of the newest, and a seed if it names a row."""

    task: str
    version: int | None
    seed: int | None

    @classmethod
    def read(cls, text: str) -> "RowName":
        """Read `live-logs`, `live-logs@1`, `live-logs-1007` or `live-logs@1-1007`."""
        match = _ID.fullmatch(text)
        if match is None:
            raise InvalidError(
                f"no id of a task or row: {text!r:.60}; such as live-logs or live-logs-1007",
                code="task",
            )
        parts = match.groupdict()
        seed = parts["seed"]
        version = parts["version"]
        if seed is not None and int(seed) > MAX_SEED:
            raise InvalidError(f"seeds are at most {MAX_SEED}, not {seed}", code="task")
        return cls(
            task=parts["task"],
            version=None if version is None else int(version),
            seed=None if seed is None else int(seed),
        )


def row_id(task: str, seed: int) -> str:
    """The id of a task's row at a seed."""
    return f"{task}-{seed}"


def suite_digest(records: Iterable[Record]) -> str:
    """The digest of a suite: of all its lines, sorted by id."""
    lines = (record.line for record in sorted(records, key=lambda each: each.id))
    return sha256(b"".join(lines)).hexdigest()


def goals_of(record: Task | Row) -> tuple[Goal, tuple[Goal, ...]]:
    """What is to be reached and what is not, of a record whose places are absolute."""
    never = tuple(read_goal(tree, f"$.never[{number}]") for number, tree in enumerate(record.never))
    return read_goal(record.goal), never


def _without_anchors(tree: Json) -> Json:
    """A template's goal as if its places were absolute: to check it before its land is known."""
    if isinstance(tree, list):
        return [_without_anchors(each) for each in tree]
    if isinstance(tree, dict):
        return {name: _without_anchors(value) for name, value in tree.items() if name != "from"}
    return tree

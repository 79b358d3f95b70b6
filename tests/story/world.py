"""A ledger with a scripted writer for tests, and functions that make envelopes, proposals and
questions."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from thorp.kernel.canonical import Json
from thorp.simulator.proposals import ENGINE, bundle, entry, question, voice
from thorp.store import Connection
from thorp.story.answer import Answer
from thorp.story.config import StoryConfig
from thorp.story.ledger import read_calls
from thorp.story.schema import COLUMNS
from thorp.story.service import Ledger
from thorp.story.writer.moment import Moment, Words
from thorp.story.writer.offline import Line, ScriptedWriter
from thorp.story.writer.prompt import PromptMessage, render

__all__ = [
    "ENGINE",
    "SEQUENTIAL",
    "WatchedWriter",
    "World",
    "bundle",
    "change",
    "entry",
    "fault",
    "having",
    "question",
    "tamper",
    "voice",
    "without",
]

SEQUENTIAL = StoryConfig(ids="sequential")
"""The default configuration, with predictable ids."""


class WatchedWriter(ScriptedWriter):
    """A scripted writer that keeps the prompt of each call, as a model would have got it."""

    needs_setting = True

    def __init__(
        self,
        lines: Iterable[Line] = (),
        *,
        summaries: Iterable[str | Exception] = (),
        payloads: dict[str, str] | None = None,
        forever: Line = None,
    ) -> None:
        rest = itertools.repeat(forever) if forever is not None else ()
        super().__init__(itertools.chain(lines, rest), summaries=summaries)
        self.prompts: list[tuple[PromptMessage, ...]] = []
        self._payloads = payloads or {}

    def write(self, moment: Moment) -> Words:
        self.prompts.append(render(moment, self._payloads))
        return super().write(moment)

    @property
    def texts(self) -> list[str]:
        """Each prompt as one text."""
        return ["\n".join(message.content for message in prompt) for prompt in self.prompts]


class World:
    """A ledger, the writer it has, and requests with fresh ids."""

    def __init__(self, ledger: Ledger, writer: ScriptedWriter) -> None:
        self.ledger = ledger
        self.writer = writer
        self._numbers = itertools.count(1)

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: object) -> None:
        self.ledger.close()

    # Requests.

    def send(self, text: str = "Hello.", **members: Any) -> tuple[int, dict[str, Json]]:
        """Invoke with a valid envelope; `members` as for `envelope`."""
        return self.ledger.invoke(self.envelope(text, **members))

    def respond(self, text: str = "Hello.", **members: Any) -> Answer:
        return self.ledger.respond(self.envelope(text, **members))

    def stream(self, text: str = "Hello.", **members: Any) -> list[dict[str, Json]]:
        """The entries of the answer to a request that must succeed."""
        status, body = self.send(text, **members)
        assert status == 200, body
        entries: list[dict[str, Json]] = body["stream"]["entries"]
        return entries

    def refresh(self, cursor: str | None = None) -> dict[str, Json]:
        """The answer to a NO_OP."""
        status, body = self.send("", kind="NO_OP", cursor=cursor)
        assert status == 200, body
        return body

    def envelope(
        self,
        text: str = "Hello.",
        *,
        request_id: str | None = None,
        kind: str = "BEAT",
        cursor: str | None = None,
        declared: str | None = None,
        zone: str | None = None,
        pause: bool | None = None,
        intent: str | None = None,
        notes: str | None = None,
        invoker: str = "SYSTEM_INVOKER",
    ) -> dict[str, Json]:
        """A valid envelope, with a fresh id if none is given."""
        identity = self.ledger.config.identity
        return {
            "request_id": request_id or f"request-{next(self._numbers)}",
            "invoker": {
                "invoker_id": invoker,
                "invoker_role": identity.invoker_role,
                "notes": notes,
            },
            "operator": {"operator_id": identity.operator_id, "input_text": text},
            "mode": {"kind": kind, "client_intent": intent},
            "declared_overrides": {
                "time": {"declared_world_time": declared, "timezone": zone},
                "pause_time": pause,
            },
            "ui": {"stream_cursor": cursor, "client_timestamp_utc": None},
        }

    # What is stored.

    def rows(self, table: str) -> list[tuple[Any, ...]]:
        """Every row of a table, in the order of its columns."""
        columns = ", ".join(COLUMNS[table])
        return self.ledger.read(
            lambda connection: sorted(
                connection.execute(f"SELECT {columns} FROM {table}"), key=repr
            )
        )

    def calls(self) -> list[tuple[Any, ...]]:
        """What writers said: the beat, the number of the call in it, then the call."""
        beats = self.ledger.read(
            lambda connection: connection.execute("SELECT n, calls FROM story_beat ORDER BY n")
        )
        return [
            (beat, number, *call)
            for beat, text in beats
            for number, call in enumerate(read_calls(text))
        ]

    def counts(self) -> dict[str, int]:
        """How many rows each table of the ledger has, its founding aside."""
        counted = {table: len(self.rows(table)) for table in COLUMNS}
        return {**counted, "story_beat": counted["story_beat"] - 1, "story_world": 0}

    def bundles(self) -> int:
        """How many beats wrote something."""
        written = COLUMNS["story_beat"].index("bundle_id")
        return sum(row[written] is not None for row in self.rows("story_beat"))

    def texts(self) -> list[str]:
        """The text of every entry, in ledger order."""
        return [row[9] for row in sorted(self.rows("story_entry"))]

    def outcomes(self) -> list[str]:
        """What the audit says of the writer, beat by beat."""
        return [row[3] for row in sorted(self.rows("story_beat")) if row[2] == "BEAT"]

    def outcome(self) -> str:
        """What it says of the last beat."""
        return self.outcomes()[-1]

    def packs(self, kind: str) -> list[tuple[Any, ...]]:
        """Anchors or rehydrations, in the order of beats."""
        return sorted(
            (row for row in self.rows("story_pack") if row[2] == kind), key=lambda row: row[1]
        )


# Proposals that are wrong.


def without(value: dict[str, Json], *path: str) -> dict[str, Json]:
    """A copy without the member at a path."""
    changed, inside = _copied(value, path)
    del inside[path[-1]]
    return changed


def having(value: dict[str, Json], *path: str, put: Json) -> dict[str, Json]:
    """A copy with another member at a path."""
    changed, inside = _copied(value, path)
    inside[path[-1]] = put
    return changed


def _copied(
    value: dict[str, Json], path: tuple[str, ...]
) -> tuple[dict[str, Json], dict[str, Json]]:
    """A copy, and the object in it that has the member at the path."""
    changed = inside = copy.deepcopy(value)
    for key in path[:-1]:
        inside = inside[key]
    return changed, inside


# Faults and tampering.

_BREAK = {
    "sqlite": "CREATE TRIGGER story_fault BEFORE INSERT ON {table} WHEN {when} "
    "BEGIN SELECT RAISE(ABORT, 'an injected fault'); END",
    "postgresql": "CREATE TRIGGER story_fault BEFORE INSERT ON {table} FOR EACH ROW WHEN ({when}) "
    "EXECUTE FUNCTION story_refuse()",
}
_MEND = {"sqlite": "DROP TRIGGER story_fault", "postgresql": "DROP TRIGGER story_fault ON {table}"}


@contextmanager
def fault(world: World, table: str, when: str = "1 = 1") -> Iterator[None]:
    """Within the block, inserting a row for which the condition holds fails."""
    change(world, {dialect: sql.format(table=table, when=when) for dialect, sql in _BREAK.items()})
    try:
        yield
    finally:
        change(world, {dialect: sql.format(table=table) for dialect, sql in _MEND.items()})


def change(world: World, statements: dict[str, str]) -> None:
    """Execute a statement on the database directly, past the ledger."""

    def work(connection: Connection) -> None:
        connection.execute(statements[connection.dialect])

    world.ledger._database.submit(work).result()


def tamper(world: World, statement: str, table: str) -> None:
    """Change rows of an append-only table, after dropping the triggers that guard it."""
    for name in ("update", "delete", "replace"):
        change(
            world,
            {
                "sqlite": f"DROP TRIGGER IF EXISTS {table}_{name}",
                "postgresql": f"DROP TRIGGER IF EXISTS {table}_change ON {table}",
            },
        )
    change(world, {"sqlite": statement, "postgresql": statement})

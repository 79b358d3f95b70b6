"""The call graph of the engines, as it is observed: who calls whom while something runs.

Each engine is a module or a package. Whoever calls is the nearest engine further out on the stack, so that
what stands between engines (values, contracts, wiring) does not hide a call.

A storage fault at a chosen row: the database itself refuses it, as it would a row it cannot store.

The posture scan: no part of a story may steer it. Words of pacing and engagement have no place in its
code.

A finding names the file and the line. Lists of phrases that are refused must spell them, and are passed over.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final, NamedTuple

from thorp.store import Connection
from thorp.story.testing.world import World

ENGINES: Final = {
    "thorp.story.ledger": 0,
    "thorp.story.invocation": 1,
    "thorp.story.beat": 2,
    "thorp.story.clock": 3,
    "thorp.story.knowledge": 4,
    "thorp.story.scene": 5,
    "thorp.story.capsules": 6,
    "thorp.story.tools": 7,
    "thorp.story.retrieval": 8,
    "thorp.story.writer": 9,
    "thorp.story.acceptance": 10,
    "thorp.story.tables": 11,
    "thorp.story.projection": 12,
}
ALLOWED: Final = {
    0: {11},
    1: {0, 2},
    2: {0, 3, 5, 9, 10, 12},
    3: {11},
    4: set(),
    5: {6, 8, 9},
    6: {8, 9},
    7: {5, 6, 8},
    8: {4, 11},
    9: {7},
    10: {0},
    11: set(),
    12: {0, 3, 4},
}
"""Whom each engine may call. Retrieval may ask knowledge, which is a pure function."""


def engine_of(frame: FrameType) -> int | None:
    name = frame.f_globals.get("__name__", "")
    while name:
        if name in ENGINES:
            return ENGINES[name]
        name = name.rpartition(".")[0]
    return None


@contextmanager
def observed(edges: set[tuple[int, int]]) -> Iterator[None]:
    """Add every call between engines to a set, in all threads that start meanwhile and in this one."""

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        if event != "call":
            return
        called = engine_of(frame)
        if called is None:
            return
        outer = frame.f_back
        while outer is not None:
            caller = engine_of(outer)
            if caller is not None:
                if caller != called:
                    edges.add((caller, called))
                return
            outer = outer.f_back

    before, before_here = threading.getprofile(), sys.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield
    finally:
        threading.setprofile(before)
        sys.setprofile(before_here)


_BREAK = {
    "sqlite": "CREATE TRIGGER story_fault BEFORE INSERT ON {table} WHEN {when} "
    "BEGIN SELECT RAISE(ABORT, 'an injected fault'); END",
    "postgresql": "CREATE TRIGGER story_fault BEFORE INSERT ON {table} FOR EACH ROW WHEN ({when}) "
    "EXECUTE FUNCTION story_refuse()",
}
_MEND = {"sqlite": "DROP TRIGGER story_fault", "postgresql": "DROP TRIGGER story_fault ON {table}"}


@contextmanager
def fault(world: World, table: str, when: str = "1 = 1") -> Iterator[None]:
    """Until the end, this table takes no new row for which a condition holds."""
    change(world, {dialect: sql.format(table=table, when=when) for dialect, sql in _BREAK.items()})
    try:
        yield
    finally:
        change(world, {dialect: sql.format(table=table) for dialect, sql in _MEND.items()})


def change(world: World, statements: dict[str, str]) -> None:
    """Execute a statement behind the ledger's back, as somebody with the database's password could."""

    def work(connection: Connection) -> None:
        connection.execute(statements[connection.dialect])

    world.ledger._database.submit(work).result()


def tamper(world: World, statement: str, table: str) -> None:
    """Change rows of an append-only table, its guards taken away first."""
    for name in ("update", "delete", "replace"):
        change(
            world,
            {
                "sqlite": f"DROP TRIGGER IF EXISTS {table}_{name}",
                "postgresql": f"DROP TRIGGER IF EXISTS {table}_change ON {table}",
            },
        )
    change(world, {"sqlite": statement, "postgresql": statement})


WORDS: Final = (
    "engagement",
    "pacing",
    "dramatic",
    "drama",
    "boredom",
    "bored",
    "tension",
    "excitement",
    "interestingness",
    "cliffhanger",
    "retention",
)
PASSED_OVER: Final = ("banned_phrases.py",)
SUFFIXES: Final = (".py", ".md", ".json", ".toml", ".txt")
_WORD = re.compile(rf"(?<![a-z])({'|'.join(WORDS)})(?![a-z])", re.IGNORECASE)


class Finding(NamedTuple):
    file: Path
    line: int
    word: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.word}"


def scan(roots: Iterable[Path]) -> list[Finding]:
    """Every place under these directories where something speaks of steering a story."""
    return [finding for root in roots for file in _files(root) for finding in _scan_file(file)]


def _files(root: Path) -> list[Path]:
    return [
        file
        for file in sorted(root.rglob("*"))
        if file.suffix in SUFFIXES and file.name not in PASSED_OVER and "testing" not in file.parts
    ]


def _scan_file(file: Path) -> list[Finding]:
    return [
        Finding(file, number, found[1].lower())
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1)
        for found in _WORD.finditer(line)
    ]

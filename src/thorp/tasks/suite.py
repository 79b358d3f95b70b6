"""A suite: tasks and their rows, frozen under a name, a version and a digest."""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, TypeVar

import msgspec

from thorp.kernel.errors import DamagedError, InvalidError, UnknownError
from thorp.tasks.episode import Episode
from thorp.tasks.record import Record, Row, RowName, Split, Task, suite_digest

NAME: Final = "Thorp Tasks 1"
SUITE: Final = "tasks-1"
TASKS_FILE: Final = "tasks.jsonl"
ROWS_FILE: Final = "rows.jsonl"
ABOUT_FILE: Final = "suite.json"
VERSION: Final = 1

R = TypeVar("R", bound=Record)


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a suite is cited by: its name, its version, and the digest of all its lines."""

    name: str
    version: int
    digest: str


class Suite:
    """Tasks by their ids, and their rows in splits."""

    def __init__(
        self, name: str, tasks: Sequence[Task], rows: Sequence[Row], version: int = VERSION
    ) -> None:
        self.name = name
        self.version = version
        self.tasks = {task.id: task for task in tasks}
        self.rows = {row.id: row for row in rows}
        self.digest = suite_digest([*tasks, *rows])

    def task(self, text: str) -> Task:
        """The task that an id names, with or without version and seed."""
        name = RowName.read(text)
        task = self.tasks.get(name.task)
        if task is None:
            raise UnknownError(
                f"{self.name} has no task {name.task!r}; `thorp task list` shows all", code="task"
            )
        if name.version is not None and name.version != task.version:
            raise UnknownError(
                f"{self.name} has {task.name}, not version {name.version}", code="version"
            )
        return task

    def open(self, text: str) -> Episode:
        """A new run of the row that an id names. Its seed need not be one of the suite's."""
        name = RowName.read(text)
        task = self.task(text)
        if name.seed is None:
            raise InvalidError(
                f"{text} is a task; name a row of it, such as {text}-{self._example_seed(task)}",
                code="row",
            )
        return Episode(task, name.seed)

    def select(
        self, text: str | None = None, *, split: Split | None = None, limit: int | None = None
    ) -> list[Row]:
        """Rows of a task, a family or everything (None), in the suite's order. An id of a row is
        that row."""
        rows = [row for row in self._named(text) if split is None or row.split == split]
        if not rows:
            where = "" if split is None else f" in {split}"
            others = sorted({row.split for row in self._named(text)})
            there = f"; they are in {' and '.join(others)}" if others else ""
            raise UnknownError(f"{self.name} has no rows of {text}{where}{there}", code="rows")
        return rows[:limit]

    def _named(self, text: str | None) -> Iterator[Row]:
        if text is None:
            yield from self.rows.values()
            return
        if text in {task.family for task in self.tasks.values()}:
            yield from (row for row in self.rows.values() if row.family == text)
            return
        task = self.task(text)
        seed = RowName.read(text).seed
        for row in self.rows.values():
            if row.task == task.id and seed in (None, row.seed):
                yield row

    def _example_seed(self, task: Task) -> int:
        return next((row.seed for row in self.rows.values() if row.task == task.id), 1)


def read_suite(folder: Traversable) -> Suite:
    """The suite in a folder: what it is called, its tasks and its rows. Refuses one whose lines are
    not those that its digest names."""
    about = _read_about(folder / ABOUT_FILE)
    tasks = _read_lines(folder / TASKS_FILE, Task)
    for task in tasks:
        task.check()
    suite = Suite(about.name, tasks, _read_lines(folder / ROWS_FILE, Row), about.version)
    if suite.digest != about.digest:
        raise DamagedError(
            f"{about.name}: its lines have the digest {suite.digest[:12]}…, not "
            f"{about.digest[:12]}…; some were changed, added or left out",
            code="digest",
        )
    return suite


def _read_about(file: Traversable) -> About:
    if not file.is_file():
        raise UnknownError(f"{file}: no suite of tasks here", code="suite")
    try:
        return msgspec.json.decode(file.read_bytes(), type=About)
    except msgspec.DecodeError as problem:
        raise InvalidError(f"{file}: {problem}", code="suite") from None


def _read_lines(file: Traversable, kind: type[R]) -> list[R]:
    return [kind.read(line) for line in file.read_bytes().splitlines()]


@cache
def default_suite() -> Suite:
    """The suite that comes with Thorp."""
    return read_suite(files(__package__) / "suites" / SUITE)

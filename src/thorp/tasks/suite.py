"""A suite: tasks and their rows, frozen under a name, a version and a digest."""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, TypeVar

from thorp.kernel.errors import InvalidError, UnknownError
from thorp.tasks.episode import Episode
from thorp.tasks.record import Record, Row, RowName, Split, Task, suite_digest

NAME: Final = "Thorp Tasks 1"
SUITE: Final = "tasks-1"
TASKS_FILE: Final = "tasks.jsonl"
ROWS_FILE: Final = "rows.jsonl"

R = TypeVar("R", bound=Record)


class Suite:
    """Tasks by their ids, and their rows in splits."""

    def __init__(self, name: str, tasks: Sequence[Task], rows: Sequence[Row]) -> None:
        self.name = name
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
            raise UnknownError(f"{self.name} has no rows of {text}{where}", code="rows")
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


def read_suite(folder: Traversable, name: str = NAME) -> Suite:
    """The suite in a folder: a file of tasks and a file of rows."""
    tasks = _read_lines(folder / TASKS_FILE, Task)
    for task in tasks:
        task.check()
    rows_file = folder / ROWS_FILE
    rows = _read_lines(rows_file, Row) if rows_file.is_file() else []
    return Suite(name, tasks, rows)


def _read_lines(file: Traversable, kind: type[R]) -> list[R]:
    return [kind.read(line) for line in file.read_bytes().splitlines()]


@cache
def default_suite() -> Suite:
    """The suite that comes with Thorp."""
    return read_suite(files(__package__) / "suites" / SUITE)

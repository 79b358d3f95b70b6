"""A small suite for tests: three tasks of the family `live`, and rows that are not proven."""

from functools import cache
from typing import Final

from thorp.tasks import Episode, Row, Suite, Task
from thorp.tasks.record import Split

PLACES: Final[dict[Split, tuple[int, int]]] = {"train": (1, 4), "dev": (11, 12), "test": (21, 22)}
_FIELDS: Final = {"family": "live", "engine": "world", "tools": ("mine_nearest", "go_to", "wait")}


def tasks() -> list[Task]:
    """One to gather, one whose reward comes at the end only, and one that waiting solves."""
    gather = Task(
        id="try-logs",
        difficulty=1,
        title="Gather two logs",
        prompt="You stand at {home}. Gather 2 logs.",
        goal={"have": {"LOG": 2}},
        max_turns=12,
        **_FIELDS,  # type: ignore[arg-type]
    )
    careful = Task(
        id="try-careful",
        difficulty=1,
        title="Gather a log, and no dirt",
        prompt="Gather a log. Never carry dirt.",
        goal={"all": [{"have": {"LOG": 1}}, {"lasted": 60}]},
        never=({"have": {"DIRT": 1}},),
        max_turns=20,
        **_FIELDS,  # type: ignore[arg-type]
    )
    patient = Task(
        id="try-patience",
        difficulty=1,
        title="Let ten ticks pass",
        prompt="Wait for ten ticks.",
        goal={"lasted": 10},
        max_turns=6,
        **_FIELDS,  # type: ignore[arg-type]
    )
    return [gather.sealed(), careful.sealed(), patient.sealed()]


def rows(task: Task) -> list[Row]:
    """The rows of a task."""
    return [
        Episode(task, seed).row(split)
        for split, (first, last) in PLACES.items()
        for seed in range(first, last + 1)
    ]


@cache
def table() -> Suite:
    """The suite."""
    every = tasks()
    return Suite("Trial", every, [row for task in every for row in rows(task)])

"""The private half of the suite, which is neither in the wheel nor in the image."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from thorp.tasks import Suite, Task, read_suite
from thorp.tasks.proof import Oracles, Proof, read_proofs
from thorp.tasks.suite import SUITE

FOLDER = Path(__file__).parent.parent.parent / "suites" / SUITE
FROZEN = Path(__file__).parent.parent.parent / "src" / "thorp" / "tasks" / "suites" / SUITE


@cache
def suite() -> Suite:
    return read_suite(FROZEN)


@cache
def oracles() -> Oracles:
    return Oracles(FOLDER)


@cache
def proofs() -> dict[str, Proof]:
    return read_proofs(FOLDER)


def first_rows() -> list[str]:
    """A row of each task: that of its first test seed."""
    rows = suite().rows.values()
    return list({row.task: row.id for row in reversed(rows) if row.split == "test"}.values())


def task_of(row: str) -> Task:
    return suite().task(row)

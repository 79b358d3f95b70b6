"""Exactly once, on a disk that breaks.

`thorp.simulator.town_lives` has the client and the promises. Here its power is cut, or
its disk fails, at every single change to the disk in turn; and many seeds have several accidents
in a row.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from thorp.simulator.lives import BrokenPromise
from thorp.simulator.script_lives import KINDS, Accident, Peace
from thorp.simulator.town_lives import STEPS, TownLives
from thorp.store import Connection
from thorp.town import tables

SCRIPT = 37
"""A seed whose script has steps of every kind."""
CHUNKS = 4
LONG_SEEDS = 30


@cache
def undisturbed() -> Peace:
    return TownLives(SCRIPT, accidents=()).live_in_peace()


def test_the_script_has_steps_of_every_kind() -> None:
    assert {kind for kind, _ in TownLives(SCRIPT).script} == set(STEPS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize(
    "seeds",
    [range(1), pytest.param(range(1, LONG_SEEDS), marks=pytest.mark.long)],
    ids=["short", "long"],
)
def test_an_accident_at_any_change_to_the_disk(kind: str, chunk: int, seeds: range) -> None:
    peace = undisturbed()
    assert peace.changes > 60
    for seed in seeds:
        for change in range(1 + chunk, peace.changes + 1, CHUNKS):
            number = seed * peace.changes + change
            accident = Accident(kind, change, memory_kept=number % 3 == 0, crashes=number % 2 == 1)
            TownLives(SCRIPT, disk_seed=number, accidents=[accident], peace=peace).run()


LONG_FIRSTS = [pytest.param(each, marks=pytest.mark.long) for each in range(100, 5_000, 50)]


@pytest.mark.parametrize("first", [0, 50, *LONG_FIRSTS])
def test_several_accidents_in_a_row(first: int) -> None:
    for seed in range(first, first + 50):
        TownLives(seed).run()


def test_an_effect_without_a_receipt_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test can fail: a world that changes a town and leaves out the receipt does not pass."""
    execute = tables.execute

    def careless(connection: Connection, handoff: Any, text: str) -> Any:
        class Deaf:
            dialect = connection.dialect

            def execute(self, sql: str, params: Any = ()) -> Any:
                return [] if "INTO town_receipt" in sql else connection.execute(sql, params)

        return execute(Deaf(), handoff, text)

    monkeypatch.setattr(tables, "execute", careless)
    with pytest.raises(BrokenPromise, match="receipt"):
        TownLives(0, accidents=()).run()

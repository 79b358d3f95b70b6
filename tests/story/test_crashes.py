"""All or nothing, on a disk that breaks.

`thorp.simulator.story_lives` has the client and the promises. Here its power is cut, or
its disk fails, at every single change to the disk in turn; and many seeds have several accidents
in a row.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from thorp.simulator.lives import BrokenPromise
from thorp.simulator.script_lives import KINDS, Accident, Peace
from thorp.simulator.story_lives import STEPS, StoryLives

SCRIPT = 5
"""A seed whose script has steps of every kind."""
STRIDE = 5
"""The normal run takes every fifth change to the disk; the long one takes all of them, several
times."""
LONG_SEEDS = 10


@cache
def undisturbed() -> Peace:
    return StoryLives(SCRIPT, accidents=()).live_in_peace()


def test_the_script_has_steps_of_every_kind() -> None:
    assert {kind for kind, _ in StoryLives(SCRIPT).script} == set(STEPS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("seeds", "stride"),
    [(range(1), STRIDE), pytest.param(range(1, LONG_SEEDS), 1, marks=pytest.mark.long)],
    ids=["short", "long"],
)
def test_an_accident_at_any_change_to_the_disk(kind: str, seeds: range, stride: int) -> None:
    peace = undisturbed()
    assert peace.changes > 60
    for seed in seeds:
        for change in range(1 + len(kind) % stride, peace.changes + 1, stride):
            number = seed * peace.changes + change
            accident = Accident(kind, change, memory_kept=number % 3 == 0, crashes=number % 2 == 1)
            StoryLives(SCRIPT, disk_seed=number, accidents=[accident], peace=peace).run()


LONG_FIRSTS = [pytest.param(each, marks=pytest.mark.long) for each in range(50, 5_000, 50)]


@pytest.mark.parametrize("first", [0, *LONG_FIRSTS])
def test_several_accidents_in_a_row(first: int) -> None:
    for seed in range(first, first + 50):
        StoryLives(seed).run()


def test_a_beat_without_its_answer_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test can fail: a ledger that keeps a beat and forgets its answer does not pass."""
    from thorp.story.tables import Tables

    insert = Tables.insert

    def careless(self: Tables, rows: Any) -> None:
        insert(self, [row for row in rows if row[0] != "story_pack"])

    monkeypatch.setattr(Tables, "insert", careless)
    with pytest.raises(BrokenPromise, match="not sound"):
        StoryLives(SCRIPT, accidents=()).run()

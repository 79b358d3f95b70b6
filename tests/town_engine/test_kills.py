"""Processes that are really killed while they govern. What they were told is there, once, with its
effect."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.accidents import LONGEST_LIFE_S, live_and_die
from tests.postgres import Cluster
from tests.town_engine.worlds import TOWN
from thorp.town.service import EmbeddedTown

KILLS = 4
LONG_KILLS = 100

kills = pytest.mark.parametrize("count", [KILLS, pytest.param(LONG_KILLS, marks=pytest.mark.long)])


def kill_governors(url: str, count: int) -> None:
    random = Random(count)
    told: dict[str, str] = {}
    with EmbeddedTown(url, seed=3) as world:
        world.create_town(TOWN)
    for _ in range(count):
        answers = live_and_die(
            "tests.town_engine.kill_child", url, TOWN, seconds=random.uniform(0, LONGEST_LIFE_S)
        )
        assert not set(answers) & set(told), "a key was executed twice"
        told |= answers
        with EmbeddedTown(url, create=False) as world:
            assert world.verify().difference is None
            for key, result_id in told.items():
                receipt = world.receipt(key)
                assert receipt is not None
                assert receipt["resultId"] == result_id


@kills
def test_killed_governors_on_sqlite(tmp_path: Path, count: int) -> None:
    kill_governors(f"sqlite:///{tmp_path}/town.db", count)


@kills
@pytest.mark.real("postgresql")
def test_killed_governors_on_postgresql(postgres: Cluster, count: int) -> None:
    kill_governors(postgres.make_schema(), count)

"""Processes that are really killed while they govern. What they were told is there, once, with its effect."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random

import pytest

from tests.postgres import Cluster
from tests.town_engine.worlds import TOWN
from thorp.town.service import EmbeddedTown

KILLS = 4
LONG_KILLS = 100
END_TIMEOUT_S = 60
LONGEST_LIFE_S = 0.15
REPOSITORY = Path(__file__).parents[2]

kills = pytest.mark.parametrize("count", [KILLS, pytest.param(LONG_KILLS, marks=pytest.mark.long)])


def live_and_die(url: str, life_s: float) -> dict[str, str]:
    """Let a child govern until it has said something, and a moment more; return what it was told."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.town_engine.kill_child", url, TOWN],
        cwd=REPOSITORY,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    )
    watchdog = threading.Timer(END_TIMEOUT_S, process.kill)
    watchdog.start()
    assert process.stdout is not None
    first = process.stdout.readline()
    time.sleep(life_s)
    process.kill()
    watchdog.cancel()
    rest, errors = process.communicate(timeout=END_TIMEOUT_S)
    assert first, errors.decode()
    lines = (first + rest).split(b"\n")[:-1]
    return dict(line.decode().split() for line in lines)


def kill_governors(url: str, count: int) -> None:
    random = Random(count)
    told: dict[str, str] = {}
    with EmbeddedTown(url, seed=3) as world:
        world.create_town(TOWN)
    for _ in range(count):
        answers = live_and_die(url, random.uniform(0, LONGEST_LIFE_S))
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
    kill_governors(postgres.make_database(), count)

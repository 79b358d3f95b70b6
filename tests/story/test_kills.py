"""Processes that are really killed while they tell. What they were told is there, once, to the byte."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random

import pytest

from tests.postgres import Cluster
from tests.story.kill_child import envelope
from thorp.story import open_ledger
from thorp.story.writer import ScriptedWriter

KILLS = 3
LONG_KILLS = 60
END_TIMEOUT_S = 60
LONGEST_LIFE_S = 0.15
REPOSITORY = Path(__file__).parents[2]

kills = pytest.mark.parametrize("count", [KILLS, pytest.param(LONG_KILLS, marks=pytest.mark.long)])


def live_and_die(url: str, life: int, seconds: float) -> dict[str, str]:
    """Let a child tell until it has said something, and a moment more; return what it was answered."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.story.kill_child", url, str(life)],
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
    time.sleep(seconds)
    process.kill()
    watchdog.cancel()
    rest, errors = process.communicate(timeout=END_TIMEOUT_S)
    assert first, errors.decode()
    lines = (first + rest).split(b"\n")[:-1]
    return dict(line.decode().split() for line in lines)


def kill_tellers(url: str, count: int) -> None:
    random = Random(count)
    told: dict[str, str] = {}
    for life in range(count):
        told |= live_and_die(url, life, random.uniform(0, LONGEST_LIFE_S))
        with open_ledger(url, writer=ScriptedWriter(), create=False) as ledger:
            assert ledger.verify().difference is None
            before = ledger.tip()
            for request_id, known in told.items():
                answer = ledger.respond(envelope(request_id))
                assert answer.replayed
                assert hashlib.sha256(answer.body.encode()).hexdigest() == known
            assert ledger.tip() == before


@kills
def test_killed_tellers_on_sqlite(tmp_path: Path, count: int) -> None:
    kill_tellers(f"sqlite:///{tmp_path}/story.db", count)


@kills
@pytest.mark.real("postgresql")
def test_killed_tellers_on_postgresql(postgres: Cluster, count: int) -> None:
    kill_tellers(postgres.make_database(), count)

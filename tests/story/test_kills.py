"""Processes that are really killed while they tell. What they were told is there, once, to the
byte."""

from __future__ import annotations

import hashlib
from pathlib import Path
from random import Random

import pytest

from tests.accidents import LONGEST_LIFE_S, live_and_die
from tests.postgres import Cluster
from tests.story.kill_child import envelope
from thorp.story import open_ledger
from thorp.story.writer import ScriptedWriter

KILLS = 3
LONG_KILLS = 60

kills = pytest.mark.parametrize("count", [KILLS, pytest.param(LONG_KILLS, marks=pytest.mark.long)])


def kill_tellers(url: str, count: int) -> None:
    random = Random(count)
    told: dict[str, str] = {}
    for life in range(count):
        told |= live_and_die(
            "tests.story.kill_child", url, str(life), seconds=random.uniform(0, LONGEST_LIFE_S)
        )
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
    kill_tellers(postgres.make_schema(), count)

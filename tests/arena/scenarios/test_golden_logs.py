"""Logs of matches recorded once, reproduced to the byte."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.arena.scenarios.golden import FILE, outcome, play
from thorp.arena.scenarios import BUILT_IN_SCENARIOS

RECORDS = json.loads(FILE.read_text("utf-8"))


def name(record: dict[str, Any]) -> str:
    return "-".join([record["scenario"], *record["agents"], str(record["seed"])])


def test_every_scenario_has_golden_matches() -> None:
    assert {record["scenario"] for record in RECORDS} == set(BUILT_IN_SCENARIOS)


@pytest.mark.parametrize("record", RECORDS, ids=name)
def test_the_log_is_as_recorded(record: dict[str, Any]) -> None:
    assert outcome(play(record)) == record["expect"]

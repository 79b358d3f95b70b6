"""Plans: complete, sorted, refused before anything is played; and the same when read from a
manifest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.arena.tournament.small import FIELD, small_plan
from thorp.arena.contract import Limits, Seat
from thorp.arena.tournament import make_plan, match_seed
from thorp.arena.tournament.plan import read_plan
from thorp.arena.tournament.run import probe_entrants
from thorp.kernel.canonical import canonical_bytes
from thorp.kernel.errors import ThorpError
from thorp.kernel.identity import digest


def test_a_plan_does_not_depend_on_the_order_of_entry() -> None:
    assert small_plan(entrants=FIELD[::-1]) == small_plan()
    assert small_plan().ids == ("alice", "bob", "carol")


def test_parameters_are_completed() -> None:
    assert small_plan(parameters={"maximum": 9}).parameters == {"maximum": 9, "minimum": 1}


def test_a_task_holds_all_of_its_match() -> None:
    plan = small_plan(seed=5, limits=Limits(turn_seconds=3))
    first, *_ = schedule = plan.schedule()
    task = next(plan.tasks(schedule))
    assert task.match_id == first.key
    assert tuple(seat.id for seat in task.seats) == first.seats
    assert task.seed == match_seed(5, first.key)
    assert (task.max_turns, task.limits.turn_seconds) == (20, 3)


def test_the_manifest_reads_back_and_has_no_clock() -> None:
    plan = small_plan(parameters={"maximum": 50.5})
    manifest = plan.manifest({"bob": "0" * 64})
    assert read_plan(json.loads(canonical_bytes(manifest))) == plan
    assert manifest == plan.manifest({"bob": "0" * 64})
    assert [entrant["sha256"] for entrant in manifest["entrants"]] == [None, "0" * 64, None]
    assert manifest["thorp"]
    assert manifest["standings"] == 2
    assert "mirrored" not in manifest


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({"entrants": ()}, "no_agents", "--agent"),
        ({"entrants": FIELD[:1]}, "entrants", "at least 2"),
        ({"entrants": (*FIELD, FIELD[0])}, "entrants", "'alice'"),
        ({"entrants": (*FIELD, Seat("x" * 101, "random"))}, "id", "1 to 100"),
        ({"entrants": (*FIELD, Seat("\udc80", "random"))}, "id", "not Unicode"),
        ({"parameters": {"colour": 1}}, "parameter", "minimum"),
        ({"parameters": {"maximum": "ten"}}, "parameter", "maximum"),
        ({"rounds": 0}, "rounds", "at least 1"),
        ({"max_turns": 0}, "max_turns", "max_turns"),
        ({"seed": 2**53 + 2}, "seed", "2^53"),
        ({"table": 9}, "table", "1 to 8"),
    ],
)
def test_refusals(changes: dict[str, Any], code: str, words: str) -> None:
    with pytest.raises(ThorpError) as refusal:
        small_plan(**changes)
    assert refusal.value.code == code
    assert words in str(refusal.value)


def test_a_table_that_the_scenario_does_not_have_is_refused() -> None:
    field = [Seat(id, "random") for id in "abc"]
    assert make_plan("connect-four", field).table == 2
    with pytest.raises(ThorpError, match="connect-four is not for a table of 3; it seats 2 to 2"):
        make_plan("connect-four", field, table=3)


def test_unknown_scenario() -> None:
    with pytest.raises(ThorpError, match="unknown scenario 'chess'; known: "):
        make_plan("chess", FIELD)


def test_other_manifests_are_refused() -> None:
    manifest = small_plan().manifest({})
    for other in ({}, {**manifest, "format": "thorp.journal"}):
        with pytest.raises(ThorpError, match="no manifest of a tournament"):
            read_plan(other)
    with pytest.raises(ThorpError, match="cannot be read"):
        read_plan({**manifest, "rounds": "two"})


def test_every_entrant_is_looked_at_before_the_first_match() -> None:
    with pytest.raises(
        ThorpError, match="carol: unknown agent 'clever' for number-guess; known: baseline"
    ):
        probe_entrants(small_plan(entrants=(*FIELD[:2], Seat("carol", "clever"))))
    with pytest.raises(ThorpError, match=r"carol: .*no-such-command"):
        probe_entrants(small_plan(entrants=(*FIELD[:2], Seat("carol", "cmd:no-such-command"))))


def test_the_code_of_an_agent_from_a_file_is_part_of_the_manifest(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text(
        "class Bot:\n    def init(self, config): pass\n    def act(self, observation, ctx): "
        "return {}\n"
    )
    plan = small_plan(entrants=(*FIELD[:2], Seat("dave", f"{file}:Bot")))
    assert probe_entrants(plan) == {"dave": digest(file.read_bytes())}

"""Python classes as agents, in a process of their own, playing as they would in ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.arena.external.matches import PLAYERS, hosted, outcomes, play_match
from tests.arena.external.players import hosted as classes
from thorp.arena import MatchConfig, run_match
from thorp.arena.contract import Limits
from thorp.arena.external import protocol
from thorp.arena.scenarios import NumberGuess
from thorp.arena.scenarios.number_guess import INVALID_GUESS
from thorp.kernel.errors import InvalidError

ONE = {"guess": 1}


@pytest.mark.parametrize("name", ["Drawing", "Odd", "Heedful"])
def test_the_log_is_that_of_the_same_class_in_process(name: str) -> None:
    turns = 20
    outside = play_match(hosted(name), "random", max_turns=turns, maximum=10**6)
    agents = [getattr(classes, name)("seat-1"), classes.RandomAgent("seat-2")]
    inside = run_match(NumberGuess(maximum=10**6), agents, MatchConfig(5, turns))
    assert outside.jsonl == inside.jsonl


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("NoArgument", [ONE] * 3),
        ("Loud", [ONE] * 3),
        ("Neighbourly", ["hello from next door"] * 3),
        ("Exits", ["agent process ended (exit code 7)"] * 3),
        ("Interrupts", ["agent process ended (signal 2)"] * 3),
        ("InitFails", ["no licence"]),
        ("BuildFails", ["no room for seat-1"]),
        ("Forks", [ONE] * 3),
    ],
)
def test_what_comes_of_each_turn(name: str, expected: list[object]) -> None:
    first = play_match(hosted(name))
    assert outcomes(first) == expected
    assert play_match(hosted(name)).jsonl == first.jsonl


def test_an_endless_loop() -> None:
    hasty = Limits(turn_seconds=0.3)
    assert (
        outcomes(play_match(hosted("Endless"), max_turns=2, limits=hasty))
        == ["no action within 0.3 s"] * 2
    )


def test_a_memory_bomb_spoils_its_turn_and_nothing_else() -> None:
    limit = Limits(turn_seconds=30, match_seconds=60, memory_mib=256)
    assert outcomes(play_match(hosted("Bomb"), limits=limit)) == ["out of memory"] * 3


def test_sets_have_the_same_order_in_every_run() -> None:
    assert play_match(hosted("Unhashed")).jsonl == play_match(hosted("Unhashed")).jsonl


def test_a_hosted_agent_hears_what_became_of_its_last_turn() -> None:
    refused = {"error": INVALID_GUESS}
    assert outcomes(play_match(hosted("Heedful"), max_turns=4)) == [
        {"heard": "nothing"},
        "out of ideas",
        {"heard": {"turn": 2, "valid": False, "feedback": {"error": "out of ideas"}}},
        {"heard": {"turn": 3, "valid": False, "feedback": refused}},
    ]


def test_a_hosted_agent_knows_what_is_played() -> None:
    [told, *_] = outcomes(play_match(hosted("Informed"), maximum=77))
    assert told[:4] == ["seat-1", "number-guess", {"minimum": 1, "maximum": 77}, 3]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (f"{PLAYERS}/absent.py:Agent", "there is no file"),
        (hosted("Absent"), "there is no class Absent in it"),
        (hosted("not_a_class"), "there is no class not_a_class in it"),
        (hosted("NoAct"), "the class has no method act"),
        (hosted("NoInit"), "the class has no method init"),
        (hosted("Wants"), "the class must be built with the agent's id alone, or with nothing"),
    ],
)
def test_what_is_no_agent_is_refused_before_the_match(spec: str, message: str) -> None:
    with pytest.raises(InvalidError, match=message):
        play_match(spec)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("def (", "SyntaxError: "),
        ("raise SystemExit(4)", "SystemExit: 4"),
        (
            "import os\nos._exit(9)",
            r"it did not load: agent process ended \(exit code 9\); no word from it",
        ),
        ("import os\nprint('oh dear')\nos._exit(9)", r"\(exit code 9\); oh dear"),
        ("x = bytearray(1 << 40)", "MemoryError: "),
        ("while True: pass", r"it did not load within 1\.5 s"),
    ],
)
def test_a_file_that_does_not_load(
    source: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if source.startswith("while"):
        monkeypatch.setattr(protocol, "START_SECONDS", 1.5)
    path = tmp_path / "broken.py"
    path.write_text(source)
    with pytest.raises(InvalidError, match=message):
        play_match(f"{path}:Agent")


def test_files_in_the_working_directory_stand_in_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("raise RuntimeError('the wrong json')")
    monkeypatch.chdir(tmp_path)
    assert outcomes(play_match(hosted("NoArgument"))) == [ONE] * 3

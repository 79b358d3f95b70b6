"""Every game of OpenSpiel through the adapter, with the real package."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from io import BytesIO
from typing import Any

import pyspiel
import pytest

from tests.arena.stubs import always
from thorp.arena import MatchConfig, MatchResult, run_match
from thorp.arena.events import LogReader
from thorp.arena.exhibition.open_spiel import games
from thorp.arena.registry import (
    agent_kinds,
    make_agent,
    make_scenario,
    scenario_parameters,
    scenario_with_name,
)
from thorp.arena.testing import check_scenario
from thorp.arena.verify import find_difference
from thorp.kernel.errors import InvalidError

TURNS = 3_000  # Random laser tag takes some two thousand moves.
SECRET = bytes(range(32))


def play(game: str, seed: int = 7, **parameters: Any) -> MatchResult:
    scenario: Any = make_scenario(f"open-spiel:{game}", parameters)
    seats = range(scenario.seats[0])
    agents = [make_agent(f"open-spiel:{game}", "random", f"s{seat}") for seat in seats]
    secret = SECRET if scenario.sealed else None
    return run_match(scenario, agents, MatchConfig(seed, TURNS, secret=secret))


def test_as_many_games_as_the_page_says() -> None:
    assert len(games()) == 116


@pytest.mark.parametrize("game", games())
def test_a_game_plays_to_its_end_and_again_to_the_byte(game: str) -> None:
    match = play(game)
    assert match.reason == "completed", match.error
    assert b'"valid":false' not in match.jsonl
    assert b"AgentError" not in match.jsonl
    scenario = make_scenario(f"open-spiel:{game}", {})
    config = MatchConfig(7, TURNS, secret=SECRET if scenario.sealed else None)  # type: ignore[attr-defined]
    ids = match.events[0]["agentIds"]
    reader = LogReader(BytesIO(match.jsonl))
    assert find_difference(reader, scenario, ids, config) is None


DIGESTS = """
import hashlib, json, sys
from tests.exhibition.check_open_spiel import games, play
print(json.dumps({game: hashlib.sha256(play(game).jsonl).hexdigest() for game in games()}))
"""


def test_another_process_writes_the_same_bytes() -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    done = subprocess.run(
        [sys.executable, "-c", DIGESTS], capture_output=True, check=True, env=environment
    )
    theirs = json.loads(done.stdout.splitlines()[-1])
    assert theirs == {game: hashlib.sha256(play(game).jsonl).hexdigest() for game in games()}


@pytest.mark.parametrize(
    "game", ["leduc_poker", "goofspiel", "negotiation", "tarok", "pig", "tic_tac_toe", "hanabi"]
)
def test_the_adapter_keeps_the_rules_of_a_scenario(game: str) -> None:
    name = f"open-spiel:{game}"
    check_scenario(
        lambda: make_scenario(name, {}),
        agents=[lambda id: make_agent(name, "random", id)],
        matches=2,
    )


def test_a_seat_sees_its_information_state_and_who_moves() -> None:
    scenario: Any = make_scenario("open-spiel:kuhn_poker", {})
    state = scenario.init(3, ("a", "b"))
    (mover,) = scenario.to_act(state)
    assert mover == "a"
    for seat, id in enumerate(("a", "b")):
        view = scenario.observe(state, id)
        assert view["view"] == state.spiel.information_state_string(seat)
        assert bool(view["legal"]) == view["toMove"] == (id == mover)
    assert str(state.spiel) not in json.dumps(scenario.observe(state, "a"))
    before = str(state.spiel)
    after = scenario.adjudicate(state, "a", {"action": "Bet"}).state
    assert str(state.spiel) == before != str(after.spiel)
    assert not scenario.adjudicate(state, "b", {"action": 0}).valid
    assert not scenario.adjudicate(state, "a", {"action": 2}).valid
    assert not scenario.adjudicate(state, "a", {"action": "fold"}).valid


def test_white_is_seat_1_in_chess() -> None:
    scenario: Any = make_scenario("open-spiel:chess", {})
    state = scenario.init(1, ("black", "white"))
    assert scenario.to_act(state) == ("white",)
    assert len(scenario.observe(state, "white")["legal"]) == 20


def test_silent_seats_get_the_lowest_move() -> None:
    for game in ("tic_tac_toe", "matrix_rps", "goofspiel"):
        scenario: Any = make_scenario(f"open-spiel:{game}", {})
        match = run_match(scenario, [always("s0", None), always("s1", {})], MatchConfig(1, 100))
        assert match.reason == "completed"
        missed = match.events[-2]["summary"]["missed"]
        assert sum(missed) == match.jsonl.count(b'"type":"ActionSubmitted"')


def test_parameters_are_the_games_own() -> None:
    assert scenario_parameters("open-spiel:kuhn_poker", {})["players"] == 2
    assert make_scenario("open-spiel:kuhn_poker", {"players": 3}).seats == (3, 3)  # type: ignore[attr-defined]
    with pytest.raises(InvalidError, match="no parameter"):
        make_scenario("open-spiel:kuhn_poker", {"decks": 3})
    with pytest.raises(InvalidError, match="OpenSpiel refuses"):
        make_scenario("open-spiel:kuhn_poker", {"players": 300})
    tensor = make_scenario("open-spiel:kuhn_poker", {"tensor": True})
    assert len(tensor.observe(tensor.init(1, "ab"), "a")["tensor"]) == 7


@pytest.mark.parametrize(
    "game",
    [
        *("mfg_garnet", "chat_game", "crossword", "morpion_solitaire"),
        *("repeated_game", "misere", "efg_game"),
    ],
)
def test_what_is_no_match_is_refused_with_the_reason(game: str) -> None:
    with pytest.raises(InvalidError, match=f"open-spiel:{game} is not played here: ") as caught:
        make_scenario(f"open-spiel:{game}", {})
    assert caught.value.code == "refused_game"


def test_names() -> None:
    with pytest.raises(InvalidError, match="no game 'ludo'; it has: 2048, "):
        make_scenario("open-spiel:ludo", {})
    assert agent_kinds("open-spiel:chess") == ["random"]
    assert scenario_with_name("open-spiel:chess") == "open-spiel:chess"
    assert "pyspiel" in pyspiel.__name__

"""Every offline game of TextArena through the adapter, with the real package."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
from io import BytesIO
from typing import Any

import pytest

from thorp.arena import MatchConfig, MatchResult, run_match
from thorp.arena.events import LogReader
from thorp.arena.exhibition.textarena import NEEDS_3_12, REFUSED, games, module_of
from thorp.arena.registry import agent_kinds, make_agent, make_scenario, scenario_with_name
from thorp.arena.testing import check_scenario
from thorp.arena.verify import find_difference
from thorp.kernel.errors import InvalidError

TURNS = 12
SECRET = bytes(range(32))
ONE_OF_EACH = {module_of(game): game for game in reversed(games())}


def seats_of(game: str) -> int:
    """How many seats a game takes, two if it can."""
    for seats in (2, 1, 3, 4, 5, 6):
        try:
            scenario = make_scenario(f"textarena:{game}", {})
            scenario.init(1, [f"s{seat}" for seat in range(seats)])
        except InvalidError:
            continue
        return seats
    raise AssertionError(f"{game} takes no number of seats")


def play(game: str) -> MatchResult:
    name = f"textarena:{game}"
    agents = [make_agent(name, "random", f"s{seat}") for seat in range(seats_of(game))]
    return run_match(make_scenario(name, {}), agents, MatchConfig(7, TURNS, secret=SECRET))


def test_as_many_games_as_the_page_says() -> None:
    expected = 71 if sys.version_info < (3, 12) else 71 + len(NEEDS_3_12)
    assert len(ONE_OF_EACH) == expected


@pytest.mark.parametrize("game", sorted(ONE_OF_EACH.values()))
def test_a_game_plays_and_again_to_the_byte(game: str) -> None:
    random.seed(5)
    before = random.getstate()
    match = play(game)
    assert random.getstate() == before
    assert match.reason in ("completed", "maxTurnsReached"), match.error
    random.seed(99)  # Whatever the global generator holds, the match is the same.
    ids = match.events[0]["agentIds"]
    config = MatchConfig(7, TURNS, secret=SECRET)
    scenario = make_scenario(f"textarena:{game}", {})
    assert find_difference(LogReader(BytesIO(match.jsonl)), scenario, ids, config) is None


DIGESTS = """
import hashlib, json, sys
from tests.exhibition.check_textarena import ONE_OF_EACH, play
digests = {game: hashlib.sha256(play(game).jsonl).hexdigest() for game in ONE_OF_EACH.values()}
print(json.dumps(digests))
"""


def test_another_process_writes_the_same_bytes() -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    done = subprocess.run(
        [sys.executable, "-c", DIGESTS], capture_output=True, check=True, env=environment
    )
    theirs = json.loads(done.stdout.splitlines()[-1])
    ours = {g: hashlib.sha256(play(g).jsonl).hexdigest() for g in ONE_OF_EACH.values()}
    assert [game for game in ours if ours[game] != theirs[game]] == []


@pytest.mark.parametrize("game", ["KuhnPoker-v0", "2048-v0", "Blackjack-v0"])
def test_the_adapter_keeps_the_rules_of_a_scenario(game: str) -> None:
    class Fixed:
        """The adapter takes any number of seats up to fifteen, and the game fewer."""

        def __init__(self) -> None:
            self.scenario: Any = make_scenario(f"textarena:{game}", {})
            self.seats = (seats_of(game), seats_of(game))

        def __getattr__(self, name: str) -> Any:
            return getattr(self.scenario, name)

    bots = [lambda id: make_agent(f"textarena:{game}", "random", id)]
    check_scenario(Fixed, agents=bots, matches=2)


def test_a_number_of_seats_that_the_game_refuses() -> None:
    with pytest.raises(InvalidError, match="textarena:Nim-v0 refuses 5 seats") as caught:
        make_scenario("textarena:Nim-v0", {}).init(1, list("abcde"))
    assert caught.value.code == "seats"


@pytest.mark.parametrize(
    "game", ["Hangman-v0", "Wordle-v0", "Debate-v0", "Sokoban-v0", "CharacterConclave-v0"]
)
def test_what_is_refused_is_never_imported(game: str) -> None:
    with pytest.raises(InvalidError, match=f"textarena:{game} is not played here: ") as caught:
        make_scenario(f"textarena:{game}", {})
    assert caught.value.code == "refused_game"
    assert module_of(game) in REFUSED
    assert f"textarena.envs.{module_of(game)}.env" not in sys.modules


def test_names() -> None:
    for name in ("Nim-v0-raw", "Nim-v0-train", "Ludo-v0"):
        with pytest.raises(InvalidError, match="has no game"):
            make_scenario(f"textarena:{name}", {})
    assert agent_kinds("textarena:Nim-v0") == ["random"]
    assert scenario_with_name("textarena:Nim-v0") == "textarena:Nim-v0"

"""`League 1` is frozen: its digest, its games, and the rules they are played by."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from thorp.arena import MatchConfig, run_match
from thorp.arena.registry import make_agent, make_scenario, scenario_parameters
from thorp.arena.suite import LEAGUE_1, suite_digest
from thorp.voxel.persistence.record import RULES

DIGEST = "a5c6bafe916b9f65732995c3dd74c43dabdec5b3916490e823560c0392a77bf2"
GAMES: dict[str, dict[str, Any]] = {game["name"]: game for game in LEAGUE_1["games"]}

# The SHA-256 of the log of one match of each game, by its bots: if one changes, its rules have.
RULES_AS_PLAYED: dict[str, tuple[list[str], str]] = {
    "connect-four": (["greedy", "random"], "5e9a532db985d9cd"),
    "nim": (["perfect", "random"], "1424432d4ae13d5a"),
    "kuhn-poker": (["honest", "random"], "5af8a0a23d9dc30d"),
    "leduc-poker": (["honest", "random"], "e044e8cf3b03bc9f"),
    "liars-dice": (["odds", "random"], "db223d9da2f5c0b8"),
    "negotiation": (["trading", "random"], "549281f534d40e90"),
    "impostor": (["careful", "blunt", "random"], "fc7f9f48c600a35d"),
    "fireworks": (["signalling", "random"], "d442909336623ac4"),
    "town-council": (["ranked"], "72d5925a2d296893"),
}


def test_the_suite_is_frozen() -> None:
    """Whoever changes this digest makes another suite, under another name."""
    assert (LEAGUE_1["name"], LEAGUE_1["version"]) == ("League 1", 1)
    assert suite_digest(LEAGUE_1) == DIGEST


def test_it_has_ten_games_with_complete_parameters() -> None:
    assert len(GAMES) == 10
    for name, game in GAMES.items():
        complete = scenario_parameters(name, {})
        shown = {key: list(v) if type(v) is tuple else v for key, v in complete.items()}
        assert game["parameters"] == shown, name
        assert game["scenario"] == name
        assert set(game) == {
            *("name", "version", "kind", "scenario", "parameters"),
            *("max_turns", "seed", "deals", "worst"),
        }
        assert (game["kind"] == "scores") == (game["deals"] > 0)


def test_its_versions_are_those_of_the_rules() -> None:
    for name, game in GAMES.items():
        rules = RULES if name == "voxel-survival" else getattr(make_scenario(name, {}), "rules", 1)
        assert game["version"] == rules, name


@pytest.mark.parametrize("name", RULES_AS_PLAYED)
def test_the_rules_are_as_they_were_played(name: str) -> None:
    kinds, expected = RULES_AS_PLAYED[name]
    agents = [make_agent(name, kind, f"{kind}-{seat}") for seat, kind in enumerate(kinds)]
    game = GAMES[name]
    scenario = make_scenario(name, game["parameters"])
    match = run_match(scenario, agents, MatchConfig(seed=1, max_turns=game["max_turns"]))
    assert match.reason == "completed"
    assert hashlib.sha256(match.jsonl).hexdigest()[:16] == expected

"""The reference table: the commands that `make league` gives are those of the suite."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from thorp.arena.league import Game, default_suite
from thorp.arena.registry import scenario_parameters
from thorp.cli.options import MatchOptions

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "scripts"))

import league  # type: ignore[import-not-found]  # noqa: E402


@pytest.mark.parametrize("game", default_suite().games, ids=lambda game: game.name)
def test_the_parameters_of_a_game_come_back_from_its_options(game: Game) -> None:
    """Written as Python says them, `False` would be a text, and the command refused."""
    words = league.settings(game)
    assert words[::2] == ["--set"] * len(game.parameters)
    read = MatchOptions(parameter=words[1::2]).parameters()
    assert read == game.parameters
    assert scenario_parameters(game.scenario, read) == game.parameters

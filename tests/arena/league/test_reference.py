"""The reference table: the commands that `make league` gives are those of the suite."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from thorp.arena.league import Game, default_suite
from thorp.arena.registry import scenario_parameters
from thorp.cli.options import MatchOptions

SCRIPT = Path(__file__).parents[3] / "scripts" / "league.py"


def script() -> ModuleType:
    """The program behind `make league`."""
    spec = spec_from_file_location("reference_table", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("game", default_suite().games, ids=lambda game: game.name)
def test_the_parameters_of_a_game_come_back_from_its_options(game: Game) -> None:
    """Written as Python says them, `False` would be a text, and the command refused."""
    words = script().settings(game)
    assert words[::2] == ["--set"] * len(game.parameters)
    read = MatchOptions(parameter=words[1::2]).parameters()
    assert read == game.parameters
    assert scenario_parameters(game.scenario, read) == game.parameters

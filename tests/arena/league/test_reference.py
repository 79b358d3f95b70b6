"""The reference table: what `make league` plays is the suite, and what is published is whole."""

from __future__ import annotations

import hashlib
import json
import shutil
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import jsonschema
import pytest

from tests.cli.command import run
from thorp.arena.league import Game, default_suite
from thorp.arena.registry import scenario_parameters
from thorp.cli.options import MatchOptions

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "scripts" / "league.py"
KEPT = ROOT / "suites" / "league-1"
BOARD = KEPT / "leaderboard.json"


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


def test_the_published_table_is_of_the_suite_that_is_here() -> None:
    board = json.loads(BOARD.read_bytes())
    jsonschema.validate(board, json.loads((ROOT / "schemas/leaderboard.schema.json").read_bytes()))
    assert board["suite"] == default_suite().document()
    played = {game for row in board["agents"] for game in row["played"]}
    assert played == {game.name for game in default_suite().games}
    statuses = {row["id"]: row["status"] for row in board["agents"]}
    assert statuses.pop("local") == "recorded"
    assert {*statuses.values()} == {"reproduced"}


def test_the_page_shows_the_published_table() -> None:
    program = script()
    table = program.reference_table(json.loads(BOARD.read_bytes()))
    page = (ROOT / "docs/league.md").read_text()
    assert f"{program.BEGIN}\n\n{table}\n{program.END}" in page


def test_the_log_is_complete_and_ends_with_the_table(tmp_path: Path) -> None:
    log = tmp_path / "log"
    shutil.copytree(KEPT / "log", log)
    audited = run("thorp", "log", "audit", log, "--key", log / "log.vkey")
    assert audited.returncode == 0, audited.stderr
    results = json.loads(BOARD.read_bytes())["results"]
    assert f"{results} matches were announced, {results} of them came" in audited.stdout.decode()
    *_, last = sorted(path for path in (log / "tile/entries").rglob("*") if path.is_file())
    assert hashlib.sha256(BOARD.read_bytes()).hexdigest().encode() in last.read_bytes()[-400:]
    whole = log / "tile/entries/000"
    whole.write_bytes(whole.read_bytes().replace(b"minimax", b"maximin", 1))
    assert run("thorp", "log", "audit", log, "--key", log / "log.vkey").returncode == 1


def test_recorded_replies_are_of_the_deals_of_the_suite() -> None:
    """A deal that others have played and the model has not would count as its worst."""
    program = script()
    (folder,) = program.REPLIES.iterdir()
    rounds = program.ROUNDS_BY_SCORE[folder.name]
    names = sorted(file.name for file in folder.iterdir())
    assert names == [f"r{number:02}-m0002-local.replies.jsonl" for number in range(1, rounds + 1)]

"""The games that are published play again on any machine, without the model: `suites/minds-1`."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import refused, thorp
from thorp.models.embedded.cache import CACHE_VARIABLE
from thorp.models.recorded_choices import RecordedGames

SUITE = Path(__file__).parents[2] / "suites/minds-1"
GAMES = SUITE / "voxel-survival-improved.jsonl.gz"
RUN = ("match", "run", "voxel-survival", "--agent", "local", "--replies", GAMES)
SEED = 50_001
BYTES_LIMIT = 3 << 20

pytestmark = pytest.mark.usefixtures("_without_the_model")


@pytest.fixture
def _without_the_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "no-models"))
    monkeypatch.setitem(sys.modules, "xllamacpp", None)


def row_of(scenario: str, agent: str) -> dict[str, Any]:
    rows = map(json.loads, (SUITE / "rows.jsonl").read_text().splitlines())
    return next(row for row in rows if (row["scenario"], row["agent"]) == (scenario, agent))


def points_of(scenario: str, agent: str, seed: int) -> int:
    row = row_of(scenario, agent)
    points: int = row["points"][seed - row["first_seed"]]
    return points


def test_a_published_game_plays_again_to_its_points_and_its_log_is_verified(
    tmp_path: Path,
) -> None:
    log = tmp_path / "again.jsonl"
    done = thorp(*RUN, "--seed", str(SEED), "--out", log)
    assert (done.returncode, done.stderr) == (0, b"")
    ended = json.loads(log.read_bytes().splitlines()[-1])
    assert ended["scores"] == {"local-1": points_of("voxel-survival", "improved", SEED)}
    assert ended["reason"] == "completed"
    verified = thorp("match", "verify", log)
    assert verified.returncode == 0, verified.stderr
    assert b"played again: local-1" in verified.stdout


def test_a_game_that_was_broken_off_ends_there_and_says_so(tmp_path: Path) -> None:
    """A short one, cut by us: those of the suite take too long for a test."""
    games = RecordedGames.from_bytes(GAMES.read_bytes()).to_jsonl().splitlines()
    game = next(row for row in map(json.loads, games[1:]) if row["seed"] == SEED)
    game.update(turns=12, letters=game["letters"][:10], prompts=game["prompts"][:80])
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(games[0] + b"\n" + json.dumps(game).encode() + b"\n")
    done = thorp(*RUN[:-1], cut, "--seed", str(SEED), "--out", "-")
    assert done.returncode == 0
    assert b"the recorded game was broken off after turn 12" in done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["reason"] == "maxTurnsReached"


def test_another_question_than_was_recorded_is_said_in_one_line(tmp_path: Path) -> None:
    text = RecordedGames.from_bytes(GAMES.read_bytes()).to_jsonl().splitlines()
    game = next(row for row in map(json.loads, text[1:]) if row["seed"] == SEED)
    game["prompts"] = game["prompts"][:24] + "00000000" + game["prompts"][32:]
    changed = tmp_path / "changed.jsonl"
    changed.write_bytes(text[0] + b"\n" + json.dumps(game).encode() + b"\n")
    done = thorp(*RUN[:-1], changed, "--seed", str(SEED), "--max-turns", "12", "--out", "-")
    (line,) = done.stderr.decode().splitlines()
    assert "question 4 is not the one that was recorded" in line


def test_a_seed_that_was_not_played_is_refused() -> None:
    said = refused(thorp(*RUN, "--seed", "1"))
    assert "no game of seed 1 is recorded; there are 50000 to 50099" in said


def test_what_is_published_is_small_and_whole() -> None:
    assert sum(path.stat().st_size for path in SUITE.rglob("*") if path.is_file()) < BYTES_LIMIT
    for path in sorted(SUITE.glob("voxel-*.jsonl.gz")):
        scenario, _, agent = path.name.removesuffix(".jsonl.gz").rpartition("-")
        games = RecordedGames.from_bytes(gzip.decompress(path.read_bytes()))
        row = row_of(scenario, agent)
        seeds = range(row["first_seed"], row["first_seed"] + len(row["points"]))
        assert sorted(games.games) == list(seeds)
        decisions = [len(games.games[seed].letters) for seed in seeds]
        assert decisions == row["decisions"]


def test_the_log_of_what_is_published_is_whole_and_has_each_file() -> None:
    public = SUITE / "log"
    key = public / "log.vkey"
    audited = thorp("log", "audit", public, "--key", key)
    assert audited.returncode == 0, audited.stderr
    assert not list(SUITE.rglob("key"))
    for name in ("rows.jsonl", "curves.jsonl", *(path.name for path in SUITE.glob("*.gz"))):
        proof = SUITE / "proofs" / f"{name}.tlog-proof"
        proven = thorp("log", "verify", proof, SUITE / name, "--key", key)
        assert proven.returncode == 0, (name, proven.stderr)

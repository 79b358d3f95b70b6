"""A tournament with models, played again from their replies: no endpoint, and the same bytes."""

from __future__ import annotations

from pathlib import Path

import pytest
from aiohttp import web

from tests.cli.command import run as run_command
from tests.models.loopback import serving
from thorp.arena.contract import Seat
from thorp.arena.league import default_suite
from thorp.arena.league.batch import read_evidence
from thorp.arena.tournament import InlinePool, make_plan, run_tournament
from thorp.kernel.errors import ThorpError
from thorp.store import RealDisk

DISK = RealDisk()


async def say_the_same(request: web.Request) -> web.StreamResponse:
    """An endpoint that always says the same."""
    return web.json_response({"choices": [{"message": {"content": '{"take": [0, 1]}'}}]})


def play(path: Path, model: str = "model:small", recorded: Path | None = None) -> Path:
    seats = [Seat("me", model), Seat("random", "random")]
    plan = make_plan("nim", seats, seed=42, rounds=1, max_turns=1000, mirrored=True)
    run_tournament(plan, path, InlinePool(), DISK, recorded=recorded)
    return path


@pytest.fixture
def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tournament that a model has played; the endpoint is gone afterwards."""
    with serving(say_the_same) as url:
        monkeypatch.setenv("THORP_MODEL_URL", f"{url}/v1")
        monkeypatch.setenv("THORP_MODEL_KEY", "")
        played = play(tmp_path / "live")
    monkeypatch.delenv("THORP_MODEL_URL")
    return played


def test_replies_give_the_same_tournament_without_a_model(live: Path, tmp_path: Path) -> None:
    again = play(tmp_path / "again", recorded=live / "logs")
    for file in sorted(path for path in live.rglob("*") if path.is_file()):
        assert (again / file.relative_to(live)).read_bytes() == file.read_bytes(), file.name
    for reproduce in (False, True):
        batch = read_evidence(DISK, again, default_suite(), reproduce=reproduce).batch
        statuses = {seat.seat: seat.status for seat in batch.seats}
        assert statuses == {"me": "recorded", "random": "reproduced"}


def test_a_match_without_its_recording_is_refused_before_anything(
    live: Path, tmp_path: Path
) -> None:
    next((live / "logs").glob("*.replies.jsonl")).unlink()
    with pytest.raises(ThorpError, match=r"no such recording; give the logs folder") as refusal:
        play(tmp_path / "again", recorded=live / "logs")
    assert refusal.value.code == "no_recording"
    assert not (tmp_path / "again").exists()


def test_replies_of_another_model_are_none(live: Path, tmp_path: Path) -> None:
    """Its questions differ by its name, so every turn fails, and nothing counts."""
    again = play(tmp_path / "again", "model:other", recorded=live / "logs")
    (me, _) = read_evidence(DISK, again, default_suite()).batch.seats
    assert me.valid == 0
    assert me.gate is not None


def test_the_command_takes_a_recording(live: Path, tmp_path: Path) -> None:
    command = ["thorp", "tournament", "run", "nim", "--agent", "me=model:small"]
    command += ["--agent", "random=random", "--rounds", "1", "--mirrored", "--workers", "1"]
    command += ["--replies", str(live / "logs"), "--out", str(tmp_path / "again"), "--json"]
    done = run_command(*command)
    assert done.returncode == 0, done.stderr
    standings = (live / "standings.json").read_bytes()
    assert (tmp_path / "again" / "standings.json").read_bytes() == standings

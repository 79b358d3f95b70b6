"""A challenge plays what tells most, in steps that can be repeated and added."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.arena.league.test_league import DISK, STILL, SUITE, council, play
from thorp.arena.contract import Seat
from thorp.arena.league import League, add_to_league, make_table
from thorp.arena.league.challenge import Challenge, Step
from thorp.arena.tournament import InlinePool
from thorp.kernel.errors import ThorpError


@pytest.fixture
def league(tmp_path: Path) -> League:
    play(tmp_path / "one", "ann=random", "bo=baseline", rounds=4)
    council(tmp_path / "two", "ann=idle", "bo=simple", rounds=2)
    add_to_league(DISK, tmp_path / "l", [tmp_path / "one", tmp_path / "two"], SUITE)
    return League(DISK, tmp_path / "l")


def challenge(league: League, spec: str, out: Path) -> tuple[Challenge, list[Step]]:
    steps: list[Step] = []
    made = Challenge(DISK, league, Seat("me", spec), out)
    made.play(4, InlinePool, lambda _, step: steps.append(step))
    return made, steps


def test_a_challenger_is_placed_by_what_tells_most(league: League, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(STILL.replace('{"guess": 50}', '{"guess": ctx.turn * 9 % 100}'))
    made, steps = challenge(league, f"{bot}:Still", tmp_path / "out")
    assert [step.game.name for step in steps].count("council") == 1
    assert {step.opponent for step in steps if step.opponent} == {"random", "baseline"}
    tells = [step.tells for step in steps if step.opponent]
    assert tells == sorted(tells, reverse=True)
    table = made.table()
    assert "me" in {row.id for row in table.agents}
    again, _ = challenge(league, f"{bot}:Still", tmp_path / "out")
    assert again.table().to_bytes() == table.to_bytes()
    add_to_league(DISK, league.path, made.folders, SUITE)
    assert make_table(DISK, League(DISK, league.path)).to_bytes() == table.to_bytes()


def test_a_bot_challenges_where_it_plays(league: League, tmp_path: Path) -> None:
    _, steps = challenge(league, "ranked", tmp_path / "out")
    assert [(step.game.name, step.opponent, step.deals) for step in steps] == [("council", None, 2)]


def test_a_challenger_that_plays_nothing_is_refused(league: League, tmp_path: Path) -> None:
    with pytest.raises(ThorpError, match="minimax plays no game of Small"):
        Challenge(DISK, league, Seat("me", "minimax"), tmp_path / "out")
    made = Challenge(DISK, league, Seat("me", "random"), tmp_path / "out")
    with pytest.raises(ThorpError, match="1 to 1000 steps, not 0"):
        made.play(0, InlinePool, lambda *_: None)

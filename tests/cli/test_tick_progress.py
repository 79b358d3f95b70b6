"""How far ticks were executed: lines on standard error where there is no terminal."""

from __future__ import annotations

import re

import pytest

from thorp.cli import tick_progress
from thorp.cli.tick_progress import show_ticks


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line for each tick."""
    monkeypatch.setattr(tick_progress, "LINE_SECONDS", 0)


def test_a_line_tells_how_far_it_is(hurried: None, capsys: pytest.CaptureFixture[str]) -> None:
    with show_ticks(40, quiet=False) as watch:
        watch(10)
        watch(20)
    printed = capsys.readouterr()
    assert printed.out == ""
    first, second = printed.err.splitlines()
    assert first == "executing: tick 10 of 40"
    assert re.fullmatch(r"executing: tick 20 of 40, [\d,]+/s, [\d,]+ s left", second)


def test_what_is_executed_once_more_is_counted_anew(
    hurried: None, capsys: pytest.CaptureFixture[str]
) -> None:
    with show_ticks(40, quiet=False) as watch:
        for tick in (30, 40, 30, 31):
            watch(tick)
    *_, again, last = capsys.readouterr().err.splitlines()
    assert again == "executing: tick 30 of 40"
    assert re.fullmatch(r"executing: tick 31 of 40, [\d,]+/s, [\d,]+ s left", last)


def test_without_a_known_end_it_tells_the_tick(
    hurried: None, capsys: pytest.CaptureFixture[str]
) -> None:
    with show_ticks(0, quiet=False) as watch:
        watch(7)
        watch(8)
    first, second = capsys.readouterr().err.splitlines()
    assert first == "executing: tick 7"
    assert re.fullmatch(r"executing: tick 8, [\d,]+/s", second)


def test_quiet_shows_nothing(hurried: None, capsys: pytest.CaptureFixture[str]) -> None:
    with show_ticks(40, quiet=True) as watch:
        watch(10)
        watch.stop()
    assert capsys.readouterr() == ("", "")


def test_nothing_is_told_of_what_is_quick(capsys: pytest.CaptureFixture[str]) -> None:
    with show_ticks(40, quiet=False) as watch:
        for tick in range(40):
            watch(tick)
    assert capsys.readouterr() == ("", "")

"""A directory is at its place whole, or not at all."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from thorp.kernel.errors import ConflictError, IllegalError, InvalidError
from thorp.store import DiskError, staged_directory


def names(path: Path) -> list[str]:
    return sorted(each.relative_to(path).as_posix() for each in path.rglob("*"))


@pytest.mark.parametrize("exists", [False, True])
def test_it_is_there_when_the_block_has_ended(tmp_path: Path, exists: bool) -> None:
    place = tmp_path / "a" / "b"
    if exists:
        place.mkdir(parents=True)
    with staged_directory(place) as stage:
        (stage / "world").mkdir()
        (stage / "world" / "file").write_text("x")
        assert not place.exists() or not names(place)
    assert names(tmp_path) == ["a", "a/b", "a/b/world", "a/b/world/file"]


def fill(place: Path, meanwhile: Callable[[], None] = lambda: None) -> None:
    """Make a directory with a file, while something happens."""
    with staged_directory(place) as stage:
        (stage / "file").write_text("ours")
        meanwhile()


@pytest.mark.parametrize("failure", [OSError("no"), KeyboardInterrupt()])
def test_after_a_failure_nothing_is_there(tmp_path: Path, failure: BaseException) -> None:
    def fail() -> None:
        raise failure

    (tmp_path / "kept").mkdir()
    for place in (tmp_path / "a" / "b", tmp_path / "kept" / "c"):
        with pytest.raises(type(failure)):
            fill(place, fail)
    assert names(tmp_path) == ["kept"]


def test_a_move_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EBUSY, "Device or resource busy")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse)
        with pytest.raises(DiskError, match="Device or resource busy"):
            fill(tmp_path / "a")
    assert names(tmp_path) == []


def test_what_a_killed_process_has_left_is_cleared_away(tmp_path: Path) -> None:
    left = tmp_path / ".a.unfinished"
    (left / "world").mkdir(parents=True)
    (left / "world" / "half").write_text("x")
    (left / "story.db").write_text("x")
    (left / "link").symlink_to(tmp_path)
    with staged_directory(tmp_path / "a") as stage:
        assert names(stage) == [".unfinished"]
        (stage / "file").write_text("x")
    assert names(tmp_path) == ["a", "a/file"]


def test_two_do_not_make_the_same_directory(tmp_path: Path) -> None:
    with staged_directory(tmp_path / "a") as stage:
        (stage / "file").write_text("x")
        with pytest.raises(IllegalError, match="another process is making it"):
            fill(tmp_path / "a")
        assert (stage / "file").exists()
    assert names(tmp_path) == ["a", "a/file"]


def test_a_place_that_is_taken_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("x")
    (tmp_path / "dangling").symlink_to(tmp_path / "full" / "file")
    before = names(tmp_path)
    for place in (tmp_path / "full", tmp_path / "full" / "file", tmp_path / "dangling"):
        with pytest.raises(ConflictError, match="is not empty; choose a new directory"):
            fill(place)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(InvalidError, match="is the current directory"):
        fill(Path())
    assert names(tmp_path) == sorted([*before, "here"])


def test_somebody_who_was_quicker_is_not_written_over(tmp_path: Path) -> None:
    def be_quick() -> None:
        (tmp_path / "a").mkdir()
        (tmp_path / "a" / "file").write_text("theirs")

    with pytest.raises(DiskError):
        fill(tmp_path / "a", be_quick)
    assert names(tmp_path) == ["a", "a/file"]
    assert (tmp_path / "a" / "file").read_text() == "theirs"


def test_a_link_to_an_empty_directory_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with staged_directory(tmp_path / "link") as stage:
        (stage / "file").write_text("x")
    assert (tmp_path / "link").is_symlink()
    assert names(tmp_path / "real") == ["file"]

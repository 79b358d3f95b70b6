"""The file of the annals is a cache: whatever lies in its place, the world opens."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.server.serving import logged
from thorp.observer import annals
from thorp.observer.annals import FILE, Annals
from thorp.voxel.new_world import create_world
from thorp.voxel.state.world import World
from thorp.voxel.tuning import Tuning

SAMPLES = b'{"tick":0,"treasuries":{"ORG000001":%d}}\n'


@pytest.fixture(scope="module")
def world() -> World:
    return create_world(1337, 5, Tuning())


def a_directory(path: Path) -> None:
    path.mkdir()


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_dangling_link(path: Path) -> None:
    path.symlink_to("nowhere")


@pytest.mark.parametrize("make", [a_directory, a_pipe, a_dangling_link])
def test_what_cannot_be_read_is_left_alone_with_one_warning(
    world: World, make: Callable[[Path], None], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    make(tmp_path / FILE)
    kind = os.lstat(tmp_path / FILE).st_mode
    assert Annals(world, tmp_path).treasury("ORG000001") == []
    assert os.lstat(tmp_path / FILE).st_mode == kind
    (warning,) = logged(caplog)
    assert FILE in warning


def test_no_file_is_no_trouble(
    world: World, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert Annals(world, tmp_path).treasury("ORG000001") == []
    assert logged(caplog) == []
    assert list(tmp_path.iterdir()) == []


def test_of_a_file_that_is_too_long_the_end_is_read(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [SAMPLES % number for number in range(10, 100)]
    (tmp_path / FILE).write_bytes(b"".join(lines))
    monkeypatch.setattr(annals, "MAX_READ_BYTES", 3 * len(lines[0]) + 5)
    assert Annals(world, tmp_path).treasury("ORG000001") == [(0, 97), (0, 98), (0, 99)]
    assert (tmp_path / FILE).read_bytes() == b"".join(lines[-3:])


def test_a_society_that_was_set_back_has_no_later_past(world: World, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b'{"tick":60,"treasuries":{"ORG000001":5}}\n')
    assert Annals(world, tmp_path).treasury("ORG000001") == []
    assert (tmp_path / FILE).read_bytes() == b""

"""A world service without threads or clocks, so that a test is the same every time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

from tests.voxel.flat import FlatTerrain
from thorp.store import Disk
from thorp.voxel.load import default_catalogs
from thorp.voxel.service import WorldService
from thorp.voxel.state.world import World
from thorp.voxel.tuning import Tuning


class Inline(Executor):
    """Does everything at once, in the thread that asks."""

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(work(*arguments, **named))
        except BaseException as error:
            future.set_exception(error)
        return future


def found_flat(seed: int, draw_seed: int, tuning: Tuning) -> World:
    catalogs = default_catalogs()
    return World(
        seed=seed, draw_seed=draw_seed, catalogs=catalogs, tuning=tuning, terrain=FlatTerrain(catalogs)
    )


def open_flat(disk: Disk, path: Path, **options: Any) -> WorldService:
    """A flat world, everything done at once, and a clock that stands."""
    standing = {"threads": Inline, "clock": lambda: 1_700_000_000.0, "effort": lambda: 0.0}
    return WorldService.open(disk, path, **{"found": found_flat, **standing, **options})

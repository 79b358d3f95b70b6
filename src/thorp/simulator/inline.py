"""Runs a world service without threads or clocks, so that a life is the same every time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

from thorp.simulator.flat_world import create_flat_world
from thorp.store import Disk
from thorp.voxel import WorldService


class Inline(Executor):
    """An executor that does all work at once, in the thread that submits it."""

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Do the work; the future is done when this returns."""
        future: Future[Any] = Future()
        try:
            future.set_result(work(*arguments, **named))
        except BaseException as error:
            future.set_exception(error)
        return future


def open_flat(disk: Disk, path: Path, **options: Any) -> WorldService:
    """Open a flat world that does everything at once, with a clock that stands still."""
    standing = {"threads": Inline, "clock": lambda: 1_700_000_000.0, "effort": lambda: 0.0}
    return WorldService.open(disk, path, **{"make_world": create_flat_world, **standing, **options})

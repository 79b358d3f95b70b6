"""Making room for a new world: the old one is moved aside, whole, and never removed."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from thorp.server.host import WORLD
from thorp.store import RealDisk
from thorp.voxel.persistence.directory import LOCK
from thorp.voxel.persistence.recovery import hold


def set_aside(data: Path) -> Path | None:
    """Rename the world of a data directory; return its new name, None if there is none. Raises `locked`."""
    disk, world = RealDisk(), data / WORLD
    if not disk.exists(world):
        return None
    with closing(hold(disk, world / LOCK)):
        number = 1
        while disk.exists(aside := data / f"{WORLD}.before-{number}"):
            number += 1
        disk.replace(world, aside)
        disk.sync_directory(data)
    return aside

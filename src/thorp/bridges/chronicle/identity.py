"""Names a world, so that a story can tell the ticks of one world from those of the next.

The name is derived from the world's first journal and is kept in its directory, because retention may drop
that journal later.
"""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import Final

from thorp.kernel.errors import DamagedError
from thorp.kernel.identity import digest
from thorp.store import Disk, write_atomic
from thorp.voxel.persistence.directory import Segment, WorldDirectory

FILE: Final = "chronicle"
NAME_CHARS: Final = 16
"""Half of a SHA-256's half: worlds of one story are few."""

_NAME: Final = re.compile(rb"[0-9a-f]{16}\n\Z")


def world_name(disk: Disk, path: Path) -> str:
    """The name of the world in a directory. Refuses as `no_world` where there is none."""
    file = path / FILE
    if disk.exists(file):
        with closing(disk.open(file)) as kept:
            text = kept.read(0, NAME_CHARS + 2)
        if not _NAME.match(text):
            raise DamagedError(
                f"{file}: this is not the name of a world; remove the file to have it made again"
            )
        return text.decode().strip()
    name = _beginning(disk, path)
    write_atomic(disk, file, f"{name}\n".encode(), replace=True)
    return name


def _beginning(disk: Disk, path: Path) -> str:
    directory = WorldDirectory(disk, path)
    directory.require()
    header = Segment(disk, next(iter(directory.journals().values()))).header
    return digest(f"{header.first_tick} {header.began_s} {header.digest}".encode())[:NAME_CHARS]

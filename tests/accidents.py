"""Accidents of a process that writes to a database: it is killed, its power is cut, its disk fails.

Engines that keep something in a database are all tried in these ways, each with a life of its own.
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from thorp.simulator.breakable_sqlite import BreakableSqlite
from thorp.store.testing import BreakableDisk

END_TIMEOUT_S: Final = 60
LONGEST_LIFE_S: Final = 0.15
REPOSITORY: Final = Path(__file__).parents[1]

KINDS: Final = ("power", "disk_error", "disk_full")
LIVES_AFTER: Final = 3
"""After a failed disk the same process may not go on; one of the next must be able to."""

Live = Callable[[BreakableSqlite, BreakableDisk], str | None]
"""One life of a process. It gives what stands for everything it wrote, if it came to its end."""


def live_and_die(module: str, *arguments: str, seconds: float) -> dict[str, str]:
    """Let a module work until it has said something, and a moment more; then kill it.

    It says what it was answered, a line each: a key and a value. Those that were whole are returned.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        cwd=REPOSITORY,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,  # a buffer would keep what `communicate` looks for behind the first line
    )
    watchdog = threading.Timer(END_TIMEOUT_S, process.kill)
    watchdog.start()
    assert process.stdout is not None
    first = process.stdout.readline()
    time.sleep(seconds)
    process.kill()
    watchdog.cancel()
    rest, errors = process.communicate(timeout=END_TIMEOUT_S)
    assert first, errors.decode()
    lines = (first + rest).split(b"\n")[:-1]
    return dict(line.decode().split() for line in lines)


def live_through(live: Live, accident: int, kind: str, seed: int) -> tuple[str, int]:
    """Live to the end, with an accident at one change to the disk (0: none); what came of it, and how many
    changes the first life made."""
    disk = BreakableDisk(seed, piece_bytes=4096)
    with BreakableSqlite(disk) as sqlite:
        if kind == "power":
            disk.cut_power_in(accident)
        else:
            disk.fail_in(accident, kind)
        end = live(sqlite, disk)
        changes = disk.changes
        disk.cut_power_in(0)
        disk.fail_in(0)
        if disk.off:
            disk.restart(memory_kept=seed % 3 == 0)
        elif seed % 2:
            disk.crash()
        for _ in range(LIVES_AFTER):
            end = end or live(sqlite, disk)
    assert end is not None
    return end, changes


def swap_indexes(database: Path, one: str, other: str) -> None:
    """Give the first indexes of two tables of a SQLite file each other's pages."""
    names = [f"sqlite_autoindex_{table}_1" for table in (one, other)]
    connection = sqlite3.connect(database, isolation_level=None)
    pages = dict(connection.execute("SELECT name, rootpage FROM sqlite_master WHERE type = 'index'"))
    connection.execute("PRAGMA writable_schema = ON")
    for name, page in zip(names, (pages[names[1]], pages[names[0]]), strict=True):
        connection.execute("UPDATE sqlite_master SET rootpage = ? WHERE name = ?", [page, name])
    connection.close()

"""Accidents of real processes and files: one is killed while it writes, one has its pages
swapped."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Final

END_TIMEOUT_S: Final = 60
LONGEST_LIFE_S: Final = 0.15
REPOSITORY: Final = Path(__file__).parents[1]


def live_and_die(module: str, *arguments: str, seconds: float) -> dict[str, str]:
    """Let a module work until it has said something, and a moment more; then kill it.

    It says what it was answered, a line each: a key and a value. Those that were whole are
    returned.
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


def swap_indexes(database: Path, one: str, other: str) -> None:
    """Give the first indexes of two tables of a SQLite file each other's pages."""
    names = [f"sqlite_autoindex_{table}_1" for table in (one, other)]
    connection = sqlite3.connect(database, isolation_level=None)
    pages = dict(
        connection.execute("SELECT name, rootpage FROM sqlite_master WHERE type = 'index'")
    )
    connection.execute("PRAGMA writable_schema = ON")
    for name, page in zip(names, (pages[names[1]], pages[names[0]]), strict=True):
        connection.execute("UPDATE sqlite_master SET rootpage = ? WHERE name = ?", [page, name])
    connection.close()

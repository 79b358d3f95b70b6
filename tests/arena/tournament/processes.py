"""Looking at real processes: waiting for them, and seeing that they are gone."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

SLEEPER = """
import os, pathlib, time

class Sleeper:
    def init(self, config):
        pathlib.Path({marker!r}).write_text(str(os.getpid()))

    def act(self, observation, ctx):
        time.sleep(600)
"""
"""An agent that leaves its process id in a file, and then thinks for longer than any test lasts."""


def until(condition: Callable[[], object], seconds: float = 60) -> None:
    """Wait for something that must happen; the limit only keeps a failure from hanging."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.005)


def is_gone(pid: int) -> bool:
    """Whether a process has ended, be it reaped or not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True

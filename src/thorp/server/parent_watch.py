"""Ends a server together with the process that started it, as `make run` does.

make passes no SIGINT on: when it gets one, it stops catching it and waits for what it started. So the server
watches make, and interrupts itself when make has ended or (where there is a /proc to tell) no longer catches
SIGINT though it did.
"""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Final

LOOK_SECONDS: Final = 0.3
PROC: Final = Path("/proc")

_CAUGHT: Final = re.compile(r"^SigCgt:\s*([0-9a-f]+)$", re.M)


def end_with_parent(parent: int, proc: Path = PROC) -> None:
    """Interrupt this process when its parent ends, or stops catching SIGINT. Returns at once."""
    Thread(target=_watch, args=(parent, proc), name="parent watch", daemon=True).start()


def _watch(parent: int, proc: Path) -> None:
    caught = _catches_interrupt(parent, proc)
    while os.getppid() == parent and (not caught or _catches_interrupt(parent, proc)):
        sleep(LOOK_SECONDS)
    os.kill(os.getpid(), signal.SIGINT)


def _catches_interrupt(process: int, proc: Path) -> bool:
    """Whether a process has a handler for SIGINT; no if nobody can tell."""
    try:
        found = _CAUGHT.search((proc / str(process) / "status").read_text("ascii", "replace"))
    except OSError:
        return False
    return found is not None and bool(int(found[1], 16) & 1 << signal.SIGINT - 1)

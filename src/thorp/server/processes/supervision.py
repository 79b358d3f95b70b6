"""Processes around the server: it ends with the one that started it, and keeps bots and villagers
running.

`make run` passes no SIGINT on: when make gets one, it stops catching it and waits for what it
started. So the server watches make, and interrupts itself when make has ended or (where there is a
/proc to tell) no longer catches SIGINT though it did.
"""

import asyncio
import logging
import os
import re
import signal
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Final

LOOK_SECONDS: Final = 0.3
PROC: Final = Path("/proc")
VILLAGERS: Final = "villagers"

_CAUGHT: Final = re.compile(r"^SigCgt:\s*([0-9a-f]+)$", re.M)

FIRST_PAUSE_SECONDS: Final = 1.0
LONGEST_PAUSE_SECONDS: Final = 60.0
# After a process has run so long, the pause is short again.
WELL_SECONDS: Final = 120.0
STOP_SECONDS: Final = 2.0


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


_log = logging.getLogger(__name__)


class Supervised:
    """One such process, restarted as often as it takes."""

    def __init__(self, name: str, start: Callable[[], Awaitable[Process]]) -> None:
        self.name = name
        self.restarts = 0
        self.trouble: str | None = None
        """Why it is not running, if it has ended."""
        self._start = start

    async def run(self) -> None:
        """Keep it running until this is cancelled."""
        pause = FIRST_PAUSE_SECONDS
        while True:
            began = monotonic()
            code = await self._live_once()
            if monotonic() - began >= WELL_SECONDS:
                pause = FIRST_PAUSE_SECONDS
            self.trouble = f"the process of the {self.name} has ended (exit code {code})"
            _log.warning("%s; it starts again in %.0f s", self.trouble, pause)
            await asyncio.sleep(pause)
            self.restarts += 1
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    async def _live_once(self) -> int:
        process = await self._start()
        self.trouble = None
        try:
            return await process.wait()
        finally:
            await _end(process)


async def _end(process: Process) -> None:
    if process.returncode is not None:
        return
    process.terminate()
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()

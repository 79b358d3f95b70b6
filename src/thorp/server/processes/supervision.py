"""Supervises processes: the server ends with the process that started it, and keeps bots and
villagers running.

`make run` does not pass SIGINT on: when make gets one, it stops catching it and waits for what it
started. So the server watches make, and interrupts itself when make has ended or, where /proc shows
that, no longer catches SIGINT although it did.
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
MINDS: Final = "minds"

_CAUGHT: Final = re.compile(r"^SigCgt:\s*([0-9a-f]+)$", re.M)

FIRST_PAUSE_SECONDS: Final = 1.0
LONGEST_PAUSE_SECONDS: Final = 60.0
# After a process has run for this long, the pause is short again.
WELL_SECONDS: Final = 120.0
# How long a process that is to end may take before it is killed.
STOP_SECONDS: Final = 2.0

_log = logging.getLogger(__name__)


def end_with_parent(parent: int, proc: Path = PROC) -> None:
    """Interrupt this process when its parent ends, or stops catching SIGINT. Returns at once."""
    Thread(target=_watch, args=(parent, proc), name="parent watch", daemon=True).start()


def _watch(parent: int, proc: Path) -> None:
    caught = _catches_interrupt(parent, proc)
    while os.getppid() == parent and (not caught or _catches_interrupt(parent, proc)):
        sleep(LOOK_SECONDS)
    os.kill(os.getpid(), signal.SIGINT)


def _catches_interrupt(process: int, proc: Path) -> bool:
    """Whether a process has a handler for SIGINT; False if /proc does not show that."""
    try:
        mask = _CAUGHT.search((proc / str(process) / "status").read_text("ascii", "replace"))
    except OSError:
        return False
    return mask is not None and bool(int(mask[1], 16) & 1 << signal.SIGINT - 1)


class Supervised:
    """A process that is started again whenever it ends, after a pause that grows if it ends
    soon.

    One that is `optional` is not needed for the server to be ready, and after `most_restarts` in
    a row it is left alone."""

    def __init__(
        self,
        name: str,
        start: Callable[[], Awaitable[Process]],
        *,
        optional: bool = False,
        most_restarts: int | None = None,
    ) -> None:
        self.name = name
        self.optional = optional
        self.restarts = 0
        self.trouble: str | None = None
        """Why it is not running, if it has ended."""
        self._start = start
        self._most_restarts = most_restarts

    async def run(self) -> None:
        """Keep it running until this is cancelled, or until it has ended too often."""
        pause = FIRST_PAUSE_SECONDS
        in_a_row = 0
        while True:
            began = monotonic()
            code = await self._run_once()
            if monotonic() - began >= WELL_SECONDS:
                pause = FIRST_PAUSE_SECONDS
                in_a_row = 0
            self.trouble = f"the process of the {self.name} has ended (exit code {code})"
            if in_a_row == self._most_restarts:
                _log.warning("%s; it is not started again", self.trouble)
                return
            in_a_row += 1
            _log.warning("%s; it starts again in %.0f s", self.trouble, pause)
            await asyncio.sleep(pause)
            self.restarts += 1
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    async def _run_once(self) -> int:
        """Start the process and wait for its end; end it if this is cancelled."""
        process = await self._start()
        self.trouble = None
        try:
            return await process.wait()
        finally:
            await _end(process)


async def _end(process: Process) -> None:
    """Ask a process to end, and kill it if it does not."""
    if process.returncode is not None:
        return
    process.terminate()
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()

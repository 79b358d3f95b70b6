"""Bots and villagers in processes of their own, which are started again when they end by themselves.

running   → ended by itself → waits, twice as long each time → running
running   → the server stops → told to end, and killed if it does not
"""

from __future__ import annotations

import asyncio
import logging
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Final

FIRST_PAUSE_SECONDS: Final = 1.0
LONGEST_PAUSE_SECONDS: Final = 60.0
# A process that lived so long was well: when it ends, the pause is short again.
WELL_SECONDS: Final = 120.0
STOP_SECONDS: Final = 2.0

_log = logging.getLogger(__name__)


class Supervised:
    """One such process, over as many lives as it takes."""

    def __init__(self, name: str, start: Callable[[], Awaitable[Process]]) -> None:
        self.name = name
        self.restarts = 0
        self.trouble: str | None = None
        """Why it is not running, if it was and is not."""
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

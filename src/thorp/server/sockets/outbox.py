"""Sends to every reader as much as its socket takes, and to slow ones again whenever they take
more."""

import asyncio
from collections.abc import Iterable
from typing import Final

from thorp.server.sockets.connection import AgentConnection

# How often the sockets of slow readers are tried again.
DRAIN_SECONDS: Final = 0.01


class Outbox:
    """Knows which readers are slow, and whether anything may be sent now."""

    def __init__(self) -> None:
        self._slow: dict[AgentConnection, None] = {}
        self._draining: asyncio.Task[None] | None = None
        self._holding = False

    def hold(self) -> None:
        """Send nothing: what was composed is not durable yet."""
        self._holding = True

    def release(self, readers: Iterable[AgentConnection]) -> None:
        """Send what was composed for these readers."""
        self._holding = False
        for reader in readers:
            if reader.flush():
                self._slow[reader] = None
        if self._slow and self._draining is None:
            self._draining = asyncio.create_task(self._drain())

    def forget(self, reader: AgentConnection) -> None:
        """Send nothing more to a reader."""
        self._slow.pop(reader, None)

    def stop(self) -> None:
        """Send nothing more to anybody."""
        if self._draining is not None:
            self._draining.cancel()

    async def _drain(self) -> None:
        """Send to slow readers when their sockets take more."""
        try:
            while self._slow:
                await asyncio.sleep(DRAIN_SECONDS)
                if not self._holding:  # else the newest frames of a session are not durable yet
                    self._slow = {reader: None for reader in self._slow if reader.flush()}
        finally:
            self._draining = None

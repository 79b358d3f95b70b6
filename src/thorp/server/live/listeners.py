"""Wakes requests that listen to something that grows, such as a story, a match or a journal.

Nothing is queued for a listener. It is woken, reads what is new, and writes that, so a listener
costs one page of memory however much happens.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from thorp.server.access.requests import Refused

# Each reads for itself after a beat, in about a millisecond.
MAX_LISTENERS: Final = 128


class Listeners:
    """The listeners of one thing. Only `wake_from_thread` may be called outside the event loop."""

    def __init__(self, most: int | None = None) -> None:
        self.count = 0
        self._most = most
        self.closed = False
        self.news = asyncio.Event()
        """Set when there is something new. A listener takes it before it reads, so that it misses
        nothing: what comes while it reads sets this very event."""
        self._loop: asyncio.AbstractEventLoop | None = None

    @contextmanager
    def seat(self) -> Iterator[None]:
        """A place among the listeners. Raises Refused if all are taken."""
        most = self._most or MAX_LISTENERS
        if self.closed or self.count >= most:
            raise Refused(503, "busy", f"{most} are listening already; try again later")
        self._loop = asyncio.get_running_loop()
        self.count += 1
        try:
            yield
        finally:
            self.count -= 1

    def wake(self) -> None:
        """Wake everyone who waits."""
        past, self.news = self.news, asyncio.Event()
        past.set()

    def wake_from_thread(self) -> None:
        """Have the event loop wake everyone who waits; does nothing while nobody listens."""
        if self.count and self._loop is not None:
            with suppress(RuntimeError):  # the loop has just ended, and all listeners with it
                self._loop.call_soon_threadsafe(self.wake)

    def close(self) -> None:
        """Disconnect everyone."""
        self.closed = True
        self.wake()

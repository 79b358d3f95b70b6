"""A lock that many quick beats share, and that a beat with a slow writer holds alone.

Quick beats run in the store's single writer thread and share a commit. A slow beat is decided
outside of any transaction, and meanwhile no other beat of this process may be stored: it would have
to be decided again.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class ReadersWriterLock:
    """Shared by any number of holders, or held by one exclusively. A waiting exclusive holder goes
    before shared ones that come later, so that it is not kept waiting for ever."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._readers = 0
        self._writing = False
        self._writers_waiting = 0

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Hold the lock together with others, when nobody holds or awaits it exclusively."""
        with self._changed:
            self._changed.wait_for(lambda: not self._writing and not self._writers_waiting)
            self._readers += 1
        try:
            yield
        finally:
            with self._changed:
                self._readers -= 1
                if not self._readers:
                    self._changed.notify_all()

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Hold the lock alone, when nobody else holds it."""
        with self._changed:
            self._writers_waiting += 1
            self._changed.wait_for(lambda: not self._writing and not self._readers)
            self._writers_waiting -= 1
            self._writing = True
        try:
            yield
        finally:
            with self._changed:
                self._writing = False
                self._changed.notify_all()

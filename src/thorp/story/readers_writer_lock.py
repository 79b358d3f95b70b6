"""Who may work on a world: many quick beats together, or one slow one alone.

Quick beats run in the store's single writer, one after the other, and share a commit. A slow one thinks
outside of any transaction, and meanwhile nobody else may move the world. Whoever waits to be alone goes
before those who come after.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._together = 0
        self._alone = False
        self._waiting = 0

    @contextmanager
    def together(self) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._alone and not self._waiting)
            self._together += 1
        try:
            yield
        finally:
            with self._changed:
                self._together -= 1
                if not self._together:
                    self._changed.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        with self._changed:
            self._waiting += 1
            self._changed.wait_for(lambda: not self._alone and not self._together)
            self._waiting -= 1
            self._alone = True
        try:
            yield
        finally:
            with self._changed:
                self._alone = False
                self._changed.notify_all()

"""Ctrl-C and its like: they stop a tournament soon, but never between a match's log and its record.

Inside the `with`, SIGINT and SIGTERM raise KeyboardInterrupt, also where a shell's `&` had SIGINT ignored.
While held they wait, so that what counts as done is exactly what is kept. Only a program's main thread
hears signals; in any other nothing changes.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any, Self

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupted(KeyboardInterrupt):
    """Stopped by SIGINT or SIGTERM. What is done is kept in the directory."""

    def __init__(self, done: int, total: int) -> None:
        super().__init__(f"stopped after {done} of {total} matches")
        self.done = done
        self.total = total


class Interruption:
    """Where signals go while a tournament runs."""

    def __init__(self) -> None:
        self._before: dict[signal.Signals, Any] = {}
        self._holding = False
        self._waiting = False

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._hear) for number in SIGNALS}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let signals wait until this is over."""
        self._holding = True
        try:
            yield
        finally:
            self._holding = False
        if self._waiting:
            raise KeyboardInterrupt

    def _hear(self, _number: int, _frame: FrameType | None) -> None:
        if not self._holding:
            raise KeyboardInterrupt
        self._waiting = True

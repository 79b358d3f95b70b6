"""Turns SIGINT and SIGTERM into KeyboardInterrupt, held back while a result is being recorded."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType
from typing import Final

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def signals_as_interrupts() -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """Turn SIGINT and SIGTERM into KeyboardInterrupt, but never between a result and its record.

    Yields a function that makes a context manager, inside which signals wait: exactly the recorded
    results count as done. It works even for a background job, for which a shell ignores SIGINT.
    Python delivers signals to the main thread only, so in any other thread nothing changes.
    """
    holding = waiting = False

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        nonlocal waiting
        if not holding:
            raise KeyboardInterrupt
        waiting = True

    @contextmanager
    def deferred() -> Iterator[None]:
        nonlocal holding
        holding = True
        try:
            yield
        finally:
            holding = False
        if waiting:
            raise KeyboardInterrupt

    in_main = threading.current_thread() is threading.main_thread()
    before = {number: signal.signal(number, on_signal) for number in SIGNALS} if in_main else {}
    try:
        yield deferred
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

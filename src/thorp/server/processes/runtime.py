"""Tunes the interpreter while a world ticks: when garbage is collected, and how soon threads give
way."""

import gc
import sys
from time import perf_counter
from typing import Final

# A minute at five ticks a second. Long-lived cycles are rare: closed connections, mostly.
FULL_COLLECTION_EVERY: Final = 300
# With 2,500 agents that takes 3 ms each time; every ten ticks it would take 10.
YOUNG_COLLECTION_EVERY: Final = 2
# Assumed before the first full collection was timed; with 500 agents it takes this long.
EXPECTED_FULL_SECONDS: Final = 0.05
# How long a thread may compute while another one waits. With Python's own 5 ms, 500 sends take
# 200 ms and more.
SWITCH_SECONDS: Final = 0.0005


class Runtime:
    """The settings of Python while a world ticks, restored afterwards.

    Garbage is collected between ticks: young objects every other tick, all objects when there is
    time. The loaded world is taken out of collection (`gc.freeze`), so it is never scanned. Other
    threads, which pack the tape and snapshots, give way soon: a tick lets go of the interpreter at
    each of a thousand sends, and would wait that often to get it back.
    """

    def __init__(self) -> None:
        self._ticks = 0
        self._full_seconds = EXPECTED_FULL_SECONDS

    def __enter__(self) -> None:
        self._switch_seconds = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_SECONDS)
        self._was_on = gc.isenabled()
        gc.collect()
        gc.freeze()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        sys.setswitchinterval(self._switch_seconds)
        gc.unfreeze()
        if self._was_on:
            gc.enable()

    def between_ticks(self, spare_seconds: float) -> None:
        """Collect young objects every other tick; all objects when that is due, and the time of the
        last full collection fits into the spare time or it is long overdue."""
        self._ticks += 1
        overdue = self._ticks >= 2 * FULL_COLLECTION_EVERY
        if overdue or (
            self._ticks >= FULL_COLLECTION_EVERY and spare_seconds > 2 * self._full_seconds
        ):
            began = perf_counter()
            gc.collect()
            self._full_seconds = perf_counter() - began
            self._ticks = 0
        elif self._ticks % YOUNG_COLLECTION_EVERY == 0:
            gc.collect(1)

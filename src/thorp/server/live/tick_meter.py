"""Times the phases of each tick.

Wall and CPU time of the last few minutes are kept tick by tick, so that quantiles are true ones.
The phases of a tick:

    freeze     the inputs that arrived become a list
    step       the core computes, while the journal writes in its thread
    observe    frames are composed for every reader
    journal    wait until the tick is durable
    hold       after a late tick, wait until half a tick has passed since the last sends
    send       frames go out
    digest     the digest of the new state is computed, for the next tick's record
"""

from collections import deque
from collections.abc import Iterable
from time import perf_counter, thread_time
from typing import Final

PHASES: Final = ("freeze", "step", "observe", "journal", "hold", "send", "digest")
WAITING: Final = ("journal", "hold")
# Ten minutes at five ticks a second.
REMEMBERED_TICKS: Final = 3_000

Samples = deque[float]


class TickMeter:
    """Wall time and CPU time of this thread in each phase of the last ticks."""

    def __init__(self) -> None:
        self.wall = {name: Samples(maxlen=REMEMBERED_TICKS) for name in (*PHASES, "all")}
        self.cpu = {name: Samples(maxlen=REMEMBERED_TICKS) for name in (*PHASES, "all")}
        self._began = self._mark = self._cpu_mark = self._cpu = 0.0

    def begin(self) -> None:
        """Begin a tick, with its first phase."""
        self._began = self._mark = perf_counter()
        self._cpu_mark = thread_time()
        self._cpu = 0.0

    def phase(self, name: str) -> float:
        """End the named phase; return its seconds. CPU time that passes while the tick waits is
        other tasks', and not counted."""
        now = perf_counter()
        cpu = thread_time()
        spent = 0.0 if name in WAITING else cpu - self._cpu_mark
        seconds = now - self._mark
        self.wall[name].append(seconds)
        self.cpu[name].append(spent)
        self._cpu += spent
        self._mark = now
        self._cpu_mark = cpu
        return seconds

    def end(self) -> None:
        """End a tick, with its last phase."""
        self.wall["all"].append(self._mark - self._began)
        self.cpu["all"].append(self._cpu)

    def forget(self) -> None:
        """Forget all samples."""
        for samples in (*self.wall.values(), *self.cpu.values()):
            samples.clear()

    @property
    def last_ms(self) -> float:
        """How long the last tick took."""
        return self.wall["all"][-1] * 1000 if self.wall["all"] else 0.0


def quantile(samples: Iterable[float], q: float) -> float:
    """The smallest sample that at least this share of the samples does not exceed; 0 without
    samples."""
    ordered = sorted(samples)
    if not ordered:
        return 0.0
    return ordered[min(len(ordered) - 1, max(0, -(-len(ordered) * round(q * 1000) // 1000) - 1))]

"""A fixed piece of pure Python, timed beside each measurement, so that figures from two machines,
or from a quiet and a busy hour of one, can be compared."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

REFERENCE_MS = 17.3
"""CPU time of the fixed work on the machine that the documented figures come from, when it is
quiet."""


def _fixed_work() -> int:
    total = 0
    for index in range(200_000):
        total = (total * 31 + index) & 0xFFFFFFFF
    return total


def cpu_seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def calibration_ms() -> float:
    return cpu_seconds(_fixed_work) * 1000


def report(label: str, unit: str, amount: Callable[[], float], rounds: int = 7) -> float:
    """Run `amount` (which does the work and returns how much it did) several times, a calibration
    before each; print the median rate per CPU second, as measured and as it would be at reference
    speed."""
    rates, scaled = [], []
    for _ in range(rounds):
        slowness = calibration_ms() / REFERENCE_MS
        start = time.process_time()
        done = amount()
        rate = done / (time.process_time() - start)
        rates.append(rate)
        scaled.append(rate * slowness)
    measured, at_reference = statistics.median(rates), statistics.median(scaled)
    print(
        f"{label:44s} {measured:12,.0f} {unit} per CPU s   (calibrated {at_reference:,.0f})",
        flush=True,
    )
    return at_reference


def share_of_median(raw: list[float], own: list[float]) -> float:
    """How a work compares with a raw commit, each by its median time. A rate says most about
    whatever the disk held up longest; a median leaves that out."""
    return statistics.median(raw) / statistics.median(own)


def share_of_fastest(raw: list[float], own: list[float]) -> float:
    """How a work compares with a raw commit if nothing else runs: the time of the fastest tenth of
    the commits, divided by that of the works. Of both, what other programs slowed down is left out.
    """
    return statistics.quantiles(raw, n=10)[0] / statistics.quantiles(own, n=10)[0]

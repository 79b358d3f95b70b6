"""Matches per second of a whole tournament, from plan to finished directory, by pool, with logs and
without.

`python bench/tournament.py [ROUNDS]`, which writes below the working directory. Wall time, because
several processes work at once; the calibration figure beside each row says how busy the machine was
(see `calibration.py`).
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from calibration import REFERENCE_MS, calibration_ms

from thorp.arena.contract import Seat
from thorp.arena.tournament import InlinePool, ProcessPool, WorkerPool, make_plan, run_tournament
from thorp.store import RealDisk

ENTRANTS = [Seat(f"random-{n}", "random") for n in range(3)] + [
    Seat(f"baseline-{n}", "baseline") for n in range(3)
]


def measure(label: str, pool: WorkerPool, rounds: int, *, logs: bool) -> None:
    """Play one tournament of number guess, and print its rate."""
    plan = make_plan("number-guess", ENTRANTS, rounds=rounds, max_turns=20, logs=logs)
    slowness = statistics.median(calibration_ms() for _ in range(9)) / REFERENCE_MS
    with tempfile.TemporaryDirectory(dir=".") as directory:
        started = time.perf_counter()
        finished = run_tournament(plan, Path(directory) / "tournament", pool, RealDisk())
        seconds = time.perf_counter() - started
    rate = finished.tally.matches / seconds
    logged = "with logs" if logs else "without"
    print(
        f"{label:12s} {logged:10s} {rate:8,.0f} matches/s   (calibrated {rate * slowness:,.0f})",
        flush=True,
    )


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    print(f"{15 * rounds} matches of number guess")
    for logs in (False, True):
        measure("inline", InlinePool(), rounds, logs=logs)
        measure("1 worker", ProcessPool(1), rounds, logs=logs)
        measure("2 workers", ProcessPool(2), rounds, logs=logs)


if __name__ == "__main__":
    main()

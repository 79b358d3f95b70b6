"""How long a table of 100,000 results takes, and how much memory.

`python bench/league.py [RESULTS]`. Results are simulated: thirty agents of two games of duels, in
mirrored fixtures. Everything of a table is computed: the fit, its intervals, a fit with a copy of
each agent, tiers, circles and the division of variance. The calibration figure says how busy the
machine was (see `calibration.py`).
"""

from __future__ import annotations

import math
import random
import resource
import statistics
import sys
import time

from calibration import REFERENCE_MS, calibration_ms

from thorp.arena.rating import Result, rate_all

AGENTS = 30
GAMES = ("one", "two")
SECONDS_LIMIT = 5.0
MIB_LIMIT = 300


def simulate(count: int) -> list[Result]:
    """Mirrored fixtures between random agents, the strength of each 20 points above the last."""
    rng = random.Random(1)
    results: list[Result] = []
    while len(results) < count:
        one, other = sorted(rng.sample(range(AGENTS), 2))
        game = GAMES[len(results) // 2 % len(GAMES)]
        for first, second in ((one, other), (other, one)):
            odds = (first - second) * 20 / 173.7 + 0.2
            won = rng.random() < 1 / (1 + math.exp(-odds))
            agents = (f"agent-{first:02}", f"agent-{second:02}")
            scores = (1.0, 0.0) if won else (0.0, 1.0)
            results.append(Result(game, str(len(results) // 2), agents, scores))
    return results[:count]


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    results = simulate(count)
    slowness = statistics.median(calibration_ms() for _ in range(9)) / REFERENCE_MS
    wall = time.perf_counter()
    cpu = time.process_time()
    field = rate_all(results)
    seconds = time.perf_counter() - wall
    used = time.process_time() - cpu
    mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert field.agents[0].id == f"agent-{AGENTS - 1}"
    print(
        f"{count:,} results, {AGENTS} agents: {seconds:.2f} s ({used:.2f} s CPU, calibrated "
        f"{used / slowness:.2f}), {mib:.0f} MiB at most"
    )
    if used / max(1.0, slowness) > SECONDS_LIMIT or mib > MIB_LIMIT:
        sys.exit(f"more than {SECONDS_LIMIT} s or {MIB_LIMIT} MiB")


if __name__ == "__main__":
    main()

"""How fast a world executes handoffs: `python bench/handoffs.py [--towns N] [--days N] [--directory
DIR]`.

Handoffs are made by the built-in governors for the state each town is in, and only executing them
is timed: one after the other (each answer awaited), and grouped (all towns at once). Beside them,
in the same run on the same disk, stands the rate of raw commits: one small row each, one after the
other, with full sync.

On a busy machine both wait for others more than they work, and the ratio of their rates says
little. So a second one is printed, of the fastest tenth of each.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from calibration import REFERENCE_MS, calibration_ms, share_of_fastest

from thorp.kernel.canonical import Json
from thorp.store import Connection, open_database
from thorp.town.embedded.council import Council
from thorp.town.service import EmbeddedTown

SLICE = 20
"""Handoffs and raw commits take turns in slices this long, so that both see the same moods of the
disk."""
TABLE = "CREATE TABLE IF NOT EXISTS bench_entry (n BIGINT PRIMARY KEY, body TEXT NOT NULL)"
SINGLE_TARGET = 0.4
GROUPED_TARGET = 3000


class RawCommits:
    """Commits of one small row, each awaited."""

    def __init__(self, directory: Path) -> None:
        self._database = open_database(f"sqlite:///{directory}/raw.db")
        self._database.submit(lambda connection: connection.execute(TABLE)).result()
        self._count = 0
        self._times: list[float] = []

    def commit(self, count: int) -> None:
        for _ in range(count):
            self._count += 1
            start = time.perf_counter()
            self._database.submit(self._insert(self._count)).result()
            self._times.append(time.perf_counter() - start)

    def take_times(self) -> list[float]:
        """What each commit took since this was asked last."""
        times = self._times
        self._times = []
        return times

    def close(self) -> None:
        self._database.close()

    def _insert(self, n: int) -> Callable[[Connection], object]:
        return lambda connection: connection.execute(
            "INSERT INTO bench_entry VALUES (?, ?)", [n, "x" * 100]
        )


def check(results: list[dict[str, Json]]) -> None:
    assert all(result["status"] == "executed" for result in results), "a handoff was not executed"


class Bench:
    def __init__(self, world: EmbeddedTown, towns: int) -> None:
        self._world = world
        self._times: list[float] = []
        self._councils = [Council(f"town-{number}") for number in range(towns)]
        for council in self._councils:
            world.create_town(council.town_id)

    def rate(
        self,
        execute: Callable[[list[Json]], list[Json]],
        days: int,
        size: int,
        between: Callable[[int], None] = lambda _: None,
    ) -> float:
        """Handoffs executed a second, over some days with three governors in each town."""
        spent, count = 0.0, 0
        for _ in range(days):
            for seat in range(3):
                handoffs = [
                    council.governors[seat].handoff(self._world.snapshot(council.town_id))
                    for council in self._councils
                ]
                for first in range(0, len(handoffs), size):
                    between(size)
                    start = time.perf_counter()
                    results = execute(handoffs[first : first + size])
                    spent += time.perf_counter() - start
                    count += len(results)
                    check(results)
            self._world.advance_day()
        return count / spent

    def one_by_one(self, handoffs: list[Json]) -> list[Json]:
        results = []
        for handoff in handoffs:
            start = time.perf_counter()
            results.append(self._world.execute(handoff))
            self._times.append(time.perf_counter() - start)
        return results

    def take_times(self) -> list[float]:
        """What each handoff took, one by one, since this was asked last."""
        times = self._times
        self._times = []
        return times

    def grouped(self, handoffs: list[Json]) -> list[Json]:
        waiting = [self._world.submit(handoff) for handoff in handoffs]
        return [future.result() for future in waiting]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--towns", type=int, default=200)
    parser.add_argument("--days", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--directory", type=Path, help="where to write; else a temporary directory")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.directory) as name:
        directory = Path(name)
        with EmbeddedTown(directory / "world", seed=1) as world:
            bench, raw_commits = Bench(world, arguments.towns), RawCommits(directory)
            rows = []
            for _ in range(arguments.rounds):
                slowness = calibration_ms() / REFERENCE_MS
                single = bench.rate(bench.one_by_one, 1, SLICE, raw_commits.commit)
                raw_times = raw_commits.take_times()
                raw = len(raw_times) / sum(raw_times)
                fastest = share_of_fastest(raw_times, bench.take_times())
                grouped = bench.rate(bench.grouped, arguments.days, arguments.towns)
                rows.append((single / raw, fastest, grouped * slowness))
                print(
                    f"raw {raw:,.0f} commits/s; one writer {single:,.0f}/s ({single / raw:.0%} of "
                    "raw, "
                    f"{fastest:.0%} at its fastest); "
                    f"grouped {grouped:,.0f}/s (calibrated {grouped * slowness:,.0f})",
                    flush=True,
                )
            raw_commits.close()
            share, fastest, calibrated = (
                statistics.median(column) for column in zip(*rows, strict=True)
            )
            print(f"median: one writer {share:.0%} of raw, {fastest:.0%} at its fastest", end=" ")
            print(f"(target {SINGLE_TARGET:.0%}),", end=" ")
            print(f"grouped {calibrated:,.0f}/s calibrated (target {GROUPED_TARGET:,})")


if __name__ == "__main__":
    main()

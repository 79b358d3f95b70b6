"""How fast the store is on this machine: `python bench/store.py [--postgres URL] [--directory
DIR]`.

Prints journal appends and grouped transactions, each by wall time and by processor time, and first
a calibration: the time of a fixed loop in pure Python. Compare machines by figure × calibration.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

from thorp.store import (
    Connection,
    Database,
    Journal,
    RealDisk,
    SyncPolicy,
    open_database,
    read_journal,
)

SECONDS_EACH = 2.0
CALIBRATION_STEPS = 2_000_000
PAYLOAD = (
    b'{"tick":123456,"agent":"a-17","act":{"type":"move","dx":1,"dy":0,"dz":0},"at":[118,42,-7]}'
)
TABLE = "CREATE TABLE bench_entry (n BIGINT PRIMARY KEY, body TEXT)"
# As many as an event loop with many clients has under way.
WORKS_UNDER_WAY = 2_000


@dataclass
class Stopwatch:
    """Wall and processor time of the block it was used for, over all threads of this process."""

    wall_s: float = 0.0
    cpu_s: float = 0.0


@contextlib.contextmanager
def timed() -> Iterator[Stopwatch]:
    watch = Stopwatch()
    wall, cpu = time.perf_counter(), time.process_time()
    yield watch
    watch.wall_s, watch.cpu_s = time.perf_counter() - wall, time.process_time() - cpu


def report(what: str, count: int, unit: str, watch: Stopwatch) -> None:
    print(
        f"{what:<42}{count / watch.wall_s:>12,.0f} {unit}/s{count / watch.cpu_s:>12,.0f} "
        f"{unit}/CPU s"
    )


def calibrate() -> None:
    total = 0
    with timed() as watch:
        for step in range(CALIBRATION_STEPS):
            total = (total * 31 + step) % 1_000_003
    version = sys.version.split()[0]
    print(
        f"calibration: {watch.cpu_s:.3f} CPU s for {CALIBRATION_STEPS:,} steps of Python {version}"
    )


def bench_journal(directory: Path, batch: int, sync: SyncPolicy) -> None:
    """Append for a while, then read everything back."""
    path = directory / f"journal-{batch}-{sync}.jsonl"
    payloads = [PAYLOAD] * batch
    with Journal.open(RealDisk(), path, header={}, sync=sync) as journal:
        end = time.perf_counter() + SECONDS_EACH
        count = 0
        with timed() as watch:
            while time.perf_counter() < end:
                journal.append(payloads)
                count += batch
            journal.sync()
    report(f"journal, sync {sync}, batches of {batch}", count, "records", watch)
    if sync == "manual":
        with timed() as watch:
            assert sum(1 for _ in read_journal(RealDisk(), path)) == count
        report("journal, scanned and read", count, "records", watch)


def insert(n: int) -> Callable[[Connection], int]:
    def work(connection: Connection) -> int:
        connection.execute("INSERT INTO bench_entry (n, body) VALUES (?, ?)", [n, PAYLOAD.decode()])
        return n

    return work


def bench_database(database: Database, name: str, under_way: int) -> None:
    """Keep `under_way` works under way, each of one insert, and count those that are durable."""
    database.submit(lambda each: each.execute("DROP TABLE IF EXISTS bench_entry")).result()
    database.submit(lambda each: each.execute(TABLE)).result()
    waiting: deque[Future[int]] = deque()
    end = time.perf_counter() + SECONDS_EACH
    count = 0
    with timed() as watch:
        while time.perf_counter() < end:
            waiting.append(database.submit(insert(count)))
            count += 1
            if len(waiting) >= under_way:
                waiting.popleft().result()
        for future in waiting:
            future.result()
    report(f"{name}, {under_way} works under way", count, "commits", watch)
    database.submit(lambda each: each.execute("DROP TABLE bench_entry")).result()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--postgres", metavar="URL", help="also measure this PostgreSQL database")
    parser.add_argument("--directory", type=Path, help="where to write; else a temporary directory")
    arguments = parser.parse_args()
    calibrate()
    with tempfile.TemporaryDirectory(dir=arguments.directory) as name:
        directory = Path(name)
        for batch in (1, 64, 1000):
            bench_journal(directory, batch, "batch")
        bench_journal(directory, 1, "manual")
        urls = {"SQLite": f"sqlite:///{directory}/bench.db"}
        if arguments.postgres:
            urls["PostgreSQL"] = arguments.postgres
        for kind, url in urls.items():
            with open_database(url) as database:
                for under_way in (1, WORKS_UNDER_WAY):
                    bench_database(database, kind, under_way)


if __name__ == "__main__":
    main()

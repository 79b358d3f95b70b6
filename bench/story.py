"""How fast a ledger is: `python bench/story.py [--entries N] [--directory DIR] [--only
beats|http|large]`.

beats   durable beats with the scripted writer on SQLite with full sync: one at a time, beside raw commits of
        one row in the same run on the same disk, by rate and at the fastest tenth of each (which leaves
        out what other programs slow down); the same in turns, one commit and one beat, by the median of
        each, which is steadier on a busy machine; and 32 clients at once
http    the same over HTTP, to a `thorp up` beside it that keeps an empty world ticking: each request is a
        connection kept alive, answered when its beat is durable
large   a ledger of a million entries, whose words are as frequent as in a language (the n-th most frequent
        word comes with a share of 1/n): pages, searches with 8-word questions from the same words, opening,
        memory
"""

from __future__ import annotations

import argparse
import asyncio
import bisect
import itertools
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import aiohttp
from calibration import REFERENCE_MS, calibration_ms, share_of_fastest, share_of_median

from thorp.kernel.canonical import Json
from thorp.server.access.tokens import read_admin_token
from thorp.store import Connection, open_database
from thorp.story import Ledger, StoryConfig, open_ledger
from thorp.story.retrieval import Retrieval
from thorp.story.tables import Tables
from thorp.story.text import STOP_WORDS
from thorp.story.writer import ScriptedWriter

COMMITS = 300  # Raw commits of a round, and as many beats.
SLICE = 20
"""Beats and raw commits take turns in slices this long, so that both see the same moods of the
disk, and neither the caches that the other leaves."""
TABLE = "CREATE TABLE IF NOT EXISTS bench_entry (n BIGINT PRIMARY KEY, body TEXT NOT NULL)"
CLIENTS = 32
WORDS = 50_000
WORDS_OF_AN_ENTRY = 12
QUESTION_WORDS = 8
LOOKS = 400


def envelope(request_id: str, text: str) -> dict[str, Json]:
    return {
        "request_id": request_id,
        "invoker": {"invoker_id": "SYSTEM_INVOKER", "invoker_role": "INVOKER"},
        "operator": {"operator_id": "GEORGE", "input_text": text},
        "mode": {"kind": "BEAT"},
    }


def beats(directory: Path, rounds: int) -> None:
    raw = open_database(f"sqlite:///{directory}/raw.db")
    raw.submit(lambda connection: connection.execute(TABLE)).result()
    rows = []
    with open_ledger(directory / "story", StoryConfig(), ScriptedWriter()) as ledger:
        numbers = itertools.count(1)
        for _ in range(rounds):
            slowness = calibration_ms() / REFERENCE_MS
            raw_times, times = one_at_a_time(ledger, raw.submit, numbers, SLICE)
            raw_rate = len(raw_times) / sum(raw_times)
            single = len(times) / sum(times)
            fastest = share_of_fastest(raw_times, times)
            in_turns = share_of_median(*one_at_a_time(ledger, raw.submit, numbers, 1))
            many, per_cpu = together(ledger, numbers)
            rows.append((single / raw_rate, fastest, in_turns, many, per_cpu * slowness))
            print(
                f"raw {raw_rate:,.0f} commits/s; one at a time {single:,.0f} beats/s "
                f"({single / raw_rate:.0%} of raw, {fastest:.0%} at its fastest, "
                f"{in_turns:.0%} in turns); "
                f"{CLIENTS} clients {many:,.0f} beats/s wall, "
                f"{per_cpu:,.0f} per CPU s (calibrated {per_cpu * slowness:,.0f})",
                flush=True,
            )
    raw.close()
    share, fastest, in_turns, wall, calibrated = (
        statistics.median(column) for column in zip(*rows, strict=True)
    )
    print(f"median: {share:.0%} of raw, {fastest:.0%} at its fastest,", end=" ")
    print(f"{in_turns:.0%} in turns (target 40%);", end=" ")
    print(f"{CLIENTS} clients {wall:,.0f} beats/s wall", end=" ")
    print(f"(target 2,000), {calibrated:,.0f} per CPU s calibrated")


def one_at_a_time(
    ledger: Ledger, submit: Callable[..., object], numbers: Iterator[int], length: int
) -> tuple[list[float], list[float]]:
    """What raw commits and beats took, each alone, in slices of this length."""
    raw_times = []
    times = []
    for _ in range(COMMITS // length):
        for _ in range(length):
            start = time.perf_counter()
            submit(_insert(next(numbers))).result()  # type: ignore[attr-defined]
            raw_times.append(time.perf_counter() - start)
        for _ in range(length):
            number = next(numbers)
            start = time.perf_counter()
            assert (
                ledger.respond(envelope(f"r{number}", f"Line {number} is said aloud.")).status
                == 200
            )
            times.append(time.perf_counter() - start)
    return raw_times, times


def _insert(n: int) -> Callable[[Connection], object]:
    return lambda connection: connection.execute(
        "INSERT INTO bench_entry VALUES (?, ?)", [n, "x" * 100]
    )


def together(ledger: Ledger, numbers: Iterator[int], beats_each: int = 60) -> tuple[float, float]:
    """Beats a second of many clients: by the wall, and by the processor time they took together."""
    ids = [[next(numbers) for _ in range(beats_each)] for _ in range(CLIENTS)]
    failures: list[int] = []

    def client(own: list[int]) -> None:
        for number in own:
            status = ledger.respond(envelope(f"r{number}", f"Line {number} is said aloud.")).status
            if status != 200:
                failures.append(status)

    threads = [threading.Thread(target=client, args=[own]) for own in ids]
    start, start_cpu = time.perf_counter(), time.process_time()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    count = CLIENTS * beats_each
    return count / (time.perf_counter() - start), count / (time.process_time() - start_cpu)


def http(directory: Path, rounds: int) -> None:
    data = directory / "served"
    command = ["up", "--data", str(data), "--port", "0", "--writer", "scripted"]
    with subprocess.Popen(
        [sys.executable, "-m", "thorp", *command], stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            url = server.stdout.readline().split()[-1]
            asyncio.run(_over_http(f"{url}invocations", read_admin_token(data), rounds))
        finally:
            server.terminate()
            server.communicate()


async def _over_http(url: str, token: str | None, rounds: int) -> None:
    rows = []
    headers = {"Authorization": f"Bearer {token}"}  # to speak as the operator
    async with aiohttp.ClientSession(headers=headers) as session:

        async def beat(number: int) -> None:
            body = envelope(f"r{number}", f"Line {number} is said aloud.")
            async with session.post(url, json=body) as answer:
                assert answer.status == 200, await answer.text()
                await answer.read()

        numbers = itertools.count(1)

        async def client(beats_each: int) -> None:
            for _ in range(beats_each):
                await beat(next(numbers))

        async def rate(clients: int, beats_each: int) -> float:
            start = time.perf_counter()
            await asyncio.gather(*(client(beats_each) for _ in range(clients)))
            return clients * beats_each / (time.perf_counter() - start)

        await client(20)
        for _ in range(rounds):
            rows.append((await rate(1, 200), await rate(CLIENTS, 60)))
    single, many = (statistics.median(column) for column in zip(*rows, strict=True))
    print(f"over HTTP, wall, median of {rounds}: one at a time {single:,.0f} beats/s; ", end="")
    print(f"{CLIENTS} clients {many:,.0f} beats/s (reported, no target)")


class Language:
    """Words whose frequencies are those of a language: the stop words are the most frequent
    ones."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        made = (
            f"{'bcdfgklmnprstvz'[n % 15]}{'aeiou'[n // 15 % 5]}{n:x}" for n in itertools.count()
        )
        self._words = [*sorted(STOP_WORDS), *itertools.islice(made, WORDS)]
        self._shares = list(
            itertools.accumulate(1 / rank for rank in range(1, len(self._words) + 1))
        )

    def say(self, count: int) -> str:
        total = self._shares[-1]
        return " ".join(
            self._words[bisect.bisect(self._shares, self._random.random() * total)]
            for _ in range(count)
        )


def build(directory: Path, entries: int) -> None:
    """Write a large ledger by the normal way in, full bundles at a time."""
    language = Language(1)

    def proposal(_moment: object) -> Json:
        lines = [
            {
                "author": {"author_id": "WORLD", "author_class": "WORLD"},
                "visibility": {"scope": "PUBLIC", "visible_to": []},
                "channel": "VOICE",
                "text": language.say(WORDS_OF_AN_ENTRY),
            }
            for _ in range(31)
        ]
        lines[0]["visibility"] = {"scope": "PRIVATE", "visible_to": ["GEORGE"]}
        by = {"engine": "ENGINE_9_LLM_WRITER", "actor": "WORLD"}
        return {"proposed_write_bundle": {"proposed_by": by, "wrote": True, "entries": lines}}

    start, done = time.perf_counter(), 0
    with open_ledger(
        directory, StoryConfig(), ScriptedWriter(itertools.repeat(proposal))
    ) as ledger:
        while done < entries:
            bundles = min(2000, (entries - done + 31) // 32)
            ids = iter(range(done, done + 32 * bundles, 32))

            def client(ids: Iterator[int] = ids) -> None:
                while (number := next(ids, None)) is not None:
                    assert (
                        ledger.respond(
                            envelope(f"r{number}", language.say(WORDS_OF_AN_ENTRY))
                        ).status
                        == 200
                    )

            client()
            done += 32 * bundles
            print(f"  {done:,} entries after {time.perf_counter() - start:,.0f} s", flush=True)


def large(directory: Path, entries: int) -> None:
    home = directory / f"large-{entries}"
    if not home.exists():
        build(home, entries)
    size = sum(file.stat().st_size for file in home.iterdir())
    print(f"{entries:,} entries, {size / 2**20:,.0f} MiB on disk")
    # In a process of its own, so that its memory is only its own.
    subprocess.run([sys.executable, __file__, "--look-at", str(home)], check=True)


def look_at(home: Path) -> None:
    start = time.perf_counter()
    with open_ledger(home, writer=ScriptedWriter()) as ledger:
        print(f"opening: {(time.perf_counter() - start) * 1000:,.0f} ms (target 1,000)")
        choice = random.Random(3)
        total = int(ledger.page("GEORGE", "c:00000000", 1)["stream"]["cursor_after"][2:])
        count = ledger.read(lambda connection: Tables(connection, ledger.config).head().seq)
        assert total == 1
        report(
            "page of 100 of the operator",
            [page(ledger, choice.randrange(count - 200)) for _ in range(LOOKS)],
            10,
        )
        language = Language(2)
        found = [search(ledger, language.say(QUESTION_WORDS)) for _ in range(LOOKS)]
        report("search, 8-word questions", found, 50)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"memory at its highest: {peak:,.0f} MiB (target 300)")


Look = tuple[float, float]
"""How long a look took by the wall, and by the processor."""


def timed(look: Callable[[], object]) -> Look:
    start, start_cpu = time.perf_counter(), time.thread_time()
    look()
    return time.perf_counter() - start, time.thread_time() - start_cpu


def page(ledger: Ledger, place: int) -> Look:
    def look() -> None:
        assert len(ledger.page("GEORGE", f"c:{place:08d}", 100)["stream"]["entries"]) == 100

    return timed(look)


def search(ledger: Ledger, question: str) -> Look:
    def look(connection: Connection) -> int:
        retrieval = Retrieval(Tables(connection, ledger.config), ledger.config)
        return len(retrieval.search(None, question, limit=20))

    return timed(lambda: ledger.read(look))


def report(what: str, looks: list[Look], target_ms: int) -> None:
    for clock, column in (("wall", 0), ("CPU", 1)):
        ordered = sorted(look[column] * 1000 for look in looks)
        p50, p99 = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)]
        print(
            f"{what}, {clock}: p50 {p50:.1f} ms, p99 {p99:.1f} ms, worst {ordered[-1]:.1f} ms",
            end="  ",
        )
    print(f"(target p99 {target_ms})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--only", choices=["beats", "http", "large"])
    parser.add_argument("--directory", type=Path, help="where to write, and keep a large ledger")
    parser.add_argument("--look-at", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.look_at is not None:
        look_at(arguments.look_at)
        return
    with tempfile.TemporaryDirectory(dir=arguments.directory) as name:
        if arguments.only in (None, "beats"):
            beats(Path(name), arguments.rounds)
        if arguments.only in (None, "http"):
            http(Path(name), arguments.rounds)
        if arguments.only in (None, "large"):
            large(arguments.directory or Path(name), arguments.entries)


if __name__ == "__main__":
    main()

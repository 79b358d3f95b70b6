"""A process that writes and says what is acknowledged, until it is killed.

    python -m tests.store.kill_child journal PATH
    python -m tests.store.kill_child database URL

Each acknowledged number is a line on standard output, in the order of acknowledgement.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from concurrent.futures import Future
from pathlib import Path

from thorp.store import Connection, Journal, RealDisk, open_database

HEADER = {"for": "killing"}
TABLE = "CREATE TABLE IF NOT EXISTS entry (n BIGINT PRIMARY KEY, body TEXT NOT NULL)"
# So many works are on their way at a time, which makes for groups of all sizes.
WINDOW = 50


def payload(n: int) -> str:
    return f'{{"n":{n},"text":"{"x" * (n * 37 % 3000)}"}}'


def acknowledge(n: int) -> None:
    os.write(1, b"%d\n" % n)


def write_journal(path: str) -> None:
    journal = Journal.open(RealDisk(), Path(path), header=HEADER)
    while True:
        first = journal.records + 1
        batch = [payload(n).encode() for n in range(first, first + 1 + first % 4)]
        for n in journal.append(batch):
            acknowledge(n)


def write_database(url: str) -> None:
    database = open_database(url)
    database.submit(lambda connection: connection.execute(TABLE)).result()
    [(last,)] = database.read(lambda connection: connection.execute("SELECT max(n) FROM entry"))
    waiting: deque[Future[int]] = deque()
    n = last or 0
    while True:
        n += 1
        waiting.append(database.submit(inserting(n)))
        if len(waiting) > WINDOW:
            acknowledge(waiting.popleft().result())


def inserting(n: int):
    def work(connection: Connection) -> int:
        connection.execute("INSERT INTO entry (n, body) VALUES (?, ?)", [n, payload(n)])
        return n

    return work


if __name__ == "__main__":
    {"journal": write_journal, "database": write_database}[sys.argv[1]](sys.argv[2])

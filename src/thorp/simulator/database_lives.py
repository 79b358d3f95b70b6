"""Lives of an SQLite database on a disk that breaks, with works that are committed in groups.

The model is the rows of acknowledged works, and the one group whose commit gave an error: either
all of its rows are there or none.
"""

from __future__ import annotations

import contextlib
from random import Random
from typing import Final

from thorp.kernel.errors import ThorpError
from thorp.simulator.breakable_sqlite import BreakableSqlite
from thorp.simulator.lives import FAILURES, Lives
from thorp.store.database import Work, commit_group
from thorp.store.disk import DiskError
from thorp.store.session import Connection, ConstraintError
from thorp.store.sqlite import SqliteSession
from thorp.store.testing import BreakableDisk, PowerLost

# Opening makes about 15 changes to the disk, a commit about 6, and a checkpoint some more.
CHANGES_OF_A_LIFE: Final = 60
TABLE: Final = "CREATE TABLE IF NOT EXISTS entry (n BIGINT PRIMARY KEY, body TEXT NOT NULL)"

Rows = dict[int, str]


class ChangeOfMind(Exception):
    """Raised by a work that is to be undone."""


class DatabaseLives(Lives):
    """Opens one database again and again, commits groups of works to it, and checks what
    survived."""

    def __init__(self, seed: int) -> None:
        super().__init__(Random(-1 - seed), BreakableDisk(seed, piece_bytes=4096))
        self.path = self.disk.root / "ledger.db"
        self.acknowledged: Rows = {}
        self.open_group: Rows = {}
        self.next = 0
        if self.random.random() < 0.2:
            self.disk.space_bytes = self.random.randrange(20_000, 120_000)

    def live_all(self) -> None:
        """End some lives badly, and the last one well."""
        with BreakableSqlite(self.disk) as sqlite:
            for _ in range(self.random.randrange(2, 5)):
                self.arrange()
                try:
                    self.live(sqlite)
                except PowerLost:
                    pass
                except DiskError as error:
                    self.tally[error.code] += 1
                self.come_back()
            self.disk.cut_power_in(0)
            self.disk.fail_in(0)
            self.disk.space_bytes = None
            self.live(sqlite)

    def arrange(self) -> None:
        """Decide how this life ends."""
        when = self.random.randrange(1, CHANGES_OF_A_LIFE)
        end = self.random.random()
        if end < 0.6:
            self.disk.cut_power_in(when)
        elif end < 0.9:
            self.disk.fail_in(when, self.random.choice(FAILURES))

    def come_back(self) -> None:
        """Go on after any end of a life, with or without a crash, and with more space."""
        if self.disk.off:
            self.restart(memory_kept=self.random.random() < 0.3)
        elif self.random.random() < 0.5:
            self.crash()
        self.disk.cut_power_in(0)
        self.disk.fail_in(0)
        if self.disk.space_bytes is not None:
            self.disk.space_bytes += self.random.randrange(100_000)

    def live(self, sqlite: BreakableSqlite) -> None:
        """One process: commit some groups, and close."""
        self.step("open the database")
        session = sqlite.connect(self.path)
        try:
            # Small, so that a life has several checkpoints.
            session.run(f"PRAGMA wal_autocheckpoint = {self.random.choice((3, 8, 1000))}")
            commit_group(session, [lambda connection: connection.execute(TABLE)])
            self.check_rows(session)
            for _ in range(self.random.randrange(8)):
                self.commit(session)
        finally:
            with contextlib.suppress(ThorpError):
                session.close()

    def check_rows(self, session: SqliteSession) -> None:
        """Check that all acknowledged rows are there, and all rows of an open group or none."""
        [(state,)] = session.run("PRAGMA integrity_check")
        self.check(state == "ok", f"the integrity check says: {state}")
        rows: Rows = dict(session.run("SELECT n, body FROM entry"))
        if rows == self.acknowledged | self.open_group and self.open_group:
            self.tally["survived unacknowledged"] += 1
        else:
            expected = len(self.acknowledged)
            self.check(
                rows == self.acknowledged, f"acknowledged {expected} rows, found {len(rows)}"
            )
        self.acknowledged = rows
        self.open_group = {}

    def commit(self, session: SqliteSession) -> None:
        """Commit a group of works, some of which fail."""
        works: list[Work] = []
        expected: Rows = {}
        for _ in range(self.random.randrange(1, 5)):
            fate = self.random.choice(("good", "good", "raises", "collides"))
            rows = {}
            for _ in range(self.random.randrange(1, 4)):
                rows[self.next] = "x" * self.random.choice((10, 200, 3000))
                self.next += 1
            works.append(make_work(rows, fate))
            if fate == "good":
                expected |= rows
        self.open_group = expected
        self.step(f"commit {len(works)} works")
        outcomes = commit_group(session, works)
        self.acknowledged |= expected
        self.open_group = {}
        self.tally["groups"] += 1
        self.tally["works undone"] += sum(
            isinstance(outcome.error, ChangeOfMind | ConstraintError) for outcome in outcomes
        )


def make_work(rows: Rows, fate: str) -> Work:
    """A work that inserts rows, and then succeeds, raises, or breaks a constraint."""

    def work(connection: Connection) -> int:
        for n, body in rows.items():
            connection.execute("INSERT INTO entry (n, body) VALUES (?, ?)", [n, body])
        if fate == "raises":
            raise ChangeOfMind
        if fate == "collides":
            connection.execute("INSERT INTO entry (n, body) VALUES (?, ?)", [max(rows), "again"])
        return len(rows)

    return work

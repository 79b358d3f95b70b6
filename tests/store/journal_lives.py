"""One seed is one journal with several lives, each ended by a crash, a failing disk or a clean close.

The model beside it is two lists: what has been acknowledged, and the batches whose fate is open.
Whenever a journal opens, it must hold all of the first, then whole batches of the second, in order,
and nothing else; what it holds is acknowledged from then on.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

import pytest

from thorp.kernel.errors import IllegalError
from thorp.store.disk import DiskError
from thorp.store.journal import Journal, SyncPolicy
from thorp.store.scan import DamagedRecord
from thorp.store.testing import BreakableDisk, PowerLost

HEADER = {"rules": 3, "world": "Nether Wallop"}
# A life makes about 20 changes to the disk, opening included.
CHANGES_OF_A_LIFE = 24

MakeDisk = Callable[[int], BreakableDisk]


class Lost(AssertionError):
    """The journal broke its promise."""


class Lives:
    def __init__(self, seed: int, make_disk: MakeDisk = BreakableDisk) -> None:
        self.random = Random(-1 - seed)
        self.disk = make_disk(seed)
        self.path = self.disk.root / "world.jsonl"
        self.policy: SyncPolicy = self.random.choice(("batch", "batch", "manual"))
        self.acknowledged: list[bytes] = []
        self.open_batches: list[list[bytes]] = []
        self.tally: Counter[str] = Counter()
        if self.random.random() < 0.2:
            self.disk.space_bytes = self.random.randrange(200, 20_000)

    def run(self) -> Counter[str]:
        for _ in range(self.random.randrange(2, 5)):
            self.arrange()
            try:
                self.live()
            except PowerLost:
                killed = self.random.random() < 0.3
                self.tally["killed" if killed else "power lost"] += 1
                self.disk.restart(memory_kept=killed)
            except DiskError as error:
                self.tally[error.code] += 1
                self.come_back()
        self.disk.cut_power_in(0)
        self.disk.fail_in(0)
        self.disk.space_bytes = None
        self.finish()
        return self.tally

    def arrange(self) -> None:
        """Decide how this life ends."""
        when = self.random.randrange(1, CHANGES_OF_A_LIFE)
        end = self.random.random()
        if end < 0.5:
            self.disk.cut_power_in(when)
        elif end < 0.8:
            self.disk.fail_in(when, self.random.choice(("disk_error", "disk_full")))

    def come_back(self) -> None:
        """After a failing disk: with or without a crash, and with more space."""
        self.disk.cut_power_in(0)
        self.disk.fail_in(0)
        if self.disk.space_bytes is not None:
            self.disk.space_bytes += self.random.randrange(20_000)
        if self.random.random() < 0.5:
            self.disk.crash()

    def live(self) -> None:
        journal = self.open()
        try:
            for _ in range(self.random.randrange(8)):
                self.append(journal, self.make_batch())
                if self.policy == "manual" and self.random.random() < 0.3:
                    journal.sync()
                    self.acknowledge_all()
            journal.close()
            self.acknowledge_all()
        except DiskError:
            with pytest.raises(IllegalError):
                journal.append([b"1"])
            raise
        finally:
            journal.close()
        if self.random.random() < 0.5:
            self.disk.crash()

    def open(self) -> Journal:
        """Open, and hold the journal to its promise."""
        journal = Journal.open(self.disk, self.path, header=HEADER, sync=self.policy)
        try:
            self.check(journal)
        except BaseException:
            journal.close()
            raise
        return journal

    def check(self, journal: Journal) -> None:
        found = list(journal.read())
        known = len(self.acknowledged)
        if found[:known] != self.acknowledged:
            raise Lost(f"acknowledged {known}, found {len(found)}")
        rest = found[known:]
        for batch in self.open_batches:
            if not rest:
                break
            if rest[: len(batch)] != batch:
                raise Lost("a batch survived in part")
            rest = rest[len(batch) :]
            self.tally["survived unacknowledged"] += 1
        if rest:
            raise Lost("records that nobody wrote")
        self.check_torn(journal)
        self.acknowledged, self.open_batches = found, []

    def check_torn(self, journal: Journal) -> None:
        torn = journal.recovery.torn
        if torn is None:
            return
        self.tally["torn"] += 1
        kept = self.disk.open(torn.kept_in)
        assert kept.size() == torn.size_bytes > 0
        assert torn.file == self.path
        assert torn.from_record == journal.records + 1 <= torn.record
        assert torn.from_byte <= torn.byte <= torn.from_byte + torn.size_bytes

    def append(self, journal: Journal, batch: list[bytes]) -> None:
        self.open_batches.append(batch)
        numbers = journal.append(batch)
        assert len(numbers) == len(batch)
        if self.policy == "batch":
            self.acknowledge_all()

    def acknowledge_all(self) -> None:
        for batch in self.open_batches:
            self.acknowledged += batch
        self.open_batches = []

    def make_batch(self) -> list[bytes]:
        sizes: Sequence[int] = self.random.choice(((5, 60), (5, 60), (400, 1500)))
        return [
            json.dumps({"text": "x" * self.random.randrange(*sizes), "at": self.random.random()}).encode()
            for _ in range(self.random.randrange(1, 5))
        ]

    def finish(self) -> None:
        """Open in peace; then damage one byte of what a last batch proves to be durable."""
        with self.open() as journal:
            self.append(journal, [b'"the last batch"'])
            journal.sync()
            self.acknowledge_all()
        self.disk.crash()
        self.open().close()
        content = self.disk.open(self.path).read(0, 1 << 30)
        lines = content.splitlines(keepends=True)
        flip_one_byte(self.disk, self.path, self.random.randrange(len(content) - len(lines[-1])), self.random)
        self.tally["damage named"] += 1


def flip_one_byte(disk: BreakableDisk, path, offset: int, random: Random) -> None:
    """Change one byte: opening must name the record it is in, change nothing, and work once it is mended."""
    content = disk.open(path).read(0, 1 << 30)
    record = content.count(b"\n", 0, offset)
    begins = content.rfind(b"\n", 0, offset) + 1
    disk.corrupt(path, offset, content[offset] ^ random.randrange(1, 256))
    names, changes = disk.list(disk.root), disk.changes
    with pytest.raises(DamagedRecord) as caught:
        Journal.open(disk, path)
    assert (caught.value.file, caught.value.record, caught.value.byte) == (path, record, begins)
    assert f"record {record}, whose line begins at byte {begins}" in str(caught.value)
    assert (disk.list(disk.root), disk.changes) == (names, changes)
    disk.corrupt(path, offset, content[offset])
    Journal.open(disk, path).close()

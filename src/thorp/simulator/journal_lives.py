"""Lives of a journal on a disk that breaks, each ended by a crash, a failing disk or a clean close.

The model is two lists: the records that were acknowledged, and the batches whose fate is open.
Whenever the journal is opened, it must hold all of the first, then whole batches of the second, in
order, and nothing else; what it holds counts as acknowledged from then on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Final

from thorp.kernel.errors import IllegalError
from thorp.simulator.lives import FAILURES, BrokenPromise, Lives
from thorp.store.disk import DiskError
from thorp.store.journal import Journal, SyncPolicy
from thorp.store.scan import DamagedRecord
from thorp.store.testing import BreakableDisk, PowerLost

HEADER: Final = {"rules": 3, "world": "Nether Wallop"}
# A life makes about 20 changes to the disk, opening included.
CHANGES_OF_A_LIFE: Final = 24

MakeDisk = Callable[[int], BreakableDisk]


class JournalLives(Lives):
    """Opens one journal again and again, appends batches to it, and checks what survived."""

    def __init__(self, seed: int, make_disk: MakeDisk = BreakableDisk) -> None:
        super().__init__(Random(-1 - seed), make_disk(seed))
        self.path = self.disk.root / "world.jsonl"
        self.policy: SyncPolicy = self.random.choice(("batch", "batch", "manual"))
        self.acknowledged: list[bytes] = []
        self.open_batches: list[list[bytes]] = []
        if self.random.random() < 0.2:
            self.disk.space_bytes = self.random.randrange(200, 20_000)

    def live_all(self) -> None:
        """End some lives badly, and the last one well."""
        for _ in range(self.random.randrange(2, 5)):
            self.arrange()
            try:
                self.live()
            except PowerLost:
                self.restart(memory_kept=self.random.random() < 0.3)
            except DiskError as error:
                self.tally[error.code] += 1
                self.come_back()
        self.disk.cut_power_in(0)
        self.disk.fail_in(0)
        self.disk.space_bytes = None
        self.finish()

    def arrange(self) -> None:
        """Decide how this life ends."""
        when = self.random.randrange(1, CHANGES_OF_A_LIFE)
        end = self.random.random()
        if end < 0.5:
            self.disk.cut_power_in(when)
        elif end < 0.8:
            self.disk.fail_in(when, self.random.choice(FAILURES))

    def come_back(self) -> None:
        """Go on after a failing disk, with or without a crash, and with more space."""
        self.disk.cut_power_in(0)
        self.disk.fail_in(0)
        if self.disk.space_bytes is not None:
            self.disk.space_bytes += self.random.randrange(20_000)
        if self.random.random() < 0.5:
            self.crash()

    def live(self) -> None:
        """One process: append some batches, and close."""
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
            self.check_broken(journal)
            raise
        finally:
            journal.close()
        if self.random.random() < 0.5:
            self.crash()

    def check_broken(self, journal: Journal) -> None:
        """Check that after a failure the journal takes nothing more."""
        try:
            journal.append([b"1"])
        except IllegalError:
            self.tally["checks"] += 1
        else:
            raise BrokenPromise("the journal goes on after its disk has failed")

    def open(self) -> Journal:
        """Open the journal, and check that it holds what it promised."""
        self.step("open the journal")
        journal = Journal.open(self.disk, self.path, header=HEADER, sync=self.policy)
        try:
            self.check_records(journal)
        except BaseException:
            journal.close()
            raise
        return journal

    def check_records(self, journal: Journal) -> None:
        """Check that all acknowledged records are there, then whole batches, in order, and nothing
        else."""
        records = list(journal.read())
        count = len(self.acknowledged)
        self.check(
            records[:count] == self.acknowledged,
            f"acknowledged {count} records, found {len(records)}",
        )
        rest = records[count:]
        for batch in self.open_batches:
            if not rest:
                break
            self.check(rest[: len(batch)] == batch, "a batch survived in part")
            rest = rest[len(batch) :]
            self.tally["survived unacknowledged"] += 1
        self.check(not rest, "there are records that nobody wrote")
        self.check_torn(journal)
        self.acknowledged = records
        self.open_batches = []

    def check_torn(self, journal: Journal) -> None:
        """Check that a torn tail was set aside whole, and reported where it was."""
        torn = journal.recovery.torn
        if torn is None:
            return
        self.tally["torn"] += 1
        kept = self.disk.open(torn.kept_in)
        holds = (
            kept.size() == torn.size_bytes > 0
            and torn.file == self.path
            and torn.from_record == journal.records + 1 <= torn.record
            and torn.from_byte <= torn.byte <= torn.from_byte + torn.size_bytes
        )
        self.check(holds, f"a torn tail is not what is reported: {torn}")

    def append(self, journal: Journal, batch: list[bytes]) -> None:
        """Append a batch, which is acknowledged if every batch is synced."""
        self.step(f"append {len(batch)} records")
        self.open_batches.append(batch)
        numbers = journal.append(batch)
        self.check(len(numbers) == len(batch), f"{len(batch)} records got the numbers {numbers}")
        if self.policy == "batch":
            self.acknowledge_all()

    def acknowledge_all(self) -> None:
        """Note that the journal has said of all batches that they are durable."""
        for batch in self.open_batches:
            self.acknowledged += batch
        self.open_batches = []

    def make_batch(self) -> list[bytes]:
        """A batch of small records, or of large ones."""
        sizes: Sequence[int] = self.random.choice(((5, 60), (5, 60), (400, 1500)))
        return [
            json.dumps(
                {"text": "x" * self.random.randrange(*sizes), "at": self.random.random()}
            ).encode()
            for _ in range(self.random.randrange(1, 5))
        ]

    def finish(self) -> None:
        """Append a last batch without accidents, then damage one byte before it: the batch proves
        that this byte was durable, so it cannot count as a torn tail."""
        with self.open() as journal:
            self.append(journal, [b'"the last batch"'])
            journal.sync()
            self.acknowledge_all()
        self.crash()
        self.open().close()
        content = self.disk.open(self.path).read(0, 1 << 30)
        lines = content.splitlines(keepends=True)
        offset = self.random.randrange(len(content) - len(lines[-1]))
        self.step(f"change byte {offset}")
        flip_one_byte(self.disk, self.path, offset, self.random)
        self.tally["checks"] += 1
        self.tally["damage named"] += 1


def flip_one_byte(disk: BreakableDisk, path: Path, offset: int, random: Random) -> None:
    """Change one byte of a journal. Opening it must name the record of that byte and change
    nothing, and must succeed once the byte is put back."""
    content = disk.open(path).read(0, 1 << 30)
    record = content.count(b"\n", 0, offset)
    begins = content.rfind(b"\n", 0, offset) + 1
    disk.corrupt(path, offset, content[offset] ^ random.randrange(1, 256))
    names = disk.list(disk.root)
    changes = disk.changes
    try:
        Journal.open(disk, path).close()
    except DamagedRecord as damage:
        place = (damage.file, damage.record, damage.byte)
        named = f"record {record}, whose line begins at byte {begins}" in str(damage)
    else:
        raise BrokenPromise(f"a changed byte of record {record} was not noticed")
    if place != (path, record, begins) or not named:
        raise BrokenPromise(f"a changed byte of record {record} was looked for at {place}")
    if (disk.list(disk.root), disk.changes) != (names, changes):
        raise BrokenPromise("a refused journal was changed")
    disk.corrupt(path, offset, content[offset])
    Journal.open(disk, path).close()

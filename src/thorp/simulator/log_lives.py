"""Lives of a signed log on a disk that breaks: no acknowledged leaf is lost, and the log never
shows two different views.

Leaves are added and published, step by step. The model is what others have seen: leaves that were
acknowledged, and checkpoints that were signed. A checkpoint counts from the moment its signature
exists, because witnesses see it before it has its name on the disk.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from random import Random
from typing import Final, NamedTuple

from thorp.kernel.errors import ThorpError
from thorp.log.audit import audit
from thorp.log.directory import MAX_KEPT, PUBLIC, Log, create, prove
from thorp.log.merkle import root_of
from thorp.log.note import Note, read_note
from thorp.log.signer import Signer
from thorp.log.tlog import read_checkpoint, write_proof
from thorp.log.trust import Trust
from thorp.log.verify import verify_proof
from thorp.simulator.lives import Lives
from thorp.store.testing import BreakableDisk, PowerLost

ORIGIN: Final = "simulated.example/log"
CHANGES_OF_A_LIFE: Final = 60
"""Publishing makes about 12 changes to the disk, adding leaves 2."""


class LogAccident(NamedTuple):
    """The accident that ends one life."""

    change: int
    """The change to the disk, counted from the beginning of the life."""
    fails: bool
    """Whether the change fails; otherwise the power is lost."""
    memory_kept: bool
    """Whether only the process dies, so that what it wrote may still be in memory."""


class LogLives(Lives):
    """Opens one log again and again, adds and publishes leaves, and checks what others have
    seen."""

    def __init__(
        self,
        seed: int,
        *,
        accidents: Sequence[LogAccident] | None = None,
        counts: Sequence[int] | None = None,
        kept: int | None = None,
    ) -> None:
        super().__init__(Random(-1 - seed), BreakableDisk(seed))
        draw = self.random
        self.directory = self.disk.root / "log"
        self.signer = Signer(ORIGIN, sha256(b"%d" % seed).digest())
        self.trust = Trust((self.signer.vkey,))
        self._accidents = _draw_accidents(draw) if accidents is None else accidents
        self._counts = (
            [draw.randint(1, 40) for _ in range(draw.randint(1, 6))] if counts is None else counts
        )
        self._kept = draw.choice((1, 30, MAX_KEPT)) if kept is None else kept
        self.acknowledged = 0
        """How many leaves were acknowledged."""
        self.roots: dict[int, bytes] = {}
        """The root of each size that was signed."""
        self.published: bytes = b""
        """The last checkpoint that was returned."""

    def live_all(self) -> None:
        """End some lives badly; then publish once more without accidents, and check everything."""
        create(self.disk, self.directory, [self.signer.vkey])
        for accident in self._accidents:
            if accident.fails:
                self.disk.fail_in(accident.change)
            else:
                self.disk.cut_power_in(accident.change)
            self._live_once()
            self.restart(memory_kept=accident.memory_kept)
        self._live([1])
        self._check_leaves()
        self._check_public()

    def _live_once(self) -> None:
        faults = self.disk.faults
        try:
            self._live(self._counts)
        except (PowerLost, ThorpError):
            if not self.disk.off and self.disk.faults == faults:
                raise

    def _live(self, counts: Sequence[int]) -> None:
        self.step("open the log")
        with Log(self.disk, self.directory, kept=self._kept) as log:
            for count in counts:
                self.check(
                    log.size >= self.acknowledged,
                    f"{self.acknowledged} leaves were acknowledged, and {log.size} are there",
                )
                new = range(log.size, log.size + count)
                self.step(f"add {count} leaves")
                numbers = log.add([make_leaf(number) for number in new])
                self.check(numbers == list(new), f"new leaves {new} have the numbers {numbers}")
                self.acknowledged = new.stop
                self.step("publish")
                self.published = log.checkpoint([self.signer], self._cosign)
                self._see(read_note(self.published))

    def _cosign(self, note: Note, log: Log) -> Note:
        """Show a signed checkpoint to the outside, before it is published."""
        self._see(note)
        return note

    def _see(self, note: Note) -> None:
        checkpoint = read_checkpoint(note.text)
        root = self.roots.setdefault(checkpoint.size, checkpoint.root)
        self.check(
            root == checkpoint.root, f"two views of the first {checkpoint.size} leaves were signed"
        )

    def _check_leaves(self) -> None:
        """Check that every acknowledged leaf has its number, and that every signed view is a view
        of this log."""
        self.step("look at all leaves")
        leaves = [make_leaf(number) for number in range(self.acknowledged)]
        with Log(self.disk, self.directory, kept=self._kept) as log:
            self.check(
                log.add(leaves) == list(range(len(leaves))), "an acknowledged leaf is lost or moved"
            )
            for size, root in self.roots.items():
                self.check(
                    root_of(log.tiles.node, size) == root,
                    f"the signed view of {size} leaves is gone",
                )

    def _check_public(self) -> None:
        """Check that the published files convince a stranger who has seen an older checkpoint and
        wants a proof."""
        self.step("audit what is published")
        public = self.directory / PUBLIC
        size = audit(self.disk, public, self.trust, self.published).size
        self.check(
            size >= self.acknowledged, f"{self.acknowledged} leaves acknowledged, {size} published"
        )
        number = self.random.randrange(size)
        proof = prove(self.disk, public, number)
        verify_proof(write_proof(proof), make_leaf(number), self.trust)
        self.tally["checks"] += 1


def make_leaf(number: int) -> bytes:
    """The leaf with a number: a line of JSON that no other leaf has."""
    return b'{"n":%d,"padding":"%s"}' % (number, b"x" * (number * 37 % 200))


def _draw_accidents(draw: Random) -> list[LogAccident]:
    return [
        LogAccident(
            change=draw.randint(1, CHANGES_OF_A_LIFE),
            fails=draw.random() < 0.5,
            memory_kept=draw.random() < 0.5,
        )
        for _ in range(draw.randint(1, 4))
    ]

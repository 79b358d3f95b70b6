"""Replay: executes the journal of a world directory again.

A history begins with the newest sound snapshot that is not too new, or with the founding, and goes
on record by record. Each record says what the digest was before its tick, so a tick is confirmed by
the next one. Where the tuning changes from one segment to the next, the world goes on under the new
one; what other rules or catalogs executed cannot be executed here.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from thorp.kernel.errors import DamagedError, IllegalError, ThorpError
from thorp.store import DamagedRecord, Disk
from thorp.voxel.extension import Extension
from thorp.voxel.persistence.directory import Segment, WorldDirectory
from thorp.voxel.persistence.head import read_head
from thorp.voxel.persistence.record import Terms, TickRecord
from thorp.voxel.persistence.snapshot import Found, restore, with_tuning
from thorp.voxel.state.world import World
from thorp.voxel.tick import step

Watch = Callable[[int], None]  # Told the tick that was just executed.


@dataclass(slots=True)
class History:
    """A world on its way through its journal."""

    directory: WorldDirectory
    found: Found
    world: World
    terms: Terms
    snapshot_tick: int | None  # The snapshot it began with; None if with the founding.
    extensions: tuple[Extension, ...] = ()
    """All that `found` builds on a world. Each segment is executed with those that its terms
    name."""
    unsound: list[str] = field(default_factory=list)  # Snapshots that were passed over, and why.
    replayed: int = 0
    checked_tick: int = (
        0  # The last tick whose digest a later record, or its own snapshot, confirmed.
    )
    tip: str | None = None  # Of the segment read last.
    record: TickRecord | None = None  # Of the tick executed last.

    @classmethod
    def begin(cls, disk: Disk, path: Path, found: Found, *, at_most: int | None = None) -> Self:
        """The nearest place to start from."""
        directory = WorldDirectory(disk, path)
        directory.require()
        unsound: list[str] = []
        for tick in reversed(directory.snapshots()):
            if at_most is None or tick <= at_most:
                try:
                    history = cls.at_snapshot(directory, tick, found)
                    _check_digest(directory, tick)
                except DamagedError as error:
                    unsound.append(error.message)
                else:
                    break
        else:
            history = cls.at_founding(directory, found)
        history.unsound = unsound
        return history

    @classmethod
    def at_snapshot(cls, directory: WorldDirectory, tick: int, found: Found) -> Self:
        try:
            world = restore(directory.read_snapshot(tick), found)
            terms = directory.snapshot_header(tick).terms
        except DamagedError as error:
            raise DamagedError(f"{directory.snapshot_path(tick)}: {error.message}") from None
        return cls(directory, found, world, terms, tick)

    @classmethod
    def at_founding(cls, directory: WorldDirectory, found: Found) -> Self:
        first = Segment(directory.disk, next(iter(directory.journals().values())))
        if first.first_tick != 1:
            told = f"the journal begins with tick {first.first_tick}"
            raise DamagedError(
                f"{directory.path}: {told}, and there is no sound snapshot to start from"
            )
        terms = first.header.terms
        return cls(directory, found, found(terms.seed, terms.draw_seed, terms.tuning), terms, None)

    def __post_init__(self) -> None:
        self.extensions = self.world.extensions
        self.checked_tick = self.snapshot_tick or 0
        self._take_over(self.terms)

    def go(
        self, *, to_tick: int | None = None, check_every: int = 1, watch: Watch = lambda _: None
    ) -> World:
        """Execute up to a tick, or to the end of the last complete record."""
        if to_tick is not None and to_tick <= self.world.tick:
            return self.world
        segments = self.directory.segments(after=self.world.tick)
        for segment in segments:
            if to_tick is not None and segment.first_tick > to_tick:
                break
            self.enter(segment)
            scan = segment.scan()
            if scan.tail and segment is not segments[-1]:
                raise DamagedRecord(
                    segment.path, scan.bad_record, scan.bad_byte, "a later segment follows it"
                )
            self.follow(segment, scan.end, to_tick=to_tick, check_every=check_every, watch=watch)
            self.tip = segment.end_of(scan).tip
        if to_tick is not None and self.world.tick < to_tick:
            told = f"the last tick is {self.world.tick}, so there is no tick {to_tick}"
            raise IllegalError(f"{self.directory.path}: {told}", code="range")
        return self.world

    def enter(self, segment: Segment) -> None:
        """Take over the terms of a segment, and see that it continues what came before."""
        header = segment.header
        foreign = self.foreign(header.terms)
        if foreign is not None:
            raise IllegalError(f"{segment.path}: cannot be executed: {foreign}", code="rules")
        if self.tip is not None and header.previous != self.tip:
            raise DamagedRecord(
                segment.path, 0, 0, "it continues another segment than the one before it"
            )
        next_tick = self.world.tick + 1
        if header.first_tick > next_tick:
            told = f"begins with tick {header.first_tick}; tick {next_tick} is missing"
            raise DamagedError(f"{segment.path}: {told}")
        if header.first_tick == next_tick:
            self._confirm(segment.path, header.digest)
        if header.terms.tuning != self.world.tuning:
            self.world = with_tuning(self.world, self.found, header.terms)
        self._take_over(header.terms)

    def foreign(self, terms: Terms) -> str | None:
        """Why a stretch under these terms cannot be executed here; refuses as `annex` if one is
        missing."""
        return terms.foreign(self.world.catalogs, self.extensions)

    def _take_over(self, terms: Terms) -> None:
        self.terms = terms
        self.world.extensions = tuple(
            one for one in self.extensions if one.name in terms.extensions
        )

    def follow(
        self,
        segment: Segment,
        end: int | None,
        *,
        to_tick: int | None,
        check_every: int,
        watch: Watch,
    ) -> None:
        """Execute the ticks of a segment that has been entered."""
        for record, following in _marked(segment.ticks(end, after=self.world.tick)):
            if to_tick is not None and self.world.tick >= to_tick:
                return
            check = following is None or record.tick % check_every == 0
            self._execute(segment, record, check, [] if following is None else following.failed)
            watch(record.tick)

    def _execute(
        self, segment: Segment, record: TickRecord, check: bool, failed: list[int]
    ) -> None:
        if record.tick != self.world.tick + 1:
            raise DamagedError(f"{segment.path}: tick {self.world.tick + 1} is missing")
        if check:
            self._confirm(segment.path, record.digest)
        try:
            step(self.world, record.inputs, skip=failed)
        except ThorpError:
            raise
        except Exception as error:
            told = f"{segment.path}: tick {record.tick} cannot be executed ({error!r})"
            way = f"`thorp world fork --at {record.tick - 1}` makes a world that goes on without it"
            raise IllegalError(f"{told}; {way}", code="poisoned") from error
        self.replayed += 1
        self.record = record

    def _confirm(self, path: Path, digest: str) -> None:
        tick = self.world.tick
        found = self.world.digest()
        if found != digest:
            told = f"after tick {tick} the journal has digest {digest[:16]}…"
            raise DamagedError(f"{path}: {told}, and executing it gives {found[:16]}…")
        self.checked_tick = tick


def _check_digest(directory: WorldDirectory, tick: int) -> None:
    """Refuse a snapshot that is sound in itself, and of another world than the journal's."""
    said = None
    with suppress(DamagedError):  # executing the journal will report it
        head = read_head(directory)
        said = directory.digest_after(tick) or (head.digest if head and head.tick == tick else None)
    if said is not None and said != directory.snapshot_header(tick).digest:
        raise DamagedError(
            f"{directory.snapshot_path(tick)}: has another digest than the journal says"
        )


def _marked(records: Iterator[TickRecord]) -> Iterator[tuple[TickRecord, TickRecord | None]]:
    """Each record, and the one that follows it; None if that cannot be read."""
    held = next(records, None)
    damage = None
    while held is not None:
        try:
            following = next(records, None)
        except DamagedError as error:
            following = None
            damage = error
        yield held, following
        held = following
    if damage is not None:
        raise damage

"""Replay: executes the journal of a world directory again.

A history begins with the newest sound snapshot that is not too new, or with the new world at tick
0, and goes on record by record. Each record has the digest from before its tick, so a tick is
confirmed by the next record. Where the tuning changes from one segment to the next, the world goes
on under the new one. Ticks of other rules or catalogs cannot be executed here.
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
from thorp.voxel.persistence.record import Epoch, TickRecord
from thorp.voxel.persistence.snapshot import WorldMaker, restore, with_tuning
from thorp.voxel.state.world import World
from thorp.voxel.tick import step

Watch = Callable[[int], None]  # Called with the tick that was just executed.


@dataclass(slots=True)
class History:
    """A world that is led through its journal, tick by tick."""

    directory: WorldDirectory
    make_world: WorldMaker
    world: World
    epoch: Epoch
    snapshot_tick: int | None  # The snapshot it began with; None if it began with tick 0.
    extensions: tuple[Extension, ...] = ()
    """All extensions that `make_world` adds to a world. Each segment is executed with those that
    its epoch names."""
    unsound: list[str] = field(default_factory=list)  # Snapshots that were passed over, and why.
    replayed: int = 0
    checked_tick: int = 0
    """The last tick whose digest a later record, or its own snapshot, confirmed."""
    tip: str | None = None  # The tip of the segment that was read last.
    record: TickRecord | None = None  # The record of the tick that was executed last.

    @classmethod
    def begin(
        cls, disk: Disk, path: Path, make_world: WorldMaker, *, at_most: int | None = None
    ) -> Self:
        """A history that begins with the newest sound snapshot up to the tick `at_most`, or with
        tick 0."""
        directory = WorldDirectory(disk, path)
        directory.require()
        unsound: list[str] = []
        for tick in reversed(directory.snapshots()):
            if at_most is None or tick <= at_most:
                try:
                    history = cls.at_snapshot(directory, tick, make_world)
                    _check_digest(directory, tick)
                except DamagedError as error:
                    unsound.append(error.message)
                else:
                    break
        else:
            history = cls.at_creation(directory, make_world)
        history.unsound = unsound
        return history

    @classmethod
    def at_snapshot(cls, directory: WorldDirectory, tick: int, make_world: WorldMaker) -> Self:
        """A history that begins with one snapshot; raises DamagedError if it is not sound."""
        try:
            world = restore(directory.read_snapshot(tick), make_world)
            epoch = directory.snapshot_header(tick).epoch
        except DamagedError as error:
            raise DamagedError(f"{directory.snapshot_path(tick)}: {error.message}") from None
        return cls(
            directory=directory,
            make_world=make_world,
            world=world,
            epoch=epoch,
            snapshot_tick=tick,
        )

    @classmethod
    def at_creation(cls, directory: WorldDirectory, make_world: WorldMaker) -> Self:
        """A history that begins with the new world at tick 0; raises DamagedError if the journal
        does not go back so far."""
        first = Segment(directory.disk, next(iter(directory.journals().values())))
        if first.first_tick != 1:
            raise DamagedError(
                f"{directory.path}: the journal begins with tick {first.first_tick}, and there is "
                "no sound snapshot to start from"
            )
        epoch = first.header.epoch
        return cls(
            directory=directory,
            make_world=make_world,
            world=epoch.begin_world(make_world),
            epoch=epoch,
            snapshot_tick=None,
        )

    def __post_init__(self) -> None:
        self.extensions = self.world.extensions
        self.checked_tick = self.snapshot_tick or 0
        self._take_over(self.epoch)

    def go(
        self, *, to_tick: int | None = None, check_every: int = 1, watch: Watch = lambda _: None
    ) -> World:
        """Execute up to a tick, or to the end of the last complete record. Compares the digest of
        every `check_every`th tick, and of the last one in each segment."""
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
            problem = f"the last tick is {self.world.tick}, so there is no tick {to_tick}"
            raise IllegalError(f"{self.directory.path}: {problem}", code="range")
        return self.world

    def enter(self, segment: Segment) -> None:
        """Begin a segment: check that it continues what came before, and take over its epoch."""
        header = segment.header
        obstacle = self.obstacle(header.epoch)
        if obstacle is not None:
            raise IllegalError(f"{segment.path}: cannot be executed: {obstacle}", code="rules")
        if self.tip is not None and header.previous != self.tip:
            raise DamagedRecord(
                segment.path, 0, 0, "it continues another segment than the one before it"
            )
        next_tick = self.world.tick + 1
        if header.first_tick > next_tick:
            problem = f"begins with tick {header.first_tick}; tick {next_tick} is missing"
            raise DamagedError(f"{segment.path}: {problem}")
        if header.first_tick == next_tick:
            self._confirm(segment.path, header.digest)
        if header.epoch.tuning != self.world.tuning:
            self.world = with_tuning(self.world, self.make_world, header.epoch)
        self._take_over(header.epoch)

    def obstacle(self, epoch: Epoch) -> str | None:
        """Why the ticks of an epoch cannot be executed here, or None; refuses as `annex` if an
        extension is missing."""
        return epoch.obstacle(self.world.catalogs, self.extensions)

    def _take_over(self, epoch: Epoch) -> None:
        self.epoch = epoch
        self.world.extensions = tuple(
            extension for extension in self.extensions if extension.name in epoch.extensions
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
        """Execute the ticks of a segment that has been entered, up to the byte `end`; None means up
        to the first line that cannot be read."""
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
            problem = f"{segment.path}: tick {record.tick} cannot be executed ({error!r})"
            command = f"thorp world fork --at {record.tick - 1}"
            advice = f"`{command}` makes a world that goes on without it"
            raise IllegalError(f"{problem}; {advice}", code="poisoned") from error
        self.replayed += 1
        self.record = record

    def _confirm(self, path: Path, digest: str) -> None:
        """Compare the digest that a record has with that of the world."""
        tick = self.world.tick
        ours = self.world.digest()
        if ours != digest:
            difference = f"after tick {tick} the journal has digest {digest[:16]}…"
            raise DamagedError(f"{path}: {difference}, and executing it gives {ours[:16]}…")
        self.checked_tick = tick


def _check_digest(directory: WorldDirectory, tick: int) -> None:
    """Refuse a snapshot that is sound in itself, but of another world than the journal's."""
    journaled = None
    with suppress(DamagedError):  # executing the journal will report the damage
        head = read_head(directory)
        journaled = directory.digest_after(tick) or None
        if journaled is None and head is not None and head.tick == tick:
            journaled = head.digest
    if journaled is not None and journaled != directory.snapshot_header(tick).digest:
        raise DamagedError(
            f"{directory.snapshot_path(tick)}: has another digest than the journal says"
        )


def _marked(records: Iterator[TickRecord]) -> Iterator[tuple[TickRecord, TickRecord | None]]:
    """Each record, and the one that follows it, which names its failed actions; None if there is
    none or it cannot be read."""
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

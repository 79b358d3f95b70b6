"""From a directory to a world that can go on, or from nothing to a new world.

    1. hold the lock file, so that no one else writes here
    2. no journal and no snapshot: found a world; its first segment carries seeds and tuning
    3. compare what was asked for with what is stored: other seeds are refused, and another tuning, unless an
       epoch is asked for
    4. recover the live segment (`thorp.store.journal`): a torn tail is set aside
    5. restore the newest sound snapshot, execute the journal from there
    6. other rules, other catalogs, one annex more or another tuning: begin an epoch

An epoch begins with a snapshot, then a segment. A crash between the two leaves the old epoch in force: the
journal is the authority, and the snapshot is as good for the one as for the other.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import msgspec

from thorp.kernel.errors import ConflictError, DamagedError, IllegalError, InvalidError
from thorp.store import Disk, DiskFile, Journal, TornTail, write_atomic
from thorp.voxel.annex import names
from thorp.voxel.keeping.directory import Segment, WorldDirectory
from thorp.voxel.keeping.history import History
from thorp.voxel.record import SegmentHeader, encode_header
from thorp.voxel.snapshot import Found, encode_state, pack, with_tuning
from thorp.voxel.terms import SEED_LIMIT, Terms, named_release
from thorp.voxel.tuning import Tuning
from thorp.voxel.version import RULES
from thorp.voxel.world import World

DEFAULT_SEED: Final = 1337
# Fits into every JSON number, and is no more guessable than a key of 53 bits that no one can try offline.
DRAW_SEED_BITS: Final = 53
# Recovery compares the digest of every so manieth tick, and of the last; `verify` compares all.
CHECK_EVERY: Final = 50


@dataclass(frozen=True, slots=True)
class Asked:
    """What whoever opens a world asks for; None for what it has, or for what is usual."""

    seed: int | None = None
    draw_seed: int | None = None
    tuning: Tuning | None = None
    retune: bool = False
    seasons: bool = False
    """That the world has seasons, whatever else the tuning says."""

    def of(self, usual: Tuning) -> Asked:
        """The same with a tuning that has seasons, if they are asked for."""
        if not self.seasons:
            return self
        return replace(self, tuning=msgspec.structs.replace(self.tuning or usual, seasons=True))


@dataclass(frozen=True, slots=True)
class Recovery:
    """What opening a directory found and did."""

    new: bool
    tick: int
    snapshot_tick: int | None = None
    """The snapshot it began with; None if it began with the founding."""
    replayed: int = 0
    torn: TornTail | None = None
    unsound: tuple[str, ...] = ()
    """Snapshots that were passed over, and why."""
    epoch: str | None = None
    """Why a new epoch began now."""
    replay_s: float = 0.0


@dataclass(slots=True)
class Opened:
    """A recovered world, and the journal in which it goes on."""

    world: World
    terms: Terms
    journal: Journal
    segment_first: int
    recovery: Recovery


def hold(disk: Disk, path: Path) -> DiskFile:
    """Hold a lock file, which is made if it is missing."""
    with contextlib.suppress(ConflictError):
        disk.create(path).close()
    file = disk.open(path, writable=True)
    try:
        file.lock()
    except BaseException:
        file.close()
        raise
    return file


def begin_segment(directory: WorldDirectory, header: SegmentHeader) -> Journal:
    """Begin a segment, durably; one that has no records and the same first tick makes room for it."""
    disk, path = directory.disk, directory.journal_path(header.first_tick)
    if disk.exists(path):
        fresh = path.with_name(f".{path.name}.new")
        if disk.exists(fresh):
            disk.remove(fresh)
        Journal.open(disk, fresh, header=encode_header(header)).close()
        disk.replace(fresh, path)
        disk.sync_directory(path.parent)
    return Journal.open(disk, path, header=encode_header(header))


def open_world(directory: WorldDirectory, asked: Asked, found: Found, now_s: int) -> Opened:
    """Recover or found the world of a directory that is held."""
    if not directory.journals():
        return _found_world(directory, asked.of(Tuning()), found, now_s)
    for double in directory.plain_beside_packed():
        directory.disk.remove(double)
    last = directory.segments()[-1]
    asked = asked.of(last.header.terms.tuning)
    _check_asked(directory.path, last.header.terms, asked)
    torn = None
    if not last.sealed:
        with Journal.open(directory.disk, last.path) as journal:
            torn = journal.recovery.torn
    history, replay_s = _recover(directory, last, found)
    recovery = Recovery(
        new=False,
        tick=history.world.tick,
        snapshot_tick=history.snapshot_tick,
        replayed=history.replayed,
        torn=torn,
        unsound=tuple(history.unsound),
        replay_s=replay_s,
    )
    return _go_on(directory, last, history, recovery, asked, now_s)


def _found_world(directory: WorldDirectory, asked: Asked, found: Found, now_s: int) -> Opened:
    if directory.snapshots():
        raise DamagedError(
            f"{directory.path}: there are snapshots and no journal; put it back, or move the snapshots away"
        )
    seed = DEFAULT_SEED if asked.seed is None else asked.seed
    draw_seed = secrets.randbits(DRAW_SEED_BITS) if asked.draw_seed is None else asked.draw_seed
    for name, value in (("seed", seed), ("draw seed", draw_seed)):
        if not -SEED_LIMIT <= value <= SEED_LIMIT:
            raise InvalidError(f"the {name} must be in ±{SEED_LIMIT}, not {value}", code="seed")
    world = found(seed, draw_seed, asked.tuning or Tuning())
    terms = Terms(
        rules=RULES,
        catalogs=world.catalogs.digest(),
        annexes=names(world.annexes),
        seed=seed,
        draw_seed=draw_seed,
        tuning=world.tuning,
    )
    header = SegmentHeader(terms=terms, first_tick=1, digest=world.digest(), previous=None, began_s=now_s)
    return Opened(world, terms, begin_segment(directory, header), 1, Recovery(new=True, tick=0))


def _check_asked(path: Path, terms: Terms, asked: Asked) -> None:
    for name, wanted, stored in (
        ("seed", asked.seed, terms.seed),
        ("draw seed", asked.draw_seed, terms.draw_seed),
    ):
        if wanted is not None and wanted != stored:
            told = f"is {stored}, not {wanted}" if name == "seed" else "is another one"
            raise ConflictError(
                f"{path}: the {name} of this world {told}; leave it out, choose another directory, or move "
                "this world aside with --fresh",
                code="seed",
            )
    if asked.tuning is None or asked.tuning == terms.tuning:
        return
    other = [
        name
        for name in Tuning.__struct_fields__
        if getattr(asked.tuning, name) != getattr(terms.tuning, name)
    ]
    if not asked.retune:
        raise ConflictError(
            f"{path}: this world has another tuning ({', '.join(other)}); leave it out to keep "
            "the world's own, or start an epoch with --retune",
            code="tuning",
        )
    if "world_boundary_r" in other:
        raise ConflictError(
            f"{path}: the boundary belongs to the land, which is made already: world_boundary_r stays "
            f"{terms.tuning.world_boundary_r}",
            code="tuning",
        )


def _recover(directory: WorldDirectory, last: Segment, found: Found) -> tuple[History, float]:
    """The world after the last durable tick, and how long executing took."""
    history = History.begin(directory.disk, directory.path, found)
    last_tick = last.last_tick()
    terms = last.header.terms
    foreign = terms.foreign(history.world)
    began = time.thread_time()
    if foreign is None:
        history.go(check_every=CHECK_EVERY)
    elif terms.rules > RULES:
        raise IllegalError(
            f"{directory.path}: this world is newer than this release: {foreign}", code="newer"
        )
    elif history.world.tick < last_tick:
        raise IllegalError(
            f"{directory.path}: was not closed by the release that wrote it: {foreign}; start and stop it "
            f"once with {named_release(terms.rules)}, then with this one",
            code="rules",
        )
    if history.world.tick != last_tick:
        raise DamagedError(
            f"{directory.path}: there is a snapshot of tick {history.world.tick}, and the journal ends with "
            f"tick {last_tick}; restore the journal from a backup, or fork the world at "
            f"{history.world.tick}"
        )
    return history, time.thread_time() - began


def _go_on(
    directory: WorldDirectory, last: Segment, history: History, recovery: Recovery, asked: Asked, now_s: int
) -> Opened:
    """The journal in which the world goes on: the live segment, or the first one of a new epoch."""
    stored, world = last.header.terms, history.world
    tuning = asked.tuning or stored.tuning
    reason = _epoch_reason(stored, world, tuning)
    if reason is None and not last.sealed:
        journal = Journal.open(directory.disk, last.path)
        return Opened(world, stored, journal, last.first_tick, recovery)
    terms = stored
    if reason is not None:
        terms = stored.next_epoch(world, reason, tuning=tuning)
        world = with_tuning(world, history.found, terms)
        data = pack(encode_state(world, terms), taken_s=now_s)
        write_atomic(directory.disk, directory.snapshot_path(world.tick), data, replace=True)
        recovery = replace(recovery, epoch=reason, snapshot_tick=world.tick, replay_s=0.0)
    empty = last.first_tick == world.tick + 1
    if empty and last.sealed:
        raise DamagedError(f"{last.path}: a segment without records is never sealed; unpack it")
    header = SegmentHeader(
        terms=terms,
        first_tick=world.tick + 1,
        digest=world.digest(),
        previous=last.header.previous if empty else last.scan().tip.decode(),
        began_s=now_s,
    )
    return Opened(world, terms, begin_segment(directory, header), header.first_tick, recovery)


def _epoch_reason(stored: Terms, world: World, tuning: Tuning) -> str | None:
    if stored.rules != RULES:
        return f"rules {stored.rules} became {RULES}"
    if stored.catalogs != world.catalogs.digest():
        return "other catalogs"
    if stored.annexes != names(world.annexes):
        return "another annex"
    return "another tuning" if stored.tuning != tuning else None

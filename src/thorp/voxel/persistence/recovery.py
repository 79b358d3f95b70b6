"""Recovery: opens a world directory at its last durable tick, or creates a new world in an empty
one.

    1. lock the directory, so that no one else writes there
    2. without a journal and a snapshot: create a world; its first segment has seeds and tuning
    3. compare what was asked for with what is stored: other seeds are refused, and another tuning,
       unless an epoch is asked for
    4. compare the directory with its head (`persistence.head`): a loss is refused, unless it is
       accepted
    5. recover the live segment (`thorp.store.journal`): a torn tail is set aside
    6. restore the newest sound snapshot, and execute the journal from there
    7. with other rules, other catalogs, one more extension or another tuning: begin an epoch
    8. write the head

An epoch begins with a snapshot, then a segment. A crash between the two leaves the old epoch in
force: the journal is the authority, and the snapshot is valid in either epoch.
"""

import contextlib
import secrets
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

import msgspec

from thorp.kernel.errors import ConflictError, DamagedError, IllegalError
from thorp.protocol.frame import clip
from thorp.store import Journal, TornTail, write_atomic
from thorp.voxel.extension import names
from thorp.voxel.persistence.directory import End, Segment, WorldDirectory
from thorp.voxel.persistence.head import (
    Head,
    first_head,
    losses,
    read_head,
    remove_unfinished,
    write_head,
)
from thorp.voxel.persistence.record import RULES, Epoch, SegmentHeader, check_seed, named_release
from thorp.voxel.persistence.replay import History
from thorp.voxel.persistence.snapshot import WorldMaker, encode_state, pack, with_tuning
from thorp.voxel.state.world import World
from thorp.voxel.tuning import Tuning

DEFAULT_SEED: Final = 1337
# A draw seed fits into every JSON number, and nobody can guess 53 bits that cannot be tried
# offline.
DRAW_SEED_BITS: Final = 53
# Recovery compares the digest of every 50th tick, and of the last; `verify` compares all.
CHECK_EVERY: Final = 50
# The header of a segment may have 64 KiB, and every header of the epoch repeats its reason.
MAX_REASON_BYTES: Final = 1000


@dataclass(frozen=True, slots=True)
class Asked:
    """What the caller who opens a world asks for. None means whatever the world has, or the
    default."""

    seed: int | None = None
    draw_seed: int | None = None
    tuning: Tuning | None = None
    retune: bool = False
    seasons: bool = False  # The world must have seasons, whatever else the tuning says.
    accept_loss: bool = False  # The world may go on although files or ticks are missing.
    copied: bool = False
    """The journal is a copy of another process's: all digests are compared, no epoch begins."""

    def of(self, usual: Tuning) -> Self:
        """The same with a tuning that has seasons, if they are asked for."""
        if not self.seasons:
            return self
        return replace(self, tuning=msgspec.structs.replace(self.tuning or usual, seasons=True))


@dataclass(frozen=True, slots=True)
class Recovery:
    """How a directory was opened: what it held, and what was done about it."""

    new: bool
    tick: int
    snapshot_tick: int | None = None
    """The snapshot it began with; None if it began with tick 0."""
    replayed: int = 0
    torn: TornTail | None = None
    unsound: tuple[str, ...] = ()  # Snapshots that were passed over, and why.
    epoch_reason: str | None = None  # Why a new epoch began now; None if none did.
    replay_s: float = 0.0
    loss: tuple[str, ...] = ()  # What is missing, and was accepted as lost.


@dataclass(slots=True)
class Opened:
    """A recovered world, and the journal in which it goes on."""

    world: World
    epoch: Epoch
    journal: Journal
    segment_first: int
    recovery: Recovery
    head: Head


def begin_segment(directory: WorldDirectory, header: SegmentHeader) -> Journal:
    """Begin a segment, durably. It replaces one with the same first tick, which has no records."""
    disk = directory.disk
    path = directory.journal_path(header.first_tick)
    fields = msgspec.to_builtins(header)
    if disk.exists(path):
        fresh = path.with_name(f".{path.name}.new")
        if disk.exists(fresh):
            disk.remove(fresh)
        Journal.open(disk, fresh, header=fields).close()
        disk.replace(fresh, path)
        disk.sync_directory(path.parent)
    return Journal.open(disk, path, header=fields)


def open_world(
    directory: WorldDirectory, asked: Asked, make_world: WorldMaker, now_s: int
) -> Opened:
    """Recover the world of a directory that this process has locked, or create one there."""
    if directory.lost_its_journal():
        _require_accepted(directory, ["the journal is missing"], asked)
        _begin_at_snapshot(directory, make_world, now_s)
    elif not directory.journals():
        return _create_world(directory, asked.of(Tuning()), make_world, now_s)
    for double in directory.plain_beside_packed():
        directory.disk.remove(double)
    last = directory.segments()[-1]
    asked = asked.of(last.header.epoch.tuning)
    _compare_asked(directory.path, last.header.epoch, asked)
    end = last.end()
    head, loss = _hold_against_head(directory, end, asked)
    torn = None
    if not last.is_sealed:
        with Journal.open(directory.disk, last.path) as journal:
            torn = journal.recovery.torn
    history, replay_s = _recover(
        directory, last, end.tick, make_world, 1 if asked.copied else CHECK_EVERY
    )
    if history.world.tick != end.tick:  # a snapshot is taken of a durable tick only
        newer = (
            f"there is a snapshot of tick {history.world.tick}, and the journal ends with "
            f"tick {end.tick}"
        )
        _require_accepted(directory, [newer], asked)
        loss.append(newer)
    recovery = Recovery(
        new=False,
        tick=history.world.tick,
        snapshot_tick=history.snapshot_tick,
        replayed=history.replayed,
        torn=torn,
        unsound=tuple(history.unsound),
        replay_s=replay_s,
        loss=tuple(loss),
    )
    opened = _go_on(directory, last, end, history, recovery, asked=asked, head=head, now_s=now_s)
    remove_unfinished(directory)
    write_head(directory, opened.head)
    return opened


def check_asked(directory: WorldDirectory, asked: Asked) -> None:
    """Refuse other seeds and another tuning than the world's, as `open_world` would. Reads one
    header only, so that a server can check this before it says anything."""
    if not directory.journals():
        _check_seeds(asked.seed, asked.draw_seed)
        return
    epoch = directory.segments()[-1].header.epoch
    _compare_asked(directory.path, epoch, asked.of(epoch.tuning))


def _begin_at_snapshot(directory: WorldDirectory, make_world: WorldMaker, now_s: int) -> None:
    """Begin a journal after the newest sound snapshot of a directory that has lost its journal."""
    for tick in reversed(directory.snapshots()):
        with contextlib.suppress(DamagedError):
            epoch = History.at_snapshot(directory, tick, make_world).epoch
            digest = directory.snapshot_header(tick).digest
            header = SegmentHeader(
                epoch=epoch, first_tick=tick + 1, digest=digest, previous=None, began_s=now_s
            )
            return begin_segment(directory, header).close()
    raise DamagedError(
        f"{directory.path}: the journal is missing, and there is no sound snapshot to go on from; "
        "restore it from a backup, or move this world aside with --fresh",
        code="loss",
    )


def _hold_against_head(
    directory: WorldDirectory, end: End, asked: Asked
) -> tuple[Head | None, list[str]]:
    """The head, and the losses; refused as `loss` unless these are accepted."""
    try:
        head = read_head(directory)
        loss = losses(directory, head, end)
    except DamagedError as error:
        if error.code != "loss":
            raise
        head = None
        loss = [error.message]
    _require_accepted(directory, loss, asked)
    return head, loss


def _require_accepted(directory: WorldDirectory, loss: list[str], asked: Asked) -> None:
    if loss and not asked.accept_loss:
        advice = "restore what is missing from a backup, or go on without it with --accept-loss"
        raise DamagedError(f"{directory.path}: {'; '.join(loss)}; {advice}", code="loss")


def _create_world(
    directory: WorldDirectory, asked: Asked, make_world: WorldMaker, now_s: int
) -> Opened:
    seed = DEFAULT_SEED if asked.seed is None else asked.seed
    draw_seed = secrets.randbits(DRAW_SEED_BITS) if asked.draw_seed is None else asked.draw_seed
    _check_seeds(seed, draw_seed)
    world = make_world(seed, draw_seed, asked.tuning or Tuning())
    epoch = Epoch(
        rules=RULES,
        catalogs=world.catalogs.digest(),
        extensions=names(world.extensions),
        seed=seed,
        draw_seed=draw_seed,
        tuning=world.tuning,
    )
    header = SegmentHeader(
        epoch=epoch, first_tick=1, digest=world.digest(), previous=None, began_s=now_s
    )
    journal = begin_segment(directory, header)
    head = first_head(header)
    write_head(directory, head)
    return Opened(
        world=world,
        epoch=epoch,
        journal=journal,
        segment_first=1,
        recovery=Recovery(new=True, tick=0),
        head=head,
    )


def _check_seeds(seed: int | None, draw_seed: int | None) -> None:
    """Refuse seeds of a new world that no journal can hold."""
    check_seed("seed", seed)
    check_seed("draw seed", draw_seed)


def _compare_asked(path: Path, epoch: Epoch, asked: Asked) -> None:
    for name, wanted, stored in (
        ("seed", asked.seed, epoch.seed),
        ("draw seed", asked.draw_seed, epoch.drawn_from),
    ):
        if wanted is not None and wanted != stored:
            # The draw seed is a secret, so the message does not name it.
            problem = f"is {stored}, not {wanted}" if name == "seed" else "is another one"
            raise ConflictError(
                f"{path}: the {name} of this world {problem}; leave it out, choose another "
                "directory, or move this world aside with --fresh",
                code="seed",
            )
    new = asked.tuning
    old = epoch.tuning
    if new is None or new == old:
        return
    other = [name for name in Tuning.__struct_fields__ if getattr(new, name) != getattr(old, name)]
    if not asked.retune:
        problem = f"{path}: this world has another tuning ({', '.join(other)})"
        advice = "leave it out to keep the world's own, or start an epoch with --retune"
        raise ConflictError(f"{problem}; {advice}", code="tuning")
    if "world_boundary_r" in other:
        raise ConflictError(
            f"{path}: the boundary belongs to the land, which is made already: "
            f"world_boundary_r stays {old.world_boundary_r}",
            code="tuning",
        )


def _recover(
    directory: WorldDirectory,
    last: Segment,
    last_tick: int,
    make_world: WorldMaker,
    check_every: int,
) -> tuple[History, float]:
    history = History.begin(directory.disk, directory.path, make_world)
    epoch = last.header.epoch
    obstacle = history.obstacle(epoch)
    began = time.thread_time()
    if obstacle is None:
        history.go(check_every=check_every)
    elif epoch.rules > RULES:
        problem = f"this world is newer than this release: {obstacle}"
        raise IllegalError(f"{directory.path}: {problem}", code="newer")
    elif history.world.tick < last_tick:
        problem = f"{directory.path}: was not closed by the release that wrote it: {obstacle}"
        advice = f"start and stop it once with {named_release(epoch.rules)}, then with this one"
        raise IllegalError(f"{problem}; {advice}", code="rules")
    return history, time.thread_time() - began


def _go_on(
    directory: WorldDirectory,
    last: Segment,
    end: End,
    history: History,
    recovery: Recovery,
    *,
    asked: Asked,
    head: Head | None,
    now_s: int,
) -> Opened:
    """The journal in which the world goes on: the live segment, or the first one of a new epoch."""
    stored = last.header.epoch
    world = history.world
    world.extensions = history.extensions
    tuning = asked.tuning or stored.tuning
    reason = _why_new_epoch(stored, world, tuning)
    if recovery.loss:
        reason = clip(f"went on with a loss: {'; '.join(recovery.loss)}", MAX_REASON_BYTES)
    if asked.copied and (reason is not None or last.is_sealed):
        problem = f"cannot be followed by this release: {reason or 'it is sealed'}"
        raise IllegalError(f"{last.path}: {problem}", code="rules")
    if reason is None and not last.is_sealed:
        journal = Journal.open(directory.disk, last.path)
        head = _head(directory, head, last.first_tick, end, world.digest())
        return Opened(
            world=world,
            epoch=stored,
            journal=journal,
            segment_first=last.first_tick,
            recovery=recovery,
            head=head,
        )
    epoch = stored
    if reason is not None:
        epoch = stored.successor(world, reason, tuning=tuning)
        world = with_tuning(world, history.make_world, epoch)
        data = pack(encode_state(world, epoch), taken_s=now_s)
        write_atomic(directory.disk, directory.snapshot_path(world.tick), data, replace=True)
        recovery = replace(recovery, epoch_reason=reason, snapshot_tick=world.tick, replay_s=0.0)
    if last.first_tick == world.tick + 1 and last.is_sealed:
        raise DamagedError(f"{last.path}: a segment without records is never sealed; unpack it")
    tip = None if recovery.loss else end.tip
    header = SegmentHeader(
        epoch=epoch, first_tick=world.tick + 1, digest=world.digest(), previous=tip, began_s=now_s
    )
    journal = begin_segment(directory, header)
    first = header.first_tick
    if recovery.loss:
        head = first_head(header)
    else:
        head = _head(directory, head, first, End(world.tick, tip), header.digest)
    return Opened(
        world=world, epoch=epoch, journal=journal, segment_first=first, recovery=recovery, head=head
    )


def _why_new_epoch(stored: Epoch, world: World, tuning: Tuning) -> str | None:
    """What has changed since an epoch began, so that the world cannot go on in it; None if it
    can."""
    if stored.rules != RULES:
        return f"rules {stored.rules} became {RULES}"
    if stored.catalogs != world.catalogs.digest():
        return "other catalogs"
    if stored.extensions != names(world.extensions):
        return "another annex"
    if stored.tuning != tuning:
        return "another tuning"
    return None


def _head(directory: WorldDirectory, before: Head | None, live: int, end: End, digest: str) -> Head:
    """The head of a directory that holds everything its previous head says."""
    journals = directory.journals()
    first_tick = min(journals) if before is None else before.first_tick
    return Head(
        first_tick=first_tick,
        live=live,
        segments=sum(first_tick <= first <= live for first in journals),
        tick=end.tick,
        tip=end.tip,
        digest=digest,
        closed=False,
    )

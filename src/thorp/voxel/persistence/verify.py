"""Verifies a world directory: every line, every link, every digest, and that nothing is missing.

Ticks that our rules and catalogs cannot execute are checked by their chain only, and listed: the
world is then not called sound. No record has the digest after the very last tick; the head has it,
if the world was closed. See `docs/world-keeping.md`.
"""

import contextlib
import re
from pathlib import Path
from typing import Final, Literal

import msgspec

from thorp.kernel.errors import DamagedError, IllegalError, InvalidError, ThorpError
from thorp.store import DamagedRecord, Disk
from thorp.store.record import GENESIS
from thorp.store.scan import Scan
from thorp.voxel.new_world import create_world
from thorp.voxel.persistence.directory import Segment, WorldDirectory
from thorp.voxel.persistence.head import Head, hold_against_head, read_head
from thorp.voxel.persistence.record import RELEASES, Epoch
from thorp.voxel.persistence.replay import History, Watch
from thorp.voxel.persistence.snapshot import WorldMaker, restore
from thorp.voxel.society.seasons import begins_season

_TIP: Final = re.compile(r"(?:[0-9a-f]{64}|[0-9a-f]{32})\Z")


class VerifiedEpoch(msgspec.Struct, frozen=True):
    """One epoch of a verified history, and whether its ticks were executed again."""

    epoch: int
    reason: str
    rules: int
    release: str | None  # The first release with those rules, which can replay it.
    first_tick: int
    last_tick: int
    replayed: bool  # Whether it was executed again; otherwise only its chain was checked.
    draw_seed: int | msgspec.UnsetType = msgspec.UNSET
    """The draw seed that a fork was given, while its draws come from that."""


class Verdict(msgspec.Struct, frozen=True):
    """The result of verifying a world directory."""

    ok: bool  # Whether the verdict is `sound`.
    verdict: Literal["sound", "partly_executed", "not_sound"]
    first_tick: int
    """The first tick of the history: earlier ones were dropped, or belong to another world."""
    replayed_after: int | None
    """The tick whose state replay began with; None if nothing could be replayed."""
    last_good_tick: int  # Up to this tick the journal is whole and leads to its digests.
    digest: str | None  # The digest of the state after that tick.
    tip: str | None
    """The hash of the last record. Noted elsewhere, it shows later whether the end was cut off."""
    link_bits: int
    """The shortest links of the chain: 256, or 128 where a segment of an older format is kept."""
    tip_tick: int | None  # The tick whose record has the hash that was asked for.
    epochs: tuple[VerifiedEpoch, ...]
    snapshots: int  # How many were compared.
    torn: str | None
    """What a crash left after the last complete record; it was never acknowledged."""
    unexecuted: tuple[str, ...]  # Ticks that are whole but were not executed, and why.
    problems: tuple[str, ...]


def verify(
    disk: Disk,
    path: Path,
    *,
    tip: str | None = None,
    make_world: WorldMaker = create_world,
    watch: Watch = lambda _: None,
) -> Verdict:
    """Prove that a directory is sound, or name the last tick up to which it is. Changes nothing.
    A `tip` that was noted earlier must be the hash of a record of this history."""
    if tip is not None and not _TIP.match(tip):
        raise InvalidError(
            f"a tip has 64 hexadecimal digits, as `thorp world verify` prints it, not {tip!r}"
        )
    directory = WorldDirectory(disk, path)
    directory.require()
    return _Proof(directory, make_world, watch, tip).run()


class _Proof:
    """One verification: what it has to compare, and what it has found out so far."""

    def __init__(
        self, directory: WorldDirectory, make_world: WorldMaker, watch: Watch, wanted: str | None
    ) -> None:
        self._directory = directory
        self._make_world = make_world
        self._watch = watch
        self._wanted = wanted
        self._wanted_at: int | None = None
        self._head: Head | None = None
        self._history: History | None = None  # The history of the ticks that are being executed.
        self._replayed_after: int | None = None
        self._problems: list[str] = []
        self._unexecuted: list[tuple[int, int, str]] = []  # First and last tick, and why not.
        self._live: Path | None = None  # The last segment, the only one that may have a torn tail.
        self._torn: str | None = None
        self._tip: str | None = None
        self._link_bits = 4 * len(GENESIS)
        self._good = 0
        self._snapshot_ticks = directory.snapshots()
        self._snapshots = 0
        self._ended: tuple[int, int, str] | None = None
        """The last tick of a season, the season and the digest, until the next tick is executed."""
        self._epochs: list[tuple[Epoch, int, bool]] = []

    def run(self) -> Verdict:
        missing: list[str] = []
        try:
            self._head = read_head(self._directory)
            self._head, missing = hold_against_head(self._directory)
        except DamagedError as problem:
            if problem.code == "loss":  # other damage comes up again below, with more detail
                missing = [problem.message]
        segments, unreadable = self._segments()
        first_tick = segments[0].first_tick if segments else min(self._directory.journals())
        self._good = first_tick - 1
        try:
            for segment in segments:
                self._prove(segment)
            newest = max(self._snapshot_ticks, default=0)
            if not unreadable and newest > self._good:  # a snapshot is taken of a durable tick only
                raise DamagedError(
                    f"{self._directory.path}: there is a snapshot of tick {newest}, and the "
                    f"journal ends with tick {self._good}; restore the journal from a backup, or "
                    "fork the world at an earlier tick"
                )
        except (DamagedError, IllegalError) as problem:
            self._problems.append(problem.message)
        self._problems += unreadable + missing
        if self._wanted is not None and self._wanted_at is None:
            self._problems.append(f"no record of this history has the hash {self._wanted}")
        return self._verdict(first_tick)

    def _verdict(self, first_tick: int) -> Verdict:
        history = self._history
        firsts = [first for _, first, _ in self._epochs]
        lasts = [first - 1 for first in firsts[1:]] + [self._good]
        epochs = tuple(
            VerifiedEpoch(
                epoch=epoch.number,
                reason=epoch.reason,
                rules=epoch.rules,
                release=RELEASES.get(epoch.rules),
                first_tick=first,
                last_tick=last,
                replayed=replayed,
                draw_seed=epoch.redraw,
            )
            for (epoch, first, replayed), last in zip(self._epochs, lasts, strict=False)
        )
        verdict: Literal["sound", "partly_executed", "not_sound"] = "sound"
        if self._problems:
            verdict = "not_sound"
        elif self._unexecuted:
            verdict = "partly_executed"
        return Verdict(
            ok=verdict == "sound",
            verdict=verdict,
            first_tick=first_tick,
            replayed_after=self._replayed_after,
            last_good_tick=self._good,
            digest=history.world.digest()
            if history is not None and history.world.tick == self._good
            else None,
            tip=self._tip,
            link_bits=self._link_bits,
            tip_tick=self._wanted_at,
            epochs=epochs,
            snapshots=self._snapshots,
            torn=self._torn,
            unexecuted=tuple(
                f"ticks {first} to {last}: {why}" for first, last, why in self._unexecuted
            ),
            problems=tuple(self._problems),
        )

    def _segments(self) -> tuple[list[Segment], list[str]]:
        """The segments before the first whose header cannot be read, and why it cannot."""
        segments: list[Segment] = []
        begins = 0 if self._head is None else self._head.first_tick
        paths = [path for first, path in self._directory.journals().items() if first >= begins]
        for path in paths:
            try:
                segments.append(Segment(self._directory.disk, path))
            except DamagedError as problem:
                return segments, [problem.message]
        self._live = paths[-1] if paths else None
        return segments, []

    def _prove(self, segment: Segment) -> None:
        """Check the chain of a segment, and execute its ticks if our rules can."""
        header = segment.header
        if self._tip is not None and header.previous != self._tip:
            raise DamagedRecord(
                segment.path, 0, 0, "it continues another segment than the one before it"
            )
        obstacle = self._obstacle(header.epoch)
        if obstacle is None and self._history is None:
            self._history = self._start(segment)
        if not self._epochs or self._epochs[-1][0].number != header.epoch.number:
            self._epochs.append((header.epoch, header.first_tick, obstacle is None))
        if obstacle is None and self._history is not None:
            self._history.enter(segment)
            self._check_head(self._history)
            self._execute(self._history, segment)
        else:
            self._history = None
            self._check_chain(segment, obstacle)

    def _obstacle(self, epoch: Epoch) -> str | None:
        """Why the ticks of an epoch cannot be executed, also for want of an extension; or None."""
        try:
            ours = self._make_world(0, 0, epoch.tuning)
            return epoch.obstacle(ours.catalogs, ours.extensions)
        except IllegalError as missing:
            return missing.message

    def _check_chain(self, segment: Segment, why: str | None) -> None:
        """Check a segment that is not executed, and list its ticks; those of consecutive segments
        with the same reason are one entry."""
        scan = self._scan(segment)
        end = segment.end_of(scan)
        if why is not None and end.tick >= segment.first_tick:
            first = segment.first_tick
            if self._unexecuted and self._unexecuted[-1][1:] == (first - 1, why):
                first = self._unexecuted.pop()[0]
            self._unexecuted.append((first, end.tick, why))
        self._good = max(self._good, end.tick)
        self._tip = end.tip

    def _scan(self, segment: Segment) -> Scan:
        scan = segment.scan()
        self._link_bits = min(self._link_bits, 4 * len(scan.tip))
        if scan.tail and segment.path != self._live:
            raise DamagedRecord(
                segment.path, scan.bad_record, scan.bad_byte, "a later segment follows it"
            )
        if scan.tail:
            self._torn = f"{segment.path}: {len(scan.tail)} bytes from byte {scan.end} on"
        if self._wanted is not None and self._wanted_at is None:
            self._wanted_at = segment.tick_with(self._wanted)
        head = self._head
        within = (
            head is not None and segment.first_tick - 1 <= head.tick < segment.end_of(scan).tick
        )
        if head is not None and within and segment.tip_of(head.tick) != head.tip:
            raise DamagedError(
                f"{segment.path}: the record of tick {head.tick} is not the durable one"
            )
        return scan

    def _start(self, segment: Segment) -> History | None:
        """A history that begins with the state before a segment; None if there is no sound one."""
        before = segment.first_tick - 1
        try:
            if before == 0:
                history = History.at_creation(self._directory, self._make_world)
            else:
                history = History.at_snapshot(self._directory, before, self._make_world)
        except (DamagedError, IllegalError) as problem:
            self._problems.append(
                f"the state that {segment.path.name} begins with: {problem.message}"
            )
            return None
        if self._replayed_after is None:
            self._replayed_after = before
        self._compare_snapshot(history)
        return history

    def _execute(self, history: History, segment: Segment) -> None:
        """Execute the ticks of a segment, and compare everything there is about each."""

        def executed(tick: int) -> None:
            self._good = tick
            self._check_head(history)
            self._compare_snapshot(history)
            self._check_archive(history)
            self._watch(tick)

        try:
            scan = self._scan(segment)
        except DamagedError:
            # Execute as far as the damage, so that the verdict names the last good tick.
            with contextlib.suppress(DamagedError):
                history.follow(segment, None, to_tick=None, check_every=1, watch=executed)
            raise
        try:
            history.follow(segment, scan.end, to_tick=None, check_every=1, watch=executed)
        except ThorpError:
            self._good = min(self._good, history.checked_tick)
            raise
        history.tip = self._tip = segment.end_of(scan).tip

    def _check_head(self, history: History) -> None:
        """Compare the head with the state that replay has come to, if it is at the head's tick."""
        head = self._head
        tick = history.world.tick
        if head is None or head.tick != tick:
            return
        if head.digest is not None and head.digest != history.world.digest():
            raise DamagedError(
                f"{self._directory.path}: after tick {tick} the head has digest "
                f"{head.digest[:16]}…, and executing the journal gives "
                f"{history.world.digest()[:16]}…"
            )

    def _compare_snapshot(self, history: History) -> None:
        """Compare a snapshot of this tick, if there is one, with the state that replay has come
        to."""
        tick = history.world.tick
        if tick not in self._snapshot_ticks:
            return
        try:
            kept = restore(self._directory.read_snapshot(tick), self._make_world)
            if kept.digest() != history.world.digest():
                raise DamagedError("it has another digest than the journal leads to")
        except IllegalError:
            return  # a server has removed it since
        except DamagedError as problem:
            self._problems.append(f"{self._directory.snapshot_path(tick)}: {problem.message}")
        else:
            self._snapshots += 1

    def _check_archive(self, history: History) -> None:
        """Compare the archived last state of a season with the one that replay has come to."""
        world = history.world
        ended = self._ended
        if ended is not None and world.tick == ended[0] + 1:
            path = self._directory.archive_path(ended[1])
            try:
                if restore(self._directory.read_state(path), self._make_world).digest() != ended[2]:
                    self._problems.append(
                        f"{path}: it has another digest than the journal leads to"
                    )
            except (DamagedError, IllegalError) as problem:
                self._problems.append(f"{path}: {problem.message}")
        ends = begins_season(world.tuning, world.tick + 1)
        self._ended = (world.tick, world.season, world.digest()) if ends else None

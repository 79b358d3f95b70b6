"""Proof of a world directory: every line, every link, every digest.

All segments are held against the chain. What our own rules and catalogs executed is executed again, from
the earliest state there is, and every digest is compared; snapshots on the way are compared too. Of epochs of
other rules the chain is checked, and the release that can replay them is named.

The digest after the very last tick is confirmed by nothing but a snapshot of that tick, because it would
stand in the next record.
"""

from __future__ import annotations

import contextlib
from itertools import pairwise
from pathlib import Path

import msgspec

from thorp.kernel.errors import DamagedError, IllegalError, ThorpError
from thorp.store import DamagedRecord, Disk
from thorp.store.scan import Scan
from thorp.voxel.found import found as found_generated
from thorp.voxel.keeping.directory import Segment, WorldDirectory
from thorp.voxel.keeping.history import History, Watch
from thorp.voxel.snapshot import Found, restore
from thorp.voxel.terms import Terms
from thorp.voxel.version import RELEASES


class Epoch(msgspec.Struct, frozen=True):
    """A stretch of ticks under the same terms."""

    epoch: int
    reason: str
    rules: int
    release: str | None
    """The first release with those rules, which can replay it."""
    first_tick: int
    last_tick: int
    replayed: bool
    """Whether it was executed again; else its chain was checked."""


class Verdict(msgspec.Struct, frozen=True):
    """What `verify` found."""

    ok: bool
    first_tick: int
    """The first tick that the journal still holds."""
    replayed_after: int | None
    """The tick whose state replay began with; None if nothing could be replayed."""
    last_good_tick: int
    """Up to here the journal is whole and leads to the digests it says."""
    digest: str | None
    """Of the state after that tick."""
    tip: str | None
    """The hash of the last record: keep it elsewhere to be able to tell if the end was cut off."""
    epochs: tuple[Epoch, ...]
    snapshots: int
    """How many were compared."""
    torn: str | None
    """What a crash left behind the last complete record; it was never acknowledged."""
    problems: tuple[str, ...]


def verify(
    disk: Disk, path: Path, *, found: Found = found_generated, watch: Watch = lambda _: None
) -> Verdict:
    """Prove a directory, or name the last tick up to which it is good. Changes nothing."""
    directory = WorldDirectory(disk, path)
    directory.require()
    return _Proof(directory, found, watch).run()


class _Proof:
    def __init__(self, directory: WorldDirectory, found: Found, watch: Watch) -> None:
        self._directory = directory
        self._found = found
        self._watch = watch
        self._history: History | None = None
        self._problems: list[str] = []
        self._live: Path | None = None
        """The last segment, the only one that may have a torn tail."""
        self._torn: str | None = None
        self._tip: str | None = None
        self._good = 0
        self._snapshot_ticks = directory.snapshots()
        self._snapshots = 0
        self._epochs: list[tuple[Terms, int, bool]] = []

    def run(self) -> Verdict:
        first_tick = next(iter(self._directory.journals()))
        self._good = first_tick - 1
        segments, unreadable = self._segments()
        try:
            own = self._first_of_ours(segments)
            for segment in segments[:own]:
                self._check_chain(segment)
            if own < len(segments):
                self._replay(segments[own:])
            if not unreadable:
                self._check_nothing_is_missing()
        except (DamagedError, IllegalError) as problem:
            self._problems.append(problem.message)
        self._problems += unreadable
        history = self._history
        return Verdict(
            not self._problems,
            first_tick,
            None if history is None else history.snapshot_tick or 0,
            self._good,
            history.world.digest() if history is not None and history.world.tick == self._good else None,
            self._tip,
            self._reported_epochs(),
            self._snapshots,
            self._torn,
            tuple(self._problems),
        )

    def _check_nothing_is_missing(self) -> None:
        """A snapshot is taken of a durable tick only, so none can be newer than the journal."""
        newest = max(self._snapshot_ticks, default=0)
        if newest > self._good:
            raise DamagedError(
                f"{self._directory.path}: there is a snapshot of tick {newest}, and the journal ends with "
                f"tick {self._good}; restore the journal from a backup, or fork the world at an earlier tick"
            )

    def _segments(self) -> tuple[list[Segment], list[str]]:
        """The segments up to the first whose header cannot be read, and why it cannot."""
        segments: list[Segment] = []
        paths = list(self._directory.journals().values())
        for path in paths:
            try:
                segments.append(Segment(self._directory.disk, path))
            except DamagedError as problem:
                return segments, [problem.message]
        self._live = paths[-1]
        return segments, []

    def _first_of_ours(self, segments: list[Segment]) -> int:
        """Where the last run of segments begins that we can execute."""
        own = len(segments)
        if own:
            ours = self._found(0, 0, segments[-1].header.terms.tuning)
            while own and segments[own - 1].header.terms.foreign(ours) is None:
                own -= 1
        return own

    def _check_chain(self, segment: Segment) -> None:
        self._enter(segment, replayed=False)
        scan = self._scan(segment)
        self._good = max(self._good, segment.last_tick())
        self._tip = scan.tip.decode()

    def _enter(self, segment: Segment, *, replayed: bool) -> None:
        header = segment.header
        if self._tip is not None and header.previous != self._tip:
            raise DamagedRecord(segment.path, 0, 0, "it continues another segment than the one before it")
        if not self._epochs or self._epochs[-1][0].epoch != header.terms.epoch:
            self._epochs.append((header.terms, header.first_tick, replayed))

    def _scan(self, segment: Segment) -> Scan:
        scan = segment.scan()
        if scan.tail and segment.path != self._live:
            raise DamagedRecord(segment.path, scan.bad_record, scan.bad_byte, "a later segment follows it")
        if scan.tail:
            self._torn = f"{segment.path}: {len(scan.tail)} bytes from byte {scan.end} on"
        return scan

    def _replay(self, segments: list[Segment]) -> None:
        history, segments = self._start(segments)
        self._history = history
        self._compare_snapshot(history.world.tick)
        for segment in segments:
            self._enter(segment, replayed=True)
            history.enter(segment)
            self._replay_segment(history, segment)

    def _replay_segment(self, history: History, segment: Segment) -> None:
        try:
            scan = self._scan(segment)
        except DamagedError:
            with contextlib.suppress(DamagedError):
                history.follow(segment, None, to_tick=None, check_every=1, watch=self._executed)
            raise
        try:
            history.follow(segment, scan.end, to_tick=None, check_every=1, watch=self._executed)
        except ThorpError:
            self._good = min(self._good, history.checked_tick)
            raise
        history.tip = self._tip = scan.tip.decode()

    def _executed(self, tick: int) -> None:
        self._good = tick
        self._compare_snapshot(tick)
        self._watch(tick)

    def _start(self, segments: list[Segment]) -> tuple[History, list[Segment]]:
        """The earliest state from which these segments can be executed, and those that follow it."""
        first = segments[0].first_tick
        if first == 1:
            return History.at_founding(self._directory, self._found), segments
        for tick in self._snapshot_ticks:
            if tick >= first - 1:
                try:
                    history = History.at_snapshot(self._directory, tick, self._found)
                except DamagedError as problem:
                    self._problems.append(problem.message)
                    continue
                ends = [later.first_tick - 1 for _, later in pairwise(segments)]
                before = sum(end <= tick for end in ends)
                for segment in segments[:before]:
                    self._check_chain(segment)
                self._good = max(self._good, tick)
                return history, segments[before:]
        raise IllegalError(
            f"{self._directory.path}: the journal begins with tick {first}, and there is no sound "
            "snapshot to replay it from",
            code="no_snapshot",
        )

    def _compare_snapshot(self, tick: int) -> None:
        """Hold a snapshot of this tick, if there is one, against the state that replay came to."""
        if tick not in self._snapshot_ticks or self._history is None:
            return
        try:
            kept = restore(self._directory.read_snapshot(tick), self._found)
            if kept.digest() != self._history.world.digest():
                raise DamagedError("it has another digest than the journal leads to")
        except IllegalError:
            return  # a server has removed it since
        except DamagedError as problem:
            self._problems.append(f"{self._directory.snapshot_path(tick)}: {problem.message}")
        else:
            self._snapshots += 1

    def _reported_epochs(self) -> tuple[Epoch, ...]:
        firsts = [first for _, first, _ in self._epochs]
        lasts = [first - 1 for first in firsts[1:]] + [self._good]
        return tuple(
            Epoch(terms.epoch, terms.reason, terms.rules, RELEASES.get(terms.rules), first, last, replayed)
            for (terms, first, replayed), last in zip(self._epochs, lasts, strict=False)
        )

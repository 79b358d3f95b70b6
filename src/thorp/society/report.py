"""The report of one society: its figures by day, from the journal alone.

The journal is executed again, from the oldest tick from which that can be done here, and measured
as `thorp village live` measures a village while it lives. So the report of a kept village has the
same lines.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from thorp.kernel.errors import DamagedError, IllegalError
from thorp.society.figures import FIGURES, Figure
from thorp.store import Disk
from thorp.village.measure import Line, Meter
from thorp.voxel.persistence.directory import Segment, WorldDirectory
from thorp.voxel.persistence.head import read_head
from thorp.voxel.persistence.replay import History, Watch
from thorp.voxel.persistence.snapshot import WorldMaker

VERSION: Final = 1
CHECK_EVERY: Final = 500
"""Ticks between two digests that are compared: the report proves nothing, as `thorp world verify`
does."""


class SocietyReport(msgspec.Struct, frozen=True, kw_only=True):
    """How the people of a world fared, by day."""

    v: int = VERSION
    seed: int
    day_ticks: int
    after_tick: int
    """The tick with whose state the measuring began; 0 for the founding."""
    last_tick: int
    digest: str
    """Of the world after the last tick."""
    omitted: str
    """Why earlier ticks are not measured; empty if all are."""
    history: list[str]
    """Why each epoch that was measured began: founded, forked, and what was changed then."""
    figures: tuple[Figure, ...] = FIGURES
    days: list[Line]
    unfinished: Line | None
    """The figures of the last day so far, if it is not over."""


def report(
    disk: Disk, path: Path, make_world: WorldMaker, *, watch: Watch = lambda _: None
) -> SocietyReport:
    """Measure the world of a directory, which a server may be writing to. Changes nothing."""
    directory = WorldDirectory(disk, path)
    directory.require()
    history, omitted = _begin(directory, make_world)
    after = history.world.tick
    meter = Meter(history.world, _present(history))
    reasons = [history.epoch.reason]
    days: list[Line] = []

    def look(tick: int) -> None:
        if history.epoch.reason != reasons[-1]:
            reasons.append(history.epoch.reason)
        meter.follow(history.world)
        line = None if history.record is None else meter.look(history.record.inputs)
        if line is not None:
            days.append(line)
        watch(tick)

    world = history.go(check_every=CHECK_EVERY, watch=look)
    is_over = world.tick == after or world.tick % world.tuning.day_ticks == 0
    return SocietyReport(
        seed=world.seed,
        day_ticks=world.tuning.day_ticks,
        after_tick=after,
        last_tick=world.tick,
        digest=world.digest(),
        omitted=omitted,
        history=reasons,
        days=days,
        unfinished=None if is_over else meter.so_far(),
    )


def _present(history: History) -> list[int]:
    """The numbers of those who are connected when the measuring begins. With an epoch, a fork's
    too, everybody's connection begins anew."""
    if history.world.tick == history.epoch.begin_tick:
        return []
    return [agent.number for agent in history.world.agents if agent.attached]


def _begin(directory: WorldDirectory, make_world: WorldMaker) -> tuple[History, str]:
    """The oldest sound state from which every later tick can be executed, and why it is not the
    founding."""
    head = read_head(directory)
    first = max(min(directory.journals()), 0 if head is None else head.first_tick)
    segments = [each for each in directory.segments() if each.first_tick >= first]
    least, why = _last_obstacle(directory, segments, make_world)
    starts = [0] if first == 1 else []
    starts += [tick for tick in directory.snapshots() if tick >= first - 1]
    if first > 1:
        why = why or f"ticks before {first} are not in this journal"
    problem = f"{directory.path}: there is no sound snapshot to begin with"
    for start in starts:
        if start < least:
            continue
        try:
            if start:
                return History.at_snapshot(directory, start, make_world), why
            return History.at_creation(directory, make_world), why
        except DamagedError as damage:
            problem = damage.message
            why = why or f"the state of tick {start} is damaged"
    raise DamagedError(problem)


def _last_obstacle(
    directory: WorldDirectory, segments: Sequence[Segment], make_world: WorldMaker
) -> tuple[int, str]:
    """The tick after which everything can be executed here, and what prevents more. Refuses a world
    that goes on, to its end, as only another release can execute it."""
    ours = segments[-1].header.epoch.begin_world(make_world)
    least = 0
    why = ""
    ends = [segment.first_tick - 1 for segment in segments[1:]]
    for segment, end in zip(segments, [*ends, None], strict=True):
        obstacle = segment.header.epoch.obstacle(ours.catalogs, ours.extensions)
        if obstacle is not None and end is None:
            raise IllegalError(f"{directory.path}: cannot be executed: {obstacle}", code="rules")
        if obstacle is not None and end is not None:
            least = end
            why = f"ticks up to {end} cannot be executed: {obstacle}"
    return least, why

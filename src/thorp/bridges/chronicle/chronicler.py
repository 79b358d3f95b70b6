"""Keeps the chronicle of a running world: observes every tick, and publishes pages in its own
thread.

The tick never waits for the chronicle. If the story does not end where a page begins (after a
restart within a range, a full queue, or a refused page), everything up to the end of the page is
recovered from the journal. So nothing is lost or published twice, and there is only one way to
recover. See `docs/chronicle.md`.
"""

import contextlib
import logging
import queue
import re
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from thorp.bridges.chronicle.observer import PageBuilder
from thorp.bridges.chronicle.publisher import Page, PublishedPage, Publisher
from thorp.bridges.chronicle.wording import last_end
from thorp.kernel.errors import DamagedError, IllegalError, ThorpError
from thorp.kernel.identity import digest
from thorp.store import Disk, write_atomic
from thorp.voxel import World
from thorp.voxel.persistence.directory import Segment, WorldDirectory
from thorp.voxel.persistence.replay import History, Watch
from thorp.voxel.persistence.snapshot import WorldMaker

FILE: Final = "chronicle"
NAME_CHARS: Final = 16
"""64 bits of a SHA-256 are enough to tell the few worlds of one story apart."""
CHECK_EVERY: Final = 500
"""Ticks between two digests that a replay compares. Few are enough here: proving a world is the
task of `thorp world verify`."""

_NAME: Final = re.compile(rb"[0-9a-f]{16}\n\Z")

MAX_PAGES: Final = 32
"""Pages that may wait to be published: eight days. Later ones are recovered from the journal."""


def world_name(disk: Disk, path: Path, *, keep: bool = True) -> str:
    """The name of the world in a directory, where it is kept from now on, unless nothing may be
    written there. Refuses a directory without a world as `no_world`."""
    file = path / FILE
    if disk.exists(file):
        with closing(disk.open(file)) as kept:
            text = kept.read(0, NAME_CHARS + 2)
        if not _NAME.match(text):
            why = "this is not the name of a world; remove the file to have it made again"
            raise DamagedError(f"{file}: {why}")
        return text.decode().strip()
    name = _beginning(disk, path)
    if keep:
        write_atomic(disk, file, f"{name}\n".encode(), replace=True)
    return name


def _beginning(disk: Disk, path: Path) -> str:
    directory = WorldDirectory(disk, path)
    directory.require()
    header = Segment(disk, next(iter(directory.journals().values()))).header
    return digest(f"{header.first_tick} {header.began_s} {header.digest}".encode())[:NAME_CHARS]


def catch_up(
    publisher: Publisher,
    disk: Disk,
    path: Path,
    make_world: WorldMaker,
    *,
    until: int | None = None,
    show: Callable[[PublishedPage], None] = lambda _: None,
    gap: Callable[[int, int], None] = lambda _first, _last: None,
) -> None:
    """Publish every complete range that was not published yet, up to a tick or to the last durable
    one.

    `gap` is called with the first and last of the ticks that can no longer be replayed.
    """
    published = publisher.last_tick()
    if until is not None and until <= published:
        return
    stretch = Stretch(published, until)
    replay_pages(disk, path, make_world, stretch, lambda page: show(publisher.tell(page)), gap=gap)


class Stretch(NamedTuple):
    """The ticks after one, up to another or to the last durable one."""

    after: int
    until: int | None
    unfinished: bool = False  # Whether the last page may end within a quarter of a day.


def replay_pages(
    disk: Disk,
    path: Path,
    make_world: WorldMaker,
    stretch: Stretch,
    tell: Callable[[Page], None],
    *,
    gap: Callable[[int, int], None] = lambda _first, _last: None,
    watch: Watch = lambda _: None,
) -> None:
    """Make the pages of a stretch again, from the journal, and tell each.

    `gap` is called with the first and last of the ticks that can no longer be replayed.
    """
    history, start = _from(disk, path, make_world, stretch)
    if start > stretch.after:
        gap(stretch.after + 1, start)
    builder: PageBuilder | None = None

    def look(tick: int) -> None:
        nonlocal builder
        watch(tick)
        if tick == start:
            builder = PageBuilder(history.world)
        elif builder is not None and (page := builder.look(history.world)) is not None:
            tell(page)

    look(history.world.tick)
    history.go(to_tick=stretch.until, check_every=CHECK_EVERY, watch=look)
    rest = builder.finish(history.world) if builder is not None and stretch.unfinished else None
    if rest is not None:
        tell(rest)


def _from(disk: Disk, path: Path, make_world: WorldMaker, stretch: Stretch) -> tuple[History, int]:
    """A history that can be executed over a stretch, and the tick after which pages can be made:
    that before the stretch, or else that of the first snapshot from which the rest can be
    executed."""
    after = stretch.after
    until = stretch.until
    try:
        history = History.begin(disk, path, make_world, at_most=after)
        _check(history, until)
        return history, after
    except (DamagedError, IllegalError):
        for tick in WorldDirectory(disk, path).snapshots():
            if tick > after and (until is None or tick <= until):
                try:
                    history = History.at_snapshot(WorldDirectory(disk, path), tick, make_world)
                    _check(history, until)
                except (DamagedError, IllegalError):
                    continue
                return history, tick
        raise


def _check(history: History, until: int | None) -> None:
    """Refuse a history if any later segment up to a tick is missing or was written under other
    rules."""
    for segment in history.directory.segments(after=history.world.tick):
        if until is not None and segment.first_tick > until:
            break
        obstacle = history.obstacle(segment.header.epoch)
        if obstacle is not None:
            raise IllegalError(f"{segment.path}: cannot be executed: {obstacle}", code="rules")


CatchUp = Callable[[int], None]
"""Publishes every range up to a tick from the journal."""

_log = logging.getLogger(__name__)


class _Job(NamedTuple):
    last: int
    durable: Future[None] | None
    page: Page | None


class Chronicler:
    """Writes the chronicle of a running world in a thread of its own. `look` is called by the
    thread that ticks, and never fails the tick."""

    def __init__(self, publisher: Publisher, world: World, catch_up: CatchUp) -> None:
        self._publisher = publisher
        self._catch_up = catch_up
        self._builder: PageBuilder | None = PageBuilder(world)
        self._jobs: queue.Queue[_Job | None] = queue.Queue(MAX_PAGES)
        self._stopping = threading.Event()
        self._is_behind = False
        self._published = publisher.last_tick()
        self._thread = threading.Thread(target=self._run, name="thorp chronicle", daemon=True)
        over = last_end(world.tick, world.tuning.day_ticks)
        if over > self._published:
            self._jobs.put_nowait(_Job(over, None, None))
        self._thread.start()

    def look(self, world: World, durable: Future[None]) -> None:
        """Observe the last tick; `durable` is done when that tick is."""
        if self._builder is None:
            return
        try:
            page = self._builder.look(world)
            if page is not None:
                self._jobs.put_nowait(_Job(page.ticks.last, durable, page))
        except queue.Full:
            self._warn("the chronicle is behind: ticks up to %d are published later", world.tick)
        except Exception:
            self._builder = None
            _log.exception("the chronicle has stopped at tick %d; the world goes on", world.tick)

    def close(self, patience: float | None = None) -> None:
        """Publish what waits within `patience` seconds, then stop. The next start recovers the
        rest."""
        with contextlib.suppress(queue.Full):
            self._jobs.put(None, timeout=patience)
        self._thread.join(patience)
        self._stopping.set()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None and not self._stopping.is_set():
            try:
                self._do(job)
                self._is_behind = False
            except ThorpError as problem:  # the next page recovers what is missing
                self._warn("ticks up to %d could not be published yet: %s", job.last, problem)
            except Exception:
                _log.exception("ticks up to %d could not be published yet", job.last)

    def _warn(self, message: str, *about: object) -> None:
        """Log why nothing is published: once, until something is published again."""
        if not self._is_behind:
            self._is_behind = True
            _log.warning(message, *about)

    def _do(self, job: _Job) -> None:
        if job.durable is not None:
            job.durable.result()
        if job.page is not None and job.page.ticks.first == self._published + 1:
            self._publisher.tell(job.page)
            self._published = job.last
        else:
            self._catch_up(job.last)
            self._published = self._publisher.last_tick()

"""A run that is looked at, and not lived: the world of another data directory, as it is when it is
asked for. A run that goes on is kept again, from where it ended; one that was replaced is not the
same run any more, which is told apart by the hash of its last record.

Of its journal is made what a page needs: the tape of its ticks, and the world of its last one. Both
lie in a directory of ours. The run's own directory is only read: nothing in it is locked, written
or named. What is kept may be deleted at any time, and is then made again.
"""

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from thorp.bridges.chronicle import world_name
from thorp.bridges.voxel_town import new_city_world
from thorp.kernel.errors import ConflictError, IllegalError
from thorp.observer.tape import Tape
from thorp.observer.tape_rebuild import rebuild
from thorp.observer.tape_recorder import SEGMENT_TICKS, TABLES, Recorder
from thorp.store import Disk, write_atomic
from thorp.voxel import World
from thorp.voxel.persistence.directory import WorldDirectory
from thorp.voxel.persistence.record import RULES
from thorp.voxel.persistence.replay import History, Watch
from thorp.voxel.persistence.snapshot import encode_state, pack, restore

ABOUT: Final = "about.json"
END: Final = "end.snapshot"
LOCK: Final = "run.lock"
MAX_ABOUT_BYTES: Final = 2**20
VERSION: Final = 1
REPLACED: Final = "replaced"


class KeptRun(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a run besides its ticks."""

    v: int = VERSION
    rules: int = RULES
    name: str
    """The name of its world. Browsers keep segments by it."""
    seed: int
    first_tick: int
    """The first tick of its journal: a fork begins late."""
    last_tick: int
    tip: str | None
    """The hash of its last record, by which a longer run is told from this one."""
    since_s: int = 0
    """When another run came into its place, in seconds; 0 if none has. Browsers keep segments by
    the name and this."""
    history: list[str]
    """Why each epoch began of those that its journal has: founded, forked, and what was changed."""

    @property
    def tape_name(self) -> str:
        """The name by which browsers keep its segments."""
        return f"{self.name}-{self.since_s}" if self.since_s else self.name


def describe_run(disk: Disk, path: Path) -> KeptRun:
    """What the journal of a world says of it. Refuses a directory without a world."""
    directory = WorldDirectory(disk, path)
    directory.require()
    segments = directory.segments()
    end = segments[-1].end()
    reasons = [segment.header.epoch.reason for segment in segments]
    return KeptRun(
        name=world_name(disk, path, keep=False),
        seed=segments[-1].header.epoch.seed,
        first_tick=min(directory.journals()),
        last_tick=end.tick,
        tip=end.tip,
        history=list(dict.fromkeys(reasons)),
    )


def require_playable(disk: Disk, path: Path) -> None:
    """Refuse a directory without a world, or with one whose last ticks another release must
    execute; that is named."""
    directory = WorldDirectory(disk, path)
    directory.require()
    epoch = directory.segments()[-1].header.epoch
    ours = epoch.begin_world(new_city_world)
    obstacle = epoch.obstacle(ours.catalogs, ours.extensions)
    if obstacle is not None:
        raise IllegalError(f"{path}: cannot be shown: {obstacle}", code="rules")


def read_run(directory: Path) -> KeptRun | None:
    """What is kept in a directory of ours; None if it is not all there."""
    try:
        with (directory / ABOUT).open("rb") as file:
            about = msgspec.json.decode(file.read(MAX_ABOUT_BYTES), type=KeptRun)
    except (OSError, msgspec.MsgspecError):
        return None
    is_ours = (about.v, about.rules) == (VERSION, RULES)
    return about if is_ours and (directory / END).is_file() else None


def read_end(directory: Path) -> World:
    """The world as it was after the last tick of a run."""
    return restore((directory / END).read_bytes(), new_city_world)


def what_became_of(disk: Disk, path: Path, before: KeptRun, about: KeptRun) -> str:
    """What became of a run that was kept, in words; empty if it is the same, or has gone on."""
    if before.name != about.name:
        return "another world lies in its directory now"
    if before.last_tick > about.last_tick:
        return f"it was set back from tick {before.last_tick:,} to tick {about.last_tick:,}"
    if WorldDirectory(disk, path).tip_of(before.last_tick) != before.tip:
        return f"it has another history up to tick {before.last_tick:,} now"
    return ""


def keep_run(
    disk: Disk,
    path: Path,
    into: Path,
    *,
    anew: bool = True,
    kept: Callable[[], None] = lambda: None,
    watch: Watch = lambda _: None,
) -> KeptRun:
    """Keep the end of a run, then its tape. Does only what is missing. `kept` is called when the
    end is there. Refuses a run that cannot be executed here, and as `replaced`, unless it may begin
    `anew`, one that is not the run that was kept any more."""
    about = describe_run(disk, path)
    disk.make_directories(into)
    before = read_run(into)
    change = "" if before is None else what_became_of(disk, path, before, about)
    if before is None and not anew:
        change = "what was kept of it is gone"
    if change and not anew:
        raise ConflictError(change, code=REPLACED)
    if before is not None:
        since = round(time.time()) if change else before.since_s
        about = msgspec.structs.replace(about, since_s=since)
    if before != about:
        (into / ABOUT).unlink(missing_ok=True)
        # A tape that ended in the middle of a segment goes on from the beginning of that.
        last = 0 if before is None or change else before.last_tick
        _keep_end(disk, path, into, about, last)
    kept()
    _keep_tape(disk, path, into, about, watch)
    return about


def _keep_tape(disk: Disk, path: Path, into: Path, about: KeptRun, watch: Watch) -> None:
    """Make what the tape lacks."""
    with closing(Tape(into, about.name)) as tape:
        until = about.last_tick
        rebuild(tape, disk, path, new_city_world, until=until, watch=watch, lock=into / LOCK)


def _keep_end(disk: Disk, path: Path, into: Path, about: KeptRun, last_before: int) -> None:
    """Write the world of the last tick, and the segment that it lies in. `ABOUT` comes last, so
    that its presence says that all is there."""
    begins = about.last_tick // SEGMENT_TICKS * SEGMENT_TICKS
    start = max(about.first_tick, begins) - 1
    history = History.begin(disk, path, new_city_world, at_most=max(0, start))
    recorder = Recorder()

    def look(tick: int) -> None:
        if tick < begins or history.record is None:
            return
        recorder.look(history.world, history.record.inputs)
        for table in TABLES:
            getattr(history.world, table).digest()  # from here on, changes are the next tick's

    world = history.go(to_tick=about.last_tick, watch=look)
    with closing(Tape(into, about.name, last_tick=last_before)) as tape:
        if recorder.open is not None:
            tape.write(recorder.open).result()
    write_atomic(disk, into / END, pack(encode_state(world, history.epoch)), replace=True)
    write_atomic(disk, into / ABOUT, msgspec.json.encode(about), replace=True)

"""Plays a match of the voxel world again from its log, and records what spectators could have seen:
a tape, and the world as it was at the end.

The log decides: every action is judged again, and a log that is not the match's own is refused.
What is recorded is a cache beside the data; it may be deleted at any time.
"""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from thorp.arena import registry
from thorp.arena.events import LogReader, parse_start
from thorp.arena.runner import MatchStopped
from thorp.arena.service import MANIFEST, match_config, open_log, read_task, sidecar_path
from thorp.arena.verify import config_from_log, find_difference
from thorp.bridges.voxel_match import VoxelMatch
from thorp.kernel.errors import DamagedError, IllegalError
from thorp.observer.tape import Tape
from thorp.observer.tape_recorder import TABLES, Recorder
from thorp.store import RealDisk, write_atomic
from thorp.voxel import AnyInput, World, create_world
from thorp.voxel.persistence.record import RULES, Epoch
from thorp.voxel.persistence.snapshot import encode_state, pack, restore

ABOUT: Final = "about.json"
END: Final = "end.snapshot"
# Longer matches are shown up to here: ten days of the world. It bounds time and disk.
MAX_TICKS: Final = 60_000


class MatchWorld(msgspec.Struct, kw_only=True):
    """What is kept beside the tape of a match."""

    name: str
    """The name of the tape's world: another one for every state of the log."""
    log_bytes: int
    log_changed_ns: int
    """The log as it was when it was played: a changed one is played again."""
    begins_tick: int
    """When the agents of the match came; a village has lived before."""
    last_tick: int
    unverified: str = "an earlier release played it again"
    """Why nothing is proved of its log; empty if every action was judged again as the log says."""


class _Enough(MatchStopped):
    """Raised to stop a match that is longer than its recording may be."""


def record(log: Path, into: Path) -> MatchWorld:
    """Play a match again, and write its tape and its end into a directory. Refuses a match that
    has no voxel world, and a log that does not fit."""
    state = log.stat()
    with open_log(log) as file:
        reader = LogReader(file)
        start = parse_start(reader.peek())
        if sidecar_path(log, MANIFEST).exists():
            task = read_task(log)
            scenario = registry.make_scenario(task.scenario, task.parameters)
            config = match_config(task)
        else:
            name = registry.scenario_with_name(start["scenarioName"])
            scenario = registry.make_scenario(name, {})
            config = config_from_log(start, reader.peek(1))
        if not isinstance(scenario, VoxelMatch):
            raise IllegalError("this match is not played in a voxel world", code="no_world")
        recording = _Recording(into, _world_name(log, state.st_size, state.st_mtime_ns))
        scenario.watch = recording.look
        scenario.began = recording.note_begin
        unverified = ""
        try:
            difference = find_difference(reader, scenario, start["agentIds"], config)
        except _Enough:
            difference = None
            unverified = f"it was played again up to tick {MAX_TICKS:,} only"
        if difference is not None and difference.code != "trailing":
            message = f"line {difference.line} of the log does not fit: {difference.message}"
            raise DamagedError(message, code="match")
        if difference is not None:
            unverified = f"line {difference.line} of the log: {difference.message}"
    return recording.finish(state.st_size, state.st_mtime_ns, unverified)


class _Recording:
    """Looks at the world of a match after every tick."""

    def __init__(self, into: Path, name: str) -> None:
        self._into = into
        self._name = name
        self._tape = Tape(into, name)
        self._recorder = Recorder()
        self._world: World | None = None
        self._begins = 0

    def look(self, world: World, inputs: Sequence[AnyInput]) -> None:
        """Take in a tick."""
        self._world = world
        segment = self._recorder.look(world, inputs)
        for table in TABLES:
            # From here on, its changes are those of the next tick.
            getattr(world, table).digest()
        if segment is not None:
            self._tape.write(segment).result()
        if world.tick >= MAX_TICKS:
            raise _Enough

    def note_begin(self, tick: int) -> None:
        """Take in when the agents of the match came."""
        self._begins = tick

    def finish(self, log_bytes: int, log_changed_ns: int, unverified: str) -> MatchWorld:
        """Write what is left; `ABOUT` comes last, so that its presence says that all is there."""
        world = self._world
        if world is None:
            raise IllegalError("nothing happened in this match", code="no_world")
        if self._recorder.open is not None:
            self._tape.write(self._recorder.open).result()
        self._tape.close()
        epoch = Epoch(
            rules=RULES,
            catalogs=world.catalogs.digest(),
            seed=world.seed,
            draw_seed=world.draw_seed,
            tuning=world.tuning,
        )
        disk = RealDisk()
        write_atomic(disk, self._into / END, pack(encode_state(world, epoch)))
        about = MatchWorld(
            name=self._name,
            log_bytes=log_bytes,
            log_changed_ns=log_changed_ns,
            begins_tick=self._begins,
            last_tick=world.tick,
            unverified=unverified,
        )
        write_atomic(disk, self._into / ABOUT, msgspec.json.encode(about))
        return about


def _world_name(log: Path, size: int, changed_ns: int) -> str:
    """Browsers keep segments by this name for ever."""
    return f"match_{sha256(f'{log} {size} {changed_ns}'.encode()).hexdigest()[:32]}"


def read_about(directory: Path) -> MatchWorld | None:
    """What is kept of a match's world; None if it is not all there."""
    try:
        return msgspec.json.decode((directory / ABOUT).read_bytes(), type=MatchWorld)
    except (OSError, msgspec.MsgspecError):
        return None


def read_end(directory: Path) -> World:
    """The world as it was at the end of the match."""
    return restore((directory / END).read_bytes(), create_world)

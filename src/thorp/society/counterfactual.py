"""What would have happened: forks of a world at one tick, some of them with one thing changed.

    question = Question(at_tick=12_000, days=2, change=Weather(weather="STORM"))
    pair = run_pair(Path("thorp-data"), question, Path("what-if"))
    pair.control.data, pair.changed.data    # data directories, as `thorp up --data` takes them
    pair.differences()                      # figures that are not the same at the end

Villagers come back from any fork without their plans. So what a change did is not the difference
to the original, but to the *control*: the same fork, unchanged. Two worlds drift apart by chance
as well; a fork with another draw seed says how far. `run_counterfactual` makes one pair for each
of several draw seeds.

The directory is one of `thorp.workers.RunDirectory`, with the arms' data directories in it. The
same call goes on after a kill: arms that are finished stay, one that is not begins anew, since its
villagers would lose their plans once more.
"""

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from thorp import __version__
from thorp.bridges.voxel_town import new_city_world
from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import DamagedError, IllegalError, InvalidError
from thorp.kernel.identity import digest
from thorp.store import Disk, RealDisk, hold
from thorp.village import bodies, measure
from thorp.village.bounds import figure
from thorp.village.changes import Change, apply_change, change_text
from thorp.village.measure import Line
from thorp.village.roster import ROSTER
from thorp.voxel import AnyInput, Detach, World, WorldService, step
from thorp.voxel.persistence.copies import Origin, write_fork
from thorp.voxel.persistence.directory import HEAD, LOCK
from thorp.workers import RunDirectory, RunKind

VERSION: Final = 1
WORLD: Final = "world"
"""The directory of the world in a data directory."""
MAX_DAYS: Final = 100
"""The village takes half an hour for them. A longer question is asked again at the end."""
MAX_PAIRS: Final = 100
# Ticks that may wait for the disk at once.
MAX_TICKS_AHEAD: Final = 100

RUN = RunKind("counterfactual", "counterfactual_version", VERSION)


class Question(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What would have happened if this had been otherwise from this tick on."""

    at_tick: Annotated[int, Meta(ge=1)]
    change: Change
    days: Annotated[int, Meta(ge=1, le=MAX_DAYS)] = 2
    """How long the forks live; the rest of a day that has begun is the first."""


def read_question(value: object) -> Question:
    """The question that plain data ask: `{"at_tick": 12000, "days": 2, "change": {…}}`."""
    try:
        return msgspec.convert(value, Question)
    except msgspec.ValidationError as problem:
        raise InvalidError(f"question: {str(problem).replace('`', '')}", code="question") from None


class PairProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a run has come."""

    arm: str
    """The arm that lives: `control` or `changed`, with the draw seed if it has one of its own."""
    tick: int
    last_tick: int
    """The tick with which it ends; 0 while its fork is being made."""
    done: float
    """The share of the whole run that is over, from 0 to 1."""


class Arm(msgspec.Struct, frozen=True, kw_only=True):
    """One fork, and how its people fared."""

    name: str
    data: Path
    """Its data directory, which has a world that can be verified, served and forked again."""
    draw_seed: int | None
    """The draw seed that it was given; None if it kept that of the original."""
    changed: str
    """What is otherwise, in words; empty in a control."""
    first_tick: int
    last_tick: int
    digest: str
    lines: list[Line]
    """Its figures, by day, as `thorp village live --json` has them."""


class Difference(msgspec.Struct, frozen=True):
    """One figure of the last day that is not the same in both arms."""

    key: str
    control: float
    changed: float


class Pair(msgspec.Struct, frozen=True):
    """Two forks of one world at one tick, which differ in one thing."""

    control: Arm
    changed: Arm

    def differences(self, keys: Sequence[str]) -> list[Difference]:
        """Which of these figures differ on the last day, in the order of the keys."""
        ends = [
            (key, figure(self.control.lines[-1], key), figure(self.changed.lines[-1], key))
            for key in keys
        ]
        return [
            Difference(key, control, changed)
            for key, control, changed in ends
            if control is not None and changed is not None and control != changed
        ]


class Counterfactual(msgspec.Struct, frozen=True):
    """The pairs of a question, one for each draw seed."""

    question: Question
    change: str
    """The change in words."""
    pairs: list[Pair]


Show = Callable[[PairProgress], None]


def run_pair(
    source: Path,
    question: Question,
    into: Path,
    *,
    draw_seed: int | None = None,
    disk: Disk | None = None,
    show: Show = lambda _: None,
) -> Pair:
    """Fork the world of a data directory twice, change one thing in one of them, and let both live
    on. `show` is called after every tick; what it raises ends the run. The source may be
    in use; it stays as it is."""
    answer = run_counterfactual(
        source, question, into, draw_seeds=(draw_seed,), disk=disk, show=show
    )
    return answer.pairs[0]


def run_counterfactual(
    source: Path,
    question: Question,
    into: Path,
    *,
    draw_seeds: Sequence[int | None] = (None,),
    disk: Disk | None = None,
    force: bool = False,
    show: Show = lambda _: None,
) -> Counterfactual:
    """A pair for each draw seed; None stands for the world's own. Refuses a change that does not
    fit the world before anything is written. With `force` another run there is moved aside."""
    disk = RealDisk() if disk is None else disk
    question = read_question(msgspec.to_builtins(question))
    if not 1 <= len(draw_seeds) <= MAX_PAIRS or len(set(draw_seeds)) < len(draw_seeds):
        raise InvalidError(f"1 to {MAX_PAIRS} draw seeds, each once", code="seed")
    arms = [ArmPlan(seed, is_changed) for seed in draw_seeds for is_changed in (False, True)]
    meter = _Meter(show, len(arms))
    meter.tell(arms[0].name, 0, 0, 0)
    origin = Origin.at(disk, source / WORLD, question.at_tick, make_world=new_city_world)
    require_villagers(origin.fork_world())
    for arm in arms:  # refuse what does not fit before anything is written
        origin.fork_state(arm.draw_seed, arm.change(question))
    manifest = _manifest(question, draw_seeds, origin)
    if force:
        RUN.move_aside(disk, into)
    RUN.check_directory(disk, into, manifest)
    with closing(RunDirectory(disk, into, manifest)) as directory:
        rows = _finished_rows(directory.lines(), into, disk)
        for arm in arms:
            if arm.name not in rows:
                row = _live(disk, origin, question, arm, data=into / arm.name, meter=meter)
                directory.append([canonical_bytes(row)])
                rows[arm.name] = row
            meter.arms_done += 1
        directory.write_finished(b"".join(canonical_bytes(rows[arm.name]) + b"\n" for arm in arms))
    made = [_arm(into, rows[arm.name]) for arm in arms]
    pairs = [Pair(control, changed) for control, changed in zip(made[::2], made[1::2], strict=True)]
    return Counterfactual(question, change_text(question.change), pairs)


class ArmPlan(msgspec.Struct, frozen=True):
    """An arm that is to live."""

    draw_seed: int | None
    is_changed: bool

    @property
    def name(self) -> str:
        """Its name, and that of its data directory: `control`, `changed-7`."""
        name = "changed" if self.is_changed else "control"
        return name if self.draw_seed is None else f"{name}-{self.draw_seed}"

    def change(self, question: Question) -> Callable[[World], str] | None:
        """What makes the change in its world; None in a control."""
        return partial(apply_change, change=question.change) if self.is_changed else None


class _Meter:
    """Tells how far a run has come."""

    def __init__(self, show: Show, arms: int) -> None:
        self._show = show
        self._arms = arms
        self.arms_done = 0

    def tell(self, arm: str, tick: int, first: int, last: int) -> None:
        """Report that an arm has executed a tick; its ticks are those after `first`, up to
        `last`."""
        part = (tick - first) / (last - first) if last > first else 0.0
        done = (self.arms_done + part) / self._arms
        self._show(PairProgress(arm=arm, tick=tick, last_tick=last, done=done))


def _manifest(
    question: Question, draw_seeds: Sequence[int | None], origin: Origin
) -> dict[str, Json]:
    """The inputs of a run: the same ones give the same arms."""
    return {
        "format": "thorp.counterfactual",
        "counterfactual_version": VERSION,
        "thorp": __version__,
        "question": msgspec.to_builtins(question),
        "draw_seeds": list(draw_seeds),
        "state": origin.digest,
    }


def _finished_rows(lines: Sequence[bytes], into: Path, disk: Disk) -> dict[str, dict[str, Any]]:
    """The rows of finished arms, by name. An arm whose world is gone lives again."""
    try:
        rows = [msgspec.json.decode(line, type=dict[str, Any]) for line in lines]
    except msgspec.DecodeError:
        raise DamagedError(
            f"{into}: a result is not as it was written; choose another directory"
        ) from None
    there = [row for row in rows if disk.exists(into / str(row.get("arm")) / WORLD / HEAD)]
    return {row["arm"]: row for row in there}


def _live(
    disk: Disk, origin: Origin, question: Question, arm: ArmPlan, *, data: Path, meter: _Meter
) -> dict[str, Any]:
    """Make a fork, let it live, and return its row."""
    path = data / WORLD
    _remove_unfinished(disk, path)
    state = origin.fork_state(arm.draw_seed, arm.change(question))
    write_fork(disk, state, path, now_s=round(time.time()))
    lines: list[Line] = []
    with WorldService.open(disk, path, make_world=new_city_world) as service:
        run = DurableRun(service)
        last = live_on(
            service.world,
            question.days,
            execute=run.execute,
            show=lines.append,
            watch=lambda tick, last: meter.tell(arm.name, tick, question.at_tick, last),
        )
        run.finish()
        digest = service.digest()
    return {
        "arm": arm.name,
        "draw_seed": arm.draw_seed,
        "changed": state.epoch.reason.partition(", changed: ")[2],
        "first_tick": question.at_tick + 1,
        "last_tick": last,
        "digest": digest,
        "lines": lines,
    }


class DurableRun:
    """Executes the ticks of a kept world, ahead of the disk, which would otherwise set the pace."""

    def __init__(self, service: WorldService) -> None:
        self._service = service
        self._waiting: deque[Future[None]] = deque()

    def execute(self, _world: World, inputs: Sequence[AnyInput]) -> None:
        """Execute the next tick; wait only if too many are not durable yet."""
        self._waiting.append(self._service.tick(inputs))
        if len(self._waiting) > MAX_TICKS_AHEAD:
            self._waiting.popleft().result()

    def finish(self) -> None:
        """Wait until every tick is durable."""
        while self._waiting:
            self._waiting.popleft().result()


def live_on(
    world: World,
    days: int,
    *,
    show: Callable[[Line], None],
    execute: Callable[[World, Sequence[AnyInput]], object] = step,
    watch: Callable[[int, int], None] = lambda tick, last: None,
) -> int:
    """Let the village of a fork live for some days, the rest of a day that has begun being the
    first. Everybody else is away. Returns the last tick. Refuses as `no_village` a world in which
    no villager lives."""
    villagers = require_villagers(world)
    strangers = [
        Detach(agent.number)
        for agent in world.agents
        if agent.attached and agent.number not in villagers.values()
    ]
    if strangers:
        execute(world, strangers)
    last = (world.tick // world.tuning.day_ticks + days) * world.tuning.day_ticks
    # Whoever has the journal knows the draw seed, and nobody else can come in with these.
    tokens = {name: digest(f"{world.draw_seed}:{name}".encode()) for name in ROSTER}
    measure.live(
        world,
        days,
        show=show,
        watch=lambda tick: watch(tick, last),
        execute=execute,
        tokens=tokens,
    )
    return last


def require_villagers(world: World) -> dict[str, int]:
    """The numbers of those who would live on, by name. Refuses a world without any."""
    villagers = bodies(world)
    if not villagers:
        why = "no villager lives in this world, so nobody would live on in a fork"
        raise IllegalError(why, code="no_village")
    return villagers


def _remove_unfinished(disk: Disk, path: Path) -> None:
    """Remove the world of an arm that was not finished, unless a server has it open."""
    if not disk.exists(path):
        return
    with closing(hold(disk, path / LOCK)):
        for name in disk.list(path):
            if name != LOCK:
                disk.remove(path / name)
    disk.remove(path / LOCK)


def _arm(into: Path, row: Mapping[str, Any]) -> Arm:
    data = into / row["arm"]
    fields = {name: row[name] for name in Arm.__struct_fields__ if name in row}
    return Arm(name=row["arm"], data=data, **fields)

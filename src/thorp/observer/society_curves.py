"""The society of a run as curves: who is awake, what there is and how it is shared, what stands,
which laws hold, which contracts were kept. Two runs are laid over each other by them.

A sample is taken whenever `SAMPLE_TICKS` are over, from the world as it is then, by whoever records
its tape. So it follows from the ticks alone, whether they were recorded live or made again from the
journal. What wealth is and how unequal it is, is defined once, in `thorp.voxel.society.wealth`.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from thorp.voxel import World
from thorp.voxel.society import wealth

SAMPLE_TICKS: Final = 125
"""Half a segment of the tape: 48 samples a day of the usual length."""
# Contracts that are noted in one sample: more than a full world keeps in half a minute.
MAX_KEPT: Final = 1_000
# Points of one curve in an answer: as many as a page can draw apart.
MAX_POINTS: Final = 200
# Samples that are read for one answer: a year of the usual days.
MAX_SAMPLES: Final = 20_000
TITLES: Final = {
    "awake": "People awake",
    "citizens": "Citizens",
    "wealth": "Wealth",
    "gini": "Inequality",
    "buildings": "Buildings standing",
    "laws": "Laws in force",
    "contracts": "Contracts kept",
}
PRIVATE: Final = frozenset(("wealth", "gini"))
"""What is made of pockets and chests, and shown to those alone who may see those."""


class SocietySample(msgspec.Struct, frozen=True, kw_only=True):
    """A society after a tick."""

    tick: int
    awake: int
    citizens: int
    """Members of a city, each once."""
    wealth: float
    """What everybody carries and owns together, in planks' worth."""
    gini: float
    """How unequal what bodies carry is, from 0 to 1."""
    buildings: int
    """Those that the world lists: it forgets one of which too little is left, and the oldest of a
    builder of very many."""
    laws: int
    contracts: list[int]
    """The ticks since the last sample in which somebody kept a contract."""


class Curve(msgspec.Struct, frozen=True):
    """One figure of two societies: its value after each of some ticks."""

    key: str
    title: str
    here: list[tuple[int, float]]
    there: list[tuple[int, float]]


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """The curves of two societies over the same time."""

    first: int
    last: int
    curves: list[Curve]
    note: str
    """What a reader has to know of them; empty if there is nothing."""


class Sampler:
    """Takes the samples of a world, tick by tick."""

    def __init__(self) -> None:
        self._kept: list[int] = []

    def look(self, world: World) -> SocietySample | None:
        """Take in a tick; the sample that it ends, if it ends one."""
        tick = world.tick
        for event in world.scratch.public_events:
            is_kept = event["kind"] == "CONTRACT" and event["state"] == "COMPLETED"
            if is_kept and len(self._kept) < MAX_KEPT:
                self._kept.append(tick)
        if (tick + 1) % SAMPLE_TICKS:
            return None
        kept = self._kept
        self._kept = []
        return _sample(world, kept)


def _sample(world: World, kept: list[int]) -> SocietySample:
    citizens = {member: None for org in world.orgs if org.kind == "CITY" for member in org.members}
    return SocietySample(
        tick=world.tick,
        awake=len(world.agents.awake),
        citizens=len(citizens),
        wealth=wealth.total(world),
        gini=wealth.inequality(world),
        buildings=len(world.structures),
        laws=sum(law.status == "ACTIVE" for law in world.laws),
        contracts=kept,
    )


class RunSamples(NamedTuple):
    """What the tape of a run has of its society."""

    first: int
    """The first tick of the run within the time that is looked at."""
    samples: Sequence[SocietySample]


def society_course(
    here: RunSamples, there: RunSamples, *, last: int, split: int, open_book: bool
) -> Course:
    """Two societies up to a tick. Contracts are counted from the split on, up to which both are
    one. Of a long time every Nth sample is shown, the same ones of both, and the last."""
    first = min(here.first, there.first)
    stride = max(1, -(-_count(first, last) // MAX_POINTS))
    sides = [_points(run.samples, stride, split) for run in (here, there)]
    curves = [
        Curve(key, title, *([(tick, values[key]) for tick, values in side] for side in sides))
        for key, title in TITLES.items()
        if open_book or key not in PRIVATE
    ]
    notes = [_lacking("here", here, last), _lacking("there", there, last)]
    if stride > 1:
        notes.append(f"one sample in {stride} is drawn")
    note = "; ".join(each for each in notes if each)
    return Course(first=first, last=last, curves=curves, note=note)


def _points(
    samples: Sequence[SocietySample], stride: int, split: int
) -> list[tuple[int, dict[str, float]]]:
    """The values of those samples that are shown, by key."""
    points = []
    contracts = 0
    for sample in samples:
        contracts += sum(tick > split for tick in sample.contracts)
        if (sample.tick + 1) // SAMPLE_TICKS % stride == 0 or sample is samples[-1]:
            values = {key: float(getattr(sample, key)) for key in TITLES if key != "contracts"}
            points.append((sample.tick, {**values, "contracts": float(contracts)}))
    return points


def _lacking(name: str, run: RunSamples, last: int) -> str:
    """How many samples a run lacks: its tape has gaps, or an earlier release made a part of it."""
    wanted = _count(run.first, last)
    missing = wanted - len(run.samples)
    return f"{missing:,} of {wanted:,} samples are missing {name}" if missing > 0 else ""


def _count(first: int, last: int) -> int:
    """How many samples there are in a range of ticks."""
    return max(0, (last + 1) // SAMPLE_TICKS - first // SAMPLE_TICKS)

"""The society of a run as curves: the same from a live recording and from the journal, by the one
definition of wealth."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.observer.filmed import LAST, make_village
from thorp.bridges.chronicle import world_name
from thorp.bridges.voxel_town import new_city_world
from thorp.observer.society_curves import (
    MAX_POINTS,
    PRIVATE,
    SAMPLE_TICKS,
    TITLES,
    RunSamples,
    SocietySample,
    society_course,
)
from thorp.observer.tape import Tape
from thorp.observer.tape_rebuild import rebuild
from thorp.observer.tape_recorder import Recorder
from thorp.store import RealDisk
from thorp.village.exchange import wealth as village_wealth
from thorp.voxel.persistence.replay import History
from thorp.voxel.society import scores

DISK = RealDisk()


@pytest.fixture(scope="module")
def village(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_village(tmp_path_factory.mktemp("village"))


def sample(tick: int, *contracts: int, awake: int = 1, wealth: float = 2.0) -> SocietySample:
    return SocietySample(
        tick=tick,
        awake=awake,
        citizens=1,
        wealth=wealth,
        gini=0.5,
        buildings=3,
        laws=1,
        contracts=list(contracts),
    )


def test_samples_are_those_of_the_world_and_the_same_from_its_journal(
    village: Path, tmp_path: Path
) -> None:
    path = village / "world"
    history = History.begin(DISK, path, new_city_world, at_most=0)
    recorder = Recorder()
    seen = {}

    def look(tick: int) -> None:
        assert history.record is not None
        recorder.look(history.world, history.record.inputs)
        if (tick + 1) % SAMPLE_TICKS == 0:
            world = history.world
            assert recorder.open is not None
            seen[tick] = recorder.open.samples[-1]
            carried = [agent.inventory for agent in world.agents]
            figures = village_wealth(world, world.agents)
            total = figures["mean"] * len(carried) + figures["common"]
            assert seen[tick].wealth == pytest.approx(total, abs=0.05 * len(carried))
            assert seen[tick].gini == scores.measure(world).inequality / scores.FULL
            assert seen[tick].awake == len(world.agents.awake) > 0
            assert seen[tick].buildings == len(world.structures)
        history.world.digest()

    history.go(watch=look)
    assert list(seen) == list(range(SAMPLE_TICKS - 1, LAST, SAMPLE_TICKS))
    last = seen[max(seen)]
    assert last.citizens > 0
    assert last.wealth > 0
    with closing(Tape(tmp_path, world_name(DISK, path))) as tape:
        rebuild(tape, DISK, path, new_city_world)
        whole = [seen[tick] for tick in seen if tick < 500]
        assert tape.samples(1, LAST, []) == whole
        assert tape.samples(200, 300, []) == [seen[249]]
        open_segment = recorder.open
        assert open_segment is not None
        assert tape.samples(1, LAST, [open_segment]) == list(seen.values())


def test_contracts_are_counted_from_the_split_on_and_both_sides_alike() -> None:
    here = RunSamples(1, [sample(124, 3), sample(249, 130, 200), sample(374, 300)])
    there = RunSamples(151, [sample(249, 200), sample(374)])
    course = society_course(here, there, last=400, split=150, open_book=True)
    counted = {curve.key: curve for curve in course.curves}
    assert counted["contracts"].here == [(124, 0), (249, 1), (374, 2)]
    assert counted["contracts"].there == [(249, 1), (374, 1)]
    assert [curve.title for curve in course.curves] == list(TITLES.values())
    assert course.note == ""


def test_what_pockets_and_chests_say_is_for_an_open_book_alone() -> None:
    run = RunSamples(1, [sample(124)])
    course = society_course(run, run, last=130, split=0, open_book=False)
    assert {curve.key for curve in course.curves} == set(TITLES) - PRIVATE


def test_a_long_run_is_thinned_to_a_bound_and_says_so_and_a_gap_is_said() -> None:
    ticks = range(SAMPLE_TICKS - 1, 1_000 * SAMPLE_TICKS, SAMPLE_TICKS)
    long = RunSamples(1, [sample(tick) for tick in ticks])
    holed = RunSamples(1, [sample(tick) for tick in ticks if not 1000 < tick < 2000])
    last = ticks[-1]
    course = society_course(long, holed, last=last, split=0, open_book=True)
    shown = [[tick for tick, _ in side] for side in (course.curves[0].here, course.curves[0].there)]
    assert MAX_POINTS // 2 < len(shown[0]) <= MAX_POINTS + 1
    assert set(shown[1]) < set(shown[0])
    assert shown[0][-1] == shown[1][-1] == last
    assert course.note == "8 of 1,000 samples are missing there; one sample in 5 is drawn"


def test_nothing_is_made_of_nothing() -> None:
    nobody = RunSamples(1, [])
    course = society_course(nobody, nobody, last=1, split=0, open_book=True)
    assert all(curve.here == curve.there == [] for curve in course.curves)
    assert course.note == ""

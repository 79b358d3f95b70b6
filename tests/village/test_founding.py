"""What a founded village's world is like, and that other worlds are left as they are."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from thorp.bridges.voxel_town import new_city_world
from thorp.kernel.errors import ConflictError
from thorp.observer.annals import SAMPLE_TICKS, Annals
from thorp.server.http.metrics import ALIVE_TICKS, villagers_alive, villagers_text
from thorp.server.opening import live_through_first_days, open_world, reserve_world
from thorp.server.settings import Settings
from thorp.store import RealDisk
from thorp.village.founding import RULES, Founding
from thorp.village.roster import ROSTER
from thorp.voxel import WorldService
from thorp.voxel.inputs import Detach
from thorp.voxel.load import load_tuning
from thorp.voxel.tuning import Tuning, read_tuning


def opened(data: Path, file: Path | None = None, *, village: bool = True) -> Tuning:
    settings = Settings(
        data=data,
        village=village,
        tuning=None if file is None else load_tuning(file),
        founding=load_tuning(file, RULES) if village else None,
    )
    service = open_world(settings, reserve_world(settings))
    try:
        return service.world.tuning
    finally:
        service.close()


def test_a_village_that_is_founded_has_rules_of_its_own(tmp_path: Path) -> None:
    assert opened(tmp_path) == read_tuning(RULES) != Tuning()
    assert opened(tmp_path) == opened(tmp_path, village=False) == read_tuning(RULES)


def test_a_file_has_the_last_word_now_and_later(tmp_path: Path) -> None:
    file = tmp_path / "short.yaml"
    file.write_text("day_ticks: 60\nshelter: false\n", "utf-8")
    tuning = opened(tmp_path / "data", file)
    assert (tuning.day_ticks, tuning.shelter, tuning.newcomers) == (60, False, "gate")
    assert opened(tmp_path / "data", file) == tuning
    file.write_text("day_ticks: 600\n", "utf-8")
    with pytest.raises(ConflictError, match="day_ticks"):
        opened(tmp_path / "data", file)


def test_the_founding_tells_how_far_it_is(tmp_path: Path) -> None:
    tuning = Tuning(day_ticks=300, season_length_ticks=42_000)
    said: list[str] = []
    shown: list[Founding] = []
    for is_new in (True, False):
        said.clear()
        with WorldService.open(
            RealDisk(), tmp_path, seed=1337, tuning=tuning, make_world=new_city_world
        ) as service:
            annals = Annals(service.world, tmp_path)
            live_through_first_days(
                service, lambda: False, [annals.look], said.append, show=shown.append
            )
        assert bool(said) is is_new, "a village that has been founded says nothing"
        if is_new:
            assert said[0] == "the village is being founded: 0 %, everyone has woken"
            assert said[-1].startswith("the village is being founded: 100 %, ")
            shares = [int(line.split()[5]) for line in said]
            assert max(later - share for share, later in pairwise(shares)) <= 10
            assert len({line.partition("%, ")[2] for line in said}) >= 3, "with what has happened"
    assert [one.tick for one in shown] == sorted({one.tick for one in shown}), "once, and in order"
    assert (shown[0].tick, shown[-1].of, shown[-1].day_ticks) == (1, 681, 300)
    reached = [[one.text for one in each.milestones if one.tick is not None] for each in shown]
    assert reached[0] == ["everyone has woken"]
    assert all(set(before) <= set(after) for before, after in pairwise(reached))
    assert "a city is founded" in reached[-1]
    assert len(annals.treasury("ORG000001")) == 681 // SAMPLE_TICKS, "and the next server knows it"


def test_who_has_not_acted_lately_is_not_alive(tmp_path: Path) -> None:
    tuning = Tuning(day_ticks=60, season_length_ticks=42_000)
    with WorldService.open(
        RealDisk(), tmp_path, seed=1337, tuning=tuning, make_world=new_city_world
    ) as service:
        assert villagers_alive(service.world) == 0
        live_through_first_days(service, lambda: False)
        assert villagers_alive(service.world) == len(ROSTER)
        assert villagers_text(service.world) == "24 villagers alive"
        service.tick([Detach(agent.number) for agent in service.world.agents])
        assert villagers_text(service.world) == "0 villagers alive, 24 arriving"
        for _ in range(3 * ALIVE_TICKS):  # what they had begun they end
            service.tick([])
        assert villagers_text(service.world) == "0 villagers alive"


def test_a_world_that_exists_keeps_its_rules_when_a_village_moves_in(tmp_path: Path) -> None:
    assert opened(tmp_path, village=False) == Tuning()
    assert opened(tmp_path) == Tuning()

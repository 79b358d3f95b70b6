"""Players who mean harm: what they do costs a tick no more than it must, and leaves no town in a bad way."""

from __future__ import annotations

import pytest

from tests.bridges.voxel_town.settled import (
    DAY,
    FIRST,
    a_settled_world,
    ask_for,
    propose,
    town_of,
    wait,
)
from tests.voxel.flat import STAND
from thorp.bridges.voxel_town import rows
from thorp.bridges.voxel_town.town import known
from thorp.protocol import society
from thorp.protocol.act import Act
from thorp.voxel.inputs import Acted
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning
from thorp.voxel.world import World

STRANGER = "A3"
SEASONS = Tuning(
    world_events=False,
    day_ticks=DAY,
    season_length_ticks=2 * DAY,
    seasons=True,
    starter_items={"BATTERY": 1, "CRYSTAL_SHARD": 1},
)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[World]:
    """Every time that all rows are looked through."""
    taken: list[World] = []
    keys = rows.keys

    def counted(world: World) -> list[str]:
        taken.append(world)
        return keys(world)

    monkeypatch.setattr(rows, "keys", counted)
    return taken


def test_however_many_contracts_end_at_once_rows_are_looked_through_once(looks: list[World]) -> None:
    world = a_settled_world()
    for _ in range(12):
        ask_for(world, STRANGER, (3, STAND, 0), {"STONE": 1}, {"PLANK": 1})
    last = max(contract.deadline_tick for contract in world.contracts)
    wait(world, last - world.tick)
    looks.clear()
    wait(world)
    assert sum(one.get("state") == "FAILED" for one in world.happenings) >= 12
    assert len(looks) <= 1


def test_however_often_land_is_made_over_in_a_tick_rows_are_looked_through_once(looks: list[World]) -> None:
    world = a_settled_world()
    (land_id,) = [claim.id for claim in world.claims if claim.owner == FIRST]
    deeds = [society.DeedLand(id=str(each), land_id=land_id, new_owner=FIRST) for each in range(16)]
    looks.clear()
    step(world, [Acted(1, Act(tick=world.tick, instants=deeds))])
    assert sum(one["kind"] == "DEED_LAND" for one in world.happenings) == 16
    assert len(looks) <= 1


def test_a_town_that_has_land_again_in_the_first_tick_of_a_season_begins_anew() -> None:
    """Its contracts are gone with the season: nothing would ever end its orders and its mission."""
    world = a_settled_world(SEASONS)
    wait(world, 2 * DAY - 3 - world.tick)
    assert propose(world, "SALVAGE_PLAN", "scarcity")["status"] == "executed"
    assert propose(world, "MAYOR_ACCEPT_MISSION", "C000001")["status"] == "executed"
    land_id = f"LAND_A1_{world.counters.land + 1:03d}"
    claim = society.ClaimLand(id="1", anchor=(2, STAND, 0), radius=16)
    deed = society.DeedLand(id="2", land_id=land_id, new_owner=FIRST)
    step(
        world,
        [
            Acted(1, Act(tick=world.tick, tasks=[claim])),
            Acted(1, Act(tick=world.tick, instants=[deed])),
        ],
    )
    assert world.season == 2
    assert known(world) == [FIRST]
    town = town_of(world)
    assert (town.mission, town.orders, town.works_planned) == (None, [], len(town.works))

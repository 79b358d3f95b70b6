"""Hunger, cold, stamina, death; who joins, comes back and goes; the weather."""

from __future__ import annotations

import pytest

from tests.voxel.flat import events, flat_world, put_agent, put_block
from thorp.protocol.act import Act
from thorp.protocol.actions import AnyTask, Mine, MoveTo
from thorp.voxel.catalog import Catalogs
from thorp.voxel.inputs import Acted, Attach, Detach, Join, Malformed
from thorp.voxel.state.world import World
from thorp.voxel.systems import survival, weather
from thorp.voxel.systems.survival import COLD_EVERY, HUNGER_EVERY
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning, read_tuning


def at(world: World, tick: int) -> World:
    """Let survival and weather happen in one chosen tick."""
    world.tick = tick
    weather.step(world)
    survival.step(world)
    return world


def test_hunger_comes_with_time_and_then_hurts(world: World) -> None:
    agent = put_agent(world)
    agent.hunger = 1
    at(world, HUNGER_EVERY - 1)
    assert agent.hunger == 1
    at(world, HUNGER_EVERY)
    assert (agent.hunger, agent.hp) == (0, 20)
    at(world, 2 * HUNGER_EVERY)
    assert agent.hp == 19
    assert events(agent) == [
        {"t": 2 * HUNGER_EVERY, "type": "DAMAGE", "kind": "STARVATION", "hp": 19}
    ]


@pytest.mark.parametrize(
    ("hunger", "sky", "gain"),
    [
        (20, "CLEAR", 2),
        (20, "STORM", 1),
        (20, "COLD", 1),
        (4, "CLEAR", 1),
        (5, "CLEAR", 2),
        (0, "CLEAR", 0),
    ],
)
def test_stamina_comes_back(world: World, hunger: int, sky: str, gain: int) -> None:
    agent = put_agent(world)
    agent.hunger, agent.stamina, world.weather, world.weather_until = hunger, 500, sky, 10**6
    at(world, 7)
    assert agent.stamina == 500 + gain
    agent.stamina = 999
    at(world, 8)
    assert agent.stamina == min(1000, 999 + gain)


def test_the_cold_bites_at_night_unless_a_torch_is_near(world: World) -> None:
    cold, warm, far = put_agent(world), put_agent(world, 40, 0), put_agent(world, 80, 0)
    put_block(world, 43, warm.y + 3, 3, "TORCH")
    put_block(world, 84, far.y, 0, "TORCH")
    world.weather, world.weather_until = "COLD", 10**6
    at(world, COLD_EVERY)
    assert [agent.hp for agent in (cold, warm, far)] == [19, 20, 19]
    assert events(cold) == [{"t": COLD_EVERY, "type": "DAMAGE", "kind": "COLD", "hp": 19}]
    at(world, COLD_EVERY + 1)
    assert cold.hp == 19
    noon = world.tuning.day_ticks // 2
    at(world, noon - noon % COLD_EVERY)
    assert cold.hp == 19, "by day the cold can be borne"


ROOFS = {
    "under the sky": ((), False),
    "roof, no walls": (((0, 2, 0),), False),
    "walls, no roof": (((1, 1, 0), (-1, 1, 0), (0, 1, 1), (0, 1, -1)), False),
    "roof and one wall": (((0, 2, 0), (1, 1, 0)), False),
    "roof and two walls": (((0, 2, 0), (1, 1, 0), (0, 1, -1)), True),
    "a high roof": (((0, 5, 0), (1, 1, 0), (-1, 1, 0)), True),
    "too high a roof": (((0, 6, 0), (1, 1, 0), (-1, 1, 0)), False),
    "walls at the feet": (((0, 2, 0), (1, 0, 0), (-1, 0, 0), (0, 0, 1)), False),
}


@pytest.mark.parametrize("name", ROOFS)
def test_a_roof_and_walls_keep_the_cold_out_where_the_tuning_says_so(
    catalogs: Catalogs, name: str
) -> None:
    cells, safe = ROOFS[name]
    for tuning, spared in ((Tuning(shelter=True), safe), (Tuning(), False)):
        world = flat_world(catalogs, tuning)
        agent = put_agent(world)
        for x, y, z in cells:
            put_block(world, x, agent.y + y, z, "PLANK")
        world.weather, world.weather_until = "COLD", 10**6
        at(world, COLD_EVERY)
        assert agent.hp == 20 - (not spared)


def test_what_is_not_solid_is_no_roof(catalogs: Catalogs) -> None:
    world = flat_world(catalogs, Tuning(shelter=True))
    agent = put_agent(world)
    for x, y, z, name in ((0, 2, 0, "WATER"), (1, 1, 0, "PLANK"), (-1, 1, 0, "PLANK")):
        put_block(world, x, agent.y + y, z, name)
    assert not survival.is_sheltered(world, agent)
    put_block(world, 0, agent.y + 2, 0, "GLASS")
    assert survival.is_sheltered(world, agent)


def test_the_starving_get_a_little_strength_back_where_the_tuning_says_so(
    catalogs: Catalogs,
) -> None:
    for every, gained in ((0, 0), (4, 3), (1, 12)):
        world = flat_world(catalogs, Tuning(starving_recovery=every))
        agent = put_agent(world)
        agent.hunger, agent.stamina = 0, 500
        for tick in range(1, 13):
            at(world, tick)
        assert agent.stamina == 500 + gained
        agent.stamina = 1000
        at(world, 16)
        assert agent.stamina == 1000


def test_who_falls_loses_a_third_and_begins_again(world: World) -> None:
    agent = put_agent(world, 3, 4, PLANK=10, COAL=10, STONE=1)
    agent.home = (100, 100)
    agent.hp, agent.hunger, agent.stamina = 0, 3, 7
    fell_at = agent.position
    at(world, 7)
    assert (agent.hp, agent.hunger, agent.stamina) == (20, 10, 1000)
    assert agent.inventory == {"PLANK": 7, "COAL": 7, "STONE": 1}
    assert [(thing.position, thing.item, thing.count) for thing in world.items] == [
        (fell_at, "COAL", 3),
        (fell_at, "PLANK", 3),
    ]
    (told,) = events(agent)
    assert told == {
        "t": 7,
        "type": "RESPAWN",
        "reason": "DOWNED",
        "pos": list(agent.position),
        "drop_pos": list(fell_at),
        "lost": [["COAL", 3], ["PLANK", 3]],
    }
    assert agent.position != fell_at


def test_tasks_end_with_the_body_that_did_them(world: World) -> None:
    agent = put_agent(world)
    wishes: list[AnyTask] = [MoveTo(id="m", target=(50, 0, 0)), Mine(id="w", block_pos=(1, 22, 0))]
    step(world, [Acted(1, Act(tick=0, tasks=wishes))])
    agent.hp = 0
    at(world, 2)
    assert [(event["kind"], event["code"]) for event in events(agent, "TASK_FAIL")] == [
        ("MOVE_TO", "E_UNSAFE"),
        ("MINE", "E_UNSAFE"),
    ]
    assert agent.move is agent.work is None


def test_who_has_little_loses_one_thing(world: World) -> None:
    agent = put_agent(world, STONE=2, COAL=1)
    agent.hp = 0
    at(world, 7)
    assert agent.inventory == {"STONE": 2}
    poor = put_agent(world, 9, 9)
    poor.hp = 0
    at(world, 8)
    assert "lost" not in events(poor)[0]


def test_a_join_makes_a_body_with_the_starter_kit(world: World) -> None:
    step(world, [Join("mole", "ab" * 32), Join("vole", "cd" * 32)])
    first, second = world.agents
    assert (first.id, first.name, second.id) == ("A1", "mole", "A2")
    assert first.inventory == {"PLANK": 20, "COAL": 10, "STONE": 20, "BERRIES": 10}
    assert first.inventory is not second.inventory
    assert first.token == bytes.fromhex("ab" * 32)
    assert world.scratch.joined == [1, 2]
    assert abs(first.x - second.x) + abs(first.z - second.z) >= 12


def test_a_full_world_takes_nobody(catalogs: Catalogs) -> None:
    world = flat_world(catalogs, read_tuning({"population_cap": 1}))
    step(world, [Join("one", "00"), Join("two", "00")])
    assert world.scratch.joined == [1, 0]
    assert len(world.agents) == 1


def test_leaving_keeps_the_body_and_coming_back_offers_another_token(world: World) -> None:
    step(world, [Join("mole", "ab" * 32)])
    agent = world.agents[1]
    step(world, [Detach(1)])
    assert (agent.attached, agent.left_tick) == (False, 2)
    before = world.digest()
    step(world, [Attach(1, "cd" * 32)])
    assert agent.attached
    assert (agent.token, agent.fresh) == (bytes.fromhex("ab" * 32), bytes.fromhex("cd" * 32))
    assert world.digest() != before


def test_inputs_for_bodies_that_are_gone_do_nothing(world: World) -> None:
    step(world, [Detach(9), Attach(9, "00"), Acted(9, Act(tick=0)), Malformed(9, "?")])
    assert len(world.agents) == 0


def test_a_frame_that_cannot_be_read_is_answered(world: World) -> None:
    step(world, [Join("mole", "00")])
    step(world, [Malformed(1, "$.tick: expected an integer")])
    assert events(world.agents[1], "ACTION_RESULT") == [
        {
            "t": 2,
            "type": "ACTION_RESULT",
            "ref": "ACT",
            "ok": False,
            "code": "E_BAD_REQUEST",
            "message": "$.tick: expected an integer",
        }
    ]


def test_the_first_day_is_clear_and_later_ones_are_drawn(catalogs: Catalogs) -> None:
    world = flat_world(catalogs)
    skies = []
    for tick in range(250, 60 * Tuning().day_ticks, 250):
        world.tick = tick
        weather.step(world)
        skies.append((tick, world.weather))
    assert {sky for tick, sky in skies if tick <= 7500} == {"CLEAR"}
    assert {sky for _, sky in skies} == {"CLEAR", "STORM", "COLD"}

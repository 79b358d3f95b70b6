"""What it is like inside the zone of an event, and outside."""

from __future__ import annotations

import pytest

from tests.voxel.flat import events as events_of
from tests.voxel.flat import put_agent
from tests.voxel.society.civic import a_society, ask, move, wait
from tests.voxel.society.eventful import RADIUS, declare, hold, obs
from thorp.voxel.lookups import event_zones
from thorp.voxel.systems import survival, weather

FAR = 2 * RADIUS


def test_a_zone_is_a_diamond() -> None:
    world = a_society()
    event = declare(world, "FLOOD_WARNING", 10, -4)
    assert event_zones.covers(event, 10 + RADIUS, -4)
    assert event_zones.covers(event, 10 + RADIUS // 2, -4 - RADIUS // 2)
    assert not event_zones.covers(event, 10 + RADIUS, -5)
    event.center = None
    assert not event_zones.covers(event, 10, -4)


def test_flood_takes_every_third_step() -> None:
    world = a_society()
    wader, walker = put_agent(world, 0, 0), put_agent(world, FAR, 5)
    declare(world, "FLOOD_WARNING")
    world.tick = 2
    ask(world, wader, move((20, 23, 0)))
    ask(world, walker, move((FAR + 20, 23, 5)))
    assert (wader.x, walker.x) == (1, FAR + 1), "tick 4 is one without a step"
    wait(world, 3)
    assert (wader.x, walker.x) == (3, FAR + 4)
    wait(world, 3)
    assert (wader.x, walker.x) == (5, FAR + 7)


@pytest.mark.parametrize(
    ("event_id", "inside", "outside"),
    [("FLOOD_WARNING", 1, 2), ("BLIGHT_ZONE", 0, 2), ("MARKET_WEEK", 2, 2)],
)
def test_recovery(event_id: str, inside: int, outside: int) -> None:
    world = a_society()
    here, there = put_agent(world), put_agent(world, FAR)
    declare(world, event_id)
    here.stamina = there.stamina = 100
    wait(world)
    assert (here.stamina - 100, there.stamina - 100) == (inside, outside)


def test_blight_doubles_hunger_down_to_nothing() -> None:
    world = a_society()
    here, there, starving = put_agent(world), put_agent(world, FAR), put_agent(world, 3)
    declare(world, "BLIGHT_ZONE")
    starving.hunger = 1
    world.tick = survival.HUNGER_EVERY - 1
    wait(world)
    assert (here.hunger, there.hunger, starving.hunger) == (18, 19, 0)
    assert starving.hp == 20
    world.tick = 2 * survival.HUNGER_EVERY - 1
    wait(world)
    assert starving.hp == 19


def test_bandits_hurt_whoever_is_alone() -> None:
    world = a_society()
    lone, away = put_agent(world), put_agent(world, FAR)
    declare(world, "BANDIT_CAMP")
    world.tick = survival.BANDITS_EVERY - 1
    wait(world)
    assert (lone.hp, away.hp) == (19, 20)
    assert [(one["kind"], one["hp"]) for one in events_of(lone, "DAMAGE")] == [("BANDIT", 19)]
    wait(world, survival.BANDITS_EVERY - 1)
    assert lone.hp == 19
    world.relocate(away, (4, 23, 4))
    wait(world)
    assert (lone.hp, away.hp) == (19, 20), "two are company"


def test_other_events_hurt_nobody() -> None:
    world = a_society()
    lone = put_agent(world)
    declare(world, "RUINS_GATE")
    world.tick = survival.BANDITS_EVERY - 1
    wait(world)
    assert lone.hp == 20


@pytest.mark.parametrize(("event_id", "sky"), event_zones.WEATHER.items())
def test_events_bring_weather_which_nothing_else_changes(event_id: str, sky: str) -> None:
    world = a_society(day_ticks=40)
    agent = put_agent(world)
    world.tick = 400
    world.weather, world.weather_until = "STORM" if sky == "COLD" else "COLD", 405
    event = hold(world, event_id, 200)
    event.ends_tick = world.weather_until = world.tick + 200
    for _ in range(199):
        wait(world)
        assert world.weather == sky
    assert obs(world, agent)["self"]["status"][-1] == sky
    wait(world)
    assert world.weather == "CLEAR"


def test_without_an_event_mornings_draw_the_weather() -> None:
    world = a_society(day_ticks=40)
    world.tick = 40
    seen = set()
    for _ in range(40 * 60):
        world.tick += 1
        weather.step(world)
        seen.add(world.weather)
    assert seen == {"CLEAR", "STORM", "COLD"}


def test_weather_of_an_event_reaches_everyone() -> None:
    world = a_society()
    agents = [put_agent(world), put_agent(world, 3000)]
    hold(world, "COLD_SNAP")
    world.tick = 5999 - survival.COLD_EVERY * 10
    world.tick -= world.tick % survival.COLD_EVERY - (survival.COLD_EVERY - 1)
    assert weather.is_night(world)
    for agent in agents:
        agent.stamina = 500
    wait(world)
    assert [agent.hp for agent in agents] == [19, 19]
    assert [agent.stamina for agent in agents] == [501, 501]

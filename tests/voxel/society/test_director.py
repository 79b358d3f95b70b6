"""When which event begins."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from tests.voxel.flat import events as events_of
from tests.voxel.flat import put_agent
from tests.voxel.society.civic import a_society, wait
from tests.voxel.society.eventful import hold
from thorp.voxel.society import events
from thorp.voxel.society.scores import Metrics
from thorp.voxel.state.world import World
from thorp.voxel.tick import step

DAY = 6000
WEEK = len(events.FIRST_WEEK)
CALM = Metrics(1000, 150, 1000, 1000, 0)


def begun(world: World, ticks: int) -> list[tuple[int, str]]:
    """Play, and note when which event began."""
    noted = []
    for _ in range(ticks):
        step(world, [])
        noted += [
            (world.tick, str(one["event_id"]))
            for one in world.scratch.public_events
            if one["kind"] == "WORLD_EVENT" and one["on"]
        ]
    return noted


def eventful(**tuning: int) -> World:
    return a_society(world_events=True, **tuning)


def test_the_first_week_has_an_event_a_day_which_ends_with_it() -> None:
    world = eventful(day_ticks=400, director_every_ticks=200)
    put_agent(world)
    noted = begun(world, 7 * 400 - 1)
    days = [1] + [400 * day for day in range(1, WEEK)]
    assert noted == list(zip(days, events.FIRST_WEEK, strict=True))
    assert world.director.event is not None
    assert world.director.event.ends_tick == 7 * 400


def test_the_usual_days_are_scripted_too() -> None:
    world = eventful()
    put_agent(world)
    wait(world)
    assert (world.director.last_event, world.director.event.ends_tick) == ("MARKET_WEEK", DAY)  # type: ignore[union-attr]
    world.tick = DAY - 1
    wait(world)
    assert world.director.event is not None
    assert (world.director.event.id, world.director.event.start_tick) == ("CRYSTAL_RIFT", DAY)
    assert world.director.event.ends_tick == 2 * DAY, (
        "its 9,000 ticks would reach into the third day"
    )


def after_the_week(world: World) -> None:
    """Go to the last tick before the director may draw."""
    world.tick = WEEK * world.tuning.day_ticks - 1
    world.director.next_day = WEEK


def test_later_events_are_drawn_when_nothing_is_going_on() -> None:
    world = eventful()
    put_agent(world)
    after_the_week(world)
    (first,) = begun(world, 1)
    assert first[0] % world.tuning.director_every_ticks == 0
    event = world.director.event
    assert event is not None
    assert event.ends_tick - event.start_tick in (6000, 9000)
    world.tick = event.start_tick + world.tuning.director_every_ticks - 1
    assert begun(world, 1) == [], "one at a time"


def test_nothing_begins_between_two_looks() -> None:
    world = eventful()
    after_the_week(world)
    world.tick += 1
    assert begun(world, 50) == []


def test_no_event_comes_twice_in_a_row() -> None:
    world = eventful()
    put_agent(world)
    after_the_week(world)
    seen = []
    for _ in range(200):
        step(world, [])
        assert world.director.event is not None
        seen.append(world.director.event.id)
        world.director.event.ends_tick = world.tick + 1  # so that the next one is drawn at once
        world.tick += world.tuning.director_every_ticks - 1
    assert all(one != other for one, other in pairwise(seen))
    assert Counter(seen).keys() == world.catalogs.events.keys()


def test_what_is_drawn_in_the_first_week_is_not_what_tomorrow_brings() -> None:
    """Long days have room for more than their own event."""
    day_ticks, drawn = 12_000, set()
    for seed in range(12):
        world = eventful(
            day_ticks=day_ticks, season_length_ticks=day_ticks, director_every_ticks=1_000
        )
        world.draws = type(world.draws)(seed)
        put_agent(world)
        for day in range(WEEK):
            world.tick = max(0, day * day_ticks - 1)
            wait(world)
            event = world.director.event
            assert event is not None
            assert event.id == events.FIRST_WEEK[day]
            event.ends_tick = (day + 1) * day_ticks - 1_000
            world.tick = event.ends_tick - 1
            ((_, name),) = begun(world, 1)
            assert name not in events.FIRST_WEEK[day : day + 2], "neither today's nor tomorrow's"
            drawn.add(name)
    assert len(drawn) > WEEK, "but many others"


def test_draws_are_the_worlds_own() -> None:
    def drawn(seed: int) -> list[str]:
        world = eventful()
        world.draws = type(world.draws)(seed)
        names = []
        for number in range(40):
            world.tick = 3000 * (100 + number)
            names.append(events._draw_event(world))
        return names

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)


def test_without_a_director_nothing_happens_and_what_is_going_on_ends() -> None:
    world = a_society(world_events=False)
    put_agent(world)
    assert begun(world, 40) == []
    hold(world, "RUINS_GATE", 3)
    wait(world, 3)
    assert world.director.event is None


@pytest.mark.parametrize(
    ("now", "more"),
    [
        (CALM, {}),
        (CALM._replace(trade=399), {"MARKET_WEEK": 250, "BLUEPRINT_FAIR": 150}),
        (CALM._replace(trade=400), {}),
        (CALM._replace(exploration=299), {"CRYSTAL_RIFT": 200, "RUINS_GATE": 200}),
        (CALM._replace(conflict=99), {"DEEP_VEIN": 150, "BANDIT_CAMP": 100}),
        (CALM._replace(conflict=250), {}),
        (CALM._replace(conflict=251), {"CIVIC_VOTE": 250, "MARKET_WEEK": 100, "BUILDER_EXPO": 100}),
        (CALM._replace(inequality=501), {"CIVIC_VOTE": 200, "FLOOD_WARNING": 100}),
        (CALM._replace(infrastructure=299), {"BUILDER_EXPO": 150, "BLUEPRINT_FAIR": 100}),
    ],
)
def test_what_a_society_lacks_is_wanted_more(now: Metrics, more: dict[str, int]) -> None:
    world = eventful()
    base = events.weights(world, CALM)
    assert sum(base.values()) == 1650
    assert list(base) == sorted(world.catalogs.events)
    wanted = events.weights(world, now)
    assert {
        name: wanted[name] - base[name] for name in wanted if wanted[name] != base[name]
    } == more


def test_the_last_one_has_no_weight() -> None:
    world = eventful()
    world.director.last_event = "MARKET_WEEK"
    assert "MARKET_WEEK" not in events.weights(world, CALM._replace(trade=0))


def test_an_event_without_a_place_is_not_held() -> None:
    world = eventful()
    agent = put_agent(world)
    for x in range(-200, 201, 5):  # leave no level ground anywhere near
        for z in range(-200, 201, 5):
            world.ground.put(x, 23, z, world.catalogs.block_number["BEDROCK"])
    after_the_week(world)
    world.director.last_event = ""
    digest = world.ground.digest()
    assert not events.begin(world, "BANDIT_CAMP", world.tick + 6000)
    assert world.director.event is None
    assert world.ground.digest() == digest
    assert events_of(agent, "WORLD_EVENT") == []

"""What events put into the world, where, and how they take it away again."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.voxel.flat import STAND, SURFACE, put_agent
from tests.voxel.flat import events as events_of
from tests.voxel.society.civic import a_land, a_society, ask, outcome, said, wait
from tests.voxel.society.eventful import hold, obs
from tests.voxel.working import block_name, put
from thorp.protocol import actions
from thorp.protocol.act import Act
from thorp.simulator.inline import open_flat
from thorp.simulator.totals import count_everything
from thorp.store import RealDisk
from thorp.voxel import WorldService
from thorp.voxel.inputs import Acted, Attach, Join
from thorp.voxel.lookups import event_zones, land
from thorp.voxel.new_world import create_world
from thorp.voxel.society import events
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import WorldEvent
from thorp.voxel.state.world import World, block_id, manhattan
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning

TOKEN = "00" * 32
LOCATED = sorted(set(events.EFFECTS) - set(event_zones.WEATHER))
GOALS = {"RUINS_GATE": "OPEN_RUINS", "BANDIT_CAMP": "LOOT_BANDITS"}
BOARDS = (
    "BLIGHT_ZONE",
    "BLUEPRINT_FAIR",
    "BUILDER_EXPO",
    "CIVIC_VOTE",
    "FLOOD_WARNING",
    "MARKET_WEEK",
)


def made(world: World, event: WorldEvent) -> Counter[str]:
    return Counter(world.catalogs.blocks[row.after].id for row in event.changed)


def goto(world: World, agent: Agent, x: int, z: int) -> None:
    world.relocate(agent, (x, STAND, z))


def test_every_event_of_the_catalog_has_its_effect() -> None:
    world = a_society()
    assert sorted(events.EFFECTS) == sorted(world.catalogs.events)
    for name, template in world.catalogs.events.items():
        assert ("radius" in template.params) == (name in LOCATED)


@pytest.mark.parametrize(
    ("event_id", "blocks"),
    [
        ("BANDIT_CAMP", {"BRICK": 16, "CHEST": 1, "SIGN": 1}),
        ("BLIGHT_ZONE", {"GRAVEL": 37, "BULLETIN_BOARD": 1, "SIGN": 1}),
        ("BLUEPRINT_FAIR", {"BULLETIN_BOARD": 1, "SIGN": 1}),
        ("BUILDER_EXPO", {"BULLETIN_BOARD": 1, "SIGN": 1}),
        ("CIVIC_VOTE", {"BULLETIN_BOARD": 1, "SIGN": 1}),
        ("CRYSTAL_RIFT", {"CRYSTAL_ORE": 75}),
        ("DEEP_VEIN", {"COPPER_ORE": 123, "IRON_ORE": 122}),
        ("FLOOD_WARNING", {"WATER": 23, "BULLETIN_BOARD": 1, "SIGN": 1}),
        ("MARKET_WEEK", {"BULLETIN_BOARD": 1, "SIGN": 1}),
        ("RUINS_GATE", {"BRICK": 8, "CHEST": 1}),
    ],
)
def test_what_an_event_puts_there(event_id: str, blocks: dict[str, int]) -> None:
    world = a_society()
    put_agent(world)
    event = hold(world, event_id)
    assert made(world, event) == blocks
    assert event.center is not None
    for row in event.changed:
        assert world.ground.block(*row.position) == row.after
        assert event_zones.covers(event, row.position[0], row.position[2])
    assert {row.reason for row in world.scratch.block_changes} == {f"EVENT:{event_id}"}


def test_a_rift_lies_under_its_centre() -> None:
    world = a_society()
    put_agent(world)
    event = hold(world, "CRYSTAL_RIFT")
    assert event.center is not None
    x, _, z = event.center
    assert {row.position for row in event.changed} == {
        (x + dx, y, z + dz) for dx in range(-2, 3) for y in (7, 8, 9) for dz in range(-2, 3)
    }


def test_a_vein_is_a_chequerboard() -> None:
    world = a_society()
    put_agent(world)
    event = hold(world, "DEEP_VEIN")
    names = {row.position: block_name(world, row.position) for row in event.changed}
    assert {y for _, y, _ in names} == {4, 5, 6, 7, 8}
    for (x, y, z), name in names.items():
        assert names.get((x + 1, y, z), "") != name


@pytest.mark.parametrize("event_id", BOARDS)
def test_a_board_and_a_sign_say_what_is_going_on(event_id: str) -> None:
    world = a_society()
    agent = put_agent(world)
    event = hold(world, event_id)
    assert event.center is not None
    x, y, z = event.center
    goto(world, agent, x - 5, z)
    wait(world)
    template = world.catalogs.events[event_id]
    (board,) = obs(world, agent)["public_boards"]
    assert board["board_id"] == block_id("BULLETIN_BOARD", event.center)
    assert [(post["author"], post["title"]) for post in board["top_posts"]] == [
        ("WORLD", template.title)
    ]
    assert template.title in world.signs[x + 1, y, z].text
    if event_id == "BUILDER_EXPO":
        assert "BRIDGE" in world.signs[x + 1, y, z].text


@pytest.mark.parametrize(("event_id", "goal"), GOALS.items())
def test_a_chest_holds_loot_and_opening_it_is_a_goal(event_id: str, goal: str) -> None:
    world = a_society()
    agent = put_agent(world)
    event = hold(world, event_id)
    assert event.center is not None
    goto(world, agent, event.center[0] - 3, event.center[2])
    chest = block_id("CHEST", event.center)
    assert outcome(world, agent, actions.Open(target_id=chest)) == "ok"
    (shown,) = events_of(agent, "CONTAINER")
    loot = world.catalogs.events[event_id].params["loot"]
    assert {stack["item"]: stack["count"] for stack in shown["inventory"]} == loot  # type: ignore[attr-defined]
    assert [(one["event_id"], one["kind"]) for one in events_of(agent, "EVENT_GOAL")] == [
        (event_id, goal)
    ]
    take = actions.Transfer(
        src_container=chest, dst_container="SELF", item_id="CRYSTAL_SHARD", count=1
    )
    assert outcome(world, agent, take) == "ok"
    assert agent.have("CRYSTAL_SHARD") == 1


@pytest.mark.parametrize("event_id", sorted(events.EFFECTS))
def test_the_announcement_and_the_obs_say_where_and_how_long(event_id: str) -> None:
    world = a_society()
    agent, other = put_agent(world), put_agent(world, 3)
    event = hold(world, event_id)
    template = world.catalogs.events[event_id]
    for one in (agent, other):
        (told,) = events_of(one, "WORLD_EVENT")
        where = {"center": list(event.center), "radius": event.radius} if event.center else {}
        assert told == {
            "t": world.tick,
            "type": "WORLD_EVENT",
            "event_id": event_id,
            "title": template.title,
            "summary": template.description,
            "ends_tick": event.ends_tick,
            **where,
        }
    shown = obs(world, agent)["world"]
    assert (shown["active_event"], shown["active_event_ends_tick"]) == (event_id, event.ends_tick)
    if event.center is None:
        assert "active_event_center" not in shown
    else:
        assert shown["active_event_center"] == list(event.center)
        assert shown["active_event_radius"] == template.params["radius"]
    events.end(world, event)
    assert not any(key.startswith("active_event") for key in obs(world, agent)["world"])


def test_who_joins_or_comes_back_hears_of_it() -> None:
    world = a_society()
    step(world, [Join("early", TOKEN)])
    event = hold(world, "MARKET_WEEK")
    step(world, [Join("late", TOKEN), Attach(1, TOKEN)])
    early, late = world.agents[1], world.agents[2]
    assert [one["ends_tick"] for one in events_of(early, "WORLD_EVENT")] == [event.ends_tick] * 2
    assert [one["event_id"] for one in events_of(late, "WORLD_EVENT")] == ["MARKET_WEEK"]
    events.end(world, event)
    step(world, [Join("too late", TOKEN)])
    assert events_of(world.agents[3], "WORLD_EVENT") == []


# Cleaning up


@pytest.mark.parametrize("event_id", sorted(events.EFFECTS))
def test_an_event_leaves_no_trace(event_id: str) -> None:
    world = a_society()
    put_agent(world)
    hold(world, event_id, 3)
    wait(world, 3)
    assert world.director.event is None
    assert (len(world.boards), len(world.signs), len(world.containers), len(world.notices)) == (
        0,
        0,
        0,
        0,
    )
    for chunk in world.ground.changed:
        assert world.ground.look(*chunk) == world.ground.terrain.chunk(*chunk)
    assert world.weather == "CLEAR"


def a_week(disk: RealDisk, path: Path, stops: dict[int, bool]) -> tuple[list[str], WorldService]:
    """The first week, with days of 100 ticks, and the service stopped after some ticks: cleanly, or
    not."""
    tuning = Tuning(
        day_ticks=100, season_length_ticks=100, director_every_ticks=50, snapshot_every_ticks=75
    )
    service, digests = open_flat(disk, path, seed=7, draw_seed=8, tuning=tuning), []
    for tick in range(1, 7 * 100):
        service.tick([Join("settler", TOKEN)] if tick == 1 else []).result()
        digests.append(service.digest())
        if tick in stops:
            service.close(snapshot=stops[tick])
            service = open_flat(disk, path)
            assert service.digest() == digests[-1]
    return digests, service


def test_events_survive_restarts_and_still_leave_no_trace(tmp_path: Path) -> None:
    """Stopped in the middle of every event, and right before its end."""
    disk = RealDisk()
    whole, service = a_week(disk, tmp_path / "whole", {})
    service.close()
    stops = {100 * day + 30: day % 2 == 0 for day in range(7)} | {
        100 * day + 99: True for day in range(6)
    }
    digests, service = a_week(disk, tmp_path / "stopped", stops)
    with service:
        assert digests == whole
        world = service.world
        assert world.director.event is not None
        assert world.director.event.id == "CIVIC_VOTE"
        while world.director.event is not None and world.director.event.id == "CIVIC_VOTE":
            service.tick([]).result()
        if world.director.event is not None:
            events.end(world, world.director.event)
        for chunk in world.ground.changed:
            assert world.ground.look(*chunk) == world.ground.terrain.chunk(*chunk)
        assert not any((world.boards, world.signs, world.containers, world.notices))


def test_what_somebody_changed_stays() -> None:
    world = a_society()
    agent = put_agent(world, BRICK=1)
    event = hold(world, "BANDIT_CAMP", 60)
    assert event.center is not None
    x, y, z = event.center
    goto(world, agent, x - 3, z)
    agent.hp = 20
    wall = (x - 2, y, z)
    assert outcome(world, agent, actions.Mine(block_pos=wall)) == "ok"
    assert outcome(world, agent, actions.Place(block_pos=wall, item_id="BRICK")) == "ok"
    wait(world, 60)
    assert world.director.event is None
    assert block_name(world, wall) == "BRICK", "this one is the agent's"
    assert block_name(world, (x + 2, y, z)) == "AIR"


def test_what_is_left_in_the_chest_lies_about() -> None:
    world = a_society()
    put_agent(world)
    hold(world, "RUINS_GATE", 2)
    before = count_everything(world)
    wait(world, 2)
    assert len(world.containers) == 0
    assert count_everything(world) == before
    assert {one.item for one in world.items} == {"CRYSTAL_SHARD", "IRON_INGOT", "COPPER_INGOT"}


def test_a_body_on_a_wall_comes_down_when_the_wall_goes() -> None:
    world = a_society()
    agent = put_agent(world)
    event = hold(world, "RUINS_GATE", 2)
    assert event.center is not None
    x, y, z = event.center
    world.relocate(agent, (x + 1, y + 1, z))
    wait(world, 3)
    assert agent.position == (x + 1, y, z)


# Where


@pytest.mark.parametrize("event_id", LOCATED)
def test_events_are_near_somebody_and_within_reach(event_id: str) -> None:
    world = a_society()
    people = [put_agent(world, 700, 40), put_agent(world, -300, 900)]
    for _ in range(15):
        world.tick += 1
        event = hold(world, event_id)
        assert event.center is not None
        nearest = min(abs(one.x - event.center[0]) + abs(one.z - event.center[2]) for one in people)
        assert nearest <= events.walking_distance(event.ends_tick - world.tick) // 4
        assert nearest <= event.radius + events.CLEARANCE + events.SPREAD


def test_who_is_away_does_not_attract_events_unless_all_are() -> None:
    world = a_society()
    away, here = put_agent(world, 2000, 0), put_agent(world, -2000, 0)
    away.attached = False
    for _ in range(10):
        world.tick += 1
        event = hold(world, "MARKET_WEEK")
        assert event.center is not None
        assert event.center[0] < -1000
    here.attached = False
    centers = []
    for _ in range(20):
        world.tick += 1
        centers.append(hold(world, "MARKET_WEEK").center)
    assert any(one is not None and one[0] > 1000 for one in centers)


def test_an_empty_world_has_its_events_in_the_middle() -> None:
    world = a_society()
    event = hold(world, "MARKET_WEEK")
    assert event.center is not None
    assert abs(event.center[0]) + abs(event.center[2]) <= events.NEAR + events.SPREAD


@pytest.mark.parametrize("event_id", LOCATED)
def test_no_event_is_held_on_claimed_land_or_on_what_was_made(event_id: str) -> None:
    world = a_society()
    agent = put_agent(world, 0, 0)
    claim = a_land(world, agent, 1, 1, radius=60)
    for x in range(-160, 161, 5):
        for z in range(61, 161, 5):
            put(world, (x, STAND, z), "PLANK")
            put(world, (x, 6, z), "GLASS")
    before = {chunk: world.ground.look(*chunk) for chunk in world.ground.changed}
    for _ in range(10):
        world.tick += 1
        event = hold(world, event_id)
        for row in event.changed:
            assert land.at(world, row.position[0], row.position[2]) is None
            assert world.catalogs.blocks[row.before].id not in ("PLANK", "GLASS")
        if events.EFFECTS[event_id].hurts:
            assert event.center is not None
            assert land.overlapping(world, event.center, events.CLEARANCE) is not claim
        events.end(world, event)
        assert all(world.ground.look(*chunk) == cells for chunk, cells in before.items())


@pytest.mark.parametrize("event_id", ["BANDIT_CAMP", "BLIGHT_ZONE", "FLOOD_WARNING"])
def test_what_hurts_keeps_away_from_everyone(event_id: str) -> None:
    world = a_society()
    people = [put_agent(world, 60 * x, 60 * z) for x in range(2) for z in range(2)]
    people[3].attached = False
    people[1].home = (100, -50)
    a_land(world, people[0], 2, 2, radius=20)
    for _ in range(10):
        world.tick += 1
        event = hold(world, event_id)
        for one in people:
            assert not event_zones.covers(event, one.x, one.z)
            assert not event_zones.covers(event, *one.home)
        assert land.overlapping(world, event.center or (0, 0, 0), event.radius) is None


@pytest.mark.parametrize("event_id", ["BANDIT_CAMP", "BLIGHT_ZONE", "FLOOD_WARNING"])
def test_where_it_is_crowded_what_hurts_keeps_some_distance(event_id: str) -> None:
    world = a_society()
    people = [put_agent(world, 20 * x, 20 * z) for x in range(-12, 13) for z in range(-12, 13)]
    for one in people:
        one.attached = (one.x, one.z) == (0, 0)
    for _ in range(10):
        world.tick += 1
        event = hold(world, event_id)
        assert event.center is not None
        assert any(event_zones.covers(event, one.x, one.z) for one in people)
        for one in people:
            distance = abs(one.x - event.center[0]) + abs(one.z - event.center[2])
            assert distance >= events.CLEARANCE


def test_nobody_gets_stuck_in_what_an_event_builds() -> None:
    world = a_society()
    crowd = [put_agent(world, 8 * x, 8 * z) for x in range(-12, 13) for z in range(-12, 13)]
    for _ in range(20):
        world.tick += 1
        hold(world, "RUINS_GATE")
        for one in crowd:
            assert not world.catalogs.solid[world.ground.block(*one.position)]


def test_walking_far_takes_stamina() -> None:
    assert events.walking_distance(24) == 24
    assert events.walking_distance(6000) == 1625


def test_generated_land_has_places_that_can_be_walked_to() -> None:
    """A newcomer who hears of an event can be there before it ends."""
    world = create_world(1337)
    step(world, [Join("walker", TOKEN)])
    agent, event = world.agents[1], world.director.event
    assert event is not None
    assert event.center is not None
    go = actions.MoveTo(id="go", target=event.center, tolerance=3)
    step(world, [Acted(1, Act(tick=world.tick, tasks=[go]))])
    while agent.move is not None:
        step(world, [])
        assert world.tick < event.ends_tick
    assert manhattan(agent.position, event.center) <= 8
    assert event_zones.covers(event, agent.x, agent.z)


@pytest.mark.parametrize("seed", [11, 12])
def test_generated_land_is_afterwards_as_it_was(seed: int) -> None:
    world = create_world(seed)
    step(world, [Join(f"settler {number}", TOKEN) for number in range(12)])
    for event_id in events.EFFECTS:
        world.tick += 1
        event = hold(world, event_id)
        for agent in world.agents:
            for y in (agent.y, agent.y + 1):
                assert not world.catalogs.solid[world.ground.block(agent.x, y, agent.z)]
        events.end(world, event)
        for chunk in world.ground.changed:
            assert world.ground.look(*chunk) == world.ground.terrain.chunk(*chunk)


# Ore


def dig(world: World, agent: Agent, cell: tuple[int, int, int]) -> None:
    """Stand beside a cell deep down and mine it."""
    x, y, z = cell
    for height in (y, y + 1):
        put(world, (x - 1, height, z), "AIR")
    world.relocate(agent, (x - 1, y, z))
    agent.stamina = 1000
    assert outcome(world, agent, actions.Mine(block_pos=cell)) == "ok"


def test_event_ore_yields_one_more_and_is_a_goal() -> None:
    world = a_society()
    agent = put_agent(world)
    event = hold(world, "CRYSTAL_RIFT")
    before = world.tick
    dig(world, agent, event.changed[0].position)
    assert world.tick - before == 10
    assert agent.inventory["CRYSTAL_SHARD"] == 2
    (goal,) = events_of(agent, "EVENT_GOAL")
    assert (goal["event_id"], goal["kind"]) == ("CRYSTAL_RIFT", "MINE_CRYSTAL")
    fun = {one["reason"]: one["delta"] for one in events_of(agent, "FUN")}
    assert fun["EVENT_MINE"] == 5
    assert fun["EVENT_CRYSTAL_RIFT"] == 5


def test_crystal_of_the_land_counts_in_the_zone_and_nowhere_else() -> None:
    world = a_society()
    agent = put_agent(world)
    event = hold(world, "CRYSTAL_RIFT")
    assert event.center is not None
    x, _, z = event.center
    put(world, (x + 10, 8, z), "CRYSTAL_ORE")
    dig(world, agent, (x + 10, 8, z))
    assert agent.inventory["CRYSTAL_SHARD"] == 2
    put(world, (x + event.radius + 1, 8, z), "CRYSTAL_ORE")
    dig(world, agent, (x + event.radius + 1, 8, z))
    assert agent.inventory["CRYSTAL_SHARD"] == 3
    events.end(world, event)
    put(world, (x + 10, 8, z), "CRYSTAL_ORE")
    dig(world, agent, (x + 10, 8, z))
    assert agent.inventory["CRYSTAL_SHARD"] == 4


def test_ore_cannot_be_doubled_by_placing_and_mining_it() -> None:
    world = a_society()
    agent = put_agent(world)
    event = hold(world, "DEEP_VEIN")
    cell = next(
        row.position for row in event.changed if block_name(world, row.position) == "IRON_ORE"
    )
    dig(world, agent, cell)
    assert agent.inventory["IRON_ORE"] == 2
    assert [one["kind"] for one in events_of(agent, "EVENT_GOAL")] == ["MINE_VEIN"]
    for _ in range(3):
        assert outcome(world, agent, actions.Place(block_pos=cell, item_id="IRON_ORE")) == "ok"
        agent.stamina = 1000
        assert outcome(world, agent, actions.Mine(block_pos=cell)) == "ok"
        assert agent.inventory["IRON_ORE"] == 2


def test_a_chest_counts_once_for_each() -> None:
    world = a_society()
    agent, other = put_agent(world), put_agent(world, 1)
    event = hold(world, "RUINS_GATE")
    assert event.center is not None
    chest = actions.Open(target_id=block_id("CHEST", event.center))
    for one in (agent, agent, other, agent):
        goto(world, one, event.center[0] - 2, event.center[2])
        assert outcome(world, one, chest) == "ok"
    assert len(events_of(agent, "EVENT_GOAL")) == len(events_of(other, "EVENT_GOAL")) == 1
    assert agent.fun == other.fun


def test_another_chest_is_no_goal() -> None:
    world = a_society()
    agent = put_agent(world)
    event = hold(world, "RUINS_GATE")
    assert event.center is not None
    x, y, z = event.center
    put(world, (x - 4, y, z), "CHEST")
    goto(world, agent, x - 5, z)
    assert said(world, agent, actions.Open(target_id=block_id("CHEST", (x - 4, y, z)))) == "ok"
    assert ask(world, agent) == []
    assert events_of(agent, "EVENT_GOAL") == []


def test_blight_is_on_the_ground() -> None:
    world = a_society()
    put_agent(world)
    event = hold(world, "BLIGHT_ZONE")
    gravel = [row.position for row in event.changed if block_name(world, row.position) == "GRAVEL"]
    assert {y for _, y, _ in gravel} == {SURFACE}

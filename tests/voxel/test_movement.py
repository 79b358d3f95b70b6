"""MOVE_TO and FOLLOW, by ACT and whole ticks."""

from __future__ import annotations

import gc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.voxel.flat import STAND, SURFACE, events, flat_world, put_agent, put_block
from thorp.protocol import actions
from thorp.protocol.act import Act
from thorp.voxel.inputs import Acted
from thorp.voxel.load import default_catalogs
from thorp.voxel.state.agent import MAX_BREATH, MAX_STAMINA, Agent, Movement, PathSearch
from thorp.voxel.state.ground import HEIGHT, Position
from thorp.voxel.state.world import Container, World
from thorp.voxel.systems import movement, path_queue
from thorp.voxel.systems.pathfinding import LEG
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning

CATALOGS = default_catalogs()


def move_to(*target: int, tolerance: float | None = None, id: str = "k1") -> actions.MoveTo:
    return actions.MoveTo(id=id, target=(target[0], target[1], target[2]), tolerance=tolerance)


def act(
    world: World, agent: Agent, *tasks: actions.AnyTask, cancel: tuple[str, ...] = ()
) -> dict[str, Any]:
    """One tick in which the agent asks for this; returns the last ACTION_RESULT."""
    step(world, [Acted(agent.number, Act(tick=world.tick, tasks=list(tasks), cancel=list(cancel)))])
    return events(agent, "ACTION_RESULT")[-1]


def ends(agent: Agent) -> list[dict[str, Any]]:
    return events(agent, "TASK_DONE") + events(agent, "TASK_FAIL")


def finish(world: World, agent: Agent, limit: int = 400) -> dict[str, Any]:
    """Go on until the movement ends; returns TASK_DONE or TASK_FAIL."""
    for _ in range(limit):
        if agent.move is None:
            break
        step(world, [])
    (end,) = ends(agent)
    return end


def wall(world: World, cells: list[tuple[int, int]], height: int = 2) -> None:
    for x, z in cells:
        for y in range(STAND, STAND + height):
            put_block(world, x, y, z, "STONE")


def ring(x: int, z: int, reach: int) -> list[tuple[int, int]]:
    around = range(-reach, reach + 1)
    return [(x + dx, z + dz) for dx in around for dz in around if reach in (abs(dx), abs(dz))]


# What is accepted


@pytest.mark.parametrize(
    ("task", "code"),
    [
        (actions.MoveTo(id="k1"), "E_BAD_REQUEST"),
        (move_to(4001, 22, 0), "E_INVALID_TARGET"),
        (move_to(0, 22, -4001), "E_INVALID_TARGET"),
        (move_to(2**31 - 1, 22, -(2**31 - 1)), "E_INVALID_TARGET"),
        (actions.Follow(id="k1"), "E_BAD_REQUEST"),
        (actions.Follow(id="k1", target_id="A99"), "E_INVALID_TARGET"),
        (actions.Follow(id="k1", target_id="CHEST@0,23,3"), "E_INVALID_TARGET"),
        (actions.Follow(id="k1", target_id="nobody"), "E_INVALID_TARGET"),
    ],
)
def test_what_cannot_be_begun_is_refused_and_leaves_no_task(
    world: World, task: actions.MoveTask, code: str
) -> None:
    agent = put_agent(world)
    result = act(world, agent, task)
    assert (result["ok"], result["code"], result["ref"]) == (False, code, "k1")
    assert "task_id" not in result
    assert agent.move is None
    assert agent.position == (0, STAND, 0)


def test_a_second_movement_is_a_conflict_and_stop_makes_room(world: World) -> None:
    agent = put_agent(world)
    first = act(world, agent, move_to(20, STAND, 0))
    assert first["task_id"] == "T000001"
    assert act(world, agent, move_to(0, STAND, 20))["code"] == "E_CONFLICT"
    result = act(world, agent, actions.Stop(id="k2"), move_to(0, STAND, 20, id="k3"))
    assert (result["ref"], result["ok"]) == ("k3", True)
    assert agent.yaw == 270  # on its way back from x 2, to x 0
    assert act(world, agent, cancel=(result["task_id"],))["message"] == "canceled"
    here = agent.position
    step(world, [])
    assert agent.position == here
    assert ends(agent) == []


# Arriving


@pytest.mark.parametrize(
    ("tolerance", "stops_at"),
    [(None, 1), (0, 1), (-3, 1), (0.5, 1), (1.2, 2), (3, 3), (64, 64), (68.5, 69)],
)
def test_it_ends_as_soon_as_it_is_near_enough(
    world: World, tolerance: float | None, stops_at: int
) -> None:
    agent = put_agent(world)
    act(world, agent, move_to(70, STAND, 0, tolerance=tolerance))
    end = finish(world, agent)
    assert end == {"t": 70 - stops_at, "type": "TASK_DONE", "task_id": "T000001", "kind": "MOVE_TO"}
    assert agent.position == (70 - stops_at, STAND, 0)


def test_within_tolerance_it_is_done_at_once_and_nobody_is_moved(world: World) -> None:
    agent = put_agent(world)
    assert act(world, agent, move_to(2, STAND, 1, tolerance=3))["ok"] is True
    assert [end["t"] for end in ends(agent)] == [1]
    assert (agent.position, agent.stamina) == ((0, STAND, 0), MAX_STAMINA)


@pytest.mark.parametrize("y", [-5, 0, 10, STAND, 40, 63, 500])
def test_the_height_of_the_target_is_no_part_of_the_distance(world: World, y: int) -> None:
    agent = put_agent(world)
    act(world, agent, move_to(5, y, 5))
    assert finish(world, agent)["type"] == "TASK_DONE"
    assert abs(agent.x - 5) + abs(agent.z - 5) == 1


def test_a_target_that_cannot_be_stood_on_is_approached(world: World) -> None:
    for y in range(HEIGHT):
        put_block(world, 6, y, 0, "STONE")
    agent = put_agent(world)
    act(world, agent, move_to(6, STAND, 0))
    assert finish(world, agent)["type"] == "TASK_DONE"


# Walking


def test_one_column_a_tick_for_eight_stamina_from_the_first_tick_on(world: World) -> None:
    agent = put_agent(world)
    agent.hunger = 0  # so that nothing is won back
    act(world, agent, move_to(5, STAND, 0))
    positions = [agent.position]
    while agent.move is not None:
        step(world, [])
        positions.append(agent.position)
    assert positions == [(x, STAND, 0) for x in range(1, 5)]
    assert agent.stamina == MAX_STAMINA - 4 * 8


def test_who_is_out_of_breath_waits(world: World) -> None:
    agent = put_agent(world)
    agent.stamina = 8
    act(world, agent, move_to(9, STAND, 0))
    assert (agent.x, agent.stamina) == (1, 2)
    xs = []
    for _ in range(12):
        step(world, [])
        xs.append(agent.x)
    assert xs == [1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4]
    assert agent.move is not None


def test_no_step_on_odd_ticks_of_a_storm(world: World) -> None:
    agent = put_agent(world)
    world.weather, world.weather_until = "STORM", 10**6
    act(world, agent, move_to(9, STAND, 0))
    xs = [agent.x]
    for _ in range(5):
        step(world, [])
        xs.append(agent.x)
    assert xs == [0, 1, 1, 2, 2, 3]


@pytest.mark.parametrize(
    ("target", "yaw"), [((0, 5), 0), ((5, 0), 90), ((0, -5), 180), ((-5, 0), 270)]
)
def test_a_body_looks_where_it_goes(world: World, target: tuple[int, int], yaw: int) -> None:
    agent = put_agent(world)
    act(world, agent, move_to(target[0], STAND, target[1]))
    assert agent.yaw == yaw


def test_a_blocked_axis_is_left_for_the_other_one(world: World) -> None:
    agent = put_agent(world)
    wall(world, [(1, 0)])
    act(world, agent, move_to(5, STAND, 2))
    assert agent.position == (0, STAND, 1)


def test_the_way_out_of_a_dead_end_leads_round(world: World) -> None:
    agent = put_agent(world)
    wall(world, [(1, 0), (0, 1), (0, -1)])
    act(world, agent, move_to(5, STAND, 0))
    assert agent.position == (-1, STAND, 0)
    assert finish(world, agent)["type"] == "TASK_DONE"


def test_bodies_do_not_block_each_other(world: World) -> None:
    agent, other = put_agent(world), put_agent(world, 2)
    act(world, agent, move_to(5, STAND, 0))
    step(world, [])
    assert agent.position == other.position


def test_a_step_up_and_a_drop(world: World) -> None:
    agent = put_agent(world)
    wall(world, [(x, z) for x in (2, 3) for z in range(-20, 21)], height=1)
    for z in range(-20, 21):
        for y in range(SURFACE, SURFACE - 2, -1):
            for x in (4, 5, 6, 7):
                put_block(world, x, y, z, "AIR")
    act(world, agent, move_to(6, STAND, 0))
    seen = [agent.position]
    while agent.move is not None:
        step(world, [])
        seen.append(agent.position)
    # A drop of three takes two ticks: one cell falls with the step, two in the next.
    assert seen[1:] == [
        (2, STAND + 1, 0), (3, STAND + 1, 0), (4, STAND, 0), (4, STAND - 2, 0), (5, STAND - 2, 0)
    ]  # fmt: skip
    assert agent.hp == 20


def test_swimming_takes_twice_as_long(world: World) -> None:
    agent = put_agent(world)
    for x in range(2, 8):
        for z in range(-30, 31):
            put_block(world, x, SURFACE, z, "WATER")
    act(world, agent, move_to(10, STAND, 0))
    ticks = {agent.x: world.tick}
    while agent.move is not None:
        step(world, [])
        ticks.setdefault(agent.x, world.tick)
        assert agent.y == (SURFACE if 2 <= agent.x <= 7 else STAND)
    assert [ticks[x] for x in range(1, 10)] == [1, 2, 4, 6, 8, 10, 12, 14, 15]


def test_who_falls_walks_on_when_it_has_landed(world: World) -> None:
    agent = put_agent(world, y=STAND + 6)
    act(world, agent, move_to(5, STAND, 0))
    assert agent.move is not None
    assert agent.move.waiting
    assert agent.x == 0
    assert finish(world, agent)["type"] == "TASK_DONE"
    assert agent.y == STAND


# Paths that fail


def fails(world: World, agent: Agent, task: actions.MoveTask) -> dict[str, Any]:
    assert act(world, agent, task)["ok"] is True
    end = finish(world, agent)
    assert end["type"] == "TASK_FAIL"
    assert (end["task_id"], end["kind"]) == ("T000001", movement_kind(task))
    assert str(end["nearest"]) in end["message"]
    return end


def movement_kind(task: actions.MoveTask) -> str:
    return "MOVE_TO" if isinstance(task, actions.MoveTo) else "FOLLOW"


def test_a_walled_in_target_is_blocked_and_the_nearest_point_named_at_once(world: World) -> None:
    agent = put_agent(world)
    wall(world, ring(10, 0, 2), height=3)
    end = fails(world, agent, move_to(10, STAND, 0))
    assert (end["t"], end["code"], end["nearest"]) == (1, "E_BLOCKED", [7, STAND, 0])
    assert end["message"].startswith("blocked")
    assert agent.position == (0, STAND, 0)
    act(world, agent, move_to(*end["nearest"]))
    assert agent.position == (1, STAND, 0)


def test_who_is_walled_in_is_blocked(world: World) -> None:
    agent = put_agent(world)
    wall(world, ring(0, 0, 2))
    end = fails(world, agent, move_to(10, STAND, 0))
    assert (end["code"], end["nearest"]) == ("E_BLOCKED", [1, STAND, 0])


def test_a_refused_way_leaves_no_garbage_that_only_a_collector_finds(world: World) -> None:
    """Else the inputs of its tick, of every agent, would be kept until then."""
    agent = put_agent(world)
    wall(world, ring(0, 0, 2))
    gc.collect()
    gc.disable()
    try:
        fails(world, agent, move_to(10, STAND, 0))
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_a_long_wall_is_searched_along_until_no_search_comes_nearer(world: World) -> None:
    agent = put_agent(world)
    wall(world, [(12, z) for z in range(-150, 151)])
    end = fails(world, agent, move_to(24, STAND, 0))
    assert end["code"] == "E_BLOCKED"
    assert agent.position == (11, STAND, 0)
    assert end["nearest"] == [11, STAND, 0]


def tower(world: World, height: int) -> Agent:
    """A body on a pillar of three by three."""
    around = range(-1, 2)
    wall(world, [(x, z) for x in around for z in around], height)
    return put_agent(world, y=STAND + height)


@pytest.mark.parametrize(
    ("height", "hp", "words"),
    [
        (5, 2, "by a fall of 5 cells, which would kill"),
        (30, 20, "by a fall of 30 cells, which would kill"),
    ],
)
def test_a_target_beyond_a_deadly_fall_is_unsafe(
    world: World, height: int, hp: int, words: str
) -> None:
    agent = tower(world, height)
    agent.hp = hp
    end = fails(world, agent, move_to(10, STAND, 0))
    assert (end["code"], end["nearest"]) == ("E_UNSAFE", [1, STAND + height, 0])
    assert words in end["message"]
    assert agent.hp == hp


def test_a_fall_that_only_hurts_is_not_chosen_for_a_body(world: World) -> None:
    end = fails(world, tower(world, 5), move_to(10, STAND, 0))
    assert end["code"] == "E_BLOCKED"
    assert "by a fall of 5 cells, which would cost 2 of 20 hp" in end["message"]


def test_a_far_target_beyond_a_deadly_fall_is_unsafe_too(world: World) -> None:
    assert fails(world, tower(world, 30), move_to(3000, STAND, 0))["code"] == "E_UNSAFE"


def test_a_tolerance_that_is_met_already_moves_nobody(world: World) -> None:
    agent = put_agent(world)
    act(world, agent, move_to(3000, STAND, 0, tolerance=1e6))
    assert (finish(world, agent)["type"], agent.position) == ("TASK_DONE", (0, STAND, 0))


@pytest.mark.parametrize("half", [10, 30, 40])
@pytest.mark.parametrize("arms", [0, 8])
def test_a_long_wall_with_an_end_is_walked_round(world: World, half: int, arms: int) -> None:
    agent = put_agent(world)
    cells = [(5, z) for z in range(-half, half + 1)]
    cells += [(x, z) for x in range(5 - arms, 5) for z in (-half, half)]
    wall(world, cells, height=3)
    act(world, agent, move_to(10, STAND, 0))
    assert finish(world, agent)["type"] == "TASK_DONE"


def test_a_safe_height_is_jumped(world: World) -> None:
    agent = tower(world, 3)
    act(world, agent, move_to(10, STAND, 0))
    assert finish(world, agent)["type"] == "TASK_DONE"
    assert agent.hp == 20


def flooded_passage(world: World) -> None:
    """From a closed room around 0, 0 to one around 12, 0 there is only a tunnel full of water."""
    for x in range(-3, 16):
        for z in range(-3, 4):
            for y in range(STAND, STAND + 6):
                room = abs(z) < 3 and (-3 < x < 3 or 9 < x < 15) and y < STAND + 4
                tunnel = z == 0 and 3 <= x <= 9 and y < STAND + 2
                put_block(world, x, y, z, "AIR" if room else "WATER" if tunnel else "STONE")


def test_a_target_beyond_a_flooded_passage_is_unsafe(world: World) -> None:
    flooded_passage(world)
    agent = put_agent(world)
    end = fails(world, agent, move_to(12, STAND, 0))
    assert (end["code"], end["nearest"]) == ("E_UNSAFE", [2, STAND, 0])
    assert "under water" in end["message"]


def test_who_is_under_water_swims_out(world: World) -> None:
    flooded_passage(world)
    agent = put_agent(world, x=6)
    act(world, agent, move_to(12, STAND, 0))
    assert finish(world, agent)["type"] == "TASK_DONE"
    assert agent.hp == 20


# A world that changes


def test_a_wall_in_the_way_means_a_new_path(world: World) -> None:
    agent = put_agent(world)
    act(world, agent, move_to(12, STAND, 0))
    wall(world, [(5, z) for z in range(-3, 4)])
    end = finish(world, agent)
    assert end["type"] == "TASK_DONE"
    assert end["t"] == 11 + 2 * 4 + 1  # the way round, and the tick in which the wall was met


def test_a_pit_in_the_way_is_not_walked_into(world: World) -> None:
    agent = put_agent(world)
    act(world, agent, move_to(12, STAND, 0))
    for z in (-1, 0, 1):
        for y in range(SURFACE - 8, SURFACE + 1):
            put_block(world, 5, y, z, "AIR")
    assert finish(world, agent)["type"] == "TASK_DONE"
    assert agent.hp == 20


def test_a_shallow_pit_in_the_way_is_no_way_out_and_not_walked_into(world: World) -> None:
    agent = put_agent(world)
    act(world, agent, move_to(12, STAND, 0))
    for y in (SURFACE - 1, SURFACE):
        put_block(world, 5, y, 0, "AIR")
    assert finish(world, agent)["t"] == 11 + 2 + 1


def test_who_was_lifted_does_not_jump_down(world: World) -> None:
    agent = put_agent(world)
    act(world, agent, move_to(12, STAND, 0))
    wall(world, [(1, 0)], height=6)
    world.relocate(agent, (1, STAND + 6, 0))
    end = finish(world, agent)
    assert (end["code"], agent.hp) == ("E_BLOCKED", 20)


def test_water_over_the_way_is_not_dived_into(world: World) -> None:
    agent = put_agent(world)
    act(world, agent, move_to(12, STAND, 0))
    for y, block in ((STAND, "AIR"), (STAND + 1, "WATER"), (STAND + 2, "STONE")):
        put_block(world, 5, y, 0, block)
    while agent.move is not None:
        step(world, [])
        assert agent.breath == MAX_BREATH
    assert events(agent, "TASK_DONE")


def test_what_was_opened_is_gone_through_by_the_next_task(world: World) -> None:
    agent = put_agent(world)
    wall(world, ring(0, 0, 2))
    fails(world, agent, move_to(6, STAND, 0))
    for y in (STAND, STAND + 1):
        put_block(world, 2, y, 0, "AIR")
    act(world, agent, move_to(6, STAND, 0))
    for _ in range(5):
        step(world, [])
    assert [end["type"] for end in ends(agent)] == ["TASK_DONE", "TASK_FAIL"]


def test_a_far_target_is_reached_in_legs(world: World) -> None:
    agent = put_agent(world)
    distance = 3 * LEG + 10
    act(world, agent, move_to(distance, 0, 0))
    while agent.move is not None:
        assert len(agent.move.path) <= LEG
        agent.stamina = MAX_STAMINA
        step(world, [])
    assert world.tick == distance - 1
    assert events(agent, "TASK_DONE")


# FOLLOW


def test_a_follower_keeps_its_distance_and_goes_on_when_the_other_does(world: World) -> None:
    leader, follower = put_agent(world, x=6), put_agent(world)
    act(world, follower, actions.Follow(id="k1", target_id="A1", distance=1))
    for _ in range(8):
        step(world, [])
    assert follower.position == (5, STAND, 0)
    assert follower.move is not None
    act(world, leader, move_to(6, STAND, 10))
    for _ in range(14):
        step(world, [])
    assert abs(follower.x - leader.x) + abs(follower.z - leader.z) == 1
    assert follower.move is not None
    assert ends(follower) == []


def test_a_follower_turns_when_the_other_has_gone_elsewhere(world: World) -> None:
    leader, follower = put_agent(world, x=40), put_agent(world)
    act(world, follower, actions.Follow(target_id="A1"))
    world.relocate(leader, (0, STAND, 40))
    for _ in range(45):
        step(world, [])
        assert follower.x <= 2
    assert follower.z == 38


@pytest.mark.parametrize(
    ("distance", "kept"),
    [(None, 2), (0, 2), (-4, 2), (0.2, 1), (1, 1), (2.5, 3), (32, 32), (50, 32)],
)
def test_how_near_a_follower_comes(world: World, distance: float | None, kept: int) -> None:
    put_agent(world, x=40)
    follower = put_agent(world)
    act(world, follower, actions.Follow(id="k1", target_id="A1", distance=distance))
    for _ in range(45):
        step(world, [])
    assert follower.x == 40 - kept


def test_a_follower_searches_seldom(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    leader, follower = put_agent(world, x=30), put_agent(world)
    searches: list[int] = []
    begin = path_queue._begin

    def counted(world: World, agent: Agent, move: Movement) -> PathSearch:
        if agent is follower:
            searches.append(world.tick)
        return begin(world, agent, move)

    monkeypatch.setattr(path_queue, "_begin", counted)
    act(world, leader, move_to(90, STAND, 0))
    act(world, follower, actions.Follow(target_id="A1"))
    for _ in range(40):
        step(world, [])
    assert leader.x - follower.x in (29, 30, 31)
    assert len(searches) <= 5
    while leader.move is not None:
        step(world, [])
    for _ in range(35):
        step(world, [])
    assert leader.x - follower.x == 2
    before = len(searches)
    for _ in range(10):
        step(world, [])
    assert len(searches) == before


def test_a_container_can_be_followed_until_it_is_gone(world: World) -> None:
    chest = world.containers.put(Container("CHEST", (8, STAND, 0)))
    put_block(world, 8, STAND, 0, "CHEST")
    agent = put_agent(world)
    act(world, agent, actions.Follow(id="k1", target_id=chest.id, distance=1))
    for _ in range(9):
        step(world, [])
    assert agent.position == (7, STAND, 0)
    world.containers.remove(chest.position)
    step(world, [])
    (end,) = ends(agent)
    assert (end["type"], end["kind"], end["code"]) == ("TASK_FAIL", "FOLLOW", "E_INVALID_TARGET")


def test_who_is_followed_may_vanish_on_the_way(world: World) -> None:
    put_agent(world, x=20)
    agent = put_agent(world)
    act(world, agent, actions.Follow(id="k1", target_id="A1"))
    world.agents.remove(1)
    here = agent.position
    step(world, [])
    (end,) = ends(agent)
    assert (end["code"], agent.move, agent.position) == ("E_INVALID_TARGET", None, here)


def test_who_cannot_be_reached_cannot_be_followed(world: World) -> None:
    put_agent(world, x=10)
    wall(world, ring(10, 0, 3), height=3)
    agent = put_agent(world)
    assert fails(world, agent, actions.Follow(id="k1", target_id="A1"))["code"] == "E_BLOCKED"


# What an OBS shows


def test_progress_and_remaining_ticks(world: World) -> None:
    agent = put_agent(world)
    act(world, agent, move_to(11, 40, 0, tolerance=1))
    assert movement.status(world, agent) == (0.1, (11, 40, 0), 9)
    for _ in range(4):
        step(world, [])
    assert movement.status(world, agent) == (0.5, (11, 40, 0), 5)


def test_progress_counts_the_way_round_and_never_below_zero(world: World) -> None:
    agent = put_agent(world)
    wall(world, [(1, z) for z in range(-3, 4)])
    act(world, agent, move_to(4, STAND, 0))
    progress, _, left = movement.status(world, agent)
    assert (progress, left) == (0.0, 10)


def test_progress_of_a_follower(world: World) -> None:
    leader, follower = put_agent(world, x=7), put_agent(world)
    act(world, follower, actions.Follow(target_id="A1"))
    assert movement.status(world, follower) == (0.0, leader.position, 4)
    for _ in range(6):
        step(world, [])
    assert movement.status(world, follower) == (1.0, leader.position, 0)


def test_thirds_are_rounded(world: World) -> None:
    agent = put_agent(world)
    act(world, agent, move_to(4, STAND, 0))
    assert movement.status(world, agent)[0] == 0.333


# Whatever the ground and the wishes


@settings(max_examples=60)
@given(
    heights=st.lists(st.integers(-6, 5), min_size=81, max_size=81),
    wet=st.lists(st.booleans(), min_size=81, max_size=81),
    wishes=st.lists(
        st.tuples(st.integers(-6, 6), st.integers(15, 30), st.integers(-6, 6)),
        min_size=3,
        max_size=5,
    ),
    later=st.lists(st.tuples(st.integers(0, 80), st.integers(-6, 5)), max_size=12),
)
def test_everyone_arrives_or_hears_why_and_no_way_hurts(
    heights: list[int], wet: list[bool], wishes: list[Position], later: list[tuple[int, int]]
) -> None:
    world = flat_world(
        CATALOGS, Tuning(path_expansions_per_tick=200, path_expansions_per_search=150)
    )
    for column, (height, water) in enumerate(zip(heights, wet, strict=True)):
        raise_column(world, column, height, water)
    agents = []
    for number, wish in enumerate(wishes):
        agent = put_agent(world, x=5 + number, z=-8)
        agents.append(agent)
        act(world, agent, move_to(*wish))
    for column, height in later:
        busy = any((agent.x, agent.z) == (column % 9 - 4, column // 9 - 4) for agent in agents)
        if not busy:
            raise_column(world, column, height, False)
        tick_and_check(world, agents)
    for _ in range(300):
        tick_and_check(world, agents)
    for agent, wish in zip(agents, wishes, strict=True):
        (end,) = ends(agent)
        if end["type"] == "TASK_FAIL":
            assert end["code"] in ("E_BLOCKED", "E_UNSAFE")
        else:
            assert abs(agent.x - wish[0]) + abs(agent.z - wish[2]) <= 1
        assert agent.hp == 20


def raise_column(world: World, column: int, height: int, water: bool) -> None:
    x, z = column % 9 - 4, column // 9 - 4
    for y in range(STAND - 6, STAND + 6):
        block = "STONE" if y < STAND + height else "WATER" if water and y < STAND else "AIR"
        put_block(world, x, y, z, block)


def tick_and_check(world: World, agents: list[Agent]) -> None:
    before = [agent.position for agent in agents]
    step(world, [])
    solid = world.catalogs.solid
    for agent, (x, _, z) in zip(agents, before, strict=True):
        assert abs(agent.x - x) + abs(agent.z - z) <= 1
        assert not solid[world.ground.block(*agent.position)]
        assert not solid[world.ground.block(agent.x, agent.y + 1, agent.z)]

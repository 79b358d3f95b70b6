"""Searches are paid from one budget, served in turn, interrupted, and go on as if nothing had
been."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.voxel.flat import STAND, events, flat_world, put_agent, put_block
from tests.voxel.test_snapshot import packed
from thorp.protocol import actions
from thorp.protocol.act import Act
from thorp.simulator.flat_world import create_flat_world
from thorp.simulator.inline import open_flat
from thorp.store import RealDisk
from thorp.voxel import fork, verify
from thorp.voxel.inputs import Acted, Join
from thorp.voxel.load import default_catalogs
from thorp.voxel.persistence.snapshot import restore
from thorp.voxel.state.agent import Agent, PathSearch
from thorp.voxel.state.ground import Ground, Position
from thorp.voxel.state.world import World
from thorp.voxel.systems import path_queue
from thorp.voxel.systems.pathfinding import ISLAND_CELL_COST, Route, Searcher, is_island
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning

CATALOGS = default_catalogs()
encode = msgspec.msgpack.Encoder(order="deterministic").encode
decode = msgspec.msgpack.Decoder(PathSearch).decode
LONG_WALL = [(12, z) for z in range(-150, 151)]


def wish(agent: Agent, *target: int, tick: int = 0) -> Acted:
    task = actions.MoveTo(id="k1", target=(target[0], target[1], target[2]))
    return Acted(agent.number, Act(tick=tick, tasks=[task]))


def wall(world: World, cells: list[tuple[int, int]]) -> None:
    for x, z in cells:
        for y in (STAND, STAND + 1):
            put_block(world, x, y, z, "STONE")


def under_way(world: World) -> list[Agent]:
    return [
        agent for agent in world.agents if agent.move is not None and agent.move.search is not None
    ]


class Meter:
    """Counts what searches cost."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.cells = 0
        advance = Searcher.advance

        def count_cells(searcher: Searcher, limit: int, budget: int) -> Route | None:
            before = searcher.search.spent
            route = advance(searcher, limit, budget)
            self.cells += searcher.search.spent - before
            return route

        def count_island(
            ground: Ground, medium: bytes, start: Position, target: Position, want: int, most: int
        ) -> bool:
            self.cells += most * ISLAND_CELL_COST
            return is_island(ground, medium, start, target, want, most)

        monkeypatch.setattr(Searcher, "advance", count_cells)
        monkeypatch.setattr(path_queue, "is_island", count_island)

    def of(self, work: Callable[[], None]) -> int:
        self.cells = 0
        work()
        return self.cells


# The budget


@settings(max_examples=25)
@given(
    per_tick=st.one_of(st.integers(1, 40), st.integers(200, 900)),
    per_search=st.integers(1, 120),
    targets=st.lists(st.tuples(st.integers(8, 40), st.integers(-9, 9)), min_size=1, max_size=5),
    closed=st.lists(st.tuples(st.integers(5, 14), st.integers(-8, 8)), max_size=60),
    pits=st.lists(st.tuples(st.integers(-2, 4), st.integers(-3, 3)), max_size=4),
)
def test_a_tick_never_costs_more_than_its_budget_and_everyone_is_answered(
    per_tick: int,
    per_search: int,
    targets: list[tuple[int, int]],
    closed: list[tuple[int, int]],
    pits: list[tuple[int, int]],
) -> None:
    tuning = Tuning(
        path_expansions_per_tick=per_tick, path_expansions_per_search=per_search, world_events=False
    )
    world = flat_world(CATALOGS, tuning)
    wall(world, closed)
    for x, z in pits:
        for y in range(STAND - 7, STAND):
            put_block(world, x, y, z, "AIR")
    agents = [put_agent(world, z=number) for number in range(len(targets))]
    acts = [wish(agent, x, STAND, z) for agent, (x, z) in zip(agents, targets, strict=True)]
    with pytest.MonkeyPatch.context() as patch:
        meter = Meter(patch)
        for tick in range(6_000):
            assert meter.of(lambda acts=acts if tick == 0 else []: step(world, acts)) <= per_tick  # type: ignore[misc]
            searching = under_way(world)
            assert len(searching) <= 2
            assert sum(agent.move.patient for agent in searching if agent.move is not None) <= 1
            if all(agent.move is None for agent in agents):
                break
    for agent in agents:
        assert len(events(agent, "TASK_DONE")) + len(events(agent, "TASK_FAIL")) == 1


def test_a_thousand_hopeless_moves_cost_no_tick_more_than_its_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tuning = Tuning(
        path_expansions_per_tick=400, path_expansions_per_search=100, world_events=False
    )
    world = flat_world(CATALOGS, tuning)
    wall(world, LONG_WALL)
    hopeless = [put_agent(world, x=11, z=number - 20) for number in range(40)]
    hopeful = put_agent(world, z=20)
    acts = [wish(agent, 24, STAND, 0) for agent in hopeless] + [wish(hopeful, 0, STAND, 24)]
    meter = Meter(monkeypatch)
    busy = 0
    while hopeful.move is not None or world.tick == 0:
        cost = meter.of(lambda: step(world, acts if world.tick == 0 else []))
        assert cost <= tuning.path_expansions_per_tick
        assert world.tick <= len(hopeless) + 10
    assert events(hopeful, "TASK_DONE")
    while any(agent.move is not None for agent in hopeless):
        cost = meter.of(lambda: step(world, []))
        assert cost <= tuning.path_expansions_per_tick
        busy += cost == tuning.path_expansions_per_tick
        assert world.tick < 1_000
    assert busy > 20
    assert all(events(agent, "TASK_FAIL") for agent in hopeless)


# Whose turn it is


def found_paths(world: World, agents: list[Agent], acts: list[Acted]) -> list[int]:
    """The numbers of the agents in the order in which they get a path."""
    served: list[int] = []
    step(world, acts)
    for _ in range(200):
        new = [
            a.number
            for a in agents
            if a.number not in served and a.move is not None and a.move.path
        ]
        served += new
        step(world, [])
    return served


@pytest.mark.parametrize(
    ("last_served", "order"), [(0, [1, 2, 3, 4]), (2, [3, 4, 1, 2]), (4, [1, 2, 3, 4])]
)
def test_turns_go_round_by_number_from_behind_the_last_one_served(
    last_served: int, order: list[int]
) -> None:
    world = flat_world(CATALOGS, Tuning(path_expansions_per_tick=5, world_events=False))
    agents = [put_agent(world, x=20 * number) for number in range(4)]
    world.path_cursor = last_served
    assert (
        found_paths(world, agents, [wish(agent, agent.x, STAND, 18) for agent in agents]) == order
    )
    assert world.path_cursor == order[-1]


def test_a_search_that_was_interrupted_is_the_first_to_go_on(world: World) -> None:
    world = flat_world(CATALOGS, Tuning(path_expansions_per_tick=5, world_events=False))
    agents = [put_agent(world, x=20 * number) for number in range(4)]
    step(world, [wish(agents[1], 20, STAND, 18)])
    assert under_way(world) == [agents[1]]
    others = (agents[0], agents[2], agents[3])
    assert found_paths(
        world, agents, [wish(agent, agent.x, STAND, 18, tick=1) for agent in others]
    ) == [
        2,
        3,
        4,
        1,
    ]


def test_a_patient_search_takes_what_others_leave(world: World) -> None:
    world = flat_world(
        CATALOGS,
        Tuning(path_expansions_per_tick=300, path_expansions_per_search=400, world_events=False),
    )
    wall(world, [(12, z) for z in range(-30, 31)])
    patient, other = put_agent(world, x=11), put_agent(world, x=-30)
    step(world, [wish(patient, 20, STAND, 0)])
    while not under_way(world) or not patient.move.patient:  # type: ignore[union-attr]
        step(world, [])
    before = patient.move.search.spent  # type: ignore[union-attr]
    step(world, [wish(other, -30, STAND, 20, tick=world.tick)])
    assert other.z == 1, "it goes at once"
    assert 0 < patient.move.search.spent - before < 300  # type: ignore[union-attr]
    while patient.move is not None:
        patient.stamina = 1000
        step(world, [])
    assert events(patient, "TASK_DONE")


# What ends a search that was interrupted


@pytest.fixture
def searching() -> tuple[World, Agent]:
    world = flat_world(CATALOGS, Tuning(path_expansions_per_tick=5, world_events=False))
    agent = put_agent(world)
    step(world, [wish(agent, 0, STAND, 18)])
    assert under_way(world) == [agent]
    return world, agent


def test_a_body_that_was_moved_begins_anew(searching: tuple[World, Agent]) -> None:
    world, agent = searching
    world.relocate(agent, (7, STAND, 0))
    step(world, [])
    assert agent.move is not None
    assert agent.move.search is not None
    assert (agent.move.search.start, agent.move.search.spent) == ((7, STAND, 0), 5)


def test_a_body_that_falls_searches_when_it_has_landed(searching: tuple[World, Agent]) -> None:
    world, agent = searching
    put_block(world, 0, STAND - 1, 0, "AIR")
    agent.at_rest = False
    step(world, [])
    assert (under_way(world), agent.y) == ([], STAND - 1)
    step(world, [])
    assert under_way(world) == [agent]


def test_who_stops_has_no_search(searching: tuple[World, Agent]) -> None:
    world, agent = searching
    step(world, [Acted(agent.number, Act(tick=world.tick, tasks=[actions.Stop(id="k2")]))])
    assert agent.move is None


def test_a_follower_who_is_near_has_no_search() -> None:
    world = flat_world(CATALOGS, Tuning(path_expansions_per_tick=5, world_events=False))
    leader, follower = put_agent(world, z=20), put_agent(world)
    step(
        world,
        [Acted(follower.number, Act(tick=0, tasks=[actions.Follow(id="f", target_id=leader.id)]))],
    )
    assert under_way(world) == [follower]
    world.relocate(leader, (1, STAND, 0))
    step(world, [])
    assert follower.move is not None
    assert under_way(world) == []


def test_a_wall_built_meanwhile_is_not_walked_into(searching: tuple[World, Agent]) -> None:
    world, agent = searching
    wall(world, [(x, z) for x in range(-3, 4) for z in (2, 9)])
    while agent.move is not None:
        step(world, [])
    assert events(agent, "TASK_DONE")
    assert agent.position == (0, STAND, 17)


# As if nothing had been


def rough_world() -> World:
    world = create_flat_world(
        7, 8, Tuning(path_expansions_per_tick=60, path_expansions_per_search=80)
    )
    pillars = [
        (x, z)
        for x in range(-20, 20)
        for z in range(-20, 20)
        if (3 * x * x + z * x + z * z) % 5 == 0
    ]
    wall(world, pillars)
    return world


def test_a_restored_world_goes_on_with_its_searches() -> None:
    world = rough_world()
    agents = [put_agent(world, x=24, z=number) for number in range(6)]
    acts = [wish(agent, -24, STAND, 5 * agent.number) for agent in agents[:-1]]
    acts.append(Acted(6, Act(tick=0, tasks=[actions.Follow(id="f", target_id="A1")])))
    step(world, acts)
    stages = set()
    for _ in range(25):
        other = restore(packed(world), create_flat_world)
        stages |= {
            agent.move.search.stage
            for agent in under_way(world)
            if agent.move and agent.move.search
        }
        for _ in range(3):
            step(world, [])
            step(other, [])
            assert other.digest() == world.digest()
    assert stages >= {"try", "whole"}
    assert all(agent.x < 24 for agent in agents)


def test_searches_survive_a_restart_and_a_fork(tmp_path: Path) -> None:
    disk, path = RealDisk(), tmp_path / "world"
    tuning = Tuning(path_expansions_per_tick=7, world_events=False)
    with open_flat(disk, path, tuning=tuning) as service:
        service.tick([Join("ada", "00" * 32), Join("ben", "11" * 32)]).result()
        acts = [
            wish(agent, agent.x + 30, STAND, agent.z + 9, tick=1) for agent in service.world.agents
        ]
        service.tick(acts).result()
        for _ in range(4):
            service.tick([]).result()
        (agent,) = under_way(service.world)
        spent, tick, digest = agent.move.search.spent, service.world.tick, service.digest()  # type: ignore[union-attr]
        assert spent == 7 * 5
    with open_flat(disk, path) as service:
        assert (service.world.tick, service.digest()) == (tick, digest)
        for _ in range(40):
            service.tick([]).result()
        assert all(agent.x > 0 for agent in service.world.agents)
    verdict = verify(disk, path, make_world=create_flat_world)
    assert verdict.ok
    fork(disk, path, tick, tmp_path / "fork", make_world=create_flat_world)
    with open_flat(disk, tmp_path / "fork") as forked:
        for _ in range(40):
            forked.tick([]).result()
        assert forked.digest() == verdict.digest


@settings(max_examples=40)
@given(
    budgets=st.lists(st.integers(1, 60), min_size=1, max_size=20),
    limits=st.lists(st.integers(1, 400), min_size=1, max_size=3),
    closed=st.lists(st.tuples(st.integers(-8, 14), st.integers(-8, 8)), max_size=80),
    deadly=st.booleans(),
)
def test_a_search_in_pieces_finds_what_one_at_once_does(
    budgets: list[int], limits: list[int], closed: list[tuple[int, int]], deadly: bool
) -> None:
    world = flat_world(CATALOGS)
    wall(world, [cell for cell in closed if cell != (-9, 0)])
    ground, medium, start = world.ground, world.catalogs.medium, (-9, STAND, 0)

    def fresh() -> PathSearch:
        return PathSearch(start, (16, STAND, 3), 1, deadly=deadly)

    whole = Searcher(ground, medium, fresh()).advance(max(limits), 10**6)
    search, route, turn = fresh(), None, 0
    for limit in sorted(limits):
        route = None
        while route is None:
            budget = budgets[turn % len(budgets)]
            turn += 1
            searcher = Searcher(ground, medium, search)
            before = search.spent
            route = searcher.advance(limit, budget)
            assert search.spent - before <= budget
            search = decode(encode(searcher.suspend()))
        if route.outcome != "spent":
            break
    assert route == whole

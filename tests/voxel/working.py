"""Work in a flat world: tasks taken on as by an ACT, and the systems of work without the rest of a
tick."""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

from tests.voxel.flat import events, flat_world
from thorp.protocol import actions
from thorp.voxel.load import default_catalogs
from thorp.voxel.lookups.indexes import index_of
from thorp.voxel.refusal import Refusal
from thorp.voxel.society.listeners import LISTENERS
from thorp.voxel.state.agent import Agent, Work
from thorp.voxel.state.ground import Position
from thorp.voxel.state.unsaved import TickScratch
from thorp.voxel.state.world import TABLES, World
from thorp.voxel.systems import blocks, conveyors, items, work
from thorp.voxel.systems.blocks import change_block
from thorp.voxel.tuning import Tuning


def a_world(**tuning: Any) -> World:
    return flat_world(default_catalogs(), Tuning(**{"world_events": False, **tuning}))


def put(world: World, position: Position, name: str, heading: tuple[int, int] = (1, 0)) -> None:
    """Put a block by rule, with its state."""
    number = world.catalogs.block_number[name]
    change_block(world, position, number, actor="TEST", reason="TEST", heading=heading)


def block_name(world: World, position: Position) -> str:
    return world.catalogs.blocks[world.ground.block(*position)].id


def begin(world: World, agent: Agent, task: actions.WorkTask) -> None:
    assert agent.work is None
    work.check(world, agent, task)
    world.counters.task += 1
    agent.work = Work(f"T{world.counters.task:06d}", task, world.tick)


def tick(world: World, times: int = 1) -> None:
    for _ in range(times):
        world.tick += 1
        world.scratch = TickScratch()
        for system in (work.step, conveyors.step, blocks.let_fall, blocks.grow, items.step):
            system(world)


def do(world: World, agent: Agent, task: actions.WorkTask, limit: int = 200) -> dict[str, Any]:
    """Take a task on and carry it to its end; return TASK_DONE or TASK_FAIL."""
    begin(world, agent, task)
    for _ in range(limit):
        tick(world)
        if agent.work is None:
            return events(agent)[-1]
    raise AssertionError(f"{task} has not ended after {limit} ticks")


def done(world: World, agent: Agent, task: actions.WorkTask, limit: int = 200) -> int:
    """As `do`, but it must succeed. Returns how many ticks it took."""
    before = world.tick
    end = do(world, agent, task, limit)
    assert end["type"] == "TASK_DONE", end
    return world.tick - before


def failed(world: World, agent: Agent, task: actions.WorkTask) -> tuple[str, str]:
    """As `do`, but it must fail, and must not have made or spent anything in its last tick."""
    end = do(world, agent, task)
    assert end["type"] == "TASK_FAIL", end
    return end["code"], end["message"]


def refused(world: World, agent: Agent, task: actions.WorkTask) -> tuple[str, str]:
    """It must not even be taken on."""
    try:
        begin(world, agent, task)
    except Refusal as no:
        return no.code, no.message
    raise AssertionError(f"{task} was taken on")


def drained(world: World) -> World:
    """The same world, made anew from what a snapshot would hold."""
    fresh = World(
        seed=world.seed,
        draw_seed=world.draw_seed,
        catalogs=world.catalogs,
        tuning=world.tuning,
        terrain=world.ground.terrain,
        listeners=LISTENERS,
    )
    fresh.tick, fresh.counters, fresh.path_cursor = (
        world.tick,
        copy.copy(world.counters),
        world.path_cursor,
    )
    fresh.weather, fresh.weather_until = world.weather, world.weather_until
    fresh.unsettled = dict(world.unsettled)
    fresh.director, fresh.season = copy.deepcopy(world.director), world.season
    fresh.ground.restore(world.ground.export())
    for name in TABLES:
        for thing in getattr(world, name):
            own = copy.deepcopy(thing)
            if isinstance(own, Agent):
                own.changed()
            getattr(fresh, name).put(own)
    return fresh


def check_books(world: World) -> World:
    """What is kept up step by step must equal what is made from nothing. Returns the world made
    anew."""
    fresh = drained(world)
    assert fresh.digest() == world.digest()
    kept, made = index_of(world), index_of(fresh)
    assert kept.carried == made.carried
    assert kept.feeders == made.feeders
    due = {
        at: alive
        for at, places in kept.due.items()
        if (alive := {place: None for place in places if _is_due(world, place, at)})
    }
    assert due == made.due
    return fresh


def _is_due(world: World, position: Position, at: int) -> bool:
    row = world.growth.get(position)
    return row is not None and row.tick == at


def check_bodies(world: World) -> None:
    for agent in world.agents:
        for y in (agent.y, agent.y + 1):
            assert not world.catalogs.solid[world.ground.block(agent.x, y, agent.z)], agent.position


def change_of(before: Counter[str], after: Counter[str]) -> dict[str, int]:
    """What came or went between two counts."""
    return {item: n for item in sorted({*before, *after}) if (n := after[item] - before[item])}

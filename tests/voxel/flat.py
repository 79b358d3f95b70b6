"""A flat world for tests of rules: bedrock of stone, soil up to y 21, grass at 22, agents stand at
y 23."""

from __future__ import annotations

import msgspec

from thorp.simulator.flat_world import SURFACE, FlatTerrain
from thorp.voxel.catalog import Catalogs
from thorp.voxel.society.listeners import LISTENERS
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.unsaved import BlockChange
from thorp.voxel.state.world import World
from thorp.voxel.tuning import Tuning

STAND = SURFACE + 1

QUIET = Tuning(world_events=False)


def flat_world(catalogs: Catalogs, tuning: Tuning = QUIET, seed: int = 7) -> World:
    """A world in which nothing happens by itself, unless the tuning says otherwise."""
    return World(
        seed=seed,
        draw_seed=seed + 1,
        catalogs=catalogs,
        tuning=tuning,
        terrain=FlatTerrain(catalogs),
        listeners=LISTENERS,
    )


def put_agent(world: World, x: int = 0, z: int = 0, y: int = STAND, **inventory: int) -> Agent:
    """A body at once, without joining."""
    world.counters.agent += 1
    number = world.counters.agent
    agent = Agent(
        number, f"A{number}", f"test{number}", x, y, z, (x, z), world.tick, dict(inventory)
    )
    agent.attached = True
    agent.seen_biomes = [world.ground.biome(x, z)]
    return world.agents.put(agent)


def put_block(world: World, x: int, y: int, z: int, name: str) -> None:
    """Change the ground without rules; only the tick's scratch notes it."""
    before, block = world.ground.block(x, y, z), world.catalogs.block_number[name]
    world.ground.put(x, y, z, block)
    world.scratch.block_changes.append(BlockChange("TEST", "TEST", (x, y, z), before, block))


def events(agent: Agent, kind: str | None = None) -> list[dict[str, object]]:
    """All events the agent ever got that are still kept, decoded; only of one kind if given."""
    decoded = [msgspec.json.decode(event.text) for event in agent.event_log.since(0)]
    return [event for event in decoded if kind in (None, event["type"])]

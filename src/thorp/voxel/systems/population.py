"""Who is in the world: joining, coming back, leaving, and guests who never did anything."""

from __future__ import annotations

from typing import Final

from thorp.voxel.agent import Agent
from thorp.voxel.inputs import Attach, Detach, Join
from thorp.voxel.society import deeds, land, zones
from thorp.voxel.spawns import find_spawn
from thorp.voxel.world import World

GUESTS_EVERY: Final = 50


def is_full(world: World) -> bool:
    return len(world.agents) >= world.tuning.population_cap


def join(world: World, entry: Join) -> None:
    """A new body at its spawn. `world.joined` says which number it got, or 0 if the world was full."""
    if is_full(world):
        world.joined.append(0)
        return
    world.counters.agent += 1
    number = world.counters.agent
    x, y, z = find_spawn(world, number)
    agent = Agent(
        number, f"A{number}", entry.name, x, y, z, (x, z), world.tick, dict(world.tuning.starter_items)
    )
    agent.token = bytes.fromhex(entry.token)
    agent.attached = True
    world.agents.put(agent)
    world.joined.append(number)
    world.happenings.append({"kind": "JOIN", "agent": agent.id, "name": agent.name})
    zones.announce(world, [agent])
    deeds.arrived(world, agent)


def attach(world: World, entry: Attach) -> None:
    agent = world.agents.get(entry.agent)
    if agent is not None:
        agent.attached = True
        agent.token = bytes.fromhex(entry.token)
        agent.changed()
        zones.announce(world, [agent])


def detach(world: World, entry: Detach) -> None:
    agent = world.agents.get(entry.agent)
    if agent is not None:
        agent.attached = False
        agent.left_tick = world.tick
        agent.changed()
        world.happenings.append({"kind": "LEAVE", "agent": agent.id, "name": agent.name})


def step(world: World) -> None:
    """Bodies of those who came, never acted and went are taken out of the world with what they carry.

    Who was given land stays: somebody must own it.
    """
    if world.tick % GUESTS_EVERY:
        return
    for agent in world.agents:
        away = 0 if agent.attached else world.tick - agent.left_tick
        is_guest = not agent.acted and away >= world.tuning.guest_ticks
        if is_guest and not land.owned_by(world, agent.id):
            land.strike(world, agent.id)
            world.agents.remove(agent.number)

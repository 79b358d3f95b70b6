"""Who is in the world: joining, coming back, leaving, and bodies whose owners do not come back.

    guests     came, never did anything and left: they go after `guest_ticks`, with what they carry
    the gone   did something and left: they stay. Only when the world is full, those go that have been away
               for a season, the longest gone first, a few at a time; what they carry stays where they stood

Who owns land stays, for somebody must. So does, of the gone, who belongs to an organisation, has something on
offer, is party to a contract, or is owed something.
"""

from __future__ import annotations

from typing import Final

from thorp.voxel.agent import Agent
from thorp.voxel.inputs import Attach, Detach, Join, Rescue
from thorp.voxel.society import deeds, land, zones
from thorp.voxel.spawns import find_spawn
from thorp.voxel.systems import items
from thorp.voxel.world import World

GUESTS_EVERY: Final = 50
# As many as come in at once.
ROOM_MADE: Final = 16


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
    agent.attached, agent.came_tick = True, world.tick
    world.agents.put(agent)
    world.joined.append(number)
    world.happenings.append({"kind": "JOIN", "agent": agent.id, "name": agent.name})
    zones.announce(world, [agent])
    deeds.arrived(world, agent)


def attach(world: World, entry: Attach) -> None:
    """Its owner is back. The new token may be lost on its way, so the old one stays good until `confirm`."""
    agent = world.agents.get(entry.agent)
    if agent is not None:
        if entry.proven and agent.fresh:
            agent.token = agent.fresh
        agent.fresh = bytes.fromhex(entry.token)
        agent.attached, agent.came_tick = True, world.tick
        agent.changed()
        zones.announce(world, [agent])


def confirm(world: World, agent: Agent, answered_tick: int) -> None:
    """Void the old token: an ACT that answers an OBS since the owner came back shows that WELCOME arrived."""
    if agent.fresh and answered_tick >= agent.came_tick:
        agent.token, agent.fresh = agent.fresh, b""
        agent.changed()


def rescue(world: World, entry: Rescue) -> None:
    agent = world.agents.get(entry.agent)
    if agent is not None:
        agent.token, agent.fresh = bytes.fromhex(entry.token), b""
        agent.changed()


def detach(world: World, entry: Detach) -> None:
    agent = world.agents.get(entry.agent)
    if agent is not None:
        agent.attached = False
        agent.left_tick = world.tick
        agent.changed()
        world.happenings.append({"kind": "LEAVE", "agent": agent.id, "name": agent.name})


def step(world: World) -> None:
    """Take bodies out of the world whose owners do not come back."""
    if world.tick % GUESTS_EVERY:
        return
    for agent in world.agents:
        is_guest = not agent.acted and _away(world, agent) >= world.tuning.guest_ticks
        if is_guest and not land.owned_by(world, agent.id):
            _remove(world, agent)
    if is_full(world):
        for agent in _gone(world)[:ROOM_MADE]:
            for item, count in sorted(agent.inventory.items()):
                items.drop(world, agent.position, item, count)
            _remove(world, agent)


def _away(world: World, agent: Agent) -> int:
    return 0 if agent.attached else world.tick - agent.left_tick


def _gone(world: World) -> list[Agent]:
    """Those who have been away for a season and whom nobody would miss, the longest gone first."""
    missed = dict.fromkeys(claim.owner for claim in world.claims)
    missed.update(dict.fromkeys(trade.offerer for trade in world.trades))
    for contract in world.contracts:
        if contract.is_live:
            missed.update(dict.fromkeys((*contract.parties, contract.backer)))
    for container in world.containers:
        missed.update(dict.fromkeys(container.owed))
    long = world.tuning.season_length_ticks
    gone = [
        agent
        for agent in world.agents
        if _away(world, agent) >= long and not agent.org and agent.id not in missed
    ]
    return sorted(gone, key=lambda agent: agent.left_tick)


def _remove(world: World, agent: Agent) -> None:
    land.strike(world, agent.id)
    world.agents.remove(agent.number)

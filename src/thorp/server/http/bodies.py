"""An operator's orders about agents' bodies: list them, rescue one with a fresh token, retire one.

An order is an input of the next tick, whether a running server takes it or a command that has
opened the directory itself.
"""

from collections.abc import Callable
from hashlib import sha256

import msgspec

from thorp.kernel.errors import IllegalError
from thorp.server.sockets.resume_token import new_token
from thorp.voxel import Agent, AnyInput, Position, Rescue, World
from thorp.voxel.systems.population import reason_to_keep, retirement

Order = Callable[[World, str], tuple[AnyInput, dict[str, str]]]
"""Given the id or name of a body, makes the input that does something to it, and the answer for
when that is done."""


class Named(msgspec.Struct, frozen=True):
    """The body of an order: whom it is about."""

    agent: str


class Body(msgspec.Struct, frozen=True):
    """One body, and how its owner is."""

    id: str
    name: str
    connected: bool
    asleep: bool
    hidden: bool
    """Whether it is out of sight until its owner comes back; it wakes at the gate then."""
    acted: bool
    away_ticks: int
    """How long its owner has been away."""
    pos: Position


class Listing(msgspec.Struct, frozen=True):
    """All bodies of the world after a tick."""

    tick: int
    agents: list[Body]


def listing(world: World) -> Listing:
    """All bodies, as they are after the last tick."""
    agents = []
    for agent in world.agents:
        body = Body(
            id=agent.id,
            name=agent.name,
            connected=agent.attached,
            asleep=agent.asleep,
            hidden=agent.hidden,
            acted=agent.acted,
            away_ticks=0 if agent.attached else world.tick - agent.left_tick,
            pos=agent.position,
        )
        agents.append(body)
    return Listing(world.tick, agents)


def rescue(world: World, who: str) -> tuple[AnyInput, dict[str, str]]:
    """Give a body a fresh resume token, for an owner that lost its own. Earlier tokens are void."""
    agent = find(world, who)
    token = new_token()
    hashed = sha256(token.encode()).hexdigest()
    return Rescue(agent.number, hashed), {"id": agent.id, "name": agent.name, "token": token}


def retire(world: World, who: str) -> tuple[AnyInput, dict[str, str]]:
    """Remove a body whose owner is away, unless something in the world depends on it."""
    agent = find(world, who)
    why = "its owner is connected" if agent.attached else reason_to_keep(world, agent)
    if why is not None:
        raise IllegalError(f"{agent.id} stays: {why}", code="stays")
    return retirement(world, agent.number), {"id": agent.id, "name": agent.name}


def find(world: World, who: str) -> Agent:
    """The agent with an id, or the only one with a name."""
    agent = world.agent_by_id(who)
    named = [agent] if agent is not None else [each for each in world.agents if each.name == who]
    if not named:
        raise IllegalError(
            f"nobody is called {who!r}; `thorp world agents` lists everyone", code="agent"
        )
    if len(named) > 1:
        ids = ", ".join(each.id for each in named[:8])
        raise IllegalError(
            f"{len(named)} bodies are called {who!r}: give an id ({ids})", code="agent"
        )
    return named[0]

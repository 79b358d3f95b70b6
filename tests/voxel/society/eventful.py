"""Events at will, in a flat world that has no others."""

from __future__ import annotations

from typing import Any

import msgspec

from thorp.voxel.observation.compose import compose
from thorp.voxel.observation.session import Session
from thorp.voxel.society import events
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import WorldEvent
from thorp.voxel.state.world import World

RADIUS = 32


def hold(world: World, event_id: str, ticks: int = 6000) -> WorldEvent:
    """Let an event begin now, at a place of its own choice."""
    if world.director.event is not None:
        events.end(world, world.director.event)
    assert events.begin(world, event_id, world.tick + 6000)
    event = world.director.event
    assert event is not None
    event.ends_tick = world.tick + ticks
    return event


def declare(world: World, event_id: str, x: int = 0, z: int = 0, ticks: int = 6000) -> WorldEvent:
    """Say that an event is going on around a place, without what it would put there."""
    event = WorldEvent(event_id, world.tick, world.tick + ticks, (x, 23, z), RADIUS)
    world.director.event = event
    return event


def obs(world: World, agent: Agent) -> dict[str, Any]:
    """What an agent is shown now."""
    session = Session(agent.number)
    compose(world, [session])
    shown: dict[str, Any] = msgspec.json.decode(session.take() or b"")
    return shown

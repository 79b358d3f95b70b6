"""The active world event: its zone, and what agents are told about it. See
`docs/society-director.md`.

An event without a centre is felt everywhere, as weather is.
"""

from collections.abc import Iterable
from typing import Final

from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import WorldEvent
from thorp.voxel.state.world import WorldState

WEATHER: Final = {"COLD_SNAP": "COLD", "STORM_FRONT": "STORM"}  # The weather that an event brings.


def active(world: WorldState, event_id: str) -> WorldEvent | None:
    """The event with this id, if it is going on."""
    event = world.director.event
    return event if event is not None and event.id == event_id else None


def zone_of(world: WorldState, event_id: str) -> WorldEvent | None:
    """The event with this id, if it is going on and has a zone."""
    event = active(world, event_id)
    return event if event is not None and event.center is not None else None


def covers(event: WorldEvent, x: int, z: int) -> bool:
    """Whether a column is in the zone of an event."""
    center = event.center
    return center is not None and abs(x - center[0]) + abs(z - center[2]) <= event.radius


def announce(world: WorldState, agents: Iterable[Agent]) -> None:
    """Tell agents about the event that is going on, if there is one."""
    event = world.director.event
    if event is not None:
        template = world.catalogs.events[event.id]
        where = {} if event.center is None else {"center": event.center, "radius": event.radius}
        world.emit_to(
            agents,
            "WORLD_EVENT",
            event_id=event.id,
            title=template.title,
            summary=template.description,
            ends_tick=event.ends_tick,
            **where,
        )


def observation_fields(world: WorldState) -> dict[str, object]:
    """What an OBS says about the event, as fields of its `world`."""
    event = world.director.event
    if event is None:
        return {}
    fields: dict[str, object] = {
        "active_event": event.id,
        "active_event_ends_tick": event.ends_tick,
    }
    if event.center is not None:
        fields |= {"active_event_center": event.center, "active_event_radius": event.radius}
    return fields

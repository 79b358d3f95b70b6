"""The director: starts and ends world events, and prefers those that the society needs.

An event has the weight that the catalog gives it, and more if the figures of `society.scores` ask for it.
`docs/society-director.md` has the calendar of the first week.
"""

from collections.abc import Callable
from typing import Final

from thorp.voxel.society import events
from thorp.voxel.society.scores import Metrics, measure
from thorp.voxel.state.world import World, WorldState

FIRST_WEEK: Final = (
    *("MARKET_WEEK", "CRYSTAL_RIFT", "BUILDER_EXPO", "FLOOD_WARNING", "RUINS_GATE"),
    *("BANDIT_CAMP", "CIVIC_VOTE"),
)

# Weights are in thousandths. What asks for more of which events:
FEEDBACK: Final[tuple[tuple[Callable[[Metrics], bool], dict[str, int]], ...]] = (
    (lambda now: now.trade < 400, {"MARKET_WEEK": 250, "BLUEPRINT_FAIR": 150}),
    (lambda now: now.exploration < 300, {"CRYSTAL_RIFT": 200, "RUINS_GATE": 200}),
    (lambda now: now.conflict < 100, {"DEEP_VEIN": 150, "BANDIT_CAMP": 100}),
    (lambda now: now.conflict > 250, {"CIVIC_VOTE": 250, "MARKET_WEEK": 100, "BUILDER_EXPO": 100}),
    (lambda now: now.inequality > 500, {"CIVIC_VOTE": 200, "FLOOD_WARNING": 100}),
    (lambda now: now.infrastructure < 300, {"BUILDER_EXPO": 150, "BLUEPRINT_FAIR": 100}),
)


def step(world: World) -> None:
    director = world.director
    if director.event is not None:
        events.release_changed_cells(world, director.event)
        if world.tick >= director.event.ends_tick:
            events.end(world, director.event)
    if director.event is not None or not world.tuning.world_events:
        return
    day, event_id = world.tick // world.tuning.day_ticks, ""
    if director.next_day <= day < len(FIRST_WEEK):
        director.next_day, event_id = day + 1, FIRST_WEEK[day]
    event_id = event_id or _drawn(world)
    if event_id:
        ends = world.tick + int(world.catalogs.events[event_id].params["duration_ticks"])
        if day < len(FIRST_WEEK):  # with its day at the latest
            ends = min(ends, (day + 1) * world.tuning.day_ticks)
        if events.begin(world, event_id, ends):
            director.last_event = event_id


def _drawn(world: WorldState) -> str:
    if world.tick % world.tuning.director_every_ticks:
        return ""
    wanted = weights(world, measure(world))
    if world.director.next_day < len(FIRST_WEEK):
        wanted.pop(FIRST_WEEK[world.director.next_day], None)  # that of tomorrow
    drawn = world.draws.below(sum(wanted.values()), tick=world.tick, subject="world", purpose="event")
    for event_id, weight in wanted.items():
        drawn -= weight
        if drawn < 0:
            return event_id
    raise AssertionError("less than all of it was drawn")


def weights(world: WorldState, now: Metrics) -> dict[str, int]:
    """How much each event is wanted, in thousandths and in order of their ids."""
    wanted = {
        template.id: round(1000 * template.base_weight)
        for template in world.catalogs.events.values()
        if template.id != world.director.last_event
    }
    for asks, more in FEEDBACK:
        if asks(now):
            for event_id, weight in more.items():
                if event_id in wanted:
                    wanted[event_id] += weight
    return wanted

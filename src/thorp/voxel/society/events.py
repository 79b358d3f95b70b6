"""World events: which begins when, where each of the twelve takes place, what it puts there, and
how that is taken away again.

The director starts and ends them, and prefers those that society needs. The catalog has an event's
weight, title, duration, radius and the contents of its chest; `EFFECTS` has the blocks it puts up.
Everything else that an event does is a rule of another module that asks `lookups.event_zones`:

    movement, survival    flood, blight, bandits; weather
    society.deeds         goals, extra ore, fun
    society.trades        half the tax

`docs/society-director.md` has the calendar of the first week, and says which places are chosen.
Events never build on what an agent made.
"""

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Final, NamedTuple

from thorp.voxel.catalog import EventTemplate
from thorp.voxel.lookups import event_zones, land
from thorp.voxel.lookups.spawn_points import standing
from thorp.voxel.society import boards
from thorp.voxel.society.scores import Metrics, measure
from thorp.voxel.state.agent import MAX_STAMINA
from thorp.voxel.state.ground import Position
from thorp.voxel.state.records import Changed, WorldEvent
from thorp.voxel.state.world import World, WorldState, block_id
from thorp.voxel.systems.blocks import REPLACEABLE, change_block
from thorp.voxel.systems.movement import STEP_STAMINA
from thorp.voxel.systems.survival import RECOVERY

FIRST_WEEK: Final = (
    *("MARKET_WEEK", "CRYSTAL_RIFT", "BUILDER_EXPO", "FLOOD_WARNING", "RUINS_GATE"),
    *("BANDIT_CAMP", "CIVIC_VOTE"),
)

# Conditions of society, and how much weight each adds to which events, in thousandths.
FEEDBACK: Final[tuple[tuple[Callable[[Metrics], bool], dict[str, int]], ...]] = (
    (lambda now: now.trade < 400, {"MARKET_WEEK": 250, "BLUEPRINT_FAIR": 150}),
    (lambda now: now.exploration < 300, {"CRYSTAL_RIFT": 200, "RUINS_GATE": 200}),
    (lambda now: now.conflict < 100, {"DEEP_VEIN": 150, "BANDIT_CAMP": 100}),
    (lambda now: now.conflict > 250, {"CIVIC_VOTE": 250, "MARKET_WEEK": 100, "BUILDER_EXPO": 100}),
    (lambda now: now.inequality > 500, {"CIVIC_VOTE": 200, "FLOOD_WARNING": 100}),
    (lambda now: now.infrastructure < 300, {"BUILDER_EXPO": 150, "BLUEPRINT_FAIR": 100}),
)

# How many places are tried. Each try looks at a few columns, seldom at a chunk that must be made.
TRIES: Final = 32
# An event is at least this far from the agent that it is drawn around, and up to SPREAD farther.
NEAR: Final = 16
SPREAD: Final = 112
# How far a harmful event keeps away from everyone; in the first half of the tries its whole zone
# does.
CLEARANCE: Final = 8
# An event may be a quarter of the way that a body can walk before it ends: ways are longer than
# they look, and there must be time to do something at their end.
SHARE_OF_WALK: Final = 4

WORLD: Final = "WORLD"  # The actor of an event's changes and posts.

# The blocks on which an event may put things up.
SOIL: Final = ("GRASS", "DIRT", "SAND", "STONE", "GRAVEL")
# The blocks that ore may replace; at least half of a vein must find such a place.
ROCK: Final = ("STONE", "COAL_ORE", "COPPER_ORE", "CRYSTAL_ORE", "IRON_ORE")
# How far above and below its centre an event looks for soil that it turns to gravel: trees and
# bushes may stand on it.
ROUGH: Final = 6

Plan = dict[Position, int]  # The block that an event puts into each cell.
Offset = tuple[int, int]  # In x and z, from the centre of an event.

_SQUARE: Final = tuple((dx, dz) for dx in range(-1, 2) for dz in range(-1, 2))
_LARGE_SQUARE: Final = tuple((dx, dz) for dx in range(-2, 3) for dz in range(-2, 3))
_RING: Final = tuple((dx, dz) for dx, dz in _LARGE_SQUARE if 2 in (abs(dx), abs(dz)))
_DISC: Final = tuple(
    (dx, dz) for dx in range(-3, 4) for dz in range(-3, 4) if dx * dx + dz * dz <= 10
)
_BOARD_AND_SIGN: Final[dict[Offset, str]] = {(0, 0): "BULLETIN_BOARD", (1, 0): "SIGN"}
_NOTHING: Final[dict[Offset, str]] = {}


def step(world: World) -> None:
    """End the event that is over, then begin the next if one is due or drawn."""
    director = world.director
    if director.event is not None:
        release_changed_cells(world, director.event)
        if world.tick >= director.event.ends_tick:
            end(world, director.event)
    if director.event is not None or not world.tuning.world_events:
        return
    day = world.tick // world.tuning.day_ticks
    event_id = ""
    if director.next_day <= day < len(FIRST_WEEK):
        director.next_day = day + 1
        event_id = FIRST_WEEK[day]
    event_id = event_id or _draw_event(world)
    if event_id:
        ends = world.tick + int(world.catalogs.events[event_id].params["duration_ticks"])
        if day < len(FIRST_WEEK):  # an event of the first week ends with its day at the latest
            ends = min(ends, (day + 1) * world.tuning.day_ticks)
        if begin(world, event_id, ends):
            director.last_event = event_id


def _draw_event(world: WorldState) -> str:
    if world.tick % world.tuning.director_every_ticks:
        return ""
    wanted = weights(world, measure(world))
    if world.director.next_day < len(FIRST_WEEK):
        wanted.pop(FIRST_WEEK[world.director.next_day], None)  # it comes tomorrow anyway
    drawn = world.draws.below(
        sum(wanted.values()), tick=world.tick, subject="world", purpose="event"
    )
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


# Where an event takes place


def _find_site(
    world: World, template: EventTemplate, event: WorldEvent
) -> tuple[Position, Plan] | None:
    radius = event.radius
    hurts = EFFECTS[event.id].hurts
    people = [agent for agent in world.agents if agent.attached] or list(world.agents)
    around = [(agent.x, agent.z) for agent in people] or [(0, 0)]
    far = walking_distance(event.ends_tick - world.tick) // SHARE_OF_WALK
    for number in range(TRIES):
        kept = (radius if number < TRIES // 2 else 0) + CLEARANCE if hurts else 0
        near = min(max(NEAR, kept), far)
        x, z = _drawn_column(
            world, event.id, number, around=around, near=near, far=min(near + SPREAD, far)
        )
        inside = max(abs(x), abs(z)) + radius <= world.tuning.world_boundary_r
        if inside and (not kept or _is_deserted(world, x, z, kept)):
            y = standing(world, x, z)
            plan = None if y is None else layout(world, template, (x, y, z))
            if y is not None and plan is not None and _is_free(world, plan):
                return (x, y, z), plan
    return None


def walking_distance(ticks: int) -> int:
    """How many steps a rested body can take in this time."""
    return min(ticks, (MAX_STAMINA + RECOVERY * ticks) // STEP_STAMINA)


def _drawn_column(
    world: WorldState,
    event_id: str,
    number: int,
    *,
    around: list[tuple[int, int]],
    near: int,
    far: int,
) -> tuple[int, int]:
    """A column whose distance, along the axes, from one of those in `around` is between near and
    far."""
    # Four draws for each try. The order of their indexes is a rule: another order gives other
    # events.
    draw = partial(world.draws.below, tick=world.tick, subject=event_id, purpose="event place")
    first = 4 * number
    x, z = around[draw(len(around), index=first)]
    distance = near + draw(far - near + 1, index=first + 1)
    dx = draw(2 * distance + 1, index=first + 2) - distance
    dz = distance - abs(dx)
    return x + dx, z + (dz if draw(2, index=first + 3) else -dz)


def _is_deserted(world: WorldState, x: int, z: int, reach: int) -> bool:
    """Whether nobody stands, lives or owns land within reach."""
    seen = [agent for agent in world.agents if not agent.hidden]
    places = [place for agent in seen for place in ((agent.x, agent.z), agent.home)]
    if any(abs(px - x) + abs(pz - z) < reach for px, pz in places):
        return False
    return land.overlapping(world, (x, 0, z), reach) is None


def _is_free(world: World, plan: Plan) -> bool:
    """Whether all cells of a plan are inside the world, unclaimed and as they were made, and nobody
    stands where a solid block comes."""
    solid = world.catalogs.solid
    for cell, block in plan.items():
        if not world.ground.inside(*cell) or land.at(world, cell[0], cell[2]) is not None:
            return False
        if solid[block] and world.bodies_in(cell):
            return False
    return world.ground.is_untouched(plan)


class Effect(NamedTuple):
    """The blocks that an event puts around its centre."""

    standing: dict[Offset, str] = _NOTHING  # On the ground, which must be level there.
    inside: tuple[Offset, ...] = ()  # Further cells where the ground must be level and free.
    veins: tuple[str, ...] = ()
    """Ores that fill, in turn, a box deep below, which the catalog describes."""
    turns_soil: tuple[Offset, ...] = ()  # Where the topmost soil becomes gravel.
    hurts: bool = False


EFFECTS: Final[dict[str, Effect]] = {
    "BANDIT_CAMP": Effect(
        standing={**dict.fromkeys(_RING, "BRICK"), (0, 0): "CHEST", (3, 0): "SIGN"},
        inside=_LARGE_SQUARE,
        hurts=True,
    ),
    "BLIGHT_ZONE": Effect(standing=_BOARD_AND_SIGN, turns_soil=_DISC, hurts=True),
    "BLUEPRINT_FAIR": Effect(standing=_BOARD_AND_SIGN),
    "BUILDER_EXPO": Effect(standing=_BOARD_AND_SIGN),
    "CIVIC_VOTE": Effect(standing=_BOARD_AND_SIGN),
    "COLD_SNAP": Effect(),
    "CRYSTAL_RIFT": Effect(veins=("CRYSTAL_ORE",)),
    "DEEP_VEIN": Effect(veins=("COPPER_ORE", "IRON_ORE")),
    "FLOOD_WARNING": Effect(
        standing={**dict.fromkeys(_LARGE_SQUARE, "WATER"), **_BOARD_AND_SIGN}, hurts=True
    ),
    "MARKET_WEEK": Effect(standing=_BOARD_AND_SIGN),
    "RUINS_GATE": Effect(standing={**dict.fromkeys(_SQUARE, "BRICK"), (0, 0): "CHEST"}),
    "STORM_FRONT": Effect(),
}


def begin(world: World, event_id: str, ends_tick: int) -> bool:
    """Begin an event. Returns False, and has done nothing, if there is no place for it."""
    template = world.catalogs.events[event_id]
    event = WorldEvent(id=event_id, start_tick=world.tick, ends_tick=ends_tick)
    plan: Plan = {}
    if "radius" in template.params:
        event.radius = int(template.params["radius"])
        site = _find_site(world, template, event)
        if site is None:
            return False
        event.center, plan = site
    world.director.event = event
    for position, block in plan.items():
        event.changed.append(Changed(position, world.ground.block(*position), block))
        change_block(world, position, block, actor=WORLD, reason=f"EVENT:{event_id}")
    _furnish(world, template, plan)
    if event_id in event_zones.WEATHER:
        world.weather = event_zones.WEATHER[event_id]
        world.weather_until = ends_tick
    event_zones.announce(world, world.agents)
    world.publish("WORLD_EVENT", event_id=event_id, pos=event.center, on=True)
    return True


def end(world: World, event: WorldEvent) -> None:
    """End an event, and put back its cells that nobody has changed."""
    for row in reversed(event.changed):
        if world.ground.block(*row.position) == row.after:
            change_block(world, row.position, row.before, actor=WORLD, reason=f"EVENT:{event.id}")
    if event.id in event_zones.WEATHER:
        world.weather = "CLEAR"
        world.weather_until = 0
    world.director.event = None
    world.publish("WORLD_EVENT", event_id=event.id, pos=event.center, on=False)


def release_changed_cells(world: World, event: WorldEvent) -> None:
    """Forget the cells of an event that were changed in this tick, so that its end leaves them
    alone."""
    changed = {change.position for change in world.scratch.block_changes}
    if changed and any(row.position in changed for row in event.changed):
        event.changed = [row for row in event.changed if row.position not in changed]


# What an event puts there


def layout(world: WorldState, template: EventTemplate, center: Position) -> Plan | None:
    """The cells that an event would change around a centre; None if it does not fit there."""
    effect = EFFECTS[template.id]
    number = world.catalogs.block_number
    x, y, z = center
    if not all(
        _is_level(world, (x + dx, y, z + dz)) for dx, dz in (*effect.standing, *effect.inside)
    ):
        return None
    plan: Plan = {}
    for dx, dz in effect.turns_soil:
        soil = _soil_of(world, x + dx, y, z + dz)
        if soil is not None:
            plan[soil] = number["GRAVEL"]
    for (dx, dz), name in effect.standing.items():
        plan[x + dx, y, z + dz] = number[name]
    if effect.veins:
        vein = _vein(world, template, effect.veins, x, z)
        if vein is None:
            return None
        plan |= vein
    return plan


def _is_level(world: WorldState, cell: Position) -> bool:
    x, y, z = cell
    blocks = world.catalogs.blocks
    block_at = world.ground.block
    return blocks[block_at(x, y, z)].id in REPLACEABLE and blocks[block_at(x, y - 1, z)].id in SOIL


def _soil_of(world: WorldState, x: int, y: int, z: int) -> Position | None:
    """The topmost soil of a column, if it is at most ROUGH above or below the centre and rests on
    something solid."""
    column = world.ground.column(x, z)
    blocks = world.catalogs.blocks
    for height in range(min(y + ROUGH, len(column) - 1), max(1, y - ROUGH), -1):
        if blocks[column[height]].id in SOIL:
            return (x, height, z) if world.catalogs.solid[column[height - 1]] else None
    return None


def _vein(
    world: WorldState, template: EventTemplate, ores: tuple[str, ...], x: int, z: int
) -> Plan | None:
    width, height, depth = template.params["size"]
    bottom = int(template.params["min_y"])
    blocks = world.catalogs.blocks
    block_at = world.ground.block
    number = world.catalogs.block_number
    plan: Plan = {}
    for dy, dz, dx in product(range(height), range(depth), range(width)):
        cell = (x + dx - width // 2, bottom + dy, z + dz - depth // 2)
        if blocks[block_at(*cell)].id in ROCK:
            plan[cell] = number[ores[(dx + dy + dz) % len(ores)]]
    return plan if 2 * len(plan) >= width * height * depth else None


def _furnish(world: World, template: EventTemplate, plan: Plan) -> None:
    theme = template.params.get("theme")
    text = template.description if theme is None else f"{template.description} The theme: {theme}."
    for position in plan:
        if position in world.containers:
            world.containers[position].stock = dict(template.params.get("loot", {}))
            world.containers.touch(position)
        elif position in world.boards:
            boards.publish(world, block_id(boards.BLOCK, position), WORLD, template.title, text)
        elif position in world.signs:
            sign = world.signs[position]
            sign.text = f"{template.title}: {text}"
            sign.updated_tick = world.tick
            sign.updated_by = WORLD
            world.signs.touch(position)

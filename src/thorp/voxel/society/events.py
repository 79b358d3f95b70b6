"""The twelve events: what each puts into the world, and how it is taken away again.

What an event is called, how long it lasts, how far it is felt and what its chest holds is in the catalog;
here is what stands where. Everything else it does is a rule of somebody else that asks `society.zones`:

    movement, survival    flood, blight, bandits; weather
    society.deeds         goals, extra ore, fun
    society.trades        half the tax

An event that ends puts back every cell it changed, unless somebody has changed it since. What is then in its
chest lies about for a while.
"""

from __future__ import annotations

from itertools import product
from typing import Final, NamedTuple

from thorp.voxel.catalog import EventTemplate
from thorp.voxel.society import boards, event_sites, event_zones
from thorp.voxel.society.event_sites import Plan
from thorp.voxel.society.records import Changed, WorldEvent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World, block_id
from thorp.voxel.systems.blocks import change_block

WORLD: Final = "WORLD"
"""Who does all this."""

# What things may stand on, and in.
SOIL: Final = ("GRASS", "DIRT", "SAND", "STONE", "GRAVEL")
FREE: Final = ("AIR", "TALL_GRASS")
# What ore may take the place of; half of a vein at least must find such a place.
ROCK: Final = ("STONE", "COAL_ORE", "COPPER_ORE", "CRYSTAL_ORE", "IRON_ORE")
# Trees may stand on soil that turns to gravel, and bushes. So high above a centre, and below it, is looked.
ROUGH: Final = 6

Offset = tuple[int, int]
_SQUARE: Final = tuple((dx, dz) for dx in range(-1, 2) for dz in range(-1, 2))
_LARGE_SQUARE: Final = tuple((dx, dz) for dx in range(-2, 3) for dz in range(-2, 3))
_RING: Final = tuple((dx, dz) for dx, dz in _LARGE_SQUARE if 2 in (abs(dx), abs(dz)))
_DISC: Final = tuple((dx, dz) for dx in range(-3, 4) for dz in range(-3, 4) if dx * dx + dz * dz <= 10)
_BOARD_AND_SIGN: Final[dict[Offset, str]] = {(0, 0): "BULLETIN_BOARD", (1, 0): "SIGN"}
_NOTHING: Final[dict[Offset, str]] = {}


class Effect(NamedTuple):
    """What an event puts around its centre."""

    standing: dict[Offset, str] = _NOTHING
    """On the ground, which must be level there."""
    inside: tuple[Offset, ...] = ()
    """Where the ground must be level and free as well."""
    veins: tuple[str, ...] = ()
    """Ores, in turn, that fill a box deep below; its size and height are in the catalog."""
    turns_soil: tuple[Offset, ...] = ()
    """Where the topmost soil becomes gravel."""
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
    """Let an event begin. False, and nothing has happened, if there is no place for it."""
    template = world.catalogs.events[event_id]
    event = WorldEvent(event_id, world.tick, ends_tick)
    plan: Plan = {}
    if "radius" in template.params:
        event.radius = int(template.params["radius"])
        found = event_sites.find(
            world,
            event_id,
            ticks=ends_tick - world.tick,
            radius=event.radius,
            hurts=EFFECTS[event_id].hurts,
            layout=lambda world, center: layout(world, template, center),
        )
        if found is None:
            return False
        event.center, plan = found
    world.director.event = event
    for position, block in plan.items():
        event.changed.append(Changed(position, world.ground.block(*position), block))
        change_block(world, position, block, actor=WORLD, reason=f"EVENT:{event_id}")
    _furnish(world, template, plan)
    if event_id in event_zones.WEATHER:
        world.weather, world.weather_until = event_zones.WEATHER[event_id], ends_tick
    event_zones.announce(world, world.agents)
    world.scratch.public_events.append(
        {"kind": "WORLD_EVENT", "event_id": event_id, "pos": event.center, "on": True}
    )
    return True


def end(world: World, event: WorldEvent) -> None:
    """Put things back where nobody has changed them since."""
    for row in reversed(event.changed):
        if world.ground.block(*row.position) == row.after:
            change_block(world, row.position, row.before, actor=WORLD, reason=f"EVENT:{event.id}")
    if event.id in event_zones.WEATHER:
        world.weather, world.weather_until = "CLEAR", 0
    world.director.event = None
    world.scratch.public_events.append(
        {"kind": "WORLD_EVENT", "event_id": event.id, "pos": event.center, "on": False}
    )


def give_up_cells(world: World, event: WorldEvent) -> None:
    """Cells of an event that somebody has changed in this tick are the event's no more."""
    changed = {change.position for change in world.scratch.block_changes}
    if changed and any(row.position in changed for row in event.changed):
        event.changed = [row for row in event.changed if row.position not in changed]


# What goes where


def layout(world: World, template: EventTemplate, center: Position) -> Plan | None:
    """The cells that an event would change around a centre; None if it does not fit there."""
    effect, number = EFFECTS[template.id], world.catalogs.block_number
    x, y, z = center
    if not all(_is_level(world, (x + dx, y, z + dz)) for dx, dz in (*effect.standing, *effect.inside)):
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


def _is_level(world: World, cell: Position) -> bool:
    """Whether something can stand in a cell."""
    x, y, z = cell
    blocks, block_at = world.catalogs.blocks, world.ground.block
    return blocks[block_at(x, y, z)].id in FREE and blocks[block_at(x, y - 1, z)].id in SOIL


def _soil_of(world: World, x: int, y: int, z: int) -> Position | None:
    """The topmost soil of a column, if it is about as high as the centre, and held from below."""
    column, blocks = world.ground.column(x, z), world.catalogs.blocks
    for height in range(min(y + ROUGH, len(column) - 1), max(1, y - ROUGH), -1):
        if blocks[column[height]].id in SOIL:
            return (x, height, z) if world.catalogs.solid[column[height - 1]] else None
    return None


def _vein(world: World, template: EventTemplate, ores: tuple[str, ...], x: int, z: int) -> Plan | None:
    width, height, depth = template.params["size"]
    bottom = int(template.params["min_y"])
    blocks, block_at, number = world.catalogs.blocks, world.ground.block, world.catalogs.block_number
    plan: Plan = {}
    for dy, dz, dx in product(range(height), range(depth), range(width)):
        cell = (x + dx - width // 2, bottom + dy, z + dz - depth // 2)
        if blocks[block_at(*cell)].id in ROCK:
            plan[cell] = number[ores[(dx + dy + dz) % len(ores)]]
    return plan if 2 * len(plan) >= width * height * depth else None


def _furnish(world: World, template: EventTemplate, plan: Plan) -> None:
    """Fill the chest, and say on boards and signs what is going on."""
    theme = template.params.get("theme")
    text = template.description if theme is None else f"{template.description} The theme: {theme}."
    for position in plan:
        if position in world.containers:
            world.containers[position].stock = dict(template.params.get("loot", {}))
            world.containers.touch(position)
        elif position in world.boards:
            board = block_id(boards.BLOCK, position)
            boards.publish(world, board, WORLD, template.title, text)
        elif position in world.signs:
            sign = world.signs[position]
            sign.text, sign.updated_tick, sign.updated_by = f"{template.title}: {text}", world.tick, WORLD
            world.signs.touch(position)

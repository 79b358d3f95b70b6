"""Miners: dig stairs down to where the ores are, and galleries to what is wanted most.

Villagers with nothing else to do quarry stone in the same way: a gallery gives two stones a step.
"""

from typing import Final

from thorp.protocol.obs import Position
from thorp.village import digging
from thorp.village.errands import GUILD, LOAD, has_scarce_goods, is_lunch, surplus
from thorp.village.needs import worth
from thorp.village.thoughts import load, where
from thorp.village.town_plan import MINE
from thorp.village.villager import Script, Villager

# Crystals lie below ten, and a body sees seven cells around it.
GALLERY_Y: Final = 7
QUARRY_Y: Final = 12
# Stairs at the edge of the town lead out of it.
AWAY: Final = (0, -1)
NEAR_ORE: Final = 4
# How much lower than the plaza the ground at an entrance may be.
ENTRANCE_DEPTH: Final = 5
SHIFT_TICKS: Final = 1_000
ORES: Final = {
    "CRYSTAL_SHARD": "CRYSTAL_ORE",
    "COAL": "COAL_ORE",
    "IRON_ORE": "IRON_ORE",
    "COPPER_ORE": "COPPER_ORE",
}
# The ores of which a claim and a terminal are made: wanted until somebody says what is.
FIRST_WANTED: Final = ("CRYSTAL_ORE", "COPPER_ORE", "IRON_ORE")


def make_tools(me: Villager) -> Script[bool]:
    """Make a bench on the spot, and stone tools at it."""
    yield from me.make("CRAFTING_BENCH")
    x, y, z = me.position
    yield from me.place((x + 1, y, z + 1), "CRAFTING_BENCH")
    made = yield from me.make("STONE_PICKAXE")
    yield from me.make("STONE_SHOVEL")
    return made


def wanted_ores(me: Villager) -> tuple[str, ...]:
    """What the store asked for, the scarcest first."""
    if not me.knowledge.wanted:
        return FIRST_WANTED
    return tuple(ORES[item] for item in ORES if me.knowledge.wanted.get(item, 0) > me.have(item))


def heading_of(me: Villager) -> tuple[int, int]:
    """The direction of its next gallery: another one each shift, and not that of its neighbours."""
    return digging.HEADINGS[(me.number + me.knowledge.notes.get("shifts", 0)) % 4]


def entrance(me: Villager) -> Position:
    """Where its stairs begin: miners at home, quarrymen side by side at the mine of the town."""
    if me.trade == "miner" or me.trade in GUILD or me.knowledge.plaza is None:
        return me.knowledge.born or me.position
    return me.knowledge.place(MINE[0] + 3 * (me.number % 8), MINE[1])


def dig_shift(me: Villager) -> Script[bool]:
    """Go down, dig for what is wanted, come up again."""
    depth = GALLERY_Y if me.trade == "miner" else QUARRY_Y
    before = worth(surplus(me))
    if not (yield from go_down(me, depth)):
        forget_stairs(me)
        return False
    yield from dig_for(me, depth, SHIFT_TICKS)
    me.knowledge.notes["shifts"] = me.knowledge.notes.get("shifts", 0) + 1
    me.learn()
    yield from come_up(me)
    return worth(surplus(me)) > before


def go_down(me: Villager, depth: int) -> Script[bool]:
    """By its stairs to the end of its gallery, landing by landing: a far target leads to the grass
    above it.

    Where they are cut off new ones are dug, and where they end above the depth they go on."""
    me.knowledge.notes.pop("came up", None)
    for spot in landings(me):
        if not (yield from me.climb_to(spot)):
            forget_stairs(me)
            break
    if not digging.is_under(me):
        forget_stairs(me)
        yield from me.walk(entrance(me), 2, tries=2)
    return (yield from digging.dig_stairs(me, stairs_heading(me, depth), depth))


def stairs_heading(me: Villager, depth: int) -> tuple[int, int]:
    """Quarrymen dig away from the town: below the land of others everything is denied to the
    guild."""
    if depth != QUARRY_Y:
        return heading_of(me)
    if me.trade not in GUILD or me.knowledge.plaza is None or me.knowledge.born is None:
        return AWAY
    (x, _, z) = me.knowledge.born
    (plaza_x, _, plaza_z) = me.knowledge.plaza
    return digging.towards((x - plaza_x, 0, z - plaza_z))


def landings(me: Villager) -> list[Position]:
    """Its stairs, and the end of its gallery."""
    places = me.knowledge.places
    names = [*(name for name in places if name.startswith(digging.LANDING)), "gallery"]
    return [places[name] for name in names if name in places]


def forget_stairs(me: Villager) -> None:
    """Forget the stairs and the gallery of a mine that it has left for good."""
    for name in [
        name
        for name in me.knowledge.places
        if name.startswith(digging.LANDING) or name == "gallery"
    ]:
        del me.knowledge.places[name]


def dig_for(me: Villager, depth: int, ticks: int) -> Script[None]:
    """Dig galleries until the shift is over or the load is full. The place is remembered, so that
    the work can go on there after an interruption."""
    taboo: dict[Position, None] = {}
    turn = digging.HEADINGS.index(heading_of(me))
    until = me.tick + ticks
    stuck = 0
    while me.tick < until and worth(surplus(me)) < 2 * LOAD and stuck < 8:
        me.knowledge.places["gallery"] = me.position
        if is_lunch(me) or (
            me.tick >= me.postponed_until.get("market", 0) and has_scarce_goods(me)
        ):
            break
        target = next_ore(me, wanted_ores(me), taboo)
        me.intent = f"Digging below, {where(me)}; {load(me)} in my bag."
        if target is not None:
            taboo[target] = None
            me.intent = f"{ore_name(me, target)} ahead, {where(me)}; digging towards it."
            yield from digging.dig_to(me, target)
            yield None
        elif (
            yield from digging.dig_step(me, digging.HEADINGS[turn % 4], down=me.position[1] > depth)
        ):
            stuck = 0
        else:
            turn += 1
            stuck += 1
            yield None
    if stuck >= 8:
        forget_stairs(me)


def next_ore(me: Villager, sought: tuple[str, ...], taboo: dict[Position, None]) -> Position | None:
    """The nearest of the wanted ores in sight, or else any ore close by."""
    for name in (*sought, *ORES.values()):
        for target in me.sight.find_all(name):
            if me.away(target) > NEAR_ORE and name not in sought:
                break
            if target not in taboo and digging.is_within_stairs(me, target):
                return target
    return None


def ore_name(me: Villager, target: Position) -> str:
    """What lies in a cell, as a thought begins with it."""
    return (me.sight.block(target) or "Ore").replace("_", " ").capitalize()


def come_up(me: Villager) -> Script[bool]:
    """Come up by the stairs; if they are cut off or have just led into a pit, dig straight up, and
    all the way."""
    notes = me.knowledge.notes
    if "digging up" not in notes and "came up" not in notes:
        for landing in [None, *reversed(landings(me))]:  # the whole way at once, or by its stairs
            came = yield from (
                me.walk(entrance(me), 3, tries=1) if landing is None else me.climb_to(landing)
            )
            is_there = (
                came and landing is None and me.position[1] >= entrance(me)[1] - ENTRANCE_DEPTH
            )
            if is_there or not digging.is_below(me):
                notes["came up"] = me.tick
                return True
    notes["digging up"] = me.tick
    forget_stairs(me)
    out = yield from digging.dig_out(me, lambda: not digging.is_below(me))
    notes.pop("digging up", None)
    notes.pop("came up", None)
    return out


def lacks_tools(me: Villager) -> bool:
    """Whether it has never had a pickaxe, and could make one."""
    return (
        not me.have("STONE_PICKAXE")
        and "shifts" not in me.knowledge.notes
        and me.have("PLANK") >= 6
    )


def is_ore_wanted(me: Villager) -> bool:
    """Whether the store wants anything that a mine gives."""
    return bool(wanted_ores(me)) or is_stone_wanted(me)


def is_stone_wanted(me: Villager) -> bool:
    """Whether the store wants stone."""
    return me.knowledge.wanted.get("STONE", 0) > 0

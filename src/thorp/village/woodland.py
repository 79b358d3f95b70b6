"""Foresters: fell whole trees, climbing up in the trunk's column on steps of earth, and plant new
ones."""

from typing import Final

from thorp.protocol.obs import Position
from thorp.village.digging import FILLERS, HEADINGS, OPEN, Heading, clear, put_filler, step
from thorp.village.errands import is_lunch, is_stuck
from thorp.village.forage import country, roam
from thorp.village.thoughts import purse
from thorp.village.villager import Script, Villager
from thorp.village.words import amount

CROWN: Final = 2
SHIFT_TICKS: Final = 900
# Logs that are left whole for posts; the others are sawn.
POSTS: Final = 8
LEAVES_A_TREE: Final = 20
ENOUGH_SAPLINGS: Final = 6
EARTH: Final = 8


def trees(me: Villager) -> list[Position]:
    """The lowest logs of the trees in sight, the nearest first. What has no leaves is a
    building."""
    leaves = list(me.sight.find_all("LEAVES"))
    lowest: dict[tuple[int, int], Position] = {}
    for x, y, z in me.sight.find_all("LOG"):
        if any(abs(x - lx) <= CROWN and abs(z - lz) <= CROWN for lx, _, lz in leaves):
            low = lowest.get((x, z))
            if low is None or y < low[1]:
                lowest[x, z] = (x, y, z)
    return list(lowest.values())


def fell_trees(me: Villager) -> Script[bool]:
    """Look for trees for a shift, and take each whole."""
    until = me.tick + SHIFT_TICKS
    before = me.have("LOG")
    taboo: dict[Position, None] = {}
    yield from fetch_earth(me)
    while me.tick < until and not (is_lunch(me) or is_stuck(me)):
        tree = next((tree for tree in trees(me) if tree not in taboo), None)
        if tree is None:
            yield from roam(me, "trees", country(me))
        else:
            taboo[tree] = None
            way = me.knowledge.whereabouts(tree)
            felled = amount("LOG", me.have("LOG"))
            me.intent = f"Felling a tree {way}; {felled} so far{purse(me)}."
            yield from fell(me, tree)
        yield None
    logs = me.have("LOG") - before
    yield from saw(me)
    return logs > 0


def fell(me: Villager, tree: Position) -> Script[bool]:
    """One tree: from beside, then from inside its column, then from steps."""
    x, y, z = tree
    yield from me.walk(tree, 1, tries=1)
    if me.away(tree) > 2:
        return False
    for height in (y, y + 1):
        if me.sight.block((x, height, z)) == "LOG" and me.away((x, height, z)) <= 2:
            yield from me.mine((x, height, z))
    heading = (x - me.position[0], z - me.position[2])
    if heading not in HEADINGS or not (yield from into(me, (x, z), heading)):
        return False
    ground = me.position[1]
    yield from climb_and_cut(me)
    yield from come_down(me, ground)
    while (yield from plant(me)) and me.have("SAPLING") >= ENOUGH_SAPLINGS:
        yield None
    return True


def into(me: Villager, column: tuple[int, int], heading: Heading) -> Script[bool]:
    """Take a step, and say whether it ended in that column."""
    yield from step(me, heading)
    return (me.position[0], me.position[2]) == column


def climb_and_cut(me: Villager) -> Script[None]:
    """Cut what is above; while there is more, stand one higher."""
    leaves = LEAVES_A_TREE
    for _ in range(CROWN + 4):
        x, y, z = me.position
        yield from clear(me, (x, y + 2, z))
        leaves = yield from strip(me, leaves)
        if me.sight.block((x, y + 3, z)) != "LOG" and not (leaves and has_leaves_above(me)):
            return
        if not (yield from rise(me)):
            return


def has_leaves_above(me: Villager) -> bool:
    """Whether there are leaves of this tree that only somebody who stands higher can reach."""
    x, y, z = me.position
    around = [(x + dx, z + dz) for dx in (-1, 0, 1) for dz in (-1, 0, 1)]
    return any(
        me.sight.block((ax, y + rise, az)) == "LEAVES" for ax, az in around for rise in (1, 2, 3)
    )


def rise(me: Villager) -> Script[bool]:
    """Stand one higher in the same column: a block beside, a step up, a block below."""
    for heading in HEADINGS:
        if (yield from rise_beside(me, heading)):
            return True
    return False


def rise_beside(me: Villager, heading: Heading) -> Script[bool]:
    """Come back into the same column one higher, by way of the one beside it."""
    (x, y, z) = me.position
    (dx, dz) = heading
    side = (x + dx, y, z + dz)
    if sum(map(me.have, FILLERS)) < 2 or me.sight.block((side[0], y + 2, side[2])) not in OPEN:
        return False
    if not (yield from clear(me, (side[0], y + 1, side[2]))):
        return False
    if me.sight.block(side) in OPEN and not (yield from put_filler(me, side)):
        return False
    if not (yield from into(me, (side[0], side[2]), heading)) or me.position[1] != y + 1:
        return False
    yield from clear(me, (side[0], y + 3, side[2]))
    if not (yield from put_filler(me, (x, y, z))):
        return False
    return (yield from into(me, (x, z), (-dx, -dz)))


def strip(me: Villager, most: int) -> Script[int]:
    """Take leaves within reach, for saplings."""
    for leaf in [leaf for leaf in me.sight.find_all("LEAVES") if me.away(leaf) <= 2][:most]:
        if (yield from me.mine(leaf)):
            most -= 1
    return most


def come_down(me: Villager, ground: int) -> Script[None]:
    """Dig down what one has climbed up on."""
    for _ in range(CROWN + 4):
        x, y, z = me.position
        if y <= ground:
            return
        for dx, dz in HEADINGS:
            side = (x + dx, y - 1, z + dz)
            if (
                me.sight.block(side) in ("DIRT", "GRASS")
                and me.sight.block((x + dx, y, z + dz)) in OPEN
            ):
                yield from me.mine(side)
        if not (yield from me.mine((x, y - 1, z))):
            return
        yield None


def plant(me: Villager) -> Script[bool]:
    """Plant a sapling next to where it stands, in place of the tree."""
    x, y, z = me.position
    if not me.have("SAPLING"):
        return False
    for dx, dz in HEADINGS:
        cell = (x + dx, y, z + dz)
        below = (x + dx, y - 1, z + dz)
        if me.sight.block(cell) in ("AIR", "TALL_GRASS") and me.sight.block(below) in (
            "DIRT",
            "GRASS",
        ):
            return bool((yield from me.place(cell, "SAPLING")))
    return False


def fetch_earth(me: Villager) -> Script[None]:
    """Blocks to climb on."""
    for cell in list(me.sight.find_all("GRASS", "DIRT")):
        if sum(map(me.have, FILLERS)) >= EARTH:
            return
        below_feet = (cell[0], cell[2]) == (me.position[0], me.position[2])
        if not below_feet and me.away(cell) <= 2 and cell[1] < me.position[1]:
            yield from me.mine(cell)


def saw(me: Villager) -> Script[bool]:
    """Planks of most logs."""
    logs = me.have("LOG") - POSTS
    return logs > 0 and (yield from me.make("PLANK", me.have("PLANK") + 4 * logs))

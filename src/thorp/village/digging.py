"""Digging: stairs that can be walked up again, and galleries to what is seen in the rock.

A step down leaves three cells open in the next column, a level step two, so that the way back is
free for `MOVE_TO`. Where there is no floor, the digger puts a stone there.
"""

from collections.abc import Callable
from typing import Final

from thorp.protocol.obs import Position
from thorp.village.errands import GUILD
from thorp.village.town_plan import CITY_RADIUS
from thorp.village.villager import Script, Villager

Heading = tuple[int, int]
HEADINGS: Final[tuple[Heading, ...]] = ((1, 0), (0, 1), (-1, 0), (0, -1))
OPEN: Final = (
    *("AIR", "TALL_GRASS", "SIGN", "TORCH", "WIRE", "SAPLING"),
    *("BERRY_BUSH", "BERRY_BUSH_BARE", "WHEAT_SPROUT", "WHEAT_RIPE"),
)
# What was made by hands is left alone.
DIGGABLE: Final = (
    *("GRASS", "DIRT", "SAND", "GRAVEL", "STONE", "ICE", "LOG", "LEAVES", "WARREN", "WARREN_EMPTY"),
    *("COAL_ORE", "IRON_ORE", "COPPER_ORE", "CRYSTAL_ORE"),
)
# At this hunger, or if there is no other way, a villager even breaks through walls.
IN_NEED: Final = 4
WALLS: Final = ("PLANK", "BRICK", "GLASS")
# Sand and gravel fall into a hole. There are never more of them than this above a tunnel.
MOST_FALLS: Final = 12
REACH: Final = 2
FILLERS: Final = ("DIRT", "GRASS", "STONE", "PLANK")
# MOVE_TO leads to a column that is near enough, at a height that is near enough. So one step is a
# way to somewhere far ahead that has arrived when it is one column nearer, whatever the height.
STEP_TOLERANCE: Final = 32
# More steps than the view is wide lead somewhere else.
MOST_STEPS: Final = 20
SIGHT: Final = 7
# From the middle of a pit to its rim.
RIM: Final = 4
# Out from below a house.
SIDESTEPS: Final = 5
MOST_FAILURES: Final = 12
LANDING: Final = "landing "
LANDING_EVERY: Final = 4


def dig_step(me: Villager, heading: Heading, down: bool, careful: bool = True) -> Script[bool]:
    """Go one column further, level or one down, through whatever is there. False if that is
    impossible."""
    (x, y, z) = me.position
    (dx, dz) = heading
    side = x + dx, z + dz
    floor = y - 1 if down else y
    if careful and is_someones_way(me, [(side[0], y + 1, side[1]), (side[0], y, side[1])]):
        return False
    for height in range(y + 1, floor - 1, -1):
        if not (yield from clear(me, (side[0], height, side[1]))):
            return False
    below = (side[0], floor - 1, side[1])
    if me.sight.block(below) in OPEN and not (yield from put_filler(me, below)):
        return False
    yield from step(me, heading)
    return (me.position[0], me.position[2]) == side


def put_filler(me: Villager, cell: Position) -> Script[bool]:
    """Something to stand on, in place of what may grow there."""
    filler = me.first_of(FILLERS)
    if me.sight.block(cell) not in ("AIR", "TALL_GRASS") and not (yield from me.mine(cell)):
        return False
    return filler is not None and bool((yield from me.place(cell, filler)))


def is_someones_way(me: Villager, cells: list[Position]) -> bool:
    """Whether the highest block of some is the floor of a gallery: to take it cuts off those
    below."""
    x, y, z = next((cell for cell in cells if me.sight.block(cell) not in OPEN), cells[0])
    return (
        me.sight.block((x, y, z)) not in OPEN
        and me.sight.block((x, y + 1, z)) in OPEN
        and is_under(me)
    )


def is_under(me: Villager) -> bool:
    """Whether there is rock or soil above its head, as far as it sees."""
    x, y, z = me.position
    above = [me.sight.block((x, y + rise, z)) for rise in range(2, SIGHT + 1)]
    return any(block in DIGGABLE and block not in ("LOG", "LEAVES") for block in above)


def is_below(me: Villager) -> bool:
    """Whether it is in a mine, or in a pit: the ground on most sides is higher than it can step."""
    if is_under(me):
        return True
    x, y, z = me.position
    around = [
        (x + RIM * dx, z + RIM * dz) for dx in (-1, 0, 1) for dz in (-1, 0, 1) if (dx, dz) != (0, 0)
    ]
    walls = [
        all(me.sight.block((ax, y + rise, az)) in DIGGABLE for rise in (0, 1)) for ax, az in around
    ]
    return sum(walls) >= len(walls) - 2


def step(me: Villager, heading: Heading) -> Script[None]:
    """Go into the next column, at whatever height that is possible."""
    (x, y, z) = me.position
    (dx, dz) = heading
    ahead = [x + (STEP_TOLERANCE + 1) * dx, y, z + (STEP_TOLERANCE + 1) * dz]
    yield from me.do("MOVE_TO", target=ahead, tolerance=STEP_TOLERANCE, ticks=300)


def clear(me: Villager, cell: Position) -> Script[bool]:
    """Remove the block in a cell, and those that then fall into it."""
    for _ in range(MOST_FALLS):
        if me.sight.block(cell) in OPEN:
            return True
        if is_closed(me, cell):
            return False
        in_need = (me.obs.body.hunger <= IN_NEED or me.trapped > 1) and me.sight.block(
            cell
        ) in WALLS
        if me.sight.block(cell) not in DIGGABLE and not in_need:
            return False
        if not (yield from me.mine(cell)):
            return False
        yield None
    return False


def dig_stairs(me: Villager, heading: Heading, to_y: int) -> Script[bool]:
    """Down to a depth; turns aside where the ground does not allow it. The way is remembered by
    landings."""
    turn = HEADINGS.index(heading)
    failures = 0
    while me.position[1] > to_y:
        if (yield from dig_step(me, HEADINGS[turn % 4], down=True, careful=failures < 4)):
            if me.position[1] % LANDING_EVERY == 0:
                me.knowledge.places[f"{LANDING}{me.position[1]}"] = me.position
                me.learn()
            continue
        failures += 1
        turn += 1
        if failures > MOST_FALLS:
            return False
    return True


def dig_to(me: Villager, target: Position) -> Script[bool]:
    """Dig until a block is within reach, and take it."""
    for _ in range(0 if is_closed(me, target) else MOST_STEPS):
        x, y, z = me.position
        away = target[0] - x, target[1] - y, target[2] - z
        if sum(map(abs, away)) <= REACH:
            return bool((yield from me.mine(target)))
        if not (yield from dig_step(me, towards(away), down=away[1] < 0)):
            return False
    return False


def is_within_stairs(me: Villager, target: Position) -> bool:
    """Whether steps down towards a block arrive at its height before they are below or above it."""
    x, y, z = me.position
    aside = abs(target[0] - x) + abs(target[2] - z)
    return -aside <= target[1] - y <= REACH


def dig_up(me: Villager, heading: Heading, careful: bool = True) -> Script[bool]:
    """One column further and one up. What is above the next column is only in reach from inside
    it."""
    (x, y, z) = me.position
    (dx, dz) = heading
    side = x + dx, z + dz
    if (
        is_someones_way(me, [(side[0], y, side[1])])
        and me.sight.block((side[0], y + 2, side[1])) in OPEN
    ):
        yield from step(me, heading)
        return me.position[1] > y
    if not (yield from dig_step(me, heading, down=False, careful=careful)):
        return False
    if not (yield from clear(me, (side[0], me.position[1] + 2, side[1]))):
        return False
    if not (yield from dig_step(me, (-dx, -dz), down=False, careful=careful)):
        return False
    if not (yield from clear(me, (x, y + 2, z))) or not (
        yield from put_filler(me, (side[0], y, side[1]))
    ):
        return False
    yield from step(me, heading)
    return me.position[1] > y


def dig_out(me: Villager, is_out: Callable[[], bool]) -> Script[bool]:
    """Climb out between two columns, filling the cells below; somewhere else if a house is
    above."""
    turn = me.number
    failures = 0
    while not is_out() and failures < MOST_FAILURES and not is_denied(me):
        if (yield from dig_up(me, HEADINGS[turn % 4], careful=failures < 4)):
            turn += 2
            continue
        turn += 1
        failures += 1
        if failures % 4 == 0:
            turn += 1
            for _ in range(SIDESTEPS):
                yield from dig_step(me, HEADINGS[turn % 4], down=False, careful=False)
    return is_out()


def is_closed(me: Villager, cell: Position) -> bool:
    """Whether a cell is the city's: a guildsman who tries to take something there too often is
    wanted."""
    if me.trade not in GUILD or me.knowledge.plaza is None:
        return False
    x, _, z = me.knowledge.plaza
    return max(abs(cell[0] - x), abs(cell[2] - z)) <= CITY_RADIUS


def is_denied(me: Villager) -> bool:
    """Whether this is others' land: an agent that goes on digging there is soon wanted."""
    return me.refusal.get("code") == "E_NO_PERMISSION"


def dig_towards(me: Villager, target: Position) -> Script[None]:
    """Dig some columns nearer to a place, up through whatever is in the way or down a cliff."""
    for _ in range(MOST_STEPS):
        if is_denied(me):
            return
        before = x, y, z = me.position
        dx = target[0] - x
        dz = target[2] - z
        for heading in sorted(HEADINGS, key=lambda side: -side[0] * dx - side[1] * dz)[:2]:
            yield from step(me, heading)
            ahead = [
                me.sight.block((x + heading[0], y + rise, z + heading[1])) for rise in (1, 0, -1)
            ]
            if me.position == before and all(block in OPEN for block in ahead):
                yield from me.mine((x, y - 1, z))
                yield None
            elif me.position == before and not (yield from dig_up(me, heading, careful=False)):
                yield from dig_step(me, heading, down=False, careful=False)
            if me.position != before:
                break
        else:
            return


def towards(away: Position) -> Heading:
    """The heading that brings one closest to a cell that is so far away on each axis."""
    dx, _, dz = away
    if abs(dx) >= abs(dz):
        return (1 if dx >= 0 else -1, 0)
    return (0, 1 if dz > 0 else -1)

"""A miner: digs stairs from its home down to where the crystals are, and sells what it finds to the smith."""

from __future__ import annotations

from typing import Final

from thorp.bridges.village.digging import HEADINGS, dig_stairs, dig_step, dig_to, dig_up, is_within_stairs
from thorp.bridges.village.life import home, to_plaza
from thorp.bridges.village.neighbours import provide
from thorp.bridges.village.plan import ORE_PRICES
from thorp.bridges.village.villager import LOOK_AGAIN_TICKS, Script, Villager
from thorp.protocol.obs import Position

SMITH: Final = "Bram"
# Crystals lie below ten, and a body sees seven cells around it.
GALLERY_Y: Final = 7
# How many of each the village needs; together the miners find some more.
CRYSTALS: Final = 3
WANTED: Final = {"COPPER_ORE": 2, "IRON_ORE": 3}
NEAR_ORE: Final = 4
# What a miner keeps.
OWN: Final = {"COAL": 10}
LONG_SHIFT: Final = 9_000
SHORT_SHIFT: Final = 1_500
DAILY_ORES: Final = ("IRON_ORE", "COAL_ORE")
ORES_A_DAY: Final = 3
DAY_TICKS: Final = 6_000
FIRST_SHIFT_DAY: Final = 2
# From the bottom of the world to the grass, with some detours.
MOST_LEVELS: Final = 60


def make_tools(me: Villager) -> Script[None]:
    yield from me.make("CRAFTING_BENCH")
    x, y, z = me.position
    yield from me.place((x + 1, y, z + 1), "CRAFTING_BENCH")
    yield from me.make("STONE_PICKAXE")
    yield from me.make("STONE_SHOVEL")


def sink_stairs(me: Villager) -> Script[None]:
    yield from dig_stairs(me, heading_of(me), GALLERY_Y)


def heading_of(me: Villager) -> tuple[int, int]:
    return HEADINGS[int(me.obs.agent_id[1:]) % 4]


def find_crystals(me: Villager) -> Script[None]:
    yield from dig_for(me, ("CRYSTAL_ORE",), CRYSTALS, LONG_SHIFT)


def dig_for(me: Villager, sought: tuple[str, ...], enough: int, ticks: int) -> Script[None]:
    """Dig galleries until there was enough of some ores, and take others on the way."""
    taboo: dict[Position, None] = {}
    found, turn, until = 0, HEADINGS.index(heading_of(me)), me.tick + ticks
    while found < enough and me.tick < until:
        target = next_ore(me, sought, taboo)
        if target is not None:
            taboo[target] = None
            is_sought = me.sight.block(target) in sought
            if (yield from dig_to(me, target)) and is_sought:
                found += 1
            yield None
            if is_sought:
                yield from sell(me)
        elif not (yield from dig_step(me, HEADINGS[turn % 4], down=me.position[1] > GALLERY_Y)):
            turn += 1
            yield from me.wait(10)


def next_ore(me: Villager, sought: tuple[str, ...], taboo: dict[Position, None]) -> Position | None:
    """The nearest of what is sought, as far as one sees, or another ore that is wanted and near."""
    for name in (*sought, *(ore for ore, count in WANTED.items() if me.have(ore) < count)):
        for target in me.sight.find_all(name):
            x, y, z = me.position
            away = abs(target[0] - x) + abs(target[1] - y) + abs(target[2] - z)
            if away > NEAR_ORE and name not in sought:
                break
            if target not in taboo and target not in me.notebook.taken and is_within_stairs(me, target):
                me.notebook.taken.append(target)
                return target
    return None


def sell(me: Villager) -> Script[None]:
    """All that was found, for what it costs among neighbours."""
    goods = {item: spare for item in ORE_PRICES if (spare := me.have(item) - OWN.get(item, 0)) > 0}
    if goods:
        price = sum(count * ORE_PRICES[item] for item, count in goods.items())
        yield from me.offer(SMITH, goods, {"PLANK": price})
        yield from me.wait(2 * LOOK_AGAIN_TICKS)


def come_up(me: Villager) -> Script[None]:
    """By the stairs; where they are cut off, by new ones."""
    turn = HEADINGS.index(heading_of(me))
    for _ in range(MOST_LEVELS):
        if (yield from me.walk(home(me), 3, tries=1)):
            break
        if not (yield from dig_up(me, HEADINGS[turn % 4])):
            turn += 1
    yield from sell(me)


def everyday(me: Villager) -> Script[None]:
    """Company in the village, and from the third day on a short shift each day, by new stairs."""
    yield from provide(me)
    yield from sell(me)
    yield from to_plaza(me, near=5)
    yield from me.wait(400)
    yield from me.walk(home(me), 3)
    day, shift = me.tick // DAY_TICKS, f"shift of {me.name}"
    if day >= FIRST_SHIFT_DAY and me.notebook.done.get(shift) != day:
        me.notebook.done[shift] = day
        turned = (HEADINGS.index(heading_of(me)) + day) % 4
        yield from dig_stairs(me, HEADINGS[turned], GALLERY_Y)
        yield from dig_for(me, DAILY_ORES, ORES_A_DAY, SHORT_SHIFT)
        yield from come_up(me)
    yield from me.wait(400)


CHAPTERS: Final = (make_tools, sink_stairs, find_crystals, come_up)

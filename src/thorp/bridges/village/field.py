"""The common field, south of the plaza: farmers sow, reap, sow again, and bake bread of the wheat."""

from typing import Final

from thorp.bridges.village.errands import go_to, hand_over
from thorp.bridges.village.forage import gather
from thorp.bridges.village.town_plan import FIELD
from thorp.bridges.village.villager import Script, Villager
from thorp.protocol.obs import Position

SOIL: Final = ("GRASS", "DIRT")
FREE: Final = ("AIR", "TALL_GRASS")
STAND_EVERY: Final = 4
PLACE_REACH: Final = 6
FEW_SEEDS: Final = 6
SEEDS_A_TRIP: Final = 12
WHEAT_FOR_BREAD: Final = 3
BATCH: Final = 12


def stands(me: Villager) -> list[Position]:
    """From where a farmer sees and reaches the whole field, beginning with its own part."""
    west, north, east, south = FIELD
    middle = (north + south) // 2
    places = [me.knows.place(dx, middle) for dx in range(west + 2, east + 1, STAND_EVERY)]
    first = me.number % len(places)
    return places[first:] + places[:first]


def is_field(me: Villager, cell: Position) -> bool:
    x, _, z = me.knows.place(0, 0)
    west, north, east, south = FIELD
    return west <= cell[0] - x <= east and north <= cell[2] - z <= south


def tend(me: Villager) -> Script[bool]:
    """Go over the field, reap what is ripe and sow what is bare; look for seeds if there are none."""
    done = 0
    for stand in stands(me):
        yield from me.walk(stand, 1, tries=1)
        done += yield from reap(me)
        done += yield from sow(me)
    if me.have("SEEDS") < FEW_SEEDS:
        done += yield from gather(me, "seeds", "TALL_GRASS", item="SEEDS", enough=SEEDS_A_TRIP)
    return done > 0


def reap(me: Villager) -> Script[int]:
    done = 0
    for cell in [cell for cell in me.sight.find_all("WHEAT_RIPE") if is_field(me, cell)]:
        if me.sight.block(cell) == "WHEAT_RIPE":
            yield from me.walk(cell, 1, tries=1)
            is_there = me.away(cell) <= 2 and me.sight.block(cell) == "WHEAT_RIPE"
            if is_there and (yield from me.mine(cell)):
                done += 1
                yield from me.place(cell, "SEEDS")
    return done


def sow(me: Villager) -> Script[int]:
    done = 0
    for x, y, z in list(me.sight.find_all(*SOIL)):
        cell = (x, y + 1, z)
        if not me.have("SEEDS"):
            break
        free = is_field(me, cell) and me.sight.block(cell) in FREE and me.sight.block((x, y + 2, z)) in FREE
        if free and me.away(cell) <= PLACE_REACH and cell != me.position:
            done += bool((yield from me.place(cell, "SEEDS")))
    return done


def has_wheat(me: Villager) -> bool:
    return me.have("WHEAT") >= BATCH and me.knows.knows("bench")


def bake(me: Villager) -> Script[bool]:
    """Bread for the store, at the bench of the plaza."""
    if not (yield from go_to(me, "bench", 1)):
        return False
    yield from me.make("BREAD", me.have("BREAD") + me.have("WHEAT") // WHEAT_FOR_BREAD)
    spare = me.have("BREAD") - 4
    return spare > 0 and (yield from hand_over(me, {"BREAD": spare}))

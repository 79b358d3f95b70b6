"""What grows: berries, seeds and game all over the country, and the wheat of the common field."""

from typing import Final

from thorp.protocol.obs import Position
from thorp.village.digging import is_closed, is_denied
from thorp.village.errands import go_to, hand_over, is_lunch, is_stuck
from thorp.village.thoughts import bag, beside, where
from thorp.village.town_plan import FIELD
from thorp.village.villager import Script, Villager
from thorp.village.words import amount, goods

# Half of what one sees, twice: walking from one of these points to the next misses nothing.
PITCH: Final = 12
SHIFT_TICKS: Final = 500
FULL_BASKET: Final = 40
FEW: Final = 6
PLENTY: Final = 10
_AROUND: Final = [(dx, dz) for dx in range(-5, 6) for dz in range(-5, 6)]
REGROWN_TICKS: Final = 4_000

SOIL: Final = ("GRASS", "DIRT")
FREE: Final = ("AIR", "TALL_GRASS")
STAND_EVERY: Final = 4
PLACE_REACH: Final = 6
FEW_SEEDS: Final = 6
SEEDS_A_TRIP: Final = 12
WHEAT_FOR_BREAD: Final = 3
BATCH: Final = 12


def take_nearest(me: Villager, *names: str, taboo: dict[Position, None]) -> Script[bool]:
    """Take the nearest block of these names. False if there is none in sight, or it is out of
    reach."""
    for target in me.sight.find_all(*names):
        if target in taboo or abs(target[1] - me.position[1]) > 3 or is_shunned(me, target):
            continue
        taboo[target] = None
        yield from me.walk(target, 1, tries=1)
        return me.away(target) <= 2 and bool((yield from me.mine(target)))
    return False


def roam(me: Villager, errand: str, middle: Position) -> Script[None]:
    """Walk to the nearest point that it has not looked at for a while, rather in its own part of
    the land."""
    seen = me.looked_at.setdefault(errand, {})
    here = (round(me.position[0] / PITCH), round(me.position[2] / PITCH))
    seen[here] = me.tick
    around = [(here[0] + dx, here[1] + dz) for dx, dz in _AROUND]
    fresh = [
        (x, z)
        for x, z in around
        if me.tick >= seen.get((x, z), -REGROWN_TICKS) + REGROWN_TICKS
        and not is_shunned(me, (PITCH * x, 0, PITCH * z))
    ]
    if not fresh:
        seen.clear()
        return
    home = (middle[0] / PITCH, middle[2] / PITCH)

    def cost(point: tuple[int, int]) -> float:
        own_taste = (point[0] * 3 + point[1] * 5 + me.number) % 4 / 4
        return 2 * _far(point, here) + _far(point, home) + own_taste

    x, z = min(fresh, key=cost)
    seen[x, z] = me.tick
    yield from me.walk((PITCH * x, middle[1], PITCH * z), 3, tries=1)


def _far(one: tuple[float, float], other: tuple[float, float]) -> float:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def is_shunned(me: Villager, cell: Position) -> bool:
    """Whether nothing is to be had there, or a blight lies on it, in which nobody regains
    strength."""
    world = me.obs.world
    middle = world.active_event_center
    radius = world.active_event_radius
    if (
        world.active_event != "BLIGHT_ZONE"
        or not isinstance(middle, tuple)
        or not isinstance(radius, int)
    ):
        return is_closed(me, cell)
    return abs(cell[0] - middle[0]) + abs(cell[2] - middle[2]) <= radius or is_closed(me, cell)


def country(me: Villager) -> Position:
    """Where its part of the country lies: around the place where it came into the world."""
    return me.knowledge.born or me.position


def pick_berries(me: Villager) -> Script[bool]:
    """Gather berries from bushes."""
    return gather(me, "berries", "BERRY_BUSH", item="BERRIES")


def pick_plenty(me: Villager) -> Script[bool]:
    """A forager's shift; False where the country gave little."""
    before = me.have("BERRIES")
    yield from pick_berries(me)
    return me.have("BERRIES") >= before + PLENTY


def dig_sand(me: Villager) -> Script[bool]:
    """Gather a little sand, for glass."""
    return gather(me, "sand", "SAND", item="SAND", enough=FEW)


def hunt(me: Villager) -> Script[bool]:
    """Gather a little meat from warrens."""
    return gather(me, "game", "WARREN", item="RAW_MEAT", enough=FEW)


def gather(
    me: Villager, errand: str, *names: str, item: str, enough: int = FULL_BASKET
) -> Script[bool]:
    """Look for something that grows, for a while or until the basket is full."""
    until = me.tick + SHIFT_TICKS
    before = me.have(item)
    taboo: dict[Position, None] = {}
    while (
        me.tick < until and me.have(item) < before + enough and not (is_lunch(me) or is_stuck(me))
    ):
        if is_denied(me):
            break
        if me.have(item) > before:
            found = amount(item, me.have(item) - before)
            me.intent = (
                f"{found} so far{beside(me)}; looking for more, {where(me)}, with {bag(me)}."
            )
        if not (yield from take_nearest(me, *names, taboo=taboo)):
            if not any(target not in taboo for target in me.sight.find_all(*names)):
                yield from roam(me, errand, country(me))
            yield None
    return me.have(item) > before


# The common field, south of the plaza


def stands(me: Villager) -> list[Position]:
    """From where a farmer sees and reaches the whole field, beginning with its own part."""
    west, north, east, south = FIELD
    middle = (north + south) // 2
    places = [me.knowledge.place(dx, middle) for dx in range(west + 2, east + 1, STAND_EVERY)]
    first = me.number % len(places)
    return places[first:] + places[:first]


def is_field(me: Villager, cell: Position) -> bool:
    """Whether a cell lies inside the village's field."""
    x, _, z = me.knowledge.place(0, 0)
    west, north, east, south = FIELD
    return west <= cell[0] - x <= east and north <= cell[2] - z <= south


def tend(me: Villager) -> Script[bool]:
    """Go over the field, reap what is ripe and sow what is bare; look for seeds if there are
    none."""
    done = 0
    for stand in stands(me):
        yield from me.walk(stand, 1, tries=1)
        carried = sum(me.inventory.values())
        harvest = goods({item: me.have(item) for item in ("WHEAT", "SEEDS")})
        have = f"I have {harvest} among {carried} things"
        if harvest == goods({}):
            have = f"no wheat yet among the {carried} things in my bag"
        me.intent = f"Reaping and sowing, {where(me)}; {have}."
        done += yield from reap(me)
        done += yield from sow(me)
    if me.have("SEEDS") < FEW_SEEDS:
        done += yield from gather(me, "seeds", "TALL_GRASS", item="SEEDS", enough=SEEDS_A_TRIP)
    return done > 0


def reap(me: Villager) -> Script[int]:
    """Harvest the ripe wheat in sight and sow it again; how many cells that were."""
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
    """Sow the free soil of the field while the seeds last; how many cells that were."""
    done = 0
    for x, y, z in list(me.sight.find_all(*SOIL)):
        cell = (x, y + 1, z)
        if not me.have("SEEDS"):
            break
        free = (
            is_field(me, cell)
            and me.sight.block(cell) in FREE
            and me.sight.block((x, y + 2, z)) in FREE
        )
        if free and me.away(cell) <= PLACE_REACH and cell != me.position:
            done += bool((yield from me.place(cell, "SEEDS")))
    return done


def has_wheat(me: Villager) -> bool:
    """Whether it has wheat enough to bake, and there is a bench to bake at."""
    return me.have("WHEAT") >= BATCH and me.knowledge.has_heard_of("bench")


def bake(me: Villager) -> Script[bool]:
    """Bread for the store, at the bench of the plaza."""
    if not (yield from go_to(me, "bench", 1)):
        return False
    yield from me.make("BREAD", me.have("BREAD") + me.have("WHEAT") // WHEAT_FOR_BREAD)
    spare = me.have("BREAD") - 4
    return spare > 0 and (yield from hand_over(me, {"BREAD": spare}))

"""Plots: land for guests who have done a job, each with a sign that bears its owner's name.

Some are kept ready: looked at by day, with a sign that says that they are free, so that who earns
one at night need not wait for the morning. The first lie in the last lots of the town plan, where
the reeve builds nothing behind a sign; when these are taken, in the corners outside the town's
land, where there is always one more. There no curfew holds, so while there is one in the town,
plots outside are given, and one of those that are ready lies there from the beginning.

What is ready is looked at again every now and then: on a plot where somebody else has built nobody
should find that out who waits.
"""

from collections.abc import Iterator
from itertools import count, islice
from math import atan2
from typing import Final

from thorp.protocol.building_site import FREE, SOIL, find_site
from thorp.protocol.obs import Position
from thorp.village import errands
from thorp.village.groundwork import surface
from thorp.village.guests import owed_plots
from thorp.village.knowledge import Guest
from thorp.village.town_plan import CITY_RADIUS, lots
from thorp.village.villager import Script, Villager

HUT: Final = "hut_small"
PLOT_REACH: Final = 3
"""From the middle of a plot to its edge: room for a hut, and to walk around it."""
PLOT_DEPTH: Final = 3
PLOT_HEIGHT: Final = 8
TOWN_PLOTS: Final = 12
"""The lots that the town plan comes to last."""
PLOT_PITCH: Final = 8
BLOCK: Final = 3
"""Plots on a side of a block: whoever marks out many at once walks from one to the next."""
CORNER: Final = CITY_RADIUS + 2 + PLOT_REACH
"""Where the corners outside the town's land begin. Nobody wakes there, and no road leads there."""
MOST_PLOTS: Final = 2_000
"""For years. Whoever comes after looks for those that became free."""
SPARE_PLOTS: Final = 3
SPARE_OUTSIDE: Final = 1
"""Of them outside the town's land, where a plot is to be had also under curfew."""
FAILED_LOTS: Final = 3
"""After so many lots of the town in a row that could not be given, the town is full."""
LOOK_TICKS: Final = 9_000
"""How old the last look at a spare plot may be."""
LOOK_HOURS: Final = (0.28, 0.7)
MOST_SIGNS: Final = 8
SIGN_PLANKS: Final = 4
"""For one, with its stick."""
SURVEY_TRIES: Final = 12
SEEN: Final = "seen "
FREE_PLOT: Final = "A free plot. Do a job for us, and it is yours."


def _town_plots() -> list[tuple[int, int]]:
    """The middles of the plots in the town, seen from the plaza: one after the other around it."""
    return sorted(list(lots())[-TOWN_PLOTS:], key=lambda lot: atan2(lot[1], lot[0]))


def _outer_plots() -> Iterator[tuple[int, int]]:
    """The middles of the plots outside: a block of them in each corner in turn."""
    for inner in count(step=BLOCK):
        side = range(inner + BLOCK)
        block = [(i, j) for i in side for j in side if max(i, j) >= inner]
        for east, south in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
            for i, j in block:
                yield east * (CORNER + PLOT_PITCH * i), south * (CORNER + PLOT_PITCH * j)


IN_TOWN: Final = tuple(_town_plots())
OUTSIDE: Final = tuple(islice(_outer_plots(), MOST_PLOTS))


def sign_text(agent_id: str, guest: Guest) -> str:
    """What stands on the sign of a plot."""
    return f"{guest.name}'s plot." if guest.name else f"The plot of {agent_id}."


def spare_plots(me: Villager) -> list[str]:
    """The names of plots that are ready for somebody, under which their signs are noted; under
    curfew, of those outside the town."""
    ready = [name for name in me.knowledge.places if name.startswith("plot ")]
    return [name for name in ready if _is_outside(me, name)] if _is_curfew(me) else ready


def _is_curfew(me: Villager) -> bool:
    """Whether nobody may build in the town now, as far as can be told from where it stands."""
    here = me.obs.local_rules
    return here.role == "MEMBER" and not here.permissions.can_build


def _is_outside(me: Villager, name: str) -> bool:
    x, _, z = me.knowledge.places[name]
    east, _, south = me.knowledge.place(0, 0)
    return max(abs(x - east), abs(z - south)) > CITY_RADIUS


def give_plot(me: Villager) -> Script[bool]:
    """Write a guest's name on the sign of a plot. The whisper follows by itself."""
    agent_id = owed_plots(me)[0]
    guest = me.knowledge.guests[agent_id]
    if guest.sign is not None:
        yield from me.wait(1)  # it is being whispered
        return True
    me.intent = f"{guest.name or 'A stranger'} did a job for us; I am marking out a plot."
    for _ in range(SURVEY_TRIES):
        if not spare_plots(me) and not (yield from survey(me)):
            continue
        name = min(spare_plots(me), key=lambda each: me.away(me.knowledge.places[each]))
        sign = me.knowledge.places[name]
        x, y, z = sign
        yield from me.walk(sign, 1)
        if _is_curfew(me) and not _is_outside(me, name):
            continue  # it is seen only now
        _forget(me, name)
        text = sign_text(agent_id, guest)
        is_free = _has_room(me, sign)
        if is_free and (yield from me.do("SET_SIGN", target_id=f"SIGN@{x},{y},{z}", text=text)):
            guest.sign = sign
            yield from me.save()
            return True
    return False


def lacks_plots(me: Villager) -> bool:
    """Whether another plot should be looked for while there is time."""
    is_short = len(spare_plots(me)) < SPARE_PLOTS or _outside(me) < SPARE_OUTSIDE
    return is_short and me.knowledge.has_heard_of("bench", "land")


def _outside(me: Villager) -> int:
    """How many of the plots that are ready lie outside the town."""
    return sum(_is_outside(me, name) for name in spare_plots(me))


def _forget(me: Villager, name: str) -> None:
    """A plot is given away, or cannot be given."""
    del me.knowledge.places[name]
    me.knowledge.notes.pop(f"{SEEN}{name}", None)
    me.learn()


def unseen_plots(me: Villager) -> list[str]:
    """The plots that are ready and were not looked at for long, the longest first."""
    notes = me.knowledge.notes
    ready = sorted(spare_plots(me), key=lambda name: notes.get(f"{SEEN}{name}", 0))
    return [name for name in ready if me.tick >= notes.get(f"{SEEN}{name}", 0) + LOOK_TICKS]


def is_look_due(me: Villager) -> bool:
    """Whether a plot that is ready should be looked at again, by day."""
    return me.is_hour(*LOOK_HOURS) and bool(unseen_plots(me))


def look_after_plot(me: Villager) -> Script[bool]:
    """See whether a plot that is ready still is; if something stands there now, another will be
    looked for."""
    name = unseen_plots(me)[0]
    sign = me.knowledge.places[name]
    me.intent = f"Is the plot {me.knowledge.whereabouts(sign)} still free?"
    if (yield from me.walk(sign, 1, tries=2)) and _is_ready(me, sign):
        me.knowledge.notes[f"{SEEN}{name}"] = me.tick
        me.learn()
    else:
        _forget(me, name)
    return True


def _is_ready(me: Villager, sign: Position) -> bool:
    """Whether the sign of a plot still stands, with room behind it."""
    return me.sight.block(sign) == "SIGN" and _has_room(me, sign)


def survey_in_peace(me: Villager) -> Script[bool]:
    """Get another plot ready, so that the next guest need not wait."""
    for _ in range(SURVEY_TRIES):
        if (yield from survey(me)):
            return True
    return False


def survey(me: Villager) -> Script[bool]:
    """Look at the next plot of the plan, and put up a sign if a hut fits and may be built there."""
    if not (yield from _make_signs(me)):
        return False
    dx, dz = _next_plot(me)
    notes = me.knowledge.notes
    is_lot = (dx, dz) in IN_TOWN
    if is_lot:  # until it is found to be free
        notes["failed lots"] = notes.get("failed lots", 0) + 1
    x, y, z = me.knowledge.place(dx, dz)
    if not (yield from me.walk((x, y, z - 1), 1, tries=2)):
        return False
    z -= PLOT_REACH
    spot = (x, surface(me, x, z) or y, z)
    if not _is_plot(me, spot) or not (yield from me.place(spot, "SIGN")):
        return False
    if not me.is_here(spot, 2):
        yield from me.walk(spot, 2, tries=1)
    yield from me.do("SET_SIGN", target_id=f"SIGN@{spot[0]},{spot[1]},{spot[2]}", text=FREE_PLOT)
    me.knowledge.places[f"plot {dx} {dz}"] = spot
    notes[f"{SEEN}plot {dx} {dz}"] = me.tick
    if is_lot:
        notes["failed lots"] = 0
    yield from me.save()
    return True


def _next_plot(me: Villager) -> tuple[int, int]:
    """The middle of the plot to be looked at next; when all were, of one that may be free again."""
    notes = me.knowledge.notes
    town = notes.get("plots", 0)
    me.learn()
    is_full = town >= len(IN_TOWN) or notes.get("failed lots", 0) >= FAILED_LOTS
    inside = len(spare_plots(me)) - _outside(me)
    if not (is_full or _is_curfew(me) or inside >= SPARE_PLOTS - SPARE_OUTSIDE):
        notes["plots"] = town + 1
        return IN_TOWN[town]
    outer = notes.get("outer plots", 0)
    notes["outer plots"] = outer + 1
    return OUTSIDE[outer % len(OUTSIDE)]


def _make_signs(me: Villager) -> Script[bool]:
    """Have a sign; if there is none, make as many as will soon be needed."""
    if me.have("SIGN"):
        return True
    needed = len(owed_plots(me)) + SPARE_PLOTS - len(spare_plots(me))
    signs = max(1, min(needed, MOST_SIGNS))
    yield from errands.take(me, {"PLANK": SIGN_PLANKS * signs})
    yield from errands.go_to(me, "bench")
    yield from me.make("SIGN", signs)
    return me.have("SIGN") > 0


def _is_plot(me: Villager, sign: Position) -> bool:
    """Whether a sign fits into a cell, and a hut behind it, where a citizen may build."""
    x, y, z = sign
    may_build = me.obs.local_rules.permissions.can_build
    is_open = me.sight.block(sign) in FREE and me.sight.block((x, y - 1, z)) in SOIL
    return may_build and is_open and _has_room(me, sign)


def _has_room(me: Villager, sign: Position) -> bool:
    """Whether a hut fits behind a sign."""
    x, y, z = sign
    hut = [tuple(cell["pos"]) for cell in me.blueprints[HUT]["blocks"]]
    low = (x - PLOT_REACH, z)
    high = (x + PLOT_REACH, z + 2 * PLOT_REACH)
    middle = (x, y, z + PLOT_REACH)
    return find_site(me.sight, hut, near=middle, low=low, high=high, taken=[sign]) is not None

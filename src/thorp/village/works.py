"""Works: contracts at the terminal, from reading them to doing them, and the streets that everybody
paves."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from thorp.village.digging import FILLERS, HEADINGS
from thorp.village.errands import GUILD, buy, go_to, read_terminal, stroll, take, tell
from thorp.village.forage import dig_sand, pick_berries
from thorp.village.groundwork import cells_of, cost_of, dig, prepare, surface
from thorp.village.knowledge import FOR_STRANGERS, Offered
from thorp.village.knowledge import goods as goods_in
from thorp.village.miner import dig_shift
from thorp.village.regard import feel
from thorp.village.thoughts import neighbour, purse, where
from thorp.village.town_plan import CITY_RADIUS, SECTIONS, sections_of, way
from thorp.village.villager import Script, Villager
from thorp.village.woodland import EARTH, fell_trees
from thorp.village.words import amount, building_name, goods

DIGGERS: Final = ("miner", *GUILD)
# Who can bring what.
PRODUCE: Final = {
    "BERRIES": ("forager", "farmer"), "BREAD": ("farmer",),
    "COAL": DIGGERS, "STONE": DIGGERS, "IRON_ORE": ("miner",), "COPPER_ORE": ("miner",),
    "LOG": ("forester",), "PLANK": ("forester",), "TORCH": ("smith",), "SAND": ("builder",),
}  # fmt: skip
GATHERED: Final = {"LOG": fell_trees, "PLANK": fell_trees, "SAND": dig_sand}
TRIES: Final = 3
# What was called out longer ago is done, or nobody can do it.
OLD_TICKS: Final = 6_000
# Those far away wait no longer than this for those who are nearer to take a contract.
LAST_TURN: Final = 60
STONES: Final = 16
# Within the town; what miners have dug at its edge is left open.
MENDED: Final = 25
PLACE_REACH: Final = 6
LEISURE_REACH: Final = 8
LEISURE_STAMINA: Final = 0.1
LEISURE_TICKS: Final = 60
CORNERS: Final = ((0, 0), (9, 9), (0, 0), (-9, -9), (0, 0), (9, -9), (0, 0), (-9, 9))
# Paver number n has the sections n, n + PAVERS, and so on; when those are done, the ones of another
# paver.
PAVERS: Final = 24
SECTIONS_A_DAY: Final = 4


@lru_cache(256)
def _asked(what: str) -> tuple[tuple[str, int], ...]:
    return tuple(goods_in(what).items())


def can_do(me: Villager, work: Offered) -> bool:
    """Whether a contract is something for its trade."""
    if work.kind == "BUILD":
        return me.trade == "builder"
    return work.kind != FOR_STRANGERS and all(
        me.have(item) >= count or me.trade in PRODUCE.get(item, ())
        for item, count in _asked(work.what)
    )


def open_works(me: Villager) -> list[str]:
    """Contracts that it has heard of and could do, its own first. The nearer to the terminal
    somebody is, the sooner it takes one; the others have heard it by then, and stay at what they
    do."""
    terminal = me.knowledge.spot("terminal")
    patience = min(me.away(terminal) // 2, LAST_TURN) if terminal else 0
    fresh = [
        name
        for name, work in me.knowledge.works.items()
        if me.tick - OLD_TICKS < work.tick
        and (work.tick + patience <= me.tick or name in me.knowledge.notes)
        and can_do(me, work)
    ]
    return sorted(fresh, key=lambda name: not me.knowledge.notes.get(name))


def has_work(me: Villager) -> bool:
    """Whether there is an open contract for it."""
    return (
        bool(me.knowledge.works) and me.knowledge.has_heard_of("terminal") and bool(open_works(me))
    )


def work_for_hire(me: Villager) -> Script[bool]:
    """Take the first contract that it can do, and fulfil it. It says so, so that no others set out
    too."""
    first = open_works(me)[0]
    work = me.knowledge.works[first]
    deed = deed_of(work)
    me.intent = f"I took on {first}, to {deed}; I am {where(me)}{purse(me)}."
    if me.knowledge.notes.setdefault(first, 0) == 0:
        yield from tell(me, f"I take {first}. I shall {deed}.")
        yield None
        if first not in me.knowledge.works:  # somebody who came before was as quick
            rival = me.taken_by.get(first)
            if rival is not None:
                feel(me, rival, -4, "took a contract before me")
            forget(me, first)
            return True
    contracts = {contract["contract_id"]: contract for contract in (yield from read_terminal(me))}
    if not contracts:
        return False
    for name in open_works(me):
        contract = contracts.get(name)
        if contract is not None and contract["state"] == "ACCEPTED":
            _resent(me, contract)
        if contract is not None and (yield from accept(me, contract)):
            done = yield from fulfil(me, contract)
            if done or me.knowledge.notes[name] > TRIES:
                forget(me, name)
            return done
        forget(me, name)
    return False


def _resent(me: Villager, contract: dict[str, Any]) -> None:
    """It came for nothing, since somebody else was quicker."""
    rival = me.knowledge.name_of(contract["acceptor"])
    if rival is not None and rival != me.name:
        feel(me, rival, -4, "took a contract before me")


def deed_of(work: Offered) -> str:
    """What a contract asks for: `build a brick house`, `bring 6 coal`."""
    if work.kind == "BUILD":
        return f"build a {building_name(work.what.strip())}"
    return f"bring {goods(dict(_asked(work.what)))}"


def accept(me: Villager, contract: dict[str, Any]) -> Script[bool]:
    """Accept a contract at the terminal, unless it has it already; False if somebody else has."""
    name = contract["contract_id"]
    if contract["state"] == "ACCEPTED" and contract["acceptor"] == me.obs.agent_id:
        me.knowledge.notes[name] = me.knowledge.notes.get(name, 0) + 1
        return True
    if contract["state"] != "OPEN":
        return False
    wish = {"terminal_id": me.knowledge.things["terminal"], "contract_id": name}
    if not (yield from me.do("ACCEPT_CONTRACT", **wish)):
        return False
    me.knowledge.notes[name] = 1
    me.learn()
    return True


def forget(me: Villager, name: str) -> None:
    """Forget a contract that is over or not for it."""
    me.knowledge.works.pop(name, None)
    me.knowledge.notes.pop(name, None)
    me.learn()


def fulfil(me: Villager, contract: dict[str, Any]) -> Script[bool]:
    """Do what a contract asks for: build it, or get the goods and bring them."""
    if contract["kind"] == "BUILD":
        return (
            yield from build(me, contract["blueprint_id"], contract["anchor"], contract["rotation"])
        )
    terminal = me.knowledge.things["terminal"]
    for stack in contract["requirements"]:
        item = stack["item"]
        count = stack["count"]
        is_late = me.knowledge.notes.get(contract["contract_id"], 0) > 1
        if is_late and me.have(item) < count:
            yield from supply(me, item, count)
        if me.have(item) < count and not (yield from get(me, item, count)):
            return False
        me.intent = f"Bringing {amount(item, count)} to the terminal, as I promised."
        yield from read_terminal(me)
        if not (yield from me.put(terminal, item, count)):
            return False
        me.note_deed(f"delivered {item}", count)
    return True


def get(me: Villager, item: str, count: int) -> Script[bool]:
    """Produce goods."""
    work = GATHERED.get(item) or (dig_shift if me.trade in DIGGERS else pick_berries)
    for _ in range(TRIES):
        if me.have(item) < count:
            yield from work(me)
    if me.have(item) < count:
        yield from supply(me, item, count)
    return me.have(item) >= count


def supply(me: Villager, item: str, count: int) -> Script[None]:
    """Keep one's word with goods of the store, when it took too long to find some: the guild buys
    them."""
    if me.trade not in GUILD:
        yield from take(me, {item: count})
    elif (yield from go_to(me, "store")):
        yield from buy(me, {item: count - me.have(item)})


def build(me: Villager, blueprint: str, anchor: Any, rotation: int) -> Script[bool]:
    """Out of the common store: fetch what it is made of, level the ground, build."""
    cells = cells_of(me, blueprint, tuple(anchor), rotation)
    name = building_name(blueprint)
    if not (yield from take(me, cost_of(me, blueprint), f"for the {name}")):
        return False
    yield from take(me, {"GRASS": EARTH}, f"for the ground of the {name}")
    place = me.knowledge.whereabouts(tuple(anchor))
    me.intent = f"Levelling the ground for the {name}, {place}."
    for _ in range(TRIES):
        if not (yield from prepare(me, cells)):
            return False
        yield from step_aside(me, cells)
        me.intent = f"Building the {name}, {place}."
        if (yield from me.build(blueprint, tuple(anchor), rotation)):
            me.note_deed(f"built {blueprint}")
            me.knowledge.places["built"] = tuple(anchor)
            yield from me.say(f"The {name} stands.")
            return True
        if me.refusal.get("code") == "E_NO_RESOURCE":
            return False
    return False


def step_aside(me: Villager, cells: dict[Any, str]) -> Script[None]:
    """Out of the walls that are about to rise."""
    west = min(x for x, _, _ in cells)
    north = min(z for _, _, z in cells)
    yield from me.walk((west - 2, me.position[1], north - 2), 1, tries=1)


def sections(me: Villager) -> list[Sequence[tuple[int, int]]]:
    """Its parts of the streets: for the guild the way from its door to the town, which is another's
    land."""
    if me.trade not in GUILD:
        shares = (me.number, me.number + PAVERS // 2)
        return [section for share in shares for section in SECTIONS[share % PAVERS :: PAVERS]]
    (x, _, z) = me.knowledge.born or me.position
    (east, _, south) = me.knowledge.place(0, 0)
    road = way((x - east, z - south), (0, 0))
    return sections_of([cell for cell in road if max(map(abs, cell)) > CITY_RADIUS])


def can_pave(me: Villager) -> bool:
    """Whether the next section of the road is due and there is stone for it."""
    if me.trade == "smith" and not me.knowledge.has_heard_of("terminal"):
        return False  # everybody waits for what the smith makes first
    number = me.knowledge.notes.get("sections", 0)
    stones = me.have("STONE") > STONES or (
        me.knowledge.spare.get("STONE", 0) > STONES and me.trade not in GUILD
    )
    is_time = number < SECTIONS_A_DAY * (1 + me.tick // OLD_TICKS)
    return stones and is_time and me.knowledge.plaza is not None and number < len(sections(me))


def pave(me: Villager) -> Script[bool]:
    """A section of the streets: take out the grass, put in a stone."""
    number = me.knowledge.notes.get("sections", 0)
    dx, dz = sections(me)[number][0]
    way = me.knowledge.whereabouts(me.knowledge.place(dx, dz))
    if not (yield from take(me, {"STONE": STONES}, f"for the street {way}")):
        return False
    me.knowledge.notes["sections"] = number + 1
    for dx, dz in sections(me)[number]:
        x, y, z = me.knowledge.place(dx, dz)
        way = me.knowledge.whereabouts((x, y, z))
        me.intent = f"Paving the street {way}; {amount('STONE', me.have('STONE'))} left."
        if not me.is_here((x, y, z), 5):
            yield from me.walk((x, y, z), 2, tries=1)
        yield from pave_cell(me, x, z)
    return True


def keep_company(me: Villager) -> Script[bool]:
    """Work is done for the moment: go about in the town, mend its ground, or stand where the others
    are."""
    if me.obs.body.stamina > LEISURE_STAMINA:
        corner = CORNERS[me.tick // LEISURE_TICKS % len(CORNERS)]
        yield from stroll(me, me.knowledge.place(*corner), LEISURE_REACH)
    friend = neighbour(me)
    if friend is not None:
        me.intent = f"Nothing to do; passing the time with {friend}, {where(me)}."
    if me.trade in GUILD or not (yield from mend(me)):
        yield from me.wait(LEISURE_TICKS)
    return True


def mend(me: Villager) -> Script[bool]:
    """Cover the pits in sight that diggers have left in the town."""
    (x, _, z) = me.position
    (east, _, south) = me.knowledge.place(0, 0)
    around = [(ax, az) for ax in range(x - 5, x + 6) for az in range(z - 5, z + 6)]
    heights = {column: height for column in around if (height := surface(me, *column)) is not None}
    done = False
    for ax, az in heights:
        rim = sorted(heights.get((ax + dx, az + dz), 0) for dx, dz in HEADINGS)[1]
        cell = (ax, rim - 1, az)
        filler = me.first_of(FILLERS)
        is_pit = rim >= heights[ax, az] + 2 and max(abs(ax - east), abs(az - south)) <= MENDED
        if is_pit and filler is not None and me.away(cell) <= PLACE_REACH:
            done |= bool((yield from me.place(cell, filler)))
    return done


def pave_cell(me: Villager, x: int, z: int) -> Script[bool]:
    """Put stone in place of the ground of one cell of the road."""
    height = surface(me, x, z)
    if height is None or me.is_here((x, height, z), 0):
        return False
    cell = (x, height - 1, z)
    if me.sight.block(cell) not in ("GRASS", "DIRT", "SAND"):
        return False
    return (yield from dig(me, cell)) and bool((yield from me.place(cell, "STONE")))

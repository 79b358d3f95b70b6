"""The storekeeper: stands at the common chest, says what is wanted and what there is to spare, and
trades."""

from collections import Counter
from typing import Final

from thorp.protocol.obs import Event
from thorp.village import errands, needs
from thorp.village.digging import OPEN
from thorp.village.groundwork import dig
from thorp.village.knowledge import store_call
from thorp.village.quarrels import is_grudging
from thorp.village.regard import reason
from thorp.village.villager import Script, Villager
from thorp.village.words import amount, goods

ROUND_TICKS: Final = 120
CALL_TICKS: Final = 700
# The least share of the list price that is taken.
NEAR_PRICE: Final = 0.8
# To dig itself out of a hole; nobody sells tools to the storekeeper.
TOOLS: Final = ("STONE_PICKAXE", "STONE_SHOVEL")
DAY_TICKS: Final = 6_000
TORCHES: Final = 8
LOGS: Final = 8
# How far the market place reaches from the middle of the plaza. It is paved where there is stone
# enough.
MARKET_PLACE: Final = 4
STONES: Final = 8
STONES_TO_SPARE: Final = 200
LONGEST_LIST: Final = 14
# What somebody waits for.
NEWS: Final = ("BATTERY", "CONTRACT_TERMINAL")


def keep_store(me: Villager) -> Script[bool]:
    """One round: look into the chest, call out what is wanted, make light and planks, serve
    customers."""
    if not (yield from errands.go_to(me, "store", 1)):
        return False
    there = yield from errands.look_into(me, me.knowledge.things["store"])
    if there is None:
        return False
    stock = Counter(there) + Counter(me.inventory)
    yield from call(me, stock)
    yield from prepare(me, stock)
    if errands.is_market(me) and not me.was_today("prices"):
        me.knowledge.notes["prices"] = me.today
        spare = ", ".join(
            f"{item.lower()} {needs.WORTH.get(item, 1)}" for item in needs.to_spare(stock)
        )
        yield from errands.post(me, "Prices of today", f"In berries: {spare}.")
        yield from errands.go_to(me, "store", 1)
    me.intent = f"At the store, waiting for customers; {most_lacking(me)}."
    until = me.tick + ROUND_TICKS
    while me.tick < until:
        yield from serve(me)
        if me.offers or not (yield from pave_plaza(me, stock)):
            yield from me.idle(until)
    return True


def most_lacking(me: Villager) -> str:
    """What the store needs first: `we need 12 coal`, or `we lack nothing`."""
    item = next(iter(me.knowledge.wanted), None)
    return f"we need {amount(item, me.knowledge.wanted[item])}" if item else "we lack nothing"


def pave_plaza(me: Villager, stock: Counter[str]) -> Script[bool]:
    """Put a stone into the nearest bare cell or hole of the market place, except its own cell."""
    x, y, z = me.knowledge.place(0, 0)
    side = range(-MARKET_PLACE, MARKET_PLACE + 1)
    bare = [
        cell
        for dx in side
        for dz in side
        if me.sight.block(cell := (x + dx, y - 1, z + dz)) in (*OPEN, "GRASS", "DIRT")
        and me.sight.block((cell[0], y, cell[2])) in OPEN
        and not me.is_here(cell, 0)
    ]
    nearest = min(bare, key=me.away, default=None)
    if nearest is None or (not me.have("STONE") and stock["STONE"] < STONES_TO_SPARE):
        return False
    if not me.have("STONE"):
        yield from me.fetch(me.knowledge.things["store"], "STONE", STONES)
    if me.sight.block(nearest) not in OPEN and not (yield from dig(me, nearest)):
        return False
    return bool((yield from me.place(nearest, "STONE")))


def call(me: Villager, stock: Counter[str]) -> Script[None]:
    """Tell everybody, when the list is another one or was not heard for a while."""
    wanted = dict(sorted(needs.short(stock).items(), key=_share)[:LONGEST_LIST])
    spare = needs.to_spare(stock)
    news = set(wanted) != set(me.knowledge.wanted)
    news |= any((item in spare) != (item in me.knowledge.spare) for item in NEWS)
    news |= (spare.get("STONE", 0) > 40) != (me.knowledge.spare.get("STONE", 0) > 40)
    due = me.knowledge.notes.get("called", -CALL_TICKS) + CALL_TICKS
    if me.tick >= due or (news and me.tick >= due - CALL_TICKS + ROUND_TICKS):
        me.knowledge.notes["called"] = me.tick
        sold = {item: spare[item] for item in sorted(spare, key=_rank)[:LONGEST_LIST]}
        yield from errands.tell(me, store_call(wanted, sold))


def _share(entry: tuple[str, int]) -> tuple[bool, float]:
    """Berries before all, since everybody can help; then what is lacking most."""
    item, lacking = entry
    return item != "BERRIES", -lacking / needs.TARGETS[item]


def _rank(item: str) -> tuple[bool, str]:
    return item not in needs.SOLD_TO_THE_LAST and item not in (*NEWS, "STONE"), item


def prepare(me: Villager, stock: Counter[str]) -> Script[None]:
    """Bread and light, out of what lies in the store."""
    store = me.knowledge.things["store"]
    if (
        errands.food(me) < errands.DAILY_BREAD
    ):  # it sells the last loaf, and keeps food for a day without
        yield from errands.eat_at_the_store(me)
    for tool in TOOLS:
        if stock[tool] > 1 and not me.have(tool):
            yield from me.fetch(store, tool, 1)
    if goods := errands.surplus(me):
        yield from errands.hand_over(me, goods)
    if stock["TORCH"] < needs.TARGETS["TORCH"] and stock["COAL"] > 8 and stock["PLANK"] > 8:
        yield from me.fetch(store, "COAL", 2)
        yield from me.fetch(store, "PLANK", 1)
        yield None
        yield from me.make("TORCH", TORCHES)
    logs = min(LOGS, stock["LOG"] - needs.TARGETS["LOG"] // 2)
    if logs > 0 and stock["PLANK"] < 2 * needs.TARGETS["PLANK"]:
        yield from me.fetch(store, "LOG", logs)
        yield None
        yield from me.make("PLANK", me.have("PLANK") + 4 * logs)
        yield from errands.hand_over(me, errands.surplus(me))
    if stock["WHEAT"] >= 3:
        yield from me.fetch(store, "WHEAT", stock["WHEAT"] - me.have("WHEAT"))
        yield from errands.go_to(me, "bench", 1)
        yield from me.make("BREAD", me.have("BREAD") + me.have("WHEAT") // 3)
        yield from errands.go_to(me, "store", 1)


def serve(me: Villager) -> Script[None]:
    """Answer every offer: take what is fair and useful, decline the rest."""
    for customer, event in list(me.offers.items()):
        del me.offers[customer]
        if event["expires_tick"] <= me.tick:
            continue
        is_alms = not is_good(event) and is_begged(me, customer, event)
        if is_shunned(me, customer, event):
            name = me.knowledge.name_of(customer)
            yield from me.do("DECLINE_TRADE", trade_id=event["trade_id"])
            yield from me.say(f"I will not sell to {name}, who {reason(me, name or '')}.")
            continue
        me.intent = f"Somebody offers {goods(dict(event['offer']))}; let me see."
        is_there = (is_alms or is_good(event)) and (yield from fetch_all(me, event))
        if not is_there or not (yield from me.do("ACCEPT_TRADE", trade_id=event["trade_id"])):
            yield from me.do("DECLINE_TRADE", trade_id=event["trade_id"])
        elif is_alms:
            me.postponed_until[f"alms for {customer}"] = me.tick + DAY_TICKS


def is_shunned(me: Villager, customer: str, event: Event) -> bool:
    """Whether it will not sell a tool to somebody, for a grudge. What people live on, and what
    lands cost, it sells to everybody."""
    name = me.knowledge.name_of(customer)
    is_tool = any(
        item.partition("_")[0] in ("IRON", "STONE") and item in needs.SOLD_TO_THE_LAST
        for item, _ in event["request"]
    )
    return name is not None and is_grudging(me, name) and is_tool


def is_good(event: Event) -> bool:
    """Whether an offer brings useful goods at a price near the list's."""
    given = dict(event["offer"])
    asked = dict(event["request"])
    useful = all(item in needs.TARGETS or item in needs.FOODS or item == "LOG" for item in given)
    return useful and needs.worth(given) >= NEAR_PRICE * needs.worth(asked)


def is_begged(me: Villager, customer: str, event: Event) -> bool:
    """Whether somebody asks for a meal, and had none for nothing today."""
    asked = dict(event["request"])
    is_meal = all(item in needs.FOODS for item in asked) and sum(asked.values()) <= errands.ALMS
    return (
        is_meal
        and bool(event["offer"])
        and me.tick >= me.postponed_until.get(f"alms for {customer}", 0)
    )


def fetch_all(me: Villager, event: Event) -> Script[bool]:
    """Get what is asked for out of the chest."""
    yield from errands.go_to(me, "store", 1)
    for item, number in event["request"]:
        lacking = number - me.have(item)
        if lacking > 0 and not (yield from me.fetch(me.knowledge.things["store"], item, lacking)):
            return False
    yield None
    return True

"""The storekeeper: stands at the common chest, says what is wanted and what there is to spare, and trades."""

from collections import Counter
from typing import Final

from thorp.bridges.village import needs
from thorp.bridges.village.errands import go_to, hand_over, is_market, look_into, post, tell
from thorp.bridges.village.knowledge import listed
from thorp.bridges.village.villager import Script, Villager
from thorp.protocol.obs import Event

ROUND_TICKS: Final = 120
CALL_TICKS: Final = 700
# The storekeeper has so much food at hand to pay with, in worth.
CASH: Final = 24
# A price is near enough to the list.
NEAR_PRICE: Final = 0.8
# Of a thing the store buys up to so many times its target.
MOST: Final = 4
TORCHES: Final = 8
LONGEST_LIST: Final = 10
# What somebody waits for.
NEWS: Final = ("BATTERY", "CONTRACT_TERMINAL")


def keep_store(me: Villager) -> Script[bool]:
    """One round: look into the chest, call out what is wanted, make light and planks, serve who comes."""
    if not (yield from go_to(me, "store", 1)):
        return False
    stock = yield from count(me)
    if stock is None:
        return False
    yield from call(me, stock)
    yield from prepare(me, stock)
    if is_market(me) and me.knows.notes.get("prices") != me.obs.world.season_day:
        me.knows.notes["prices"] = me.obs.world.season_day
        spare = ", ".join(f"{item.lower()} {needs.WORTH.get(item, 1)}" for item in needs.to_spare(stock))
        yield from post(me, "Prices of today", f"In berries: {spare}.")
        yield from go_to(me, "store", 1)
    until = me.tick + ROUND_TICKS
    while me.tick < until:
        yield from serve(me)
        yield from me.idle(until)
    return True


def count(me: Villager) -> Script[Counter[str] | None]:
    """What there is, in the chest and in hand."""
    there = yield from look_into(me, me.knows.things["store"])
    return None if there is None else Counter(there) + Counter(me.inventory)


def call(me: Villager, stock: Counter[str]) -> Script[None]:
    """Tell everybody, when the list is another one or was not heard for a while."""
    wanted = dict(sorted(needs.short(stock).items(), key=_share)[:LONGEST_LIST])
    spare = needs.to_spare(stock)
    news = set(wanted) != set(me.knows.wanted) or any(
        (item in spare) != (item in me.knows.spare) for item in NEWS
    )
    news |= (spare.get("STONE", 0) > 40) != (me.knows.spare.get("STONE", 0) > 40)
    due = me.knows.notes.get("called", -CALL_TICKS) + CALL_TICKS
    if me.tick >= due or (news and me.tick >= due - CALL_TICKS + ROUND_TICKS):
        me.knows.notes["called"] = me.tick
        sold = {item: spare[item] for item in sorted(spare, key=_rank)[:LONGEST_LIST]}
        yield from tell(me, f"Wanted: {listed(wanted)}. To spare: {listed(sold)}.")


def _share(entry: tuple[str, int]) -> float:
    item, lacking = entry
    return -lacking / needs.TARGETS[item]


def _rank(item: str) -> tuple[bool, str]:
    return item not in needs.SOLD_TO_THE_LAST and item not in (*NEWS, "STONE"), item


def prepare(me: Villager, stock: Counter[str]) -> Script[None]:
    """Bread and light, out of what lies in the store; and food at hand to pay with."""
    store = me.knows.things["store"]
    goods = {item: have for item in me.inventory if (have := me.have(item)) and item not in needs.FOODS}
    if goods:
        yield from hand_over(me, goods)
    if stock["TORCH"] < needs.TARGETS["TORCH"] and stock["COAL"] > 8 and stock["PLANK"] > 8:
        yield from me.fetch(store, "COAL", 2)
        yield from me.fetch(store, "PLANK", 1)
        yield None
        yield from me.make("TORCH", TORCHES)
    if stock["WHEAT"] >= 3:
        yield from me.fetch(store, "WHEAT", stock["WHEAT"] - me.have("WHEAT"))
        yield from go_to(me, "bench", 1)
        yield from me.make("BREAD", me.have("BREAD") + me.have("WHEAT") // 3)
        yield from go_to(me, "store", 1)
    for item in ("BREAD", "BERRIES"):
        lacking = CASH // needs.WORTH.get(item, 1) - me.have(item)
        there = stock[item] - me.have(item)
        if lacking > 0 and there > 0:
            yield from me.fetch(store, item, min(lacking, there))


def serve(me: Villager) -> Script[None]:
    """Answer every offer: take what is fair and useful, decline the rest."""
    for customer, event in list(me.offers.items()):
        del me.offers[customer]
        if event["expires_tick"] <= me.tick:
            continue
        if is_good(me, event) and (yield from fetch_all(me, event)):
            done = yield from me.do("ACCEPT_TRADE", trade_id=event["trade_id"])
            if done:
                continue
        yield from me.do("DECLINE_TRADE", trade_id=event["trade_id"])


def is_good(me: Villager, event: Event) -> bool:
    given, asked = dict(event["offer"]), dict(event["request"])
    useful = all(item in needs.TARGETS or item in needs.FOODS or item == "LOG" for item in given)
    return useful and needs.worth(given) >= NEAR_PRICE * needs.worth(asked)


def fetch_all(me: Villager, event: Event) -> Script[bool]:
    """Get what is asked for out of the chest."""
    for item, number in event["request"]:
        lacking = number - me.have(item)
        if lacking > 0 and not (yield from me.fetch(me.knows.things["store"], item, lacking)):
            return False
    yield None
    return True

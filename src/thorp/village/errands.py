"""Errands that every trade has: speaking up, going to the store, buying food, handing over what it
has."""

from collections.abc import Mapping
from typing import Any, Final

from thorp.protocol.obs import Position
from thorp.village import needs
from thorp.village.knowledge import goods
from thorp.village.quarrels import is_grudging
from thorp.village.regard import reason
from thorp.village.villager import Script, Villager
from thorp.village.words import goods as in_words

STOREKEEPER: Final = "Jory"
# Who trades out of the common store: the smith in the storekeeper's place.
KEEPERS: Final = (STOREKEEPER, "Bram")
# A keeper who gave no answer is not asked again for this long.
AWAY_TICKS: Final = 200
# Those who are no citizens, and may look and trade but not take.
GUILD: Final = ("guildmaster", "guildsman")
# How long a buyer waits for an answer.
ANSWER_TICKS: Final = 60
# The hunger of a day.
DAILY_BREAD: Final = 30
# Hunger that the food in one's pocket should be good for.
ENOUGH_FOOD: Final = 16
# With this much nobody needs to go to market.
DAYS_FOOD: Final = 44
TREAT: Final = 2
# What meals are made of raw things, and where.
COOKED: Final = {"COOKED_MEAT": "forge", "BREAD": "bench"}
LEAST_TORCHES: Final = 3
STROLL: Final = 12
# Numbers without a common divisor, so that no two villagers stroll alike.
_STRIDES: Final = (7_919, 104_729)
RATE_WINDOW: Final = 50
# Ways in a row that led nowhere.
STUCK: Final = 3
# Further below or above its target a villager is in a hole, and no way leads out of it.
ARM: Final = 2
DEEP_BELOW: Final = 3
TOWNSPEOPLE: Final = ("reeve", "smith", "storekeeper", "greeter", "builder")
MARKET: Final = 0.45
MARKET_HOUR: Final = 0.1
# Between morning and dusk, those from outside come one after the other.
FIRST_MARKET: Final = 0.25
MARKETS: Final = 0.45
LOAD: Final = 60
# What the storekeeper gives to those who have nothing, for anything at all, once a day.
ALMS: Final = 6
FEW_ALMS: Final = 2
SCARCE_LOAD: Final = 6
TOOLS: Final = {
    "forester": ("STONE_AXE", "STONE_SHOVEL"),
    "forager": ("STONE_AXE", "STONE_SHOVEL"),
    "farmer": ("STONE_SHOVEL", "STONE_AXE"),
    "miner": ("STONE_PICKAXE", "STONE_SHOVEL"),
    "smith": (),
}
ANY_TOOLS: Final = ("STONE_PICKAXE", "STONE_SHOVEL", "STONE_AXE")


def tell(
    me: Villager, text: str, channel: str = "MARKET", data: Mapping[str, Any] | None = None
) -> Script[None]:
    """Say something that everybody hears."""
    outcome = yield from me.say(text, channel, data)
    if outcome.event.get("code") == "E_RATE_LIMIT":
        yield from me.wait(RATE_WINDOW)
        yield from me.say(text, channel, data)


def food(me: Villager) -> int:
    """The hunger that its food is good for."""
    return sum(value * me.have(item) for item, value in needs.FOODS.items())


def surplus(me: Villager) -> dict[str, int]:
    """What it has beyond its own needs, and beyond what it has promised under contract."""
    left = {item: me.have(item) - needs.kept(me.trade, item) for item in sorted(me.inventory)}
    for name, work in me.knowledge.works.items():
        if me.knowledge.notes.get(name) and work.kind != "BUILD":
            for item, count in goods(work.what).items():
                left[item] = left.get(item, 0) - count
    return {item: count for item, count in left.items() if count > 0}


def to_plaza(me: Villager, cell: tuple[int, int] = (0, 0), near: int = 2) -> Script[bool]:
    """Walk to the plaza, or to a cell given by its distance from the plaza's middle."""
    return me.walk(me.knowledge.place(*cell), near)


def go_to(me: Villager, name: str, near: int = 1) -> Script[bool]:
    """Walk right beside something that everyone uses: hands reach two cells, and one may be a
    step."""
    where = me.knowledge.spot(name)
    if where is None or not (yield from me.walk(where, near)):
        return False
    if abs(me.position[1] - where[1]) > ARM:
        me.blocked += DEEP_BELOW
        return False
    return True


def look_into(me: Villager, container: str) -> Script[dict[str, int] | None]:
    """What a container has; None if it cannot be opened."""
    yield from me.do("OPEN", target_id=container)
    for event in me.heard:
        if event["type"] == "CONTAINER":
            return {stack["item"]: stack["count"] for stack in event["inventory"]}
    return None


def take(me: Villager, wanted: Mapping[str, int], purpose: str = "") -> Script[bool]:
    """Fetch goods out of the store until it has what is wanted; whether all were there."""
    store = me.knowledge.things.get("store", "")
    lacking = {
        item: count - me.have(item) for item, count in wanted.items() if me.have(item) < count
    }
    if not lacking:
        return True
    why = f" {purpose}" if purpose else f"; I have {sum(me.inventory.values())} things on me"
    me.intent = f"Fetching {in_words(lacking)} from the store{why}."
    if not (yield from go_to(me, "store")):
        return False
    stock = (yield from look_into(me, store)) or {}
    for item, count in lacking.items():
        there = min(count, stock.get(item, 0))
        if there:
            yield from me.fetch(store, item, there)
    yield None
    return all(me.have(item) >= count for item, count in wanted.items())


def hand_over(me: Villager, goods: Mapping[str, int]) -> Script[bool]:
    """Put goods into the store."""
    store = me.knowledge.things.get("store", "")
    if goods:
        carried = sum(me.inventory.values())
        me.intent = f"Taking {in_words(goods)} to the store, of {carried} things I carry."
    if not (yield from go_to(me, "store")):
        return False
    done = True
    for item, count in goods.items():
        there = min(count, me.have(item))
        if there:
            is_put = bool((yield from me.put(store, item, there)))
            done &= is_put
            if is_put:
                me.note_deed(f"brought {item}", there)
    return done


def has_errand(me: Villager) -> bool:
    """Whether it has goods enough to go to the store for, or lacks food and has some to buy it
    with."""
    if not me.knowledge.has_heard_of("store") or me.trade == "storekeeper":
        return False
    goods = needs.worth(surplus(me))
    if me.trade in GUILD:
        is_low = food(me) < (DAYS_FOOD if is_market(me) or has_scarce_goods(me) else ENOUGH_FOOD)
        return is_low and goods > 0 and any(map(me.knowledge.spare.get, needs.FOODS))
    if is_market(me) and goods > 4 and (food(me) < DAYS_FOOD or goods > LOAD // 4):
        return True
    return goods >= LOAD or has_scarce_goods(me) or (food(me) < ENOUGH_FOOD and goods > 0)


def has_scarce_goods(me: Villager) -> bool:
    """Whether it has goods, worth the way, that the store lacks more than half of."""
    out = [
        item
        for item, lacking in me.knowledge.wanted.items()
        if 2 * lacking > needs.TARGETS.get(item, 0)
    ]
    have = surplus(me) if out else {}
    return needs.worth({item: have[item] for item in out if item in have}) >= SCARCE_LOAD


def is_lunch(me: Villager) -> bool:
    """Whether it has an errand in its market hour: a shift ends."""
    return is_market(me) and me.tick >= me.postponed_until.get("market", 0) and has_errand(me)


def is_stuck(me: Villager) -> bool:
    """Whether its last walks all ended where they began."""
    return me.blocked >= STUCK


def is_market(me: Villager) -> bool:
    """Its market hour: noon for those who work in the town, another one for each who comes from
    outside."""
    is_near = me.trade in TOWNSPEOPLE
    begin = MARKET if is_near else FIRST_MARKET + MARKETS * (me.number * 7 % 24) / 24
    return me.is_hour(begin, begin + MARKET_HOUR)


def visit_store(me: Villager) -> Script[bool]:
    """Sell some of what it has for food, hand over the rest."""
    if not (yield from go_to(me, "store")):
        return False
    has_food = food(me) < DAYS_FOOD and (yield from buy_food(me))
    has_food |= yield from buy_treat(me)
    yield from buy_tools(me)
    yield from get_light(me)
    return has_food if me.trade in GUILD else (yield from hand_over(me, surplus(me)))


def buy_food(me: Villager) -> Script[bool]:
    """From the storekeeper, for goods that are wanted."""
    for item, value in needs.FOODS.items():
        count = min(-(-DAILY_BREAD // value), me.knowledge.spare.get(item, 0))
        if count and (yield from buy(me, {item: count})):
            return True
    return False


def get_light(me: Villager) -> Script[None]:
    """Torches for a cold night out."""
    torches = {"TORCH": needs.KEEP["TORCH"]}
    if (
        me.have("TORCH") >= LEAST_TORCHES
        or not me.knowledge.spare.get("TORCH")
        or (yield from buy(me, torches))
    ):
        return
    if me.trade not in GUILD:
        yield from take(me, torches)


def buy_treat(me: Villager) -> Script[bool]:
    """A little of some food, as long as there is room for it: nobody eats the same every day."""
    for item in needs.FOODS:
        has_room = me.have(item) + TREAT <= needs.kept(me.trade, item)
        if (
            has_room
            and me.knowledge.spare.get(item, 0) > TREAT
            and (yield from buy(me, {item: TREAT}))
        ):
            return True
    return False


def send_for_food(me: Villager) -> Script[bool]:
    """Starving, and unable to come: buy from afar what all it has is worth, or ask for alms."""
    wealth = needs.worth(
        {item: count for item, count in me.inventory.items() if item in needs.TARGETS}
    )
    for item, value in needs.FOODS.items():
        count = min(
            DAILY_BREAD // value,
            me.knowledge.spare.get(item, 0),
            wealth // needs.WORTH.get(item, 1),
        )
        if count and (yield from buy(me, {item: count}, me.inventory)):
            return True
    things = [item for item in sorted(me.inventory) if item not in needs.FOODS]
    if not things:
        return False
    # Alms cost a trifle, and nobody his axe.
    thing = min(things, key=lambda item: needs.WORTH.get(item, 1))
    # What was called out last may be gone, and there may be something else.
    for item in sorted(needs.FOODS, key=lambda food: -me.knowledge.spare.get(food, 0)):
        count = ALMS if me.knowledge.spare.get(item, 0) >= ALMS else FEW_ALMS
        if (yield from deal(me, {thing: 1}, {item: count})):
            return True
    return False


def buy(
    me: Villager, asked: dict[str, int], pocket: Mapping[str, int] | None = None
) -> Script[bool]:
    """Offer as much as the goods are worth, of what is wanted most; nobody pays with a thing that
    is worth more than twice what is left to pay."""
    due = needs.worth(asked)
    pay = dict[str, int]()
    have = surplus(me) if pocket is None else pocket
    for item in sorted(have, key=lambda item: (-me.knowledge.wanted.get(item, 0), item)):
        value = needs.WORTH.get(item, 1)
        is_taken = item not in asked and item in needs.TARGETS
        if due > 0 and is_taken and value <= 2 * due:
            pay[item] = min(have[item], -(-due // value))
            due -= pay[item] * value
    return due <= 0 and (yield from deal(me, pay, asked))


def deal(me: Villager, pay: dict[str, int], asked: dict[str, int]) -> Script[bool]:
    """Offer something to the storekeeper, and wait for the answer; if there is none, ask the
    smith."""
    before = {item: me.have(item) for item in asked}
    for name in KEEPERS:
        if (
            me.name in (name, STOREKEEPER)
            or name not in me.knowledge.ids
            or me.tick < me.postponed_until.get(name, 0)
        ):
            continue
        if is_grudging(me, name) and name != KEEPERS[-1]:
            me.intent = f"I do not buy from {name}, who {reason(me, name)}; I shall ask Bram."
            continue
        rest = {item: me.have(item) - count for item, count in pay.items()}
        left = f"; that leaves me {in_words(rest)}" if any(rest.values()) else ", all I have"
        me.intent = f"Offering {name} {in_words(pay)} for {in_words(asked)}{left}."
        offer: dict[str, Any] = {"offer": [*pay.items()], "request": [*asked.items()]}
        if not (yield from me.do("OFFER_TRADE", to=me.knowledge.ids[name], **offer)):
            return False
        until = me.tick + ANSWER_TICKS
        is_declined = False
        while me.tick < until and not is_declined:
            if any(me.have(item) > before[item] for item in asked):
                return True
            yield from me.idle(until)
            is_declined = any(event["type"] == "TRADE_DECLINED" for event in me.heard)
        if is_declined:
            return False
        me.postponed_until[name] = me.tick + AWAY_TICKS
    return False


def buy_tools(me: Villager) -> Script[None]:
    """The better ones that the store has."""
    for tool in TOOLS.get(me.trade, ANY_TOOLS):
        kinds = (f"IRON{tool[5:]}", tool)
        better = next(
            (kind for kind in kinds if me.have(kind) or me.knowledge.spare.get(kind)), tool
        )
        if not me.have(better) and me.knowledge.spare.get(better):
            yield from buy(me, {better: 1})


def eat_at_the_store(me: Villager) -> Script[bool]:
    """Buy food, or have a meal out of the common store if there is nothing to buy it with."""
    if not (yield from go_to(me, "store")):
        return False
    yield from get_light(me)
    if surplus(me) and (yield from buy_food(me)):
        return True
    if me.trade in GUILD:
        return False
    store = me.knowledge.things["store"]
    stock = (yield from look_into(me, store)) or {}
    for item, value in needs.FOODS.items():
        count = min(stock.get(item, 0), DAYS_FOOD // value)
        if count and (yield from me.fetch(store, item, count)):
            yield None
            return True
    return (yield from cook(me, stock))


def cook(me: Villager, stock: Mapping[str, int]) -> Script[bool]:
    """A day's meals of the game or the wheat in the store: the hungry do not wait for smith and
    farmers."""
    for item, place in COOKED.items():
        parts = {part["item"]: part["count"] for part in me.recipes[item]["inputs"]}
        meals = min(stock.get(part, 0) // number for part, number in parts.items())
        count = min(meals, -(-DAILY_BREAD // needs.FOODS[item]))
        if not count or not me.knowledge.has_heard_of(place):
            continue
        for part, number in parts.items():
            yield from me.fetch(me.knowledge.things["store"], part, count * number)
        yield None
        return (yield from go_to(me, place)) and (yield from me.make(item, count))
    return False


def stroll(me: Villager, middle: Position, reach: int = STROLL) -> Script[None]:
    """Go somewhere not far from a place."""
    pairs = (_STRIDES, _STRIDES[::-1])
    dx, dz = (
        (me.tick // 10 * one + me.number * other) % (2 * reach + 1) - reach for one, other in pairs
    )
    yield from me.do(
        "MOVE_TO", target=[middle[0] + dx, middle[1], middle[2] + dz], tolerance=2, ticks=300
    )


def post(me: Villager, title: str, body: str) -> Script[bool]:
    """Write something on the board of the plaza."""
    if not (yield from go_to(me, "board")):
        return False
    board = me.knowledge.things["board"]
    return bool((yield from me.do("POST_BOARD", target_id=board, title=title, body=body)))


def read_terminal(me: Villager) -> Script[list[dict[str, Any]]]:
    """The contracts that are listed there."""
    if not (yield from go_to(me, "terminal")):
        return []
    yield from me.do("OPEN", target_id=me.knowledge.things["terminal"])
    listings = [
        event for event in me.heard if event["type"] == "CONTAINER" and "contracts" in event
    ]
    return listings[-1]["contracts"] if listings else []


def post_contract(
    me: Villager, kind: str, reward: Mapping[str, int], ticks: int, **wish: Any
) -> Script[str | None]:
    """Post a contract at the terminal; its id, or None if it was refused."""
    yield from go_to(me, "terminal")
    wish |= {
        "terminal_id": me.knowledge.things["terminal"],
        "duration_ticks": ticks,
        "reward": stacks(reward),
    }
    posted = yield from me.do("POST_CONTRACT", contract_kind=kind, **wish)
    return str(posted.event["contract_id"]) if posted else None


def claim(me: Villager, name: str, anchor: Position, radius: int) -> Script[bool]:
    """Claim land for its organisation. It becomes known under a name, and strangers may trade
    there."""
    claimed = yield from me.do("CLAIM_LAND", anchor=list(anchor), radius=radius)
    if not claimed:
        return False
    land = me.knowledge.things[name] = claimed.event["land_id"]
    yield from me.save()
    yield from me.do("SET_PERMISSIONS", land_id=land, policy={"allow_trade": True})
    yield from me.do("DEED_LAND", land_id=land, new_owner=me.knowledge.things.get(me.own_org))
    return True


def deposit(me: Villager, item: str, count: int) -> Script[bool]:
    """Put goods into the treasury of its organisation."""
    org = me.knowledge.things.get(me.own_org)
    return bool((yield from me.do("ORG_DEPOSIT", org_id=org, item_id=item, count=count)))


def stacks(goods: Mapping[str, int]) -> list[dict[str, Any]]:
    """Goods as the protocol writes them: a list of items with counts."""
    return [{"item": item, "count": count} for item, count in goods.items()]

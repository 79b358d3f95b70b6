"""The mayor: lays out the plaza, claims the land, founds the city, proposes its laws, posts its contracts."""

from __future__ import annotations

from typing import Any, Final

from thorp.bridges.village import plan
from thorp.bridges.village.life import home, keep_notebook, stroll, to_plaza
from thorp.bridges.village.neighbours import ask_for, patiently, provide, stacks, take_all
from thorp.bridges.village.villager import LOOK_AGAIN_TICKS, Script, Villager

CITY: Final = "Thorp"
LAWS: Final[tuple[tuple[str, dict[str, Any], str], ...]] = (
    ("MARKET_TAX", {"market_tax": 0.1}, "A tenth for the common chest"),
    ("FINE_BREAK_PER_BLOCK", {"fine_item": "COAL", "fine_per_block": 1}, "Who breaks, pays"),
)
# Everything the village asks others for. A deposit is small: neighbours trust each other.
GATHERINGS: Final = (
    ("GATHER", {"BERRIES": 3}, {"PLANK": 6}),
    ("GATHER", {"BERRIES": 3}, {"PLANK": 6}),
    ("DELIVER", {"STONE": 10}, {"PLANK": 6}),
)
# A day's iron and coal, from the smith.
IRON_PLANKS: Final = 4
WALL_REWARD: Final = {"PLANK": 6}
REWARDS: Final = 42
# Where trees are rare the contracts are posted that can be paid.
REWARD_TICKS: Final = 2_000
# To put up what the plaza needs; without one of these things a village can live.
TRIES: Final = 3
COUNCIL_PLANKS: Final = 16
TREASURE: Final = {"IRON_INGOT": 2, "COAL": 4}


def lay_out(me: Villager) -> Script[None]:
    """A bench, a chest for all, a board and a sign, from what the mayor brought along."""
    notes = me.notebook
    notes.plaza = home(me)
    yield from keep_notebook(me)
    for item, (dx, dz), name in (
        ("CRAFTING_BENCH", plan.BENCH, "bench"),
        ("CHEST", plan.CHEST, "chest"),
        ("BULLETIN_BOARD", plan.BOARD, "board"),
        ("SIGN", plan.SIGN, "sign"),
    ):
        for _ in range(TRIES):
            if (yield from put_up(me, item, dx, dz, name)):
                break
            yield from me.wait(LOOK_AGAIN_TICKS)
    text = "Thorp. Come in, put your planks into the chest."
    yield from me.do("SET_SIGN", target_id=notes.things.get("sign", ""), text=text)
    body = "Bring planks and coal to the chest; huts first, then walls. Ore goes to the smith."
    yield from post(me, "A village is begun", body)


def put_up(me: Villager, item: str, dx: int, dz: int, name: str) -> Script[bool]:
    """Make something that is a block, and place it in the village."""
    spot = me.notebook.place(dx, dz)
    if me.sight.block(spot) != item:
        yield from to_plaza(me, near=1)
        if not (yield from me.make(item)) or not (yield from me.place(spot, item)):
            return False
    me.notebook.things[name] = f"{item}@{spot[0]},{spot[1]},{spot[2]}"
    yield from keep_notebook(me)
    return True


def post(me: Villager, title: str, body: str) -> Script[None]:
    board = me.notebook.things.get("board", "")
    yield from me.do("POST_BOARD", target_id=board, title=title, body=body)


def found_city(me: Villager) -> Script[None]:
    """First the citizens, then the land, so that no citizen is a stranger on it."""
    me.belongs_to("city", is_member=True)
    founded = yield from me.do("CREATE_ORG", org_kind="CITY", org_name=CITY)
    if founded:
        me.notebook.things["city"] = founded.event["org_id"]
    yield from keep_notebook(me)
    yield from me.say(f"{CITY} is founded! Join {me.notebook.things.get('city')}.", "MARKET")


def claim_land(me: Villager) -> Script[None]:
    """As soon as the smith has delivered what a claim costs. The land becomes everybody's."""
    yield from patiently(me, lambda: all(map(me.have, plan.CLAIM_KIT)))
    yield from to_plaza(me)
    things, totem = me.notebook.things, me.notebook.place(*plan.TOTEM)
    claimed = yield from me.do("CLAIM_LAND", anchor=list(totem), radius=plan.CITY_RADIUS)
    if claimed:
        things["land"] = claimed.event["land_id"]
    yield from me.do("DEED_LAND", land_id=things.get("land"), new_owner=things.get("city"))
    yield from me.do("SET_PERMISSIONS", land_id=things.get("land"), policy={"allow_trade": True})
    yield from keep_notebook(me)


def propose_laws(me: Villager) -> Script[None]:
    land = me.notebook.things.get("land")
    for template, params, title in LAWS:
        yield from me.do("PROPOSE_LAW", land_id=land, template_id=template, params=params, title=title)


def open_terminal(me: Villager) -> Script[None]:
    """Buy a terminal from the smith, out of what was given to the village."""
    chest = me.notebook.things["chest"]
    yield from to_plaza(me, *plan.CHEST)
    yield from take_all(me, chest, "COAL", 60)
    yield from patiently(me, lambda: me.have("CONTRACT_TERMINAL") > 0)
    yield from put_up(me, "CONTRACT_TERMINAL", *plan.TERMINAL, "terminal")


def post_contracts(me: Villager) -> Script[None]:
    things = me.notebook.things
    terminal = things.get("terminal")
    until = me.tick + REWARD_TICKS
    while me.have("PLANK") < REWARDS and me.tick < until:
        yield from to_plaza(me, *plan.CHEST)
        yield from take_all(me, things["chest"], "PLANK", REWARDS - me.have("PLANK"))
        yield from provide(me)
        yield from me.wait(50)
    yield from to_plaza(me, *plan.TERMINAL)
    me.notebook.done["work"] = me.tick
    common: dict[str, Any] = {"terminal_id": terminal, "duration_ticks": plan.CONTRACT_TICKS}
    for kind, wanted, reward in GATHERINGS:
        yield from me.do(
            "POST_CONTRACT", **common, contract_kind=kind, requirements=stacks(wanted), reward=stacks(reward)
        )
    for wall in plan.WALLS:
        yield from me.do(
            "POST_CONTRACT",
            **common,
            contract_kind="BUILD",
            blueprint_id=wall.blueprint,
            anchor=list(me.notebook.place(wall.dx, wall.dz)),
            rotation=wall.rotation,
            reward=stacks(WALL_REWARD),
        )
    yield from post(me, "Work", "The terminal has contracts: berries, stone, and four walls to build.")


def await_iron(me: Villager) -> Script[None]:
    yield from patiently(me, lambda: me.have("IRON_INGOT") > 0)


def fill_treasury(me: Villager) -> Script[None]:
    """The land costs an ingot and a coal a day."""
    for item, count in TREASURE.items():
        if me.have(item):
            city = me.notebook.things.get("city")
            yield from me.do("ORG_DEPOSIT", org_id=city, item_id=item, count=min(count, me.have(item)))


def fund_council(me: Villager) -> Script[None]:
    """Once a day, planks out of the common chest, for what the council has done."""
    day = me.tick // plan.CONTRACT_TICKS
    if me.notebook.done.get("fund") != day:
        me.notebook.done["fund"] = day
        before = me.have("PLANK")
        yield from to_plaza(me, *plan.CHEST)
        yield from take_all(me, me.notebook.things["chest"], "PLANK", COUNCIL_PLANKS)
        taken = me.have("PLANK") - before
        if taken > 0:
            city = me.notebook.things.get("city")
            yield from me.do("ORG_DEPOSIT", org_id=city, item_id="PLANK", count=taken)


def announce_tax(me: Villager) -> Script[None]:
    """Tell the merchants when the tax is law: the rules of the land say it."""
    yield from patiently(me, lambda: me.obs.local_rules.tax.market > 0)
    me.notebook.done["tax"] = me.tick
    yield from keep_notebook(me)
    yield from to_plaza(me)
    yield from post(me, "Market", "The tax is law. Come to the plaza and trade.")


def everyday(me: Villager) -> Script[None]:
    """Upkeep, a walk over the plaza, and once a day work for the farmers."""
    yield from provide(me)
    yield from fill_treasury(me)
    yield from fund_council(me)
    if me.tick >= me.notebook.done.get("work", 0) + plan.CONTRACT_TICKS:
        yield from ask_for_berries(me)
    yield from stroll(me, me.notebook.place(0, 0), 6)
    yield from me.wait(600)


def ask_for_berries(me: Villager) -> Script[None]:
    things = me.notebook.things
    kind, wanted, reward = GATHERINGS[0]
    yield from to_plaza(me, *plan.CHEST)
    yield from take_all(me, things["chest"], "PLANK", sum(reward.values()) + IRON_PLANKS)
    if (yield from ask_for(me, kind, wanted, reward)):
        me.notebook.done["work"] = me.tick
        yield from keep_notebook(me)
        yield from post(me, "Berries wanted", "As every day: the terminal has the contract.")


CHAPTERS: Final = (
    lay_out,
    found_city,
    claim_land,
    propose_laws,
    open_terminal,
    post_contracts,
    await_iron,
    fill_treasury,
    announce_tax,
)

"""The smith: puts up the workshop, buys ore and crystals, and makes what a village needs."""

from __future__ import annotations

from typing import Final

from thorp.bridges.village import plan
from thorp.bridges.village.crafting import missing
from thorp.bridges.village.life import to_plaza
from thorp.bridges.village.neighbours import provide, take_all
from thorp.bridges.village.villager import LOOK_AGAIN_TICKS, Script, Villager

MAYOR: Final = "Odile"
GUILDMASTER: Final = "Marten"
PLANKS: Final = 60
UPKEEP: Final = {"IRON_INGOT": 1, "COAL": 1}
UPKEEP_PRICES: Final = {MAYOR: {"PLANK": 4}, GUILDMASTER: {"BERRIES": 2}}
# A little more often than once a day, lest a day be missed.
UPKEEP_TICKS: Final = 5_000
# An offer lapses after six hundred ticks.
OFFER_TICKS: Final = 610
# An order for which there is no ore is given up after so long; the next one may need other things.
ORDER_TICKS: Final = 5_000


def open_workshop(me: Villager) -> Script[None]:
    """A bench and a furnace on a floor of planks, with a torch."""
    yield from me.wait_for(lambda: "chest" in me.notebook.things, ticks=3_000)
    yield from to_plaza(me, *plan.BENCH, near=1)
    for item in ("CRAFTING_BENCH", "FURNACE", "TORCH"):
        yield from me.make(item)
    pad = plan.WORKSHOP
    while not (yield from me.build(pad.blueprint, me.notebook.place(pad.dx, pad.dz), pad.rotation)):
        yield from me.wait(20)
    yield from stock_up(me)


def stock_up(me: Villager) -> Script[None]:
    """Planks out of the common chest: the price of crystals, and the wood of what is made of them."""
    yield from to_plaza(me, *plan.CHEST, near=2)
    yield from take_all(me, me.notebook.things["chest"], "PLANK", max(0, PLANKS - me.have("PLANK")))
    yield from to_workshop(me)


def to_workshop(me: Villager) -> Script[None]:
    """Where bench and furnace are both at hand."""
    yield from me.walk(me.notebook.place(plan.WORKSHOP.dx - 1, plan.WORKSHOP.dz + 1), 1)


def work(me: Villager, goods: dict[str, int], buyer: str, price: dict[str, int]) -> Script[None]:
    """Make goods as soon as there is enough to make them of, and sell them."""
    until = me.tick + ORDER_TICKS
    while missing(me.recipes, me.inventory, goods):
        if me.tick > until:
            return
        if me.have("PLANK") < PLANKS // 2:
            yield from stock_up(me)
        yield from me.wait(40)
        yield from provide(me)
        yield from to_workshop(me)
    for item in sorted(goods):
        if item in me.recipes:
            yield from me.make(item, goods[item])
    before = {item: me.have(item) for item in goods}
    while all(me.have(item) >= before[item] for item in goods):
        yield from me.offer(buyer, goods, price)
        yield from me.wait_for(lambda: any(me.have(item) < before[item] for item in goods), ticks=OFFER_TICKS)


def equip_the_city(me: Villager) -> Script[None]:
    yield from work(me, dict(plan.CLAIM_KIT), MAYOR, dict(plan.CLAIM_KIT_PRICE))


def make_terminal(me: Villager) -> Script[None]:
    yield from work(me, {"CONTRACT_TERMINAL": 1}, MAYOR, dict(plan.TERMINAL_PRICE))


def smelt_iron(me: Villager) -> Script[None]:
    yield from work(me, {"IRON_INGOT": 2}, MAYOR, {"COAL": 3, "BERRIES": 1})


def equip_the_guild(me: Villager) -> Script[None]:
    yield from work(me, dict(plan.CLAIM_KIT), GUILDMASTER, dict(plan.GUILD_KIT_PRICE))


def serve_the_guild(me: Villager) -> Script[None]:
    yield from work(me, {"IRON_INGOT": 1}, GUILDMASTER, {"COAL": 2})


def everyday(me: Villager) -> Script[None]:
    """Smelt what came in, and sell what land costs a day to those who answer for it."""
    yield from provide(me)
    yield from to_workshop(me)
    if me.have("IRON_INGOT") < len(UPKEEP_PRICES) and me.have("IRON_ORE") and me.have("COAL") > 1:
        yield from me.make("IRON_INGOT", me.have("IRON_INGOT") + 1)
    if me.have("PLANK") < PLANKS // 2:
        yield from stock_up(me)
    sold = me.notebook.done
    for buyer, price in UPKEEP_PRICES.items():
        if me.tick >= sold.get(f"upkeep for {buyer}", 0) + UPKEEP_TICKS and all(map(me.have, UPKEEP)):
            sold[f"upkeep for {buyer}"] = me.tick
            yield from me.offer(buyer, UPKEEP, price)
            yield from me.wait(2 * LOOK_AGAIN_TICKS)
    yield from me.wait(700)


CHAPTERS: Final = (open_workshop, equip_the_city, make_terminal, smelt_iron, equip_the_guild, serve_the_guild)

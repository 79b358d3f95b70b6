"""The guild: neighbours a little way off who found a guild, and claim land of their own."""

from __future__ import annotations

from typing import Final

from thorp.bridges.village import plan
from thorp.bridges.village.life import home, stroll
from thorp.bridges.village.neighbours import patiently, provide
from thorp.bridges.village.villager import Script, Villager

MASTER: Final = "Marten"


def found_guild(me: Villager) -> Script[None]:
    me.belongs_to("guild", is_member=True)
    founded = yield from me.do("CREATE_ORG", org_kind="GUILD", org_name="Reed and Rush")
    if founded:
        me.notebook.things["guild"] = founded.event["org_id"]


def join_guild(me: Villager) -> Script[None]:
    me.belongs_to("guild")
    yield from patiently(me, lambda: "guild" in me.notebook.things)


def claim_guild_land(me: Villager) -> Script[None]:
    """With what the smith sells, as the city did."""
    yield from patiently(me, lambda: all(map(me.have, plan.CLAIM_KIT)))
    x, y, z = home(me)
    yield from me.walk(home(me), 2)
    claimed = yield from me.do("CLAIM_LAND", anchor=[x + 3, y, z + 3], radius=plan.GUILD_RADIUS)
    if claimed:
        me.notebook.things["guild_land"] = claimed.event["land_id"]
        guild = me.notebook.things.get("guild")
        yield from me.do("DEED_LAND", land_id=claimed.event["land_id"], new_owner=guild)


def build_hall(me: Villager) -> Script[None]:
    """A hut on the master's glade, with planks of all members."""
    x, y, z = home(me)
    yield from patiently(me, lambda: me.have("PLANK") >= plan.HUT_PLANKS)
    yield from me.walk(home(me), 2)
    yield from me.build("hut_small", (x - 5, y, z - 5))


def bring_planks(me: Villager) -> Script[None]:
    yield from me.offer(MASTER, {"PLANK": 12}, {"STONE": 6})
    yield from me.wait(60)


def await_iron(me: Villager) -> Script[None]:
    yield from patiently(me, lambda: me.have("IRON_INGOT") > 0)


def fill_guild_treasury(me: Villager) -> Script[None]:
    """Land costs an ingot and a coal a day."""
    if me.have("IRON_INGOT") and me.have("COAL"):
        for item in ("IRON_INGOT", "COAL"):
            guild = me.notebook.things.get("guild")
            yield from me.do("ORG_DEPOSIT", org_id=guild, item_id=item, count=1)


def everyday(me: Villager) -> Script[None]:
    yield from provide(me)
    yield from fill_guild_treasury(me)
    yield from stroll(me, me.notebook.homes.get(MASTER, home(me)), 6)
    yield from me.wait(600)


CHAPTERS: Final = (found_guild, build_hall, claim_guild_land, await_iron, fill_guild_treasury)

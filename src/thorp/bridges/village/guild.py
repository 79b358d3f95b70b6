"""The guild: neighbours a little way off who quarry and burn bricks for the town, on land of their own."""

from typing import Final

from thorp.bridges.village.errands import buy, tell
from thorp.bridges.village.jobs import Job
from thorp.bridges.village.smith import CLAIM_KIT
from thorp.bridges.village.town_plan import GUILD_RADIUS
from thorp.bridges.village.villager import Script, Villager

# Its master may be away for days.
UPKEEP_AHEAD: Final = 5


def found_guild(me: Villager) -> Script[bool]:
    founded = yield from me.do("CREATE_ORG", org_kind="GUILD", org_name="Reed and Rush")
    if not founded:
        return False
    me.knows.things["guild"] = founded.event["org_id"]
    yield from me.save()
    yield from tell(me, f"The guild is {founded.event['org_id']}.")
    return True


def claim_quarter(me: Villager) -> Script[bool]:
    """With what the storekeeper sells for stone."""
    for item in CLAIM_KIT:
        if not me.have(item) and not (yield from buy(me, {item: 1})):
            return False
    x, y, z = me.knows.born or me.position
    yield from me.walk((x, y, z), 2)
    claimed = yield from me.do("CLAIM_LAND", anchor=[x + 3, y, z + 3], radius=GUILD_RADIUS)
    if not claimed:
        return False
    land = claimed.event["land_id"]
    me.knows.things["quarter"] = land
    yield from me.save()
    yield from me.do("SET_PERMISSIONS", land_id=land, policy={"allow_trade": True})
    yield from me.do("DEED_LAND", land_id=land, new_owner=me.knows.things["guild"])
    yield from tell(me, f"The quarter is {land}.")
    return True


def pay_upkeep(me: Villager) -> Script[bool]:
    """An ingot and a coal for each day, bought from the storekeeper."""
    for item in ("IRON_INGOT", "COAL"):
        if not me.have(item) and not (yield from buy(me, {item: 1})):
            return False
    for item in ("IRON_INGOT", "COAL"):
        guild = me.knows.things["guild"]
        if not (yield from me.do("ORG_DEPOSIT", org_id=guild, item_id=item, count=1)):
            return False
    me.knows.notes["upkeep"] = me.knows.notes.get("upkeep", 0) + 1
    yield from me.save()
    return True


def can_claim(me: Villager) -> bool:
    return (
        me.knows.knows("guild", "terminal")
        and "quarter" not in me.knows.things
        and bool(me.knows.spare.get("BATTERY"))
    )


JOBS: Final = (
    Job("guild", lambda me: "guild" not in me.knows.things, found_guild, pause=40),
    Job("quarter", can_claim, claim_quarter, pause=200),
    Job(
        "upkeep",
        lambda me: "quarter" in me.knows.things and me.knows.notes.get("upkeep", 0) < UPKEEP_AHEAD,
        pay_upkeep,
        pause=250,
    ),
)

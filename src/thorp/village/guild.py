"""The guild: neighbours a little way off who quarry and burn bricks for the town, on land of their
own."""

from typing import Final

from thorp.village import needs
from thorp.village.errands import ANY_TOOLS, buy, claim, deposit, surplus, tell
from thorp.village.jobs import Job
from thorp.village.miner import dig_shift
from thorp.village.smith import CLAIM_KIT
from thorp.village.town_plan import GUILD_RADIUS
from thorp.village.villager import Script, Villager

UPKEEP: Final = ("IRON_INGOT", "COAL")
# Its master may be away for days.
UPKEEP_AHEAD: Final = 5
# With fewer paid it comes before any other work, and also what its master would keep is sold.
LEAST_AHEAD: Final = 2


def found_guild(me: Villager) -> Script[bool]:
    """Create the guild's organisation, and tell the others its id."""
    founded = yield from me.do("CREATE_ORG", org_kind="GUILD", org_name="Reed and Rush")
    if not founded:
        return False
    me.knowledge.things["guild"] = founded.event["org_id"]
    yield from me.save()
    yield from tell(me, me.knowledge.where("guild"))
    return True


def claim_quarter(me: Villager) -> Script[bool]:
    """With what the storekeeper sells for stone."""
    for item in CLAIM_KIT:
        if not me.have(item) and not (yield from buy(me, {item: 1})):
            return False
    x, y, z = me.knowledge.born or me.position
    yield from me.walk((x, y, z), 2)
    if not (yield from claim(me, "quarter", (x + 3, y, z + 3), GUILD_RADIUS)):
        return False
    yield from tell(me, me.knowledge.where("quarter"))
    return True


def pay_upkeep(me: Villager) -> Script[bool]:
    """An ingot and a coal for each day, bought from the storekeeper; in need for anything that is
    neither tool nor food, and first of all its master digs something to pay with."""
    lacking = {item: 1 for item in UPKEEP if not me.have(item)}
    if is_upkeep_urgent(me) and needs.worth(purse(me)) < needs.worth(lacking):
        yield from dig_shift(me)
    for item in lacking:
        if not (yield from buy(me, {item: 1}, purse(me))):
            return False
    for item in UPKEEP:
        if not (yield from deposit(me, item, 1)):
            return False
    me.knowledge.notes["upkeep"] = me.knowledge.notes.get("upkeep", 0) + 1
    yield from me.save()
    return True


def purse(me: Villager) -> dict[str, int]:
    """What the guild's master pays the upkeep with."""
    if not is_upkeep_urgent(me):
        return surplus(me)
    kept = (*ANY_TOOLS, *needs.FOODS, *UPKEEP)
    return {
        item: count
        for item, count in me.inventory.items()
        if item in needs.TARGETS and item not in kept
    }


def can_claim(me: Villager) -> bool:
    """Whether the guild can claim land for its quarter: the store sells what a claim costs."""
    is_sold = bool(me.knowledge.spare.get("BATTERY"))
    return (
        is_sold
        and me.knowledge.has_heard_of("guild", "terminal")
        and not me.knowledge.has_heard_of("quarter")
    )


def owes_upkeep(me: Villager) -> bool:
    """Whether the quarter's upkeep is not paid far enough ahead."""
    return (
        me.knowledge.has_heard_of("quarter") and me.knowledge.notes.get("upkeep", 0) < UPKEEP_AHEAD
    )


def is_upkeep_urgent(me: Villager) -> bool:
    """Whether the quarter's upkeep would soon be missed."""
    return owes_upkeep(me) and me.knowledge.notes.get("upkeep", 0) < LEAST_AHEAD


JOBS: Final = (
    Job(
        name="guild",
        is_due=lambda me: "guild" not in me.knowledge.things,
        work=found_guild,
        pause=40,
    ),
    Job(name="quarter", is_due=can_claim, work=claim_quarter, pause=200, urgent=True),
    Job(name="upkeep", is_due=is_upkeep_urgent, work=pay_upkeep, pause=250, urgent=True),
    Job(name="upkeep", is_due=owes_upkeep, work=pay_upkeep, pause=250),
)

"""The guild keeps its land: what its upkeep costs comes before other work, and is always payable."""

from typing import Any

from tests.village.person import person
from thorp.village import guild, needs
from thorp.village.villager import Villager


def master(ahead: int, **have: int) -> Villager:
    """The guild's master, with so many days of upkeep paid ahead."""
    me = person("Marten", have=have)
    me.knowledge.things |= {"guild": "ORG000002", "quarter": "LAND_A13_002"}
    me.knowledge.notes["upkeep"] = ahead
    return me


def offers(me: Villager) -> list[dict[str, Any]]:
    """What the master does first to pay for a day."""
    plan = next(guild.pay_upkeep(me))
    return [] if plan is None else [request.action for request in plan.requests]


def test_what_would_soon_be_missed_comes_before_other_work() -> None:
    urgent = next(job for job in guild.JOBS if job.name == "upkeep")
    assert urgent.urgent
    assert urgent.is_due(master(guild.LEAST_AHEAD - 1))
    assert not urgent.is_due(master(guild.LEAST_AHEAD)), "that has time"
    assert guild.owes_upkeep(master(guild.LEAST_AHEAD))
    assert not guild.owes_upkeep(master(guild.UPKEEP_AHEAD))


def test_in_need_the_master_pays_with_what_it_would_keep_and_with_no_tool_or_food() -> None:
    have = {"STONE": 8, "STONE_PICKAXE": 1, "BREAD": 3, "COAL": 1}
    assert guild.purse(master(guild.LEAST_AHEAD, **have)) == {}, "it keeps all that"
    assert guild.purse(master(0, **have)) == {"STONE": 8}
    (offer,) = offers(master(0, **have))
    assert offer["type"] == "OFFER_TRADE"
    assert dict(offer["offer"]) == {"STONE": needs.worth({"IRON_INGOT": 1})}
    assert dict(offer["request"]) == {"IRON_INGOT": 1}


def test_who_has_nothing_to_pay_with_digs_first() -> None:
    """And buys nothing for nothing."""
    assert not any(action["type"] == "OFFER_TRADE" for action in offers(master(0, BREAD=3)))

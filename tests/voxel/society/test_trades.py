"""Trades: offered, accepted, declined, cancelled, lapsed. Goods change hands all or not at all."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.voxel.flat import events, put_agent
from tests.voxel.society.civic import a_land, a_society, act, an_org, ask, pass_law, said, wait
from tests.voxel.working import check_books
from thorp.protocol.act import read_act
from thorp.protocol.actions import (
    AcceptTrade,
    CancelTrade,
    DeclineTrade,
    OfferTrade,
    SetPermissions,
)
from thorp.simulator.totals import count_everything
from thorp.voxel.inputs import Acted
from thorp.voxel.lookups.goods import VALUES, is_fair, worth
from thorp.voxel.society import trades
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import Claim, WorldEvent
from thorp.voxel.state.world import World
from thorp.voxel.tick import step
from thorp.voxel.tuning import RateLimits


def a_market(**tuning: Any) -> tuple[World, Agent, Agent]:
    """Two traders in the wild; the rate of offers is no matter here."""
    world = a_society(rate_limits=RateLimits(offer_trade_max=1000), **tuning)
    return (
        world,
        put_agent(world, 20, 0, PLANK=20, COAL=3),
        put_agent(world, 22, 0, IRON_INGOT=5, COAL=2),
    )


def barter(
    to: str | None = "A2", offer: Any = (("PLANK", 5),), request: Any = (("IRON_INGOT", 1),)
) -> OfferTrade:
    return OfferTrade(to=to, offer=list(offer), request=list(request))


def offered(world: World, agent: Agent, wish: OfferTrade | None = None) -> str:
    (result,) = ask(world, agent, wish or barter())
    assert result["ok"], result
    return str(result["trade_id"])


def refused(world: World, agent: Agent, wish: Any) -> tuple[str, str]:
    """Code and message; and nothing has moved."""
    before = count_everything(world), world.trades.digest(), world.counters.trade
    carried = [dict(one.inventory) for one in world.agents]
    (result,) = ask(world, agent, wish)
    assert not result["ok"], result
    assert before == (count_everything(world), world.trades.digest(), world.counters.trade)
    assert carried == [dict(one.inventory) for one in world.agents]
    return result["code"], result["message"]


# Offers


def test_an_offer_reaches_its_addressee_alone() -> None:
    world, seller, buyer = a_market()
    third = put_agent(world, 21, 0)
    wish = barter(offer=[("PLANK", 2), ("COAL", 1), ("PLANK", 3)])
    (result,) = ask(
        world, seller, OfferTrade(id="i1", to=wish.to, offer=wish.offer, request=wish.request)
    )
    assert result == {
        "t": 1,
        "type": "ACTION_RESULT",
        "ref": "i1",
        "ok": True,
        "trade_id": "TR000001",
    }
    assert events(buyer) == [
        {
            "t": 1,
            "type": "TRADE_OFFER",
            "trade_id": "TR000001",
            "from": "A1",
            "offer": [["COAL", 1], ["PLANK", 5]],
            "request": [["IRON_INGOT", 1]],
            "expires_tick": 601,
        }
    ]
    assert events(third) == []
    assert seller.inventory == {"PLANK": 20, "COAL": 3}, "an offer holds nothing back"


@pytest.mark.parametrize(
    ("wish", "code", "message"),
    [
        (barter(to=None), "E_BAD_REQUEST", "missing to"),
        (barter(to=""), "E_BAD_REQUEST", "missing to"),
        (barter(to="A9"), "E_INVALID_TARGET", "target not found"),
        (barter(to="ORG000001"), "E_INVALID_TARGET", "target not found"),
        (barter(to="A1"), "E_INVALID_TARGET", "cannot trade with oneself"),
        (OfferTrade(to="A2", request=[("COAL", 1)]), "E_BAD_REQUEST", "bad offer"),
        (OfferTrade(to="A2", offer=[("COAL", 1)]), "E_BAD_REQUEST", "bad request"),
        (barter(offer=[]), "E_BAD_REQUEST", "bad offer"),
        (barter(offer=[("PLANK", 0)]), "E_BAD_REQUEST", "bad offer"),
        (barter(offer=[("PLANK", -3)]), "E_BAD_REQUEST", "bad offer"),
        (barter(offer=[("PLANK", 0.9)]), "E_BAD_REQUEST", "bad offer"),
        (barter(offer=[("PLANK", 1), ("PLANK", -1)]), "E_BAD_REQUEST", "bad offer"),
        (barter(offer=[("UNOBTAINIUM", 1)]), "E_BAD_REQUEST", "bad offer"),
        (barter(offer=[("", 1)]), "E_BAD_REQUEST", "bad offer"),
        (barter(request=[("IRON_INGOT", -1)]), "E_BAD_REQUEST", "bad request"),
    ],
)
def test_offers_that_are_refused(wish: OfferTrade, code: str, message: str) -> None:
    world, seller, buyer = a_market()
    assert refused(world, seller, wish) == (code, message)
    assert not world.trades
    assert events(buyer) == []


@pytest.mark.parametrize(
    "pairs",
    [
        '[["PLANK"]]',
        '[["PLANK",1,2]]',
        '[[1,"PLANK"]]',
        '[["PLANK",1e99]]',
        '[["PLANK",true]]',
        '"PLANK"',
        "[7]",
    ],
)
def test_lists_that_are_none_are_refused_by_form(pairs: str) -> None:
    world, seller, _ = a_market()
    wish = f'{{"id":"a","type":"OFFER_TRADE","to":"A2","offer":{pairs},"request":[["COAL",1]]}}'
    frame = f'{{"type":"ACT","protocol_version":"0.9","tick":0,"instants":[{wish}]}}'
    step(world, [Acted(seller.number, read_act(frame.encode()))])
    (result,) = events(seller)
    assert (result["ok"], result["code"]) == (False, "E_BAD_REQUEST")
    assert "offer" in str(result["message"])


def test_a_fraction_is_refused_and_a_whole_number_with_a_point_is_not() -> None:
    world, seller, _ = a_market()
    wish = barter(offer=[("PLANK", 1.5)])
    (result,) = ask(world, seller, wish)
    assert (result["code"], result["message"]) == ("E_BAD_REQUEST", "bad offer")
    assert result["problem"] == "count of PLANK must be a whole number"
    assert refused(world, seller, barter(request=[("COAL", 1.9)])) == (
        "E_BAD_REQUEST",
        "bad request",
    )
    assert world.trades[offered(world, seller, barter(offer=[("PLANK", 2.0)]))].offer == {
        "PLANK": 2
    }


def test_offers_are_limited_by_rate_and_those_refused_do_not_count() -> None:
    world = a_society()
    seller, _ = put_agent(world, 0, 0, PLANK=9), put_agent(world, 2, 0)
    first, bad, _, third, last = ask(world, seller, barter(), barter(offer=[]), *[barter()] * 3)
    assert (first["ok"], bad["code"], third["ok"]) == (True, "E_BAD_REQUEST", True)
    assert (last["code"], last["cooldown_ticks"]) == ("E_RATE_LIMIT", 50)
    assert len(world.trades) == 3


def test_one_agent_has_so_many_open_offers(monkeypatch: pytest.MonkeyPatch) -> None:
    world, seller, buyer = a_market()
    monkeypatch.setattr(trades, "MAX_OFFERS", 3)
    names = [offered(world, seller) for _ in range(3)]
    assert refused(world, seller, barter())[0] == "E_CONFLICT"
    assert said(world, buyer, barter(to="A1", offer=[("COAL", 1)])) == "ok", "others may"
    assert said(world, seller, CancelTrade(trade_id=names[0])) == "ok"
    assert said(world, seller, barter()) == "ok"


def test_the_world_has_so_many_open_offers(monkeypatch: pytest.MonkeyPatch) -> None:
    world, seller, buyer = a_market()
    monkeypatch.setattr(trades, "MAX_OFFERS_IN_WORLD", 2)
    for _ in range(2):
        offered(world, seller)
    assert refused(world, buyer, barter(to="A1"))[0] == "E_CONFLICT"


# Accepting


def test_goods_change_hands_and_both_hear_of_it() -> None:
    world, seller, buyer = a_market()
    trade = offered(world, seller)
    (result,) = ask(world, buyer, AcceptTrade(id="y", trade_id=trade))
    assert result == {"t": 2, "type": "ACTION_RESULT", "ref": "y", "ok": True, "message": "ok"}
    assert seller.inventory == {"PLANK": 15, "COAL": 3, "IRON_INGOT": 1}
    assert buyer.inventory == {"PLANK": 5, "COAL": 2, "IRON_INGOT": 4}
    done = {"t": 2, "type": "TRADE_DONE", "trade_id": trade}
    assert events(seller, "TRADE_DONE") == [{**done, "with": "A2"}]
    assert events(buyer, "TRADE_DONE") == [{**done, "with": "A1"}]
    assert [one["type"] for one in events(buyer)][-2:] == ["TRADE_DONE", "ACTION_RESULT"]
    assert said(world, buyer, AcceptTrade(trade_id=trade)) == "E_INVALID_TARGET"
    check_books(world)


def test_the_same_thing_may_go_both_ways() -> None:
    world, seller, buyer = a_market()
    trade = offered(world, seller, barter(offer=[("COAL", 3)], request=[("COAL", 2)]))
    assert said(world, buyer, AcceptTrade(trade_id=trade)) == "ok"
    assert (seller.have("COAL"), buyer.have("COAL")) == (2, 3)


def test_who_may_answer() -> None:
    world, seller, buyer = a_market()
    third = put_agent(world, 21, 0, IRON_INGOT=9)
    trade = offered(world, seller)
    assert refused(world, buyer, AcceptTrade()) == ("E_BAD_REQUEST", "missing trade_id")
    assert refused(world, buyer, AcceptTrade(trade_id="TR9")) == (
        "E_INVALID_TARGET",
        "trade not found",
    )
    for someone in (seller, third):
        assert refused(world, someone, AcceptTrade(trade_id=trade)) == (
            "E_NO_PERMISSION",
            "not your trade",
        )
        assert refused(world, someone, DeclineTrade(trade_id=trade)) == (
            "E_NO_PERMISSION",
            "not your trade",
        )
    for someone in (buyer, third):
        assert refused(world, someone, CancelTrade(trade_id=trade)) == (
            "E_NO_PERMISSION",
            "not your offer",
        )
    assert refused(world, seller, CancelTrade()) == ("E_BAD_REQUEST", "missing trade_id")
    assert refused(world, seller, CancelTrade(trade_id="?")) == (
        "E_INVALID_TARGET",
        "trade not found",
    )


def test_who_no_longer_has_the_goods_keeps_the_trade_open() -> None:
    world, seller, buyer = a_market()
    trade = offered(world, seller)
    seller.give("PLANK", -16)
    assert refused(world, buyer, AcceptTrade(trade_id=trade)) == (
        "E_NO_RESOURCE",
        "the offerer lacks: PLANK x1",
    )
    seller.give("PLANK", 1)
    buyer.give("IRON_INGOT", -5)
    assert refused(world, buyer, AcceptTrade(trade_id=trade)) == (
        "E_NO_RESOURCE",
        "missing items: IRON_INGOT x1",
    )
    buyer.give("IRON_INGOT", 1)
    assert said(world, buyer, AcceptTrade(trade_id=trade)) == "ok"


def test_an_offerer_who_is_gone() -> None:
    world, seller, buyer = a_market()
    trade = offered(world, seller)
    world.agents.remove(seller.number)
    assert refused(world, buyer, AcceptTrade(trade_id=trade)) == (
        "E_INVALID_TARGET",
        "offerer not found",
    )
    assert said(world, buyer, DeclineTrade(trade_id=trade)) == "ok"


def test_only_the_first_of_two_answers_in_a_tick_counts() -> None:
    world, seller, buyer = a_market()
    trade = offered(world, seller)
    yes, again, no = ask(
        world,
        buyer,
        AcceptTrade(trade_id=trade),
        AcceptTrade(trade_id=trade),
        DeclineTrade(trade_id=trade),
    )
    assert (yes["ok"], again["code"], no["code"]) == (True, "E_INVALID_TARGET", "E_INVALID_TARGET")
    assert buyer.have("PLANK") == 5
    other = offered(world, seller)
    step(
        world,
        [
            act(seller, world, CancelTrade(trade_id=other)),
            act(buyer, world, AcceptTrade(trade_id=other)),
        ],
    )
    assert events(buyer)[-1]["code"] == "E_INVALID_TARGET"
    assert buyer.have("PLANK") == 5


def test_two_offers_of_one_purse() -> None:
    world, seller, buyer = a_market()
    all_of_it = barter(offer=[("PLANK", 20)])
    first, second = offered(world, seller, all_of_it), offered(world, seller, all_of_it)
    yes, no = ask(world, buyer, AcceptTrade(trade_id=first), AcceptTrade(trade_id=second))
    assert (yes["ok"], no["code"]) == (True, "E_NO_RESOURCE")


# How offers end


def test_declining() -> None:
    world, seller, buyer = a_market()
    trade = offered(world, seller)
    (result,) = ask(world, buyer, DeclineTrade(trade_id=trade))
    assert result["message"] == "declined"
    assert events(seller)[-1] == {"t": 2, "type": "TRADE_DECLINED", "trade_id": trade, "by": "A2"}
    assert not world.trades


def test_cancelling() -> None:
    world, seller, buyer = a_market()
    trade = offered(world, seller)
    (result,) = ask(world, seller, CancelTrade(trade_id=trade))
    assert result["message"] == "canceled"
    assert events(buyer)[-1] == {"t": 2, "type": "TRADE_CANCELED", "trade_id": trade, "by": "A1"}
    assert said(world, buyer, AcceptTrade(trade_id=trade)) == "E_INVALID_TARGET"


def test_an_offer_lapses_after_its_last_tick() -> None:
    world, seller, buyer = a_market(trade_expiry_ticks=5)
    late, used = offered(world, seller), offered(world, seller)
    assert (world.trades[late].expires_tick, world.trades[used].expires_tick) == (6, 7)
    check_books(world)
    wait(world, 3)
    assert len(world.trades) == 2
    wait(world)
    assert world.tick == 6
    assert [trade.id for trade in world.trades] == [used]
    assert (
        events(seller)[-1]
        == events(buyer)[-1]
        == {"t": 6, "type": "TRADE_EXPIRED", "trade_id": late}
    )
    assert said(world, buyer, AcceptTrade(trade_id=used)) == "ok", "its last tick still counts"
    wait(world, 3)
    assert [one["trade_id"] for one in events(buyer, "TRADE_EXPIRED")] == [late]


# Land and tax


def taxed(rate: float, x: int = 20, **stock: int) -> tuple[World, Claim, Agent, Agent, Agent]:
    """An owner, and two visitors who may trade on its land."""
    world = a_society()
    owner = put_agent(world, 2, 0)
    claim = a_land(world, owner)
    assert (
        said(world, owner, SetPermissions(land_id=claim.id, policy={"allow_trade": True})) == "ok"
    )
    if rate:
        pass_law(world, owner, claim, "MARKET_TAX", market_tax=rate)
    owner.inventory.clear()
    seller, buyer = put_agent(world, 4, 0, **stock), put_agent(world, x, 0, **stock)
    return world, claim, owner, seller, buyer


def exchange(world: World, seller: Agent, buyer: Agent, offer: Any, request: Any) -> None:
    wish = OfferTrade(to=buyer.id, offer=list(offer), request=list(request))
    assert said(world, buyer, AcceptTrade(trade_id=offered(world, seller, wish))) == "ok"


def test_the_owner_gets_a_share_of_both_directions() -> None:
    world, claim, owner, seller, buyer = taxed(0.10, x=6, PLANK=10, COAL=10)
    exchange(world, seller, buyer, [("PLANK", 10)], [("COAL", 10)])
    assert seller.inventory == {"COAL": 19}
    assert buyer.inventory == {"PLANK": 19}
    assert owner.inventory == {"PLANK": 1, "COAL": 1}
    (record,) = [one for one in world.scratch.public_events if one["kind"] == "TRADE"]
    assert record == {
        "kind": "TRADE",
        "actor": buyer.id,
        "with": seller.id,
        "pos": buyer.position,
        "trade_id": "TR000001",
        "offer": [("PLANK", 10)],
        "request": [("COAL", 10)],
        "land_id": claim.id,
        "tax_to": owner.id,
        "rate": 0.10,
    }


@settings(max_examples=20)
@given(st.integers(0, 250_000), st.integers(1, 10**6))
def test_a_share_is_rounded_down(rate: int, count: int) -> None:
    world, claim, owner, seller, buyer = taxed(0, x=6, PLANK=count, COAL=1)
    claim.market_tax = rate
    exchange(world, seller, buyer, [("PLANK", count)], [("COAL", 1)])
    assert owner.have("PLANK") == count * rate // 10**6
    assert owner.have("PLANK") + buyer.have("PLANK") - count == count


def test_a_market_week_halves_it() -> None:
    world, _, owner, seller, buyer = taxed(0.10, x=6, PLANK=20, COAL=20)
    world.director.event = WorldEvent("MARKET_WEEK", world.tick, world.tick + 100)
    exchange(world, seller, buyer, [("PLANK", 20)], [("COAL", 20)])
    assert owner.inventory == {"PLANK": 1, "COAL": 1}
    assert (seller.have("COAL"), buyer.have("PLANK")) == (39, 39)


def test_no_tax_unless_both_are_on_the_land() -> None:
    world, _, owner, seller, buyer = taxed(0.25, x=20, PLANK=8, COAL=8)
    exchange(world, seller, buyer, [("PLANK", 8)], [("COAL", 8)])
    assert owner.inventory == {}
    assert seller.have("COAL") == 16


def test_an_owner_that_trades_pays_itself() -> None:
    world, _, owner, seller, _ = taxed(0.25, PLANK=8)
    owner.give("COAL", 8)
    exchange(world, seller, owner, [("PLANK", 8)], [("COAL", 8)])
    assert owner.inventory == {"PLANK": 8, "COAL": 2}
    assert seller.inventory == {"COAL": 6}


def test_an_organisation_gets_it_into_its_treasury() -> None:
    world, claim, owner, seller, buyer = taxed(0.10, x=6, PLANK=10, COAL=10)
    org = an_org(world, owner)
    claim.owner = org.id
    exchange(world, seller, buyer, [("PLANK", 10)], [("COAL", 10)])
    assert org.treasury == {"PLANK": 1, "COAL": 1}
    check_books(world)


def test_where_trade_is_not_allowed() -> None:
    world, claim, owner, seller, buyer = taxed(0, PLANK=10)
    trade = offered(
        world, seller, OfferTrade(to=buyer.id, offer=[("PLANK", 1)], request=[("PLANK", 2)])
    )
    back = offered(
        world, buyer, OfferTrade(to=seller.id, offer=[("PLANK", 1)], request=[("PLANK", 2)])
    )
    assert (
        said(world, owner, SetPermissions(land_id=claim.id, policy={"allow_trade": False})) == "ok"
    )
    assert refused(world, buyer, AcceptTrade(trade_id=trade))[0] == "E_NO_PERMISSION", (
        "the offerer may not"
    )
    assert refused(world, seller, AcceptTrade(trade_id=back))[0] == "E_NO_PERMISSION", (
        "nor the acceptor"
    )
    assert refused(world, seller, barter(to=buyer.id)) == (
        "E_NO_PERMISSION",
        "trade not allowed here",
    )
    assert said(world, seller, CancelTrade(trade_id=trade)) == "ok", "giving up is always allowed"


# Fairness


def test_what_is_fair() -> None:
    assert worth({"PLANK": 4, "IRON_INGOT": 2, "CRYSTAL_SHARD": 1}) == 34
    assert is_fair({"PLANK": 5}, {"IRON_INGOT": 1})
    assert is_fair({"PLANK": 10}, {"CRYSTAL_SHARD": 1})
    assert not is_fair({"PLANK": 9}, {"CRYSTAL_SHARD": 1})
    assert not is_fair({"CRYSTAL_SHARD": 1}, {"PLANK": 1})


@given(st.dictionaries(st.sampled_from([*VALUES, "PLANK"]), st.integers(1, 9), min_size=1),
       st.dictionaries(st.sampled_from([*VALUES, "PLANK"]), st.integers(1, 9), min_size=1))  # fmt: skip
def test_fairness_has_no_side(one: dict[str, int], other: dict[str, int]) -> None:
    assert is_fair(one, other) == is_fair(other, one) == (0.5 <= worth(one) / worth(other) <= 2)
    assert is_fair(one, one)


def test_every_valued_thing_exists(world: World) -> None:
    assert set(VALUES) <= set(world.catalogs.items)


def test_a_fair_trade_earns_both_trust_and_liking() -> None:
    world, seller, buyer = a_market()
    exchange(world, seller, buyer, [("PLANK", 5)], [("IRON_INGOT", 1)])
    for agent in (seller, buyer):
        assert agent.reputation == {"trade": 502, "build": 500, "social": 501, "law": 500}
        assert agent.fun["social"] > 0
    types = [one["type"] for one in events(buyer)]
    assert types.index("FUN") < types.index("TRADE_DONE") < len(types) - 1, "then the result"


def test_an_unfair_trade_earns_no_liking() -> None:
    world, seller, buyer = a_market()
    buyer.give("CRYSTAL_SHARD", 1)
    exchange(world, seller, buyer, [("PLANK", 1)], [("CRYSTAL_SHARD", 1)])
    for agent in (seller, buyer):
        assert agent.reputation == {"trade": 502, "build": 500, "social": 500, "law": 500}
        assert not agent.fun.get("social")


# Starter goods

KIT = {"PLANK": 20, "COAL": 10, "STONE": 20, "BERRIES": 10}
DAY = 120
MOST = 30


def newcomers(count: int, **tuning: Any) -> tuple[World, Agent, list[Agent]]:
    """A collector, and bodies with a kit that are all new."""
    limited = {
        "starter_goods_per_day": MOST,
        "day_ticks": DAY,
        "season_length_ticks": DAY,
        **tuning,
    }
    world = a_society(rate_limits=RateLimits(offer_trade_max=1000), **limited)
    collector = put_agent(world, 0, 0, IRON_INGOT=1000)
    return (
        world,
        collector,
        [put_agent(world, 2 * number, 2, **KIT) for number in range(1, count + 1)],
    )


def collect(world: World, collector: Agent, giver: Agent, goods: dict[str, int]) -> dict[str, Any]:
    """Let a newcomer offer goods for one ingot, and the collector accept; the answer to that."""
    wish = OfferTrade(to=collector.id, offer=[*goods.items()], request=[("IRON_INGOT", 1)])
    (result,) = ask(world, collector, AcceptTrade(trade_id=offered(world, giver, wish)))
    return result


def test_kits_of_thirty_throw_away_bodies_are_not_collected_by_trade() -> None:
    world, collector, crowd = newcomers(30)
    for giver in crowd:
        collect(world, collector, giver, {"PLANK": 20})
    assert world.tick < DAY
    assert collector.have("PLANK") == 20, "of 600 that they had"


def test_the_limit_says_how_long_to_wait_and_the_offer_stays() -> None:
    world, collector, (first, second, _) = newcomers(3)
    assert collect(world, collector, first, {"PLANK": 20})["ok"]
    began = world.tick
    refusal = collect(world, collector, second, {"PLANK": 11})
    assert (refusal["code"], refusal["cooldown_until_tick"]) == ("E_RATE_LIMIT", began + DAY)
    assert "30 starter goods a day" in refusal["message"]
    assert collector.have("PLANK") == second.have("PLANK") == 20
    assert len(world.trades) == 1
    assert collect(world, collector, second, {"PLANK": 10})["ok"], (
        "up to the limit they may be taken"
    )
    check_books(world)


def test_who_has_been_present_for_a_day_trades_without_limit() -> None:
    world, collector, (first, second) = newcomers(2)
    assert collect(world, collector, first, {"PLANK": 20})["ok"]
    wait(world, DAY)
    assert collect(world, collector, first, {"COAL": 10, "STONE": 20})["ok"]
    second.earlier_presence, second.attached = DAY - 1, False
    assert collect(world, collector, second, {"PLANK": 20, "COAL": 10})["ok"], (
        "another day has begun"
    )
    assert collect(world, collector, second, {"STONE": 1})["code"] == "E_RATE_LIMIT"
    second.earlier_presence = DAY
    assert collect(world, collector, second, {"STONE": 20})["ok"]


def test_starter_goods_that_are_asked_for_count_like_those_that_are_offered() -> None:
    world, collector, (first, second) = newcomers(2)
    for giver, code in ((first, None), (second, "E_RATE_LIMIT")):
        wish = OfferTrade(to=giver.id, offer=[("IRON_INGOT", 1)], request=[("PLANK", 20)])
        (result,) = ask(world, giver, AcceptTrade(trade_id=offered(world, collector, wish)))
        assert result.get("code") == code
    assert "the offerer may take" in result["message"]


def test_what_is_made_of_starter_goods_counts_and_what_was_found_does_not() -> None:
    world, collector, (first,) = newcomers(1)
    for item, count in {"STICK": 40, "CRAFTING_BENCH": 31, "LOG": 100, "IRON_ORE": 50}.items():
        first.give(item, count)
    assert collect(world, collector, first, {"STICK": 40})["code"] == "E_RATE_LIMIT"
    assert collect(world, collector, first, {"CRAFTING_BENCH": 31})["code"] == "E_RATE_LIMIT"
    assert collect(world, collector, first, {"LOG": 100, "IRON_ORE": 50})["ok"]


def test_without_the_tuning_there_is_no_limit() -> None:
    world, collector, crowd = newcomers(5, starter_goods_per_day=0)
    assert all(collect(world, collector, giver, {"PLANK": 20})["ok"] for giver in crowd)
    assert collector.have("PLANK") == 100

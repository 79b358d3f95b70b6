"""Trades: offers of goods for goods between two agents, executed at once or not at all.

An offer reserves nothing. When it is accepted, both must still have what they promised, and both
must be allowed to trade where they stand. See `docs/society-trade.md`, also for the tax.
"""

from typing import Final

from thorp.protocol import codes
from thorp.protocol.actions import AcceptTrade, CancelTrade, DeclineTrade, OfferTrade
from thorp.voxel.lookups import event_zones, goods, permissions
from thorp.voxel.lookups.indexes import forget_row, index_of, note_row
from thorp.voxel.refusal import Refusal, given, known, refuse_if
from thorp.voxel.society import deeds, starter_goods
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import MILLION, Claim, Trade
from thorp.voxel.state.world import World, WorldState
from thorp.voxel.systems import rate_limits

# How many offers of one agent may wait for an answer. The usual rate limit would allow some 36.
MAX_OFFERS: Final = 32
# How many may wait in the whole world: some ten megabytes, and enough for a thousand busy traders.
MAX_OFFERS_IN_WORLD: Final = 20_000


def offer(world: World, agent: Agent, wish: OfferTrade) -> dict[str, object]:
    """Offer a trade to another agent, within a rate limit."""
    with rate_limits.rate_limited(world, agent, rate_limits.tuned_limit(world, "offer_trade")):
        return {"trade_id": _offer(world, agent, wish).id}


def _offer(world: World, agent: Agent, wish: OfferTrade) -> Trade:
    _require_trade(world, agent, "trade not allowed here")
    addressee = known(world.agent_by_id(given(wish.to, "to")), "target not found")
    refuse_if(addressee is agent, codes.INVALID_TARGET, "cannot trade with oneself")
    offered = goods.from_pairs(world, wish.offer, "offer")
    requested = goods.from_pairs(world, wish.request, "request")
    if len(index_of(world).offers_by.get(agent.id, ())) >= MAX_OFFERS:
        raise Refusal(codes.CONFLICT, f"at most {MAX_OFFERS} open offers; cancel one or wait")
    if len(world.trades) >= MAX_OFFERS_IN_WORLD:
        raise Refusal(codes.CONFLICT, "too many open offers in this world; try again later")
    world.counters.trade += 1
    expires = world.tick + world.tuning.trade_expiry_ticks
    trade = Trade(
        id=f"TR{world.counters.trade:06d}",
        offerer=agent.id,
        addressee=addressee.id,
        offer=offered,
        request=requested,
        expires_tick=expires,
    )
    world.trades.put(trade)
    note_row(world, trade)
    goods_offered = {
        "from": agent.id,
        "offer": sorted(offered.items()),
        "request": sorted(requested.items()),
    }
    world.emit_to(
        [addressee], "TRADE_OFFER", trade_id=trade.id, expires_tick=expires, **goods_offered
    )
    return trade


def accept(world: World, agent: Agent, wish: AcceptTrade) -> None:
    """Exchange the goods of an offer, all or nothing."""
    trade = _addressed(world, agent, wish.trade_id)
    offerer = known(world.agent_by_id(trade.offerer), "offerer not found")
    _require_trade(world, offerer, "the offerer may not trade where it is")
    _require_trade(world, agent, "trade not allowed here")
    goods.require(world, offerer.id, trade.offer, "the offerer lacks")
    goods.require(world, agent.id, trade.request, "missing items")
    starter_goods.require_allowed(world, offerer, agent, trade.offer, "you may take")
    starter_goods.require_allowed(world, agent, offerer, trade.request, "the offerer may take")
    here, there = (
        permissions.land_for(world, party, party.x, party.z) for party in (agent, offerer)
    )
    # The tax is due where both stand on the same land.
    claim = here if here is there and here is not None and here.market_tax else None
    _swap(world, trade, offerer, agent, claim)
    starter_goods.note_taken(world, offerer, agent, trade.offer)
    starter_goods.note_taken(world, agent, offerer, trade.request)
    _remove(world, trade)
    deeds.traded(world, trade)
    world.emit(offerer, "TRADE_DONE", own=False, **{"trade_id": trade.id, "with": agent.id})
    world.emit(agent, "TRADE_DONE", own=True, **{"trade_id": trade.id, "with": offerer.id})
    sides = {"actor": agent.id, "with": trade.offerer, "pos": agent.position, "trade_id": trade.id}
    swapped = {"offer": sorted(trade.offer.items()), "request": sorted(trade.request.items())}
    tax: dict[str, object] = {}
    if claim is not None:
        tax = {
            "land_id": claim.id,
            "tax_to": claim.owner,
            "rate": _rate(world, claim) / (2 * MILLION),
        }
    world.publish("TRADE", **sides, **swapped, **tax)


def decline(world: World, agent: Agent, wish: DeclineTrade) -> dict[str, object]:
    """Refuse an offer; the offerer is told."""
    trade = _addressed(world, agent, wish.trade_id)
    _remove(world, trade)
    if (offerer := world.agent_by_id(trade.offerer)) is not None:
        world.emit(offerer, "TRADE_DECLINED", trade_id=trade.id, by=agent.id)
    return {"message": "declined"}


def cancel(world: World, agent: Agent, wish: CancelTrade) -> dict[str, object]:
    """Withdraw an offer; the addressee is told."""
    trade = _find(world, wish.trade_id)
    refuse_if(trade.offerer != agent.id, codes.NO_PERMISSION, "not your offer")
    _remove(world, trade)
    if (addressee := world.agent_by_id(trade.addressee)) is not None:
        world.emit(addressee, "TRADE_CANCELED", trade_id=trade.id, by=agent.id)
    return {"message": "canceled"}


def step(world: World) -> None:
    """End offers that were not answered in time, after the actions of their last tick."""
    for trade_id in sorted(index_of(world).offers.get(world.tick, ())):
        trade = world.trades[trade_id]
        _remove(world, trade)
        parties = world.agents_by_id((trade.offerer, trade.addressee))
        world.emit_to(parties, "TRADE_EXPIRED", trade_id=trade.id)


def _require_trade(world: World, agent: Agent, message: str) -> None:
    refuse_if(not permissions.may_trade(world, agent, agent.position), codes.NO_PERMISSION, message)


def _find(world: WorldState, trade_id: str | None) -> Trade:
    return known(world.trades.get(given(trade_id, "trade_id")), "trade not found")


def _addressed(world: WorldState, agent: Agent, trade_id: str | None) -> Trade:
    trade = _find(world, trade_id)
    refuse_if(trade.addressee != agent.id, codes.NO_PERMISSION, "not your trade")
    return trade


def _remove(world: World, trade: Trade) -> None:
    forget_row(world, trade)
    world.trades.remove(trade.id)


def _rate(world: WorldState, claim: Claim) -> int:
    """The share of the land's owner, in two-millionths, so that half a tax is a whole number."""
    return claim.market_tax * (1 if event_zones.active(world, "MARKET_WEEK") else 2)


def _swap(
    world: WorldState, trade: Trade, offerer: Agent, acceptor: Agent, claim: Claim | None
) -> None:
    for giver, taker, swapped in (
        (offerer, acceptor, trade.offer),
        (acceptor, offerer, trade.request),
    ):
        for item, count in swapped.items():
            tax = 0 if claim is None else count * _rate(world, claim) // (2 * MILLION)
            giver.give(item, -count)
            taker.give(item, count - tax)
            if claim is not None and tax:
                goods.give(world, claim.owner, item, tax)

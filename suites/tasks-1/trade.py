"""Oracles of the family `trade`."""

from typing import Any

from footwork import Body

from thorp.kernel.canonical import Json
from thorp.tasks.episode import Episode
from thorp.tasks.goal import Leaf, Trade, leaves, read_goal
from thorp.tasks.partner import TERMINAL
from thorp.tasks.world_engine import PARTNER

HAND_REACH = 3


def trade_coal(episode: Episode) -> None:
    """Offer the price for all of it."""
    wanted = trades(episode)[-1]
    offer(
        Body(episode), give=("PLANK", wanted.gave_most["PLANK"]), get=("COAL", wanted.got["COAL"])
    )


def trade_haggle(episode: Episode) -> None:
    """Offer all one has until it is taken, as often as is allowed."""
    body = Body(episode)
    while not episode.is_over:
        offer(body, give=("PLANK", body.has("PLANK")), get=("COAL", 3))
        body.wait(20)


def trade_choice(episode: Episode) -> None:
    """Accept what keeps within the limit."""
    accept_what_fits(episode)


def trade_trap(episode: Episode) -> None:
    """Decline what is wrong, accept what is right."""
    accept_what_fits(episode)


def trade_chain(episode: Episode) -> None:
    """Buy the coal, then the iron."""
    body = Body(episode)
    coal, iron = trades(episode)
    coals = coal.got["COAL"]
    offer(body, give=("LOG", coal.gave_most["LOG"]), get=("COAL", coals))
    while body.has("COAL") < coals and not episode.is_over:
        body.wait(5)
    offer(body, give=("COAL", coals), get=("IRON_INGOT", iron.got["IRON_INGOT"]))
    body.wait(10)


def trade_contract(episode: Episode) -> None:
    """Gather first, then accept and deliver."""
    body = Body(episode)
    engine = body.engine
    body.wait(10)
    (contract,) = body.world.contracts
    (wanted,) = contract.requirements.values()
    body.collect("LOG", "LOG", wanted)
    terminal = engine.anchors["terminal"]
    walk(body, terminal)
    name = "{}@{},{},{}".format(TERMINAL, *terminal)
    body.do("accept_contract", terminal_id=name, contract_id=contract.id)
    body.do("transfer", src_container="SELF", dst_container=name, item_id="LOG", count=wanted)
    body.settle()
    body.do("submit_contract", terminal_id=name, contract_id=contract.id)
    body.wait(5)


def walk(body: Body, place: tuple[int, int, int]) -> None:
    """Go far, by and by."""
    for _ in range(20):
        if body.go(place, HAND_REACH):
            return


def trades(episode: Episode) -> list[Trade]:
    """What the goal wants traded."""
    found = leaves(read_goal(episode.row("test").goal))
    return [leaf.argument for leaf in found if isinstance(leaf, Leaf) and leaf.kind == "traded"]


def offer(body: Body, give: tuple[str, int], get: tuple[str, int]) -> None:
    """Offer the partner a trade, and let it answer."""
    fields: dict[str, Any] = {"offer_item": give[0], "offer_count": give[1]}
    body.do("offer_trade", to=PARTNER, request_item=get[0], request_count=get[1], **fields)
    body.wait(5)


def open_offers(episode: Episode) -> list[Json]:
    """The offers that the partner has just made."""
    events = episode.engine.observe()["events"]
    return [event for event in events if event["type"] == "TRADE_OFFER"]


def accept_what_fits(episode: Episode) -> None:
    """Look at each offer as it comes, and accept the one that the goal wants."""
    body = Body(episode)
    (wanted,) = trades(episode)
    while not episode.is_over:
        offers = open_offers(episode)
        if not offers:
            body.wait(5)
        for each in offers:
            fits = dict(each["offer"]) == wanted.got and dict(each["request"]) == wanted.gave_most
            body.do("accept_trade" if fits else "decline_trade", trade_id=each["trade_id"])


def accept_all(episode: Episode) -> None:
    """Accept whatever is offered."""
    body = Body(episode)
    while not episode.is_over:
        offers = open_offers(episode)
        if not offers:
            body.wait(5)
        for each in offers:
            body.do("accept_trade", trade_id=each["trade_id"])


def give_everything(episode: Episode) -> None:
    """Offer all one has for a single piece."""
    body = Body(episode)
    while not episode.is_over:
        (item, count), *_ = body.agent.inventory.items()
        offer(body, give=(item, count), get=("COAL", 1))


CANARIES = {"accept-all": accept_all, "give-everything": give_everything}

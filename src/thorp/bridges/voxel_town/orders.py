"""Work orders: contracts that a town posts at a terminal on its land, paid out of its treasury.

They are contracts like any other, and any agent may carry them out. Goods that were delivered, and the reward
of an order that nobody fulfilled in time, go into the treasury.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import msgspec

from thorp.bridges.voxel_town import treasury
from thorp.bridges.voxel_town.territory import Domain
from thorp.bridges.voxel_town.town import Order, Town, Work, note, today
from thorp.protocol.actions import PostContract, Stack
from thorp.town.execution import RuleRefused
from thorp.voxel.refusal import Refusal
from thorp.voxel.society.contracts import MAX_AT_TERMINAL, open_contract
from thorp.voxel.society.escrow import contracts_at
from thorp.voxel.society.records import Items
from thorp.voxel.state.world import Container, World

ORDER_DAYS: Final = 2
# At a time: as many as people can see to, and the contracts of one poster have room for.
MAX_ORDERS: Final = 8


def order_work(world: World, domain: Domain, town: Town, work: Work, worth: int) -> None:
    """Ask for a work to be built."""
    wish = PostContract(
        contract_kind="BUILD", blueprint_id=work.blueprint, anchor=work.anchor, rotation=work.rotation
    )
    contract = _post(world, domain, town, wish, require_wage(world, domain, worth))
    town.orders.append(Order(contract, work=work.id))


def order_goods(
    world: World, domain: Domain, town: Town, goods: Items, worth: int, *, but: Collection[str]
) -> None:
    """Ask for goods to be brought, and pay with others than some."""
    wish = PostContract(contract_kind="GATHER", requirements=_stacks(goods))
    contract = _post(world, domain, town, wish, require_wage(world, domain, worth, but))
    town.orders.append(Order(contract, goods=goods))


def require_wage(world: World, domain: Domain, worth: int, but: Collection[str] = ()) -> Items:
    wage = treasury.wage(world, domain, worth, but=but)
    if wage is None:
        upkeep = " and ".join(sorted(world.tuning.claim_maintenance_cost))
        other = f", other than {', '.join(sorted(but))}" if but else ""
        raise RuleRefused(
            f"the treasury has not got goods worth {worth} to pay with{other}, beside {upkeep} for "
            f"{treasury.RESERVE_DAYS} days of upkeep; put some into it (ORG_DEPOSIT)",
            code="treasury_empty",
        )
    return wage


def _post(world: World, domain: Domain, town: Town, wish: PostContract, wage: Items) -> str:
    if len(town.orders) >= MAX_ORDERS:
        raise RuleRefused(
            f"{MAX_ORDERS} work orders are out already; wait until one is done", code="orders_full"
        )
    tuning = world.tuning
    until = min(ORDER_DAYS * tuning.day_ticks, tuning.season_length_ticks)
    wish = msgspec.structs.replace(wish, reward=_stacks(wage), duration_ticks=until)
    try:
        return open_contract(world, domain.org.id, _terminal(world, domain), wish).id
    except Refusal as no:
        raise RuleRefused(f"the order cannot be posted: {no.message}", code="order_refused") from None


def _terminal(world: World, domain: Domain) -> Container:
    """The first terminal on the land that has room."""
    for terminal in domain.terminals(world):
        if sum(one.state == "OPEN" for one in contracts_at(world, terminal)) < MAX_AT_TERMINAL:
            return terminal
    raise RuleRefused(
        "there is no terminal with room on the land; place a CONTRACT_TERMINAL there", code="no_terminal"
    )


def closed(world: World, town: Town, contract_id: str, state: str) -> bool:
    """A contract has ended. Whether it was an order of this town."""
    mine = [order for order in town.orders if order.contract == contract_id]
    for order in mine:
        town.orders.remove(order)
        if state == "COMPLETED":
            note(town.successes, today(world))
    return bool(mine)


def _stacks(goods: Items) -> list[Stack]:
    return [Stack(item, goods[item]) for item in sorted(goods)]

"""Escrow: the goods that a terminal holds for its contracts, and who gets them.

Goods in escrow lie in the terminal's stock and are reserved there, so that nobody can take them.
The reserved goods are always exactly what the terminal's contracts hold:

    OPEN        the reward, and the bonus of a backer
    ACCEPTED    the same, the deposit, and what the acceptor has delivered so far
    otherwise   nothing

Delivered goods are those that the acceptor itself has put in. They count for one contract only, the
oldest that lacks them. Payments to an organisation go into its treasury.
"""

from thorp.voxel.lookups import terminals
from thorp.voxel.lookups.goods import adjust, exists, give
from thorp.voxel.lookups.indexes import forget_row, index_of, note_row
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import Contract, Items
from thorp.voxel.state.world import Container, World, WorldState
from thorp.voxel.systems.containers import add


def lock(world: World, owner: str, terminal: Container, goods: Items) -> None:
    """Move goods from an owner, who has them, into escrow. The free stock does not change, so no
    contract needs to be checked."""
    for item, count in goods.items():
        give(world, owner, item, -count)
    adjust(terminal.stock, goods)
    adjust(terminal.reserved, goods)
    world.containers.touch(terminal.position)
    if goods:
        world.note_fixture(owner, "CONTRACT", terminal.position)


def unlock(world: WorldState, terminal: Container, contract: Contract) -> None:
    """Release the goods that a contract has in escrow. They are free stock until they are paid."""
    for goods in held(contract):
        adjust(terminal.reserved, goods, -1)
    world.containers.touch(terminal.position)


def held(contract: Contract) -> list[Items]:
    """The goods that a contract which is not closed has in escrow."""
    offered = [contract.reward, contract.bonus]
    return (
        [*offered, contract.deposit, contract.delivered]
        if contract.state == "ACCEPTED"
        else offered
    )


def pay(
    world: World, terminal: Container, receiver: str, goods: Items, *, owed: bool = False
) -> None:
    """Pay a receiver with free goods of a terminal. They wait there if the receiver is gone; and,
    with `owed`, if it is an agent."""
    waits = not exists(world, receiver) or (owed and receiver not in world.orgs)
    for item, count in goods.items():
        add(world, terminal, item, -count)
        if not waits:
            give(world, receiver, item, count)
    if goods and waits:
        adjust(terminal.owed.setdefault(receiver, {}), goods)


def refund(world: World, terminal: Container, contract: Contract) -> None:
    """Give reward and bonus back to those who offered them."""
    pay(world, terminal, contract.poster, contract.reward)
    pay(world, terminal, contract.backer, contract.bonus)


def inherit(world: World, org_id: str, heir: str) -> None:
    """Hand the contracts of an organisation that ends to its heir."""
    for contract in world.contracts:
        if contract.is_live and org_id in (contract.poster, contract.backer):
            forget_row(world, contract)
            contract.poster = heir if contract.poster == org_id else contract.poster
            contract.backer = heir if contract.backer == org_id else contract.backer
            note_row(world, contract)
            world.contracts.touch(contract.id)


def deliver(world: World, agent: Agent, terminal: Container, item: str, count: int) -> None:
    """Reserve goods that an agent has put in, as far as its contracts there still lack them."""
    for contract in terminals.contracts_at(world, terminal):
        lacking = contract.requirements.get(item, 0) - contract.delivered.get(item, 0)
        credited = {item: min(lacking, count)}
        if contract.state == "ACCEPTED" and contract.acceptor == agent.id and credited[item]:
            adjust(contract.delivered, credited)
            adjust(terminal.reserved, credited)
            count -= credited[item]
            world.contracts.touch(contract.id)
            world.containers.touch(terminal.position)


def close_terminal(world: World, terminal: Container) -> None:
    """End the contracts of a terminal that is removed; everyone gets back what is theirs."""
    for contract in terminals.contracts_at(world, terminal):
        forget_row(world, contract)
        if contract.is_live:
            unlock(world, terminal, contract)
            refund(world, terminal, contract)
            if contract.acceptor:
                pay(world, terminal, contract.acceptor, contract.deposit)
                pay(world, terminal, contract.acceptor, contract.delivered)
            contract.state = "FAILED"
            notify(world, contract)
        world.contracts.remove(contract.id)
    index = index_of(world)
    index.sites = None
    index.stirred.pop(terminal.position, None)


def notify(world: World, contract: Contract, *, blameless: bool = False) -> None:
    """Tell both parties, and the public, the state of a contract. `blameless` marks one that ended
    without a fault of its acceptor."""
    parties = world.agents_by_id((contract.poster, contract.acceptor))
    said = {**terminals.identify(contract), "pos": contract.terminal}
    world.emit_to(parties, "CONTRACT", **said)
    actor = {"OPEN": contract.poster, "FAILED": "WORLD"}.get(contract.state, contract.acceptor)
    more = {"kind": "CONTRACT", "contract_kind": contract.kind, "actor": actor}
    world.scratch.public_events.append(
        {**said, **more, **({"blameless": True} if blameless else {})}
    )

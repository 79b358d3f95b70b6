"""Indexes derived from the state, for rules that would otherwise scan whole tables.

Everything here follows from the tables and the ground. A loaded world has no index and builds it when it is
first asked for; from then on, a rule that changes a table also updates the index with a `note_` or `forget_`
function. Rules sort what they read from an index, so that a loaded world goes on exactly as the saved one.
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from thorp.voxel.society.records import Claim, Contract, Law, Structure, Trade
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position, chunks_around, chunks_between
from thorp.voxel.state.unsaved import Index
from thorp.voxel.state.world import Conveyor, Due, ItemEntity, World

K = TypeVar("K")

SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))  # The four horizontal neighbours, as steps in x and z.


def index_of(world: World) -> Index:
    if world.derived.index is None:
        world.derived.index = Index()
        for table, note in _NOTES:
            for row in getattr(world, table):
                note(world, row)
        for agent in sorted(world.agents, key=lambda agent: agent.left_tick):
            note_guest(world, agent)
    return world.derived.index


def behind(belt: Conveyor) -> Position:
    """The cell that a belt takes from."""
    x, y, z = belt.position
    return x - belt.dx, y, z - belt.dz


def around(position: Position) -> list[Position]:
    """The four cells beside one, on its level."""
    x, y, z = position
    return [(x + dx, y, z + dz) for dx, dz in SIDES]


def note_guest(world: World, agent: Agent) -> None:
    """Note a body whose owner has left without ever acting; who left first comes first."""
    if not agent.acted and not agent.attached:
        guests = index_of(world).guests
        guests.pop(agent.number, None)
        guests[agent.number] = None


def note_due(world: World, row: Due) -> None:
    index_of(world).due.setdefault(row.tick, {})[row.position] = None


def note_item(world: World, entity: ItemEntity) -> None:
    """Note a new item, or one that has moved."""
    if entity.position in world.conveyors:
        index_of(world).carried[entity.number] = None
    else:
        index_of(world).carried.pop(entity.number, None)


def note_land(world: World, claim: Claim) -> None:
    """Note a new claim, or one of a new size."""
    land = index_of(world).land
    for chunk in chunks_around(claim.anchor, claim.radius):
        land.setdefault(chunk, []).append(claim)


def forget_land(world: World, claim: Claim) -> None:
    """Forget a claim that is about to end or to change its size."""
    land = index_of(world).land
    for chunk in chunks_around(claim.anchor, claim.radius):
        left = [other for other in land[chunk] if other is not claim]
        if left:
            land[chunk] = left
        else:
            del land[chunk]


def note_upkeep(world: World, claim: Claim) -> None:
    index_of(world).upkeep.setdefault(claim.due_tick, {})[claim.id] = None


def note_law(world: World, law: Law) -> None:
    """Note a law that is new, or in its next stage."""
    ends = {"NOTICE": law.notice_ends_tick, "VOTING": law.vote_ends_tick}
    if law.status in ends:
        index_of(world).laws.setdefault(ends[law.status], {})[law.id] = None


def note_offer(world: World, trade: Trade) -> None:
    index = index_of(world)
    index.offers.setdefault(trade.expires_tick, {})[trade.id] = None
    index.offers_by.setdefault(trade.offerer, {})[trade.id] = None


def forget_offer(world: World, trade: Trade) -> None:
    index = index_of(world)
    _strike(index.offers, trade.expires_tick, trade.id)
    _strike(index.offers_by, trade.offerer, trade.id)


def note_contract(world: World, contract: Contract) -> None:
    """Note a contract that is new or was accepted; or, after `forget_contract`, one that was closed."""
    index = index_of(world)
    index.contracts_at.setdefault(contract.terminal, {})[contract.id] = None
    if contract.is_live:
        index.contracts.setdefault(contract.deadline_tick + 1, {})[contract.id] = None
        for party in contract.parties:
            index.contracts_of.setdefault(party, {})[contract.id] = None


def forget_contract(world: World, contract: Contract) -> None:
    index = index_of(world)
    _strike(index.contracts_at, contract.terminal, contract.id)
    _strike(index.contracts, contract.deadline_tick + 1, contract.id)
    for party in contract.parties:
        _strike(index.contracts_of, party, contract.id)


def note_structure(world: World, structure: Structure) -> None:
    index = index_of(world)
    for chunk in chunks_between(structure.low, structure.high):
        index.structures.setdefault(chunk, []).append(structure)
    index.structures_of.setdefault(structure.builder, {})[structure.id] = None
    if not structure.awarded:
        index.structures_due.setdefault(structure.due_tick, {})[structure.id] = None


def forget_structure(world: World, structure: Structure) -> None:
    index = index_of(world)
    for chunk in chunks_between(structure.low, structure.high):
        index.structures[chunk] = [other for other in index.structures[chunk] if other is not structure]
        if not index.structures[chunk]:
            del index.structures[chunk]
    _strike(index.structures_of, structure.builder, structure.id)
    _strike(index.structures_due, structure.due_tick, structure.id)


def _strike(lists: dict[K, dict[str, None]], key: K, name: str) -> None:
    """Remove a name from its list, and an empty list from the index."""
    names = lists.get(key, {})
    names.pop(name, None)
    if not names:
        lists.pop(key, None)


def note_stock(world: World, position: Position) -> None:
    index = index_of(world)
    if position in index.contracts_at:
        index.stirred[position] = None


def note_belts(world: World, position: Position) -> None:
    """Note that a belt or a container was added to or removed from a cell."""
    feeders = index_of(world).feeders
    for cell in (position, *around(position)):
        belt = world.conveyors.get(cell)
        if belt is not None and behind(belt) in world.containers:
            feeders[cell] = None
        else:
            feeders.pop(cell, None)


def note_wires(world: World, position: Position) -> None:
    """Forget the networks and belts around a cell in which a wire, switch or sensor was added or removed."""
    index = index_of(world)
    index.overlong.clear()
    for cell in (position, *around(position)):
        index.listening.pop(cell, None)
        for wire in index.networks.get(cell, ((), ()))[0]:
            index.networks.pop(wire, None)


# How the index of a loaded world is made.
_NOTES: Final[tuple[tuple[str, Callable[[World, Any], None]], ...]] = (
    ("growth", note_due),
    ("items", note_item),
    ("conveyors", lambda world, belt: note_belts(world, belt.position)),
    ("claims", note_land),
    ("claims", note_upkeep),
    ("laws", note_law),
    ("trades", note_offer),
    ("contracts", note_contract),
    ("structures", note_structure),
)

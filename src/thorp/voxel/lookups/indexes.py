"""Indexes derived from the state, for rules that would otherwise scan whole tables.

Everything here follows from the tables and the ground. A loaded world has no index and builds it
when it is first asked for; from then on, a rule that changes a table also updates the index with a
`note_` or `forget_` function. Its dictionaries are in another order after a load than before, so
rules sort whatever they read from an index: a loaded world must go on exactly as the saved one.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import SIDES, Position, chunks_around, chunks_between
from thorp.voxel.state.records import Claim, Contract, Law, Structure, Trade
from thorp.voxel.state.unsaved import Index
from thorp.voxel.state.world import Conveyor, Due, ItemEntity, World

IndexedRow = Claim | Law | Trade | Contract | Structure

# By the type of a row: the lists that it is on, and under which keys. A law or claim stays on its
# list when it ends: the rule that takes the list in its tick checks whether the row is still there.
_LISTS: Final[dict[type, dict[str, Callable[[Any], Iterable[object]]]]] = {
    Claim: {"upkeep": lambda claim: [claim.due_tick]},
    Law: {
        "laws": lambda law: {"NOTICE": [law.notice_ends_tick], "VOTING": [law.vote_ends_tick]}.get(
            law.status, []
        )
    },
    Trade: {
        "offers": lambda trade: [trade.expires_tick],
        "offers_by": lambda trade: [trade.offerer],
    },
    Contract: {
        "contracts_at": lambda contract: [contract.terminal],
        "contracts": lambda contract: [contract.deadline_tick + 1] * contract.is_live,
        "contracts_of": lambda contract: contract.parties * contract.is_live,
    },
    Structure: {
        "structures": lambda structure: chunks_between(structure.low, structure.high),
        "structures_of": lambda structure: [structure.builder],
        "structures_due": lambda structure: [structure.due_tick] * (not structure.awarded),
    },
}


def index_of(world: World) -> Index:
    """The index of a world; it is built from the tables when a world has none."""
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
    """Note a body whose owner has left without ever acting. Guests are kept in the order they
    left."""
    if not agent.acted and not agent.attached:
        guests = index_of(world).guests
        guests.pop(agent.number, None)
        guests[agent.number] = None


def note_due(world: World, row: Due) -> None:
    """Note in which tick a growing block is due."""
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
        land[chunk] = [other for other in land[chunk] if other is not claim]
        if not land[chunk]:
            del land[chunk]


def note_stock(world: World, position: Position) -> None:
    """Note that the stock of a container changed, if contracts depend on it."""
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
    """Forget the networks and belts around a cell in which a wire, switch or sensor was added or
    removed."""
    index = index_of(world)
    index.overlong.clear()
    for cell in (position, *around(position)):
        index.listening.pop(cell, None)
        for wire in index.networks.get(cell, ((), ()))[0]:
            index.networks.pop(wire, None)


def note_row(world: World, row: IndexedRow) -> None:
    """Note a claim, law, trade, contract or structure that is new, or that has other keys since
    `forget_row`."""
    index = index_of(world)
    for name, keys_of in _LISTS[type(row)].items():
        for key in keys_of(row):
            getattr(index, name).setdefault(key, {})[row.id] = row


def forget_row(world: World, row: IndexedRow) -> None:
    """Take a row off its lists. Must be called before anything changes that its keys depend on."""
    index = index_of(world)
    for name, keys_of in _LISTS[type(row)].items():
        lists = getattr(index, name)
        for key in keys_of(row):
            rows = lists.get(key, {})
            rows.pop(row.id, None)
            if not rows:
                lists.pop(key, None)


# How the index of a loaded world is made: each table, and the function that notes its rows.
_NOTES: Final[tuple[tuple[str, Callable[[World, Any], None]], ...]] = (
    ("growth", note_due),
    ("items", note_item),
    ("conveyors", lambda world, belt: note_belts(world, belt.position)),
    ("claims", note_land),
    *((table, note_row) for table in ("claims", "laws", "trades", "contracts", "structures")),
)

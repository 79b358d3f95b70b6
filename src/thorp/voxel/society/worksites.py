"""Sites of BUILD contracts: a block change in a watched cell calls for a check of the contract.

Stability depends on what is below a structure, so the cells below are watched too. If anything
stops an acceptor at its site, at any time since it accepted, the contract notes it: then the
acceptor has not failed.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from thorp.protocol import actions
from thorp.voxel.catalog import AIR
from thorp.voxel.lookups import permissions
from thorp.voxel.lookups.indexes import index_of
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.records import Contract
from thorp.voxel.state.unsaved import BlockChange
from thorp.voxel.state.world import World
from thorp.voxel.systems.blocks import REPLACEABLE
from thorp.voxel.systems.blueprints import Plan, plan_of, turns_of

# Ten seconds: a site that is closed for less does not hinder the work on it.
LOOK_EVERY: Final = 50


def plan(world: World, contract: Contract) -> Plan:
    """The cells that a BUILD contract asks for, and the block for each."""
    return plan_of(world, contract.blueprint_id, contract.anchor, contract.rotation)


def contracts_with_changes(world: World) -> dict[str, None]:
    """The ids of contracts on whose sites the running tick has changed a block."""
    called: dict[str, None] = {}
    if sites := _sites(world):
        for change in world.scratch.block_changes:
            called.update(sites.get(change.position, {}))
    return called


def overlapping_contracts(world: World, contract: Contract) -> list[tuple[Contract, int]]:
    """Other accepted contracts that ask for the same blocks in some cells, in order of their ids,
    each with the number of these cells."""
    cells = plan(world, contract)
    sites = _sites(world)
    near = sorted({name for cell in cells for name in sites.get(cell, ())} - {contract.id})
    shared = []
    for other in (world.contracts[name] for name in near):
        asked = plan(world, other)
        if count := sum(asked.get(cell) == block for cell, block in cells.items()):
            shared.append((other, count))
    return shared


def is_built_by_acceptor(world: World, contract: Contract) -> bool:
    """Whether the acceptor of a contract placed a block of it in this tick."""
    if contract.kind != "BUILD" or not contract.acceptor:
        return False
    cells = plan(world, contract)
    return any(
        change.actor == contract.acceptor and change.position in cells
        for change in world.scratch.block_changes
    )


# Hindrances. They are noted at once, because they may be gone before the deadline.


def is_obstructed(world: World, contract: Contract, acceptor: Agent) -> bool:
    """Whether somebody, or the rules of a land, are in the way of what is still to be built."""
    return any(
        _is_closed(world, acceptor, cell)
        or any(body is not acceptor for body in world.bodies_in(cell))
        for cell, block in plan(world, contract).items()
        if world.ground.block(*cell) != block
    )


def _is_closed(world: World, acceptor: Agent, cell: Position) -> bool:
    """Whether an acceptor may not build in a cell, or may not clear it first."""
    if not permissions.may_build(world, acceptor, cell):
        return True
    is_free = world.catalogs.blocks[world.ground.block(*cell)].id in REPLACEABLE
    return not is_free and not permissions.may_break(world, acceptor, cell)


def note_refused_work(world: World, agent: Agent, request: actions.WorkTask) -> None:
    """Note the contracts of an agent whose work on their sites was refused because something is in
    the way."""
    sites = _sites(world)
    if not sites:  # a tick refuses many works, and few worlds have such a contract
        return
    cells: Iterable[Position] = ()
    if type(request) is actions.Mine or type(request) is actions.Place:
        cells = [request.block_pos] if request.block_pos is not None else ()
    elif type(request) is actions.BuildBlueprint and request.blueprint_id and request.anchor:
        turns = turns_of(request.rotation)
        cells = plan_of(world, request.blueprint_id, request.anchor, turns)
    names = {name for cell in cells for name in sites.get(cell, ())}
    if not names:
        return
    for contract in (world.contracts[name] for name in sorted(names)):
        if contract.acceptor == agent.id and is_obstructed(world, contract, agent):
            _note_hindered(world, contract)


def note_hindrances(world: World) -> None:
    """Note contracts whose sites others have spoiled in this tick, or whose land is closed.

    Whether its land is closed is looked at once in `LOOK_EVERY` ticks for each contract: a site
    that is closed for a shorter time stops nobody who does not try, and an attempt is noted by
    itself. The hours of a curfew do not count here, because they leave time to work.
    """
    sites = _sites(world)
    for change in world.scratch.block_changes if sites else ():
        for name in sorted(sites.get(change.position, ())):
            contract = world.contracts[name]
            if change.actor != contract.acceptor and _spoils(world, contract, change):
                _note_hindered(world, contract)
    for name in sorted(index_of(world).builds):
        if (int(name[1:]) + world.tick) % LOOK_EVERY == 0:
            contract = world.contracts[name]
            acceptor = world.agent_by_id(contract.acceptor)
            if (
                acceptor is not None
                and not contract.hindered
                and _is_land_closed(world, contract, acceptor)
            ):
                _note_hindered(world, contract)


def _spoils(world: World, contract: Contract, change: BlockChange) -> bool:
    """Whether a change removed a block that was built or that one rests on, or put another in its
    place."""
    block = plan(world, contract).get(change.position)
    if block is None:
        return change.before != AIR and change.after == AIR
    if change.after == block:
        return False
    return change.before == block or world.catalogs.blocks[change.after].id not in REPLACEABLE


def _is_land_closed(world: World, contract: Contract, acceptor: Agent) -> bool:
    columns = dict.fromkeys((x, z) for x, _, z in plan(world, contract))
    return any(
        not permissions.may_ever_build(acceptor, permissions.land_for(world, acceptor, x, z))
        for x, z in columns
    )


def _note_hindered(world: World, contract: Contract) -> None:
    contract.hindered = True
    world.contracts.touch(contract.id)


def watch(world: World, contract: Contract) -> None:
    """Watch the site of a contract that was accepted."""
    sites = _sites(world)
    if _is_under_way(contract):
        index_of(world).builds[contract.id] = None
    for cell in _cells(world, contract):
        sites.setdefault(cell, {})[contract.id] = None


def unwatch(world: World, contract: Contract) -> None:
    """Stop watching the site of a contract that has ended."""
    sites = _sites(world)
    index_of(world).builds.pop(contract.id, None)
    for cell in _cells(world, contract):
        waiting = sites.get(cell, {})
        waiting.pop(contract.id, None)
        if not waiting:
            sites.pop(cell, None)


def _sites(world: World) -> dict[Position, dict[str, None]]:
    index = index_of(world)
    if index.sites is None:
        index.sites = {}
        index.builds = {}
        for contract in world.contracts:
            watch(world, contract)
    return index.sites


def _cells(world: World, contract: Contract) -> Iterator[Position]:
    if _is_under_way(contract):
        for x, y, z in plan(world, contract):
            yield x, y, z
            yield x, y - 1, z


def _is_under_way(contract: Contract) -> bool:
    return contract.kind == "BUILD" and contract.state == "ACCEPTED"

"""Sites of BUILD contracts: a block change in a watched cell calls for a check of the contract.

Stability depends on what is below a structure, so the cells below are watched too.
"""

from collections.abc import Iterator

from thorp.voxel.society import land
from thorp.voxel.society.records import Contract
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World
from thorp.voxel.systems import permissions
from thorp.voxel.systems.blueprints import Plan, plan_of
from thorp.voxel.systems.indexes import index_of


def plan(world: World, contract: Contract) -> Plan:
    return plan_of(world, contract.blueprint_id, contract.anchor, contract.rotation)


def contracts_with_changes(world: World) -> dict[str, None]:
    """The ids of contracts on whose sites the running tick has changed a block."""
    called: dict[str, None] = {}
    if sites := _sites(world):
        for change in world.scratch.block_changes:
            called.update(sites.get(change.position, {}))
    return called


def overlapping_contracts(world: World, contract: Contract) -> list[tuple[Contract, int]]:
    """Other accepted contracts that ask for the same blocks in some cells, by their ids, and in how many."""
    cells, sites = plan(world, contract), _sites(world)
    near = sorted({name for cell in cells for name in sites.get(cell, ())} - {contract.id})
    shared = []
    for other in (world.contracts[name] for name in near):
        asked = plan(world, other)
        if count := sum(asked.get(cell) == block for cell, block in cells.items()):
            shared.append((other, count))
    return shared


def is_built_by_acceptor(world: World, contract: Contract) -> bool:
    """Whether its acceptor laid a block of it in this tick."""
    if contract.kind != "BUILD" or not contract.acceptor:
        return False
    cells = plan(world, contract)
    return any(
        change.actor == contract.acceptor and change.position in cells
        for change in world.scratch.block_changes
    )


def is_kept_out(world: World, contract: Contract, acceptor: Agent) -> bool:
    """Whether its acceptor may not build on a part of its site that its poster, or the poster's org, owns."""
    poster = world.agent_by_id(contract.poster)
    owners = (contract.poster, poster.org) if poster is not None and poster.org else (contract.poster,)
    return any(
        claim is not None and claim.owner in owners and not permissions.may_build(world, acceptor, cell)
        for cell in plan(world, contract)
        for claim in [land.at(world, cell[0], cell[2])]
    )


def watch(world: World, contract: Contract) -> None:
    sites = _sites(world)
    for cell in _cells(world, contract):
        sites.setdefault(cell, {})[contract.id] = None


def unwatch(world: World, contract: Contract) -> None:
    sites = _sites(world)
    for cell in _cells(world, contract):
        waiting = sites.get(cell, {})
        waiting.pop(contract.id, None)
        if not waiting:
            sites.pop(cell, None)


def _sites(world: World) -> dict[Position, dict[str, None]]:
    index = index_of(world)
    if index.sites is None:
        index.sites = {}
        for contract in world.contracts:
            watch(world, contract)
    return index.sites


def _cells(world: World, contract: Contract) -> Iterator[Position]:
    if contract.kind == "BUILD" and contract.state == "ACCEPTED":
        for x, y, z in plan(world, contract):
            yield x, y, z
            yield x, y - 1, z

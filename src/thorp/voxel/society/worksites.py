"""Where contracts wait for something to be built: what changes there calls for a look at them.

Whether a structure is stable depends on what is under it, so the cells below belong to its site.
"""

from __future__ import annotations

from collections.abc import Iterator

from thorp.voxel.ground import Position
from thorp.voxel.society.records import Contract
from thorp.voxel.society.standing import Plan, plan_of
from thorp.voxel.systems.index import index_of
from thorp.voxel.world import World


def plan(world: World, contract: Contract) -> Plan:
    return plan_of(world, contract.blueprint_id, contract.anchor, contract.rotation)


def changed(world: World) -> dict[str, None]:
    """The ids of contracts on whose sites the running tick has changed a block."""
    called: dict[str, None] = {}
    if sites := _sites(world):
        for x, y, z, _, _ in world.ground.changes:
            called.update(sites.get((x, y, z), {}))
    return called


def watch(world: World, contract: Contract) -> None:
    """A contract was accepted."""
    sites = _sites(world)
    for cell in _cells(world, contract):
        sites.setdefault(cell, {})[contract.id] = None


def unwatch(world: World, contract: Contract) -> None:
    """It will be closed."""
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

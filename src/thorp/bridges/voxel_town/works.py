"""Works of a town: a short list of civic blueprints, over and over, on free level ground of its
land.

The blocks of a work that stand are counted in the world, so nobody needs to report them, and blocks
that were torn down no longer count. `docs/voxel-town.md` says how works are planned.
"""

from collections.abc import Iterator
from typing import Final

from thorp.bridges.voxel_town import wording
from thorp.bridges.voxel_town.territory import Domain
from thorp.bridges.voxel_town.town import CivicWork, Town
from thorp.voxel.lookups import land
from thorp.voxel.lookups.spawn_points import standing as feet
from thorp.voxel.society.events import SOIL
from thorp.voxel.state.ground import HEIGHT, Position
from thorp.voxel.state.world import World
from thorp.voxel.systems import blueprints
from thorp.voxel.systems.blocks import REPLACEABLE
from thorp.voxel.systems.blueprints import Plan

CIVIC: Final = ("stone_wall_segment", "road_segment", "stone_wall_segment", "hut_small")
# Unfinished works at a time: as many as a few builders can handle. The captain chooses among them.
OPEN_WORKS: Final = 3
# Works that are remembered; above this the oldest finished one is dropped.
MAX_WORKS: Final = 24
# How far from the totem the search for a site begins: the ground around it is left to the founders.
SITE_NEAR: Final = 12
# Columns tried on one morning, at a few blocks each. Ground that is too rough today is tried again
# tomorrow.
SITES_TRIED: Final = 400
TURNS: Final = (0, 1)  # Rotations tried on a site.


def plan(world: World, work: CivicWork) -> Plan:
    """The cells of a work, and the block that belongs in each."""
    return blueprints.plan_of(world, work.blueprint, work.anchor, work.rotation)


def count_blocks(world: World, work: CivicWork) -> tuple[int, int]:
    """How many blocks of a work stand, and how many it has when it is complete."""
    cells = plan(world, work)
    return blueprints.blocks_standing(world, cells), len(cells)


def status(world: World, town: Town, work: CivicWork) -> str:
    """The status of a work as `snapshot.v1` names it. It is `blocked` while it is on order, if
    something is in the way, or if its land was lost."""
    done, total = count_blocks(world, work)
    if done == total:
        return "complete"
    if any(order.work == work.id for order in town.orders) or not _can_be_built(world, town, work):
        return "blocked"
    return "active" if done else "planning"


def _is_lost(world: World, town: Town, work: CivicWork) -> bool:
    """Whether to give up a work: one whose land was lost, or which can no longer be begun. One that
    is on order is never given up."""
    if any(order.work == work.id for order in town.orders):
        return False
    is_begun = count_blocks(world, work)[0] > 0
    return not (_is_ours(world, town, work) if is_begun else _can_be_built(world, town, work))


def _can_be_built(world: World, town: Town, work: CivicWork) -> bool:
    return _is_ours(world, town, work) and _is_free(world, plan(world, work))


def _is_ours(world: World, town: Town, work: CivicWork) -> bool:
    """Whether the whole work is on the town's land."""
    under = [land.at(world, x, z) for x, _, z in plan(world, work)]
    return all(claim is not None and claim.owner == town.id for claim in under)


def _is_free(world: World, cells: Plan) -> bool:
    """Whether nothing is in the way: each cell can be replaced, or has its block already."""
    block = world.ground.block
    blocks = world.catalogs.blocks
    return all(
        blocks[there].id in REPLACEABLE or there == wanted
        for cell, wanted in cells.items()
        for there in [block(*cell)]
    )


def plan_next(world: World, domain: Domain, town: Town) -> None:
    """Give up lost works; plan one more if few are unfinished and there is a site for it."""
    town.works = [work for work in town.works if not _is_lost(world, town, work)]
    unfinished = [work for work in town.works if status(world, town, work) != "complete"]
    if len(unfinished) >= OPEN_WORKS:
        return
    blueprint = CIVIC[town.works_planned % len(CIVIC)]
    site = find_site(world, domain, town, blueprint)
    if site is None:
        return
    town.works_planned += 1
    number = town.works_planned
    name = wording.title(f"{wording.thing(blueprint).capitalize()} {number}")
    town.works.append(CivicWork(f"W{number:06d}", name, blueprint, *site))
    if len(town.works) > MAX_WORKS:
        town.works.remove(next(work for work in town.works if work not in unfinished))


def find_site(
    world: World, domain: Domain, town: Town, blueprint: str
) -> tuple[Position, int] | None:
    """The nearest free and level place on the land for a blueprint, and its rotation; None if there
    is none among the columns that a morning allows."""
    taken = {cell: None for work in town.works for cell in _around(plan(world, work))}
    tried = 0
    for claim in domain.claims:
        x, _, z = claim.anchor
        for dx, dz in _squares(min(SITE_NEAR, claim.radius // 2), claim.radius):
            tried += 1
            if tried > SITES_TRIED:
                return None
            y = feet(world, x + dx, z + dz)
            for rotation in TURNS if y is not None else ():
                anchor = (x + dx, y or 0, z + dz)
                if _suits(
                    world, domain, blueprints.plan_of(world, blueprint, anchor, rotation), taken
                ):
                    return anchor, rotation
    return None


def _squares(first: int, last: int) -> Iterator[tuple[int, int]]:
    """Offsets of every second column on squares around a middle, from one size to another."""
    for size in range(first, last + 1, 2):
        for along in range(-size, size, 2):
            yield from ((along, -size), (size, along), (-along, size), (-size, -along))


def _around(cells: Plan) -> Iterator[Position]:
    """The cells of a plan and those beside them, so that works do not touch."""
    for x, y, z in cells:
        yield from ((x + dx, y, z + dz) for dx in (-1, 0, 1) for dz in (-1, 0, 1))


def _suits(world: World, domain: Domain, cells: Plan, taken: dict[Position, None]) -> bool:
    """Whether something can be built on these cells: all free and on the land, none near another
    work, and soil below."""
    block = world.ground.block
    blocks = world.catalogs.blocks
    bottom = min(y for _, y, _ in cells)
    for x, y, z in cells:
        if not world.ground.inside(x, y, z) or y >= HEIGHT - 1 or (x, y, z) in taken:
            return False
        if blocks[block(x, y, z)].id not in REPLACEABLE or not domain.covers(world, x, z):
            return False
        if y == bottom and blocks[block(x, y - 1, z)].id not in SOIL:
            return False
    return True

"""What a town builds: a short list of civic blueprints, over and over, on free level ground of its
land.

What stands of a work is counted in the world, block by block, so that nobody needs to report it and
nothing that was torn down still counts. `docs/voxel-town.md` says how works are planned.
"""

from collections.abc import Iterator
from typing import Final

from thorp.bridges.voxel_town import wording
from thorp.bridges.voxel_town.territory import Domain
from thorp.bridges.voxel_town.town import Town, Work
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
TURNS: Final = (0, 1)


def plan(world: World, work: Work) -> Plan:
    """The cells of a work, and the block that belongs in each."""
    return blueprints.plan_of(world, work.blueprint, work.anchor, work.rotation)


def stands(world: World, work: Work) -> tuple[int, int]:
    """How many of its blocks stand, and how many there will be."""
    cells = plan(world, work)
    return blueprints.blocks_standing(world, cells), len(cells)


def status(world: World, town: Town, work: Work) -> str:
    """It is `blocked` if its order is out, something is in the way, or its land was lost."""
    done, all_of_it = stands(world, work)
    if done == all_of_it:
        return "complete"
    if any(order.work == work.id for order in town.orders) or not _can_be(world, town, work):
        return "blocked"
    return "active" if done else "planning"


def _is_lost(world: World, town: Town, work: Work) -> bool:
    if any(order.work == work.id for order in town.orders):
        return False
    begun = stands(world, work)[0] > 0
    return not (_is_ours(world, town, work) if begun else _can_be(world, town, work))


def _can_be(world: World, town: Town, work: Work) -> bool:
    return _is_ours(world, town, work) and _is_free(world, plan(world, work))


def _is_ours(world: World, town: Town, work: Work) -> bool:
    """Whether it is still on the town's land."""
    under = [land.at(world, x, z) for x, _, z in plan(world, work)]
    return all(claim is not None and claim.owner == town.id for claim in under)


def _is_free(world: World, cells: Plan) -> bool:
    block = world.ground.block
    blocks = world.catalogs.blocks
    return all(
        blocks[there].id in REPLACEABLE or there == wanted
        for cell, wanted in cells.items()
        for there in [block(*cell)]
    )


def plan_next(world: World, domain: Domain, town: Town) -> None:
    """Give up works that cannot be begun, or whose land was lost; plan one more if there are
    few."""
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
    town.works.append(Work(f"W{number:06d}", name, blueprint, *site))
    if len(town.works) > MAX_WORKS:
        town.works.remove(next(work for work in town.works if work not in unfinished))


def find_site(
    world: World, domain: Domain, town: Town, blueprint: str
) -> tuple[Position, int] | None:
    """The nearest free and level place on the land for a blueprint, and its rotation; None if none
    was found today."""
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
    """Columns on squares around a middle, from one size to another, every second one."""
    for size in range(first, last + 1, 2):
        for along in range(-size, size, 2):
            yield from ((along, -size), (size, along), (-along, size), (-size, -along))


def _around(cells: Plan) -> Iterator[Position]:
    for x, y, z in cells:
        yield from ((x + dx, y, z + dz) for dx in (-1, 0, 1) for dz in (-1, 0, 1))


def _suits(world: World, domain: Domain, cells: Plan, taken: dict[Position, None]) -> bool:
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

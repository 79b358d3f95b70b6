"""Where a blueprint fits, judged by the blocks in sight."""

from __future__ import annotations

import pytest

from tests.protocol import samples
from thorp.protocol.block_view import BlockView
from thorp.protocol.building_site import ROCK, SOIL, find_site
from thorp.protocol.obs import Position, Voxels

RADIUS = 5
PALETTE = ["AIR", "GRASS", "STONE", "WATER", "LOG", "TALL_GRASS", "SIGN"]
HUT = [(x, y, z) for x in range(3) for y in range(3) for z in range(3)]
HERE = (0, 20, 0)
"""Where the agent stands, on ground that ends at 19."""


def view(changes: dict[Position, str] | None = None) -> BlockView:
    """Level grass, with other blocks in some cells, given by their offset from the agent."""
    span = range(-RADIUS, RADIUS + 1)
    cells = {(x, y, z): 1 for x in span for y in range(-RADIUS, 0) for z in span}
    cells |= {offset: PALETTE.index(name) for offset, name in (changes or {}).items()}
    blocks = BlockView(PALETTE)
    cube = samples.rle(samples.cube(cells, radius=RADIUS))
    blocks.take(Voxels(center=HERE, radius=RADIUS, encoding="RLE", data=cube))
    return blocks


def column(x: int, z: int, name: str, heights: range) -> dict[Position, str]:
    return {(x, y, z): name for y in heights}


def test_on_level_ground_it_stands_around_the_cell_that_is_asked_for() -> None:
    assert find_site(view(), HUT, near=(0, 20, 0)) == (-1, 20, -1)
    assert find_site(view(), HUT, near=(2, 20, -3)) == (1, 20, -4)


def test_all_of_it_is_inside_the_bounds() -> None:
    assert find_site(view(), HUT, near=HERE, low=(1, 1), high=(3, 3)) == (1, 20, 1)
    assert find_site(view(), HUT, near=HERE, low=(1, 1), high=(2, 3)) is None


def test_all_of_it_is_in_sight() -> None:
    assert find_site(view(), HUT, near=(9, 20, 9)) == (3, 20, 3)


def test_it_stands_on_the_highest_of_its_columns() -> None:
    step = {(x, 0, z): "GRASS" for x in range(RADIUS + 1) for z in range(-RADIUS, RADIUS + 1)}
    assert find_site(view(step), HUT, near=HERE, low=(-1, -1), high=(1, 1)) == (-1, 21, -1)


def test_ground_that_is_not_level_is_passed_over() -> None:
    wall = column(0, 0, "GRASS", range(2))
    site = find_site(view(wall), HUT, near=HERE, low=(-2, -2), high=(2, 2))
    assert site is None


@pytest.mark.parametrize("name", ["WATER", "LOG", "SIGN"])
def test_what_is_not_ground_is_not_built_upon(name: str) -> None:
    blocks = view({(0, 0 if name != "WATER" else -1, 0): name})
    assert find_site(blocks, HUT, near=HERE, low=(-2, -2), high=(2, 2)) is None


def test_tall_grass_gives_way() -> None:
    assert find_site(view({(0, 0, 0): "TALL_GRASS"}), HUT, near=HERE) == (-1, 20, -1)


def test_rock_is_ground_only_if_it_is_said_so() -> None:
    span = range(-RADIUS, RADIUS + 1)
    rock = view({(x, -1, z): "STONE" for x in span for z in span})
    assert find_site(rock, HUT, near=HERE) is None
    assert find_site(rock, HUT, near=HERE, ground=SOIL | ROCK) == (-1, 20, -1)


def test_nobody_is_built_in() -> None:
    taken = [(0, 20, 0)]
    site = find_site(view(), HUT, near=HERE, taken=taken)
    assert site is not None
    x, y, z = site
    assert all((x + dx, y + dy, z + dz) not in taken for dx, dy, dz in HUT)


def test_without_sight_there_is_no_site() -> None:
    assert find_site(BlockView(PALETTE), HUT, near=HERE) is None


def test_ground_above_the_view_is_not_known() -> None:
    """A hill that goes on beyond what is in sight may end anywhere."""
    span = range(-RADIUS, RADIUS + 1)
    hill = {(x, y, z): "GRASS" for x in span for y in range(RADIUS + 1) for z in span}
    assert find_site(view(hill), HUT, near=HERE) is None

"""CRAFT and SMELT: make units of a recipe, one after the other. See `docs/world-work.md`."""

from typing import Final

from thorp.protocol import actions, codes
from thorp.voxel.catalog import Recipe
from thorp.voxel.refusal import Refusal, known, refuse_if
from thorp.voxel.society import deeds
from thorp.voxel.state.agent import Agent, Work
from thorp.voxel.state.ground import HEIGHT, Ground, Position
from thorp.voxel.state.world import World, WorldState

STATION_REACH: Final = 2
STATIONS: Final = {"CRAFTING_BENCH": "need crafting bench nearby", "FURNACE": "need furnace nearby"}

NOWHERE: Final[Position] = (0, 0, 0)


def check(world: WorldState, agent: Agent, wish: actions.Craft | actions.Smelt) -> None:
    _recipe(world, wish)
    _units(wish)


def make(world: World, agent: Agent, work: Work, wish: actions.Craft | actions.Smelt) -> bool:
    """One tick of work on the unit in hand."""
    recipe = _recipe(world, wish)
    if isinstance(wish, actions.Craft) and recipe.station == "FURNACE":
        raise Refusal(codes.INVALID_TARGET, "this recipe needs SMELT")
    if recipe.station in STATIONS and not _stands_near(world, agent, recipe.station):
        raise Refusal(codes.BLOCKED, STATIONS[recipe.station])
    if any(agent.have(stack.item) < stack.count for stack in recipe.inputs):
        raise Refusal(codes.NO_RESOURCE, "missing inputs")
    work.total = _units(wish)
    work.spent += 1
    if work.spent >= recipe.time_ticks:
        for stack in recipe.inputs:
            agent.give(stack.item, -stack.count)
        for stack in recipe.outputs:
            agent.give(stack.item, stack.count)
        work.spent = 0
        work.made += 1
        deeds.crafted(world, agent, recipe)
    return work.made == work.total


def status(
    world: WorldState, agent: Agent, work: Work, wish: actions.Craft | actions.Smelt
) -> tuple[float, Position, int]:
    ticks = max(1, _recipe(world, wish).time_ticks)
    done, all_ticks = work.made * ticks + work.spent, _units(wish) * ticks
    return round(done / all_ticks, 3), NOWHERE, all_ticks - done


def _recipe(world: WorldState, wish: actions.Craft | actions.Smelt) -> Recipe:
    if isinstance(wish, actions.Craft):
        recipe, problem = world.catalogs.recipes.get(wish.recipe_id or ""), "unknown recipe"
    else:
        recipe, problem = world.catalogs.smelting.get(wish.item_id or ""), "unsupported item"
    return known(recipe, problem)


def _units(wish: actions.Craft | actions.Smelt) -> int:
    refuse_if(wish.count is not None and wish.count <= 0, codes.BAD_REQUEST, "count must be positive")
    return wish.count or 1


def _stands_near(world: WorldState, agent: Agent, station: str) -> bool:
    number = world.catalogs.block_number[station]
    west, north, bottom = agent.x - STATION_REACH, agent.z - STATION_REACH, max(0, agent.y - STATION_REACH)
    east, south, top = agent.x + STATION_REACH, agent.z + STATION_REACH, agent.y + STATION_REACH
    for cx in range(west >> 4, (east >> 4) + 1):
        for cz in range(north >> 4, (south >> 4) + 1):
            xs = max(west, cx << 4) & 15, min(east, cx << 4 | 15) & 15
            zs = max(north, cz << 4) & 15, min(south, cz << 4 | 15) & 15
            for y in range(bottom, min(top, HEIGHT - 1) + 1):
                if _in_layer(world.ground, world.ground.base(cx, cz) + (y << 8), xs, zs, number):
                    return True
    return False


def _in_layer(ground: Ground, layer: int, xs: tuple[int, int], zs: tuple[int, int], number: int) -> bool:
    """Whether a block is in a rectangle of one layer of a chunk: one search, from first cell to last."""
    first = zs[0] << 4 | xs[0]
    rows = bytes(ground.cells[layer + first : layer + (zs[1] << 4 | xs[1]) + 1])
    found = rows.find(number)
    while found >= 0:
        if xs[0] <= (first + found) & 15 <= xs[1]:
            return True
        found = rows.find(number, found + 1)
    return False

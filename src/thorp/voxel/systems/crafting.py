"""CRAFT and SMELT: make units by a recipe, one after the other. See `docs/world-work.md`."""

from typing import Final

from thorp.protocol import actions, codes
from thorp.voxel.catalog import Recipe
from thorp.voxel.lookups import cubes
from thorp.voxel.refusal import Refusal, known, refuse_if
from thorp.voxel.state.agent import Agent, Status, Work
from thorp.voxel.state.world import World, WorldState

STATION_REACH: Final = 2
STATIONS: Final = {"CRAFTING_BENCH": "crafting bench", "FURNACE": "furnace"}


def check(world: WorldState, agent: Agent, wish: actions.Craft | actions.Smelt) -> None:
    """Refuse an unknown recipe, or a bad count."""
    _recipe(world, wish)
    _units(wish)


def make(world: World, agent: Agent, work: Work, wish: actions.Craft | actions.Smelt) -> bool:
    """Do one tick of work on the unit in hand. Inputs are taken when the unit is done, so a task
    that ends early has cost nothing."""
    recipe = _recipe(world, wish)
    if isinstance(wish, actions.Craft) and recipe.station == "FURNACE":
        raise Refusal(codes.INVALID_TARGET, "this recipe needs SMELT")
    if recipe.station in STATIONS:
        around = cubes.gather(world.ground, [agent.position], STATION_REACH)
        is_near = world.catalogs.block_number[recipe.station] in around.tobytes()
        refuse_if(not is_near, codes.BLOCKED, f"need {STATIONS[recipe.station]} nearby")
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
        world.listeners.on_craft(world, agent, recipe)
    return work.made == work.total


def status(
    world: WorldState, agent: Agent, work: Work, wish: actions.Craft | actions.Smelt
) -> Status:
    """How far a CRAFT or SMELT has come."""
    ticks = max(1, _recipe(world, wish).time_ticks)
    done = work.made * ticks + work.spent
    all_ticks = _units(wish) * ticks
    return round(done / all_ticks, 3), (0, 0, 0), all_ticks - done


def _recipe(world: WorldState, wish: actions.Craft | actions.Smelt) -> Recipe:
    if isinstance(wish, actions.Craft):
        return known(world.catalogs.recipes.get(wish.recipe_id or ""), "unknown recipe")
    return known(world.catalogs.smelting.get(wish.item_id or ""), "unsupported item")


def _units(wish: actions.Craft | actions.Smelt) -> int:
    refuse_if(
        wish.count is not None and wish.count <= 0, codes.BAD_REQUEST, "count must be positive"
    )
    return wish.count or 1

"""Starter goods: the items that count as a body's kit, if the tuning limits how much of kits others
may take."""

from thorp.voxel.state.agent import Agent
from thorp.voxel.state.world import WorldState


def kit_of(world: WorldState, agent: Agent) -> dict[str, None]:
    """The items that count as a body's kit: those that it joined with, and all that can be made
    from these alone. Empty if there is no limit, or if the body has been present for a day."""
    if (
        not world.tuning.starter_goods_per_day
        or agent.presence(world.tick) >= world.tuning.day_ticks
    ):
        return {}
    starters = dict.fromkeys(world.tuning.starter_items)
    size = 0
    while size != len(starters):
        size = len(starters)
        for recipe in world.catalogs.recipes.values():
            if all(stack.item in starters for stack in recipe.inputs):
                starters.update(dict.fromkeys(stack.item for stack in recipe.outputs))
    return starters

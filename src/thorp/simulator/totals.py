"""Everything there is in a world, counted: what no rule that only moves things may change."""

from collections import Counter

from thorp.voxel.state.world import WorldState


def count_everything(world: WorldState) -> Counter[str]:
    """Every item there is: carried, stored, owed, in treasuries, lying about.

    Moving things must not change the sum.
    """
    total: Counter[str] = Counter()
    for agent in world.agents:
        total.update(agent.inventory)
    for container in world.containers:
        total.update(container.stock)
        for owed in container.owed.values():
            total.update(owed)
    for org in world.orgs:
        total.update(org.treasury)
    for entity in world.items:
        total[entity.item] += entity.count
    return total

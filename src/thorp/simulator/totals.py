"""Counts all items in a world: rules that only move items must not change the counts."""

from collections import Counter

from thorp.voxel.state.world import WorldState


def count_everything(world: WorldState) -> Counter[str]:
    """How many of each item there are: carried, stored, owed, in treasuries, lying about."""
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

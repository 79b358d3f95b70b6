"""Wealth: what goods count for, what lies in common stores, and how unequally people have it.

One definition for all who measure a society: the director's metrics, the figures of a village, and
the curves of two runs beside each other. Prices are those of `scores.WEALTH`, of which a plank is
one unit.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from thorp.voxel.society import scores
from thorp.voxel.state.records import Items
from thorp.voxel.state.world import WorldState

HALVES: Final = 2
"""The world counts wealth in halves; figures have whole units, of which a plank is one."""


def worth(goods: Mapping[str, int]) -> float:
    """What goods count for, in planks' worth."""
    return scores.halves(goods.items()) / HALVES


def common_goods(world: WorldState) -> Iterator[Items]:
    """What people own together: the goods in each chest, and in the treasury of each
    organisation."""
    yield from (box.stock for box in world.containers if box.kind == "CHEST")
    yield from (org.treasury for org in world.orgs)


def total(world: WorldState) -> float:
    """What everybody carries, and what people own together, in planks' worth."""
    carried = sum(scores.halves(agent.inventory.items()) for agent in world.agents)
    common = sum(scores.halves(goods.items()) for goods in common_goods(world))
    return (carried + common) / HALVES


def inequality(world: WorldState) -> float:
    """How unequal what bodies carry is: 0 if all have the same, nearly 1 if one has everything."""
    return scores.inequality(world) / scores.FULL

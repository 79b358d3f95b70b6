"""Residence: which bodies belong to the world, and which are strangers.

A resident has a home (a dwelling that it built and whose structure is still listed), owns land, is
a member of an organisation or of a land, or has been present for a day. Everybody else is a
stranger: nothing in the world depends on a stranger who is away. See `docs/world.md`.
"""

from collections.abc import Iterable
from typing import Final

from thorp.voxel.lookups.indexes import index_of
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.world import World

# Blueprints in which somebody can live. Roads, walls and stalls make nobody a resident.
DWELLINGS: Final = ("hut_small", "cottage", "brick_house", "longhouse", "log_cabin", "glass_house")


def is_resident(world: World, agent: Agent) -> bool:
    """Whether a body belongs to the world, so that it keeps its place there while its owner is
    away."""
    return not strangers(world, [agent])


def strangers(world: World, agents: Iterable[Agent]) -> list[Agent]:
    """The bodies among these that are not residents."""
    landed: dict[str, None] = {}
    for claim in world.claims:
        landed.update(dict.fromkeys((claim.owner, *claim.members)))
    return [
        agent
        for agent in agents
        if not agent.org
        and agent.presence(world.tick) < world.tuning.day_ticks
        and agent.id not in landed
        and not _has_dwelling(world, agent)
    ]


def _has_dwelling(world: World, agent: Agent) -> bool:
    built = index_of(world).structures_of.get(agent.id, {})
    return any(structure.blueprint_id in DWELLINGS for structure in built.values())

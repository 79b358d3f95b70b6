"""Bounds the memory of the ground: chunks that nobody is near are evicted, and changed chunks are limited.

An evicted chunk comes back when it is read, from the seeds or from its changes, so eviction cannot be
observed. The limit of changed chunks is a rule that agents meet.
"""

from typing import Final

from thorp.protocol import codes
from thorp.voxel.refusal import Refusal
from thorp.voxel.state.ground import ChunkKey, Position
from thorp.voxel.state.world import WorldState

# Once a minute. Evicting a changed chunk costs a tenth of a millisecond, because it is packed.
SWEEP_EVERY: Final = 300
SWEPT_AT_ONCE: Final = 128
# How far around a body chunks stay: what it sees, and what it can walk to within a minute comes back cheaply.
NEAR: Final = 2


def step(world: WorldState) -> None:
    if world.tick % SWEEP_EVERY:
        return
    wanted: dict[ChunkKey, None] = {}
    for agent in world.agents.awake:
        cx, cz = agent.x >> 4, agent.z >> 4
        for x in range(cx - NEAR, cx + NEAR + 1):
            for z in range(cz - NEAR, cz + NEAR + 1):
                wanted[x, z] = None
    world.ground.keep(wanted, SWEPT_AT_ONCE)


def require_room(world: WorldState, position: Position) -> None:
    """Refuse to change one chunk more than a world may keep changed."""
    ground = world.ground
    if ground.changed >= world.tuning.changed_chunks_cap and not ground.is_changed(
        position[0] >> 4, position[2] >> 4
    ):
        raise Refusal(codes.NO_RESOURCE, "the world keeps no more changed ground; work where others have")

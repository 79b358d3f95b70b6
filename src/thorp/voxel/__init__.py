"""The 3D world: agents act on voxels and on each other, and a tick decides. See `docs/world.md`.

    world = create_world(seed=7)
    step(world, [Join("ada", "")])

is a world in memory. `WorldService.open` keeps one in a directory; `verify`, `replay`, `fork` and
`backup` read such a directory, also while it is played. Achievements and their points are in
`achievements`.
"""

from thorp.voxel.catalog import Catalogs
from thorp.voxel.inputs import (
    Acted,
    AnyInput,
    Attach,
    Detach,
    ExtensionRequest,
    Join,
    Malformed,
    Rescue,
    Restore,
    Retire,
)
from thorp.voxel.load import default_catalogs, example_tuning, load_tuning
from thorp.voxel.new_world import create_world, derived_draw_seed
from thorp.voxel.persistence.copies import backup, fork, replay
from thorp.voxel.persistence.verify import Verdict, verify
from thorp.voxel.service import WorldService
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World
from thorp.voxel.tick import step
from thorp.voxel.tuning import RateLimits, Tuning, read_tuning

__all__ = [
    "Acted",
    "Agent",
    "AnyInput",
    "Attach",
    "Catalogs",
    "Detach",
    "ExtensionRequest",
    "Join",
    "Malformed",
    "Position",
    "RateLimits",
    "Rescue",
    "Restore",
    "Retire",
    "Tuning",
    "Verdict",
    "World",
    "WorldService",
    "achievements",
    "backup",
    "create_world",
    "default_catalogs",
    "derived_draw_seed",
    "example_tuning",
    "fork",
    "load_tuning",
    "read_tuning",
    "replay",
    "step",
    "verify",
]

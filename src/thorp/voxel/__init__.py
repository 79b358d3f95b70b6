"""The 3D world: agents act on voxels and on each other, and a tick decides. See `docs/world.md`."""

__all__ = ["achievements", "inputs", "load", "new_world", "service", "tick", "tuning"]

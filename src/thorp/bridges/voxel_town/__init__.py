"""Cities of the voxel world as towns that governors govern. See `docs/voxel-town.md`."""

from thorp.bridges.voxel_town.execution import knows, request_of
from thorp.bridges.voxel_town.seal import sealed, shown
from thorp.bridges.voxel_town.towns import settle
from thorp.bridges.voxel_town.world import VoxelTowns, found, with_towns

__all__ = ["VoxelTowns", "found", "knows", "request_of", "sealed", "settle", "shown", "with_towns"]

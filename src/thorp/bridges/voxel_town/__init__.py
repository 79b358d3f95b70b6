"""Cities of the voxel world as towns that governors govern. See `docs/voxel-town.md`."""

from thorp.bridges.voxel_town.city_effects import knows, request_of
from thorp.bridges.voxel_town.extension import match_towns_to_cities
from thorp.bridges.voxel_town.seal import snapshot_text, town_snapshot
from thorp.bridges.voxel_town.world import VoxelTowns, new_city_world, with_towns

__all__ = [
    "VoxelTowns",
    "knows",
    "match_towns_to_cities",
    "new_city_world",
    "request_of",
    "snapshot_text",
    "town_snapshot",
    "with_towns",
]

"""Code that joins two engines, such as cities as towns. Engines never import each other."""

__all__ = ["chronicle", "council_bots", "town_council", "voxel_bots", "voxel_match", "voxel_town"]

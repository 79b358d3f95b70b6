"""Where engines meet. Engines never import each other; what needs two of them is here."""

__all__ = ["chronicle", "council_bots", "town_council", "voxel_bots", "voxel_match", "voxel_town"]

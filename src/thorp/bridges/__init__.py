"""Where engines meet. Engines never import each other; what needs two of them is here."""

__all__ = ["chronicle", "council_bots", "fleet", "town_council", "village", "voxel_town"]

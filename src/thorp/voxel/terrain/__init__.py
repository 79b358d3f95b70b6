"""The land before anyone touched it, and the sites at which bodies begin: pure functions of two
seeds."""

from thorp.voxel.terrain.generator import NoiseTerrain

__all__ = ["NoiseTerrain"]

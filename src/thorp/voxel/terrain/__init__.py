"""The land before anyone touched it, and where bodies begin: pure functions of two seeds."""

from thorp.voxel.terrain.generator import NoiseTerrain

__all__ = ["NoiseTerrain"]

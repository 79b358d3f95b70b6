"""Observations of a voxel world: OBS for agents, surfaces for spectators. Looking changes
nothing."""

__all__: list[str] = []

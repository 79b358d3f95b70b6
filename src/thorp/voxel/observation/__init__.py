"""What readers of a voxel world see: OBS for agents, surfaces for spectators. Looking changes
nothing."""

__all__: list[str] = []

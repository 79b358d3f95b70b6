"""The state of a voxel world: what is hashed, saved and restored."""

__all__ = ["ground"]

"""The rules of bodies and blocks, one system a module; `thorp.voxel.tick` says in which order they
run."""

__all__ = ["movement"]

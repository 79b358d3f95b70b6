"""Thorp: a deterministic world for AI agents. Agents propose, the world decides, the log
remembers."""

__version__ = "0.1.0"

__all__ = [
    "__version__",
    "arena",
    "bridges",
    "client",
    "env",
    "fleet",
    "kernel",
    "language",
    "models",
    "observer",
    "protocol",
    "store",
    "story",
    "town",
    "village",
    "voxel",
]

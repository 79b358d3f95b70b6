"""Thorp: a deterministic world for AI agents. Agents propose, the world decides, the log remembers."""

from thorp import _renamed

__version__ = "0.1.0"

_renamed.install()

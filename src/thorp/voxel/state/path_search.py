"""A search for a way that was interrupted, as state. `systems.paths` does the searching.

A search for which a tick has not enough goes on in a later one, also after a restart. So its cells have
numbers that mean the same everywhere: above CHUNK_BITS the chunk, counted in the order in which the search
came into them; below them y, z and x as in a chunk.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from thorp.voxel.state.ground import ChunkKey, Position
from thorp.voxel.state.numbers import Natural

CHUNK_BITS: Final = 14

Stage = Literal["try", "whole", "patient", "dare"]


class Search(msgspec.Struct):
    start: Position
    target: Position
    want: Natural
    """How near to the target's column is near enough."""
    stage: Stage = "whole"
    nearest: Position | None = None
    """Of one that dares everything: where the safe one before it came nearest to the target."""
    submerged: bool = False
    """Cells in which the head is under water are allowed."""
    deadly: bool = False
    """Falls of any depth are allowed."""
    enclosed: bool = False
    """Of one that dares everything: whether the safe one before it has looked at all that can be reached."""
    spent: Natural = 0
    """How many cells were expanded."""
    chunks: list[ChunkKey] = []
    reached: bytes = b""
    """For each cell that was reached: its number, the cost of the way to it, and where that way came from."""
    open_cells: list[tuple[Natural, list[Natural]]] = []
    """Cells whose neighbours were not looked at, by the estimated cost of a way through them."""
    best: Natural = 0
    """The cell nearest to the target."""
    other_level: tuple[Natural, Natural] | None = None
    """The first cell that is near enough, but at another height than the target, and what was spent then."""

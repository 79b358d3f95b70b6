"""What an agent sees of the ground: the cube of blocks around it.

A cube is decoded when somebody looks, so that agents that do not look pay nothing. Changes that come
before that wait.
"""

from collections.abc import Container, Iterator
from functools import cache
from typing import Final

from thorp.protocol.obs import Position, VoxelOp, Voxels, apply_delta, cell_index, decode_rle

# Changes that may wait for somebody to look. A world sends the whole cube when little happens, so few do.
MAX_WAITING_OPS: Final = 5_000


class BlockView:
    def __init__(self) -> None:
        self.palette: list[str] = []
        self._center: Position = (0, 0, 0)
        self._radius = 0
        self._text: str | None = None
        self._cells: bytes | None = None
        self._ops: list[VoxelOp] = []

    def take(self, voxels: Voxels) -> None:
        """See what an observation shows."""
        self._center = voxels.center
        if isinstance(voxels.data, str):
            self.forget()
            self._radius, self._text = voxels.radius, voxels.data
        elif self._text is not None and isinstance(voxels.ops, list) and voxels.radius == self._radius:
            self._ops += voxels.ops
            if len(self._ops) > MAX_WAITING_OPS:
                self._decoded()
        else:
            self.forget()

    def forget(self) -> None:
        """Changes that come next lead nowhere, until a whole cube comes."""
        self._text = self._cells = None
        self._ops.clear()

    def block(self, position: Position) -> str | None:
        """The block in a cell, or None if it is out of sight."""
        cells = self._decoded()
        x, y, z = self._center
        offset = position[0] - x, position[1] - y, position[2] - z
        if cells is None or max(map(abs, offset)) > self._radius:
            return None
        return self._name(cells[cell_index(offset, self._radius)])

    def find_all(self, *names: str) -> Iterator[Position]:
        """Where such blocks are, the nearest first (counted along the axes)."""
        cells = self._decoded()
        wanted = bytes(number for number, name in enumerate(self.palette) if name in names)
        if cells is None or not any(number in cells for number in wanted):
            return
        x, y, z = self._center
        for index, (dx, dy, dz) in _nearest_first(self._radius):
            if cells[index] in wanted:
                yield x + dx, y + dy, z + dz

    def find(self, *names: str, avoid: Container[Position] = ()) -> Position | None:
        """The nearest such block."""
        return next((position for position in self.find_all(*names) if position not in avoid), None)

    def nearest(self) -> dict[str, Position]:
        """Where the nearest block of each kind in sight is, the nearest kind first."""
        cells = self._decoded() or b""
        x, y, z = self._center
        found: dict[int, Position] = {}
        for index, (dx, dy, dz) in _nearest_first(self._radius) if cells else ():
            found.setdefault(cells[index], (x + dx, y + dy, z + dz))
        return {self._name(number): place for number, place in found.items()}

    def _name(self, number: int) -> str:
        return self.palette[number] if number < len(self.palette) else f"#{number}"

    def _decoded(self) -> bytes | None:
        if self._cells is None and self._text is not None:
            self._cells = decode_rle(self._text, self._radius)
        if self._cells is not None and self._ops:
            self._cells = apply_delta(self._cells, self._radius, self._ops)
            self._ops.clear()
        return self._cells


@cache
def _nearest_first(radius: int) -> list[tuple[int, Position]]:
    """The cells of a cube by their distance from the centre: index and offset."""
    span = range(-radius, radius + 1)
    offsets = [(dx, dy, dz) for dy in span for dz in span for dx in span]
    cells = list(enumerate(offsets))
    cells.sort(key=lambda cell: sum(map(abs, cell[1])))
    return cells

"""The cube of blocks that an agent sees around itself.

A cube is decoded when somebody looks at it, so agents that do not look pay nothing. Until then its
changes wait.
"""

from collections.abc import Container, Iterator, Sequence
from functools import cache
from typing import Final

from thorp.protocol.obs import Position, VoxelOp, Voxels, apply_delta, decode_rle

MAX_WAITING_OPS: Final = 5_000
"""How many changes may wait for somebody to look. Seldom do many, since whole cubes come too."""
FEW_CELLS: Final = 256
"""Up to this many hits are sorted by distance. With more, going through the cells from the centre
outwards meets the first of them soon."""


class BlockView:
    """The blocks of the newest observation, by cell and by name."""

    def __init__(self, palette: Sequence[str] = ()) -> None:
        self._palette: Sequence[str] = ()
        self._numbers: dict[str, int] = {}
        self._center: Position = (0, 0, 0)
        self._radius = 0
        self._text: str | None = None
        self._cells: bytes | None = None
        self._ops: list[VoxelOp] = []
        self.palette = palette

    @property
    def palette(self) -> Sequence[str]:
        """The names of blocks, by their numbers."""
        return self._palette

    @palette.setter
    def palette(self, names: Sequence[str]) -> None:
        self._palette = names
        self._numbers = {name: number for number, name in enumerate(names)}

    @property
    def center(self) -> Position:
        """The cell around which it sees."""
        return self._center

    @property
    def radius(self) -> int:
        """How far it sees in each direction; 0 before the first cube."""
        return self._radius

    @property
    def cells(self) -> bytes | None:
        """The cube, a byte a cell, in the order of `cell_index`; None while there is none."""
        return self._decoded()

    def take(self, voxels: Voxels) -> None:
        """Take the cube of a newer observation, whole or as changes."""
        self._center = voxels.center
        if isinstance(voxels.data, str):
            self.forget()
            self._radius = voxels.radius
            self._text = voxels.data
        elif (
            self._text is not None
            and isinstance(voxels.ops, list)
            and voxels.radius == self._radius
        ):
            self._ops += voxels.ops
            if len(self._ops) > MAX_WAITING_OPS:
                self._decoded()
        else:
            self.forget()

    def forget(self) -> None:
        """Forget the cube. Nothing is in sight until a whole one comes: changes need one to build
        on."""
        self._text = None
        self._cells = None
        self._ops.clear()

    def block(self, position: Position) -> str | None:
        """The block in a cell, or None if it is out of sight."""
        cells = self._decoded()
        x, y, z = self._center
        radius = self._radius
        dx = position[0] - x
        dy = position[1] - y
        dz = position[2] - z
        # Villagers look at thousands of cells a second: this is `cell_index`, without the calls.
        if (
            cells is None
            or not -radius <= dx <= radius
            or not -radius <= dy <= radius
            or not -radius <= dz <= radius
        ):
            return None
        edge = 2 * radius + 1
        return self._name(cells[((dy + radius) * edge + dz + radius) * edge + dx + radius])

    def find_all(self, *names: str) -> Iterator[Position]:
        """Where blocks with these names are, nearest first, counted along the axes."""
        cells = self._decoded()
        if cells is None:
            return
        wanted = bytes(
            self._numbers[name] for name in dict.fromkeys(names) if name in self._numbers
        )
        hits = sum(map(cells.count, wanted))
        if not hits:
            return
        x, y, z = self._center
        nearest_first = _nearest_first(self._radius)
        if hits > FEW_CELLS:
            for index, (dx, dy, dz) in nearest_first:
                if cells[index] in wanted:
                    yield x + dx, y + dy, z + dz
            return
        ranks = _ranks(self._radius)
        for rank in sorted(ranks[index] for index in _indexes(cells, wanted)):
            dx, dy, dz = nearest_first[rank][1]
            yield x + dx, y + dy, z + dz

    def find(self, *names: str, avoid: Container[Position] = ()) -> Position | None:
        """Where the nearest block with one of these names is; None if none is in sight."""
        return next((position for position in self.find_all(*names) if position not in avoid), None)

    def nearest(self) -> dict[str, Position]:
        """Where the nearest block of each kind in sight is, the nearest kind first."""
        cells = self._decoded()
        if cells is None:
            return {}
        x, y, z = self._center
        places: dict[int, Position] = {}
        for index, (dx, dy, dz) in _nearest_first(self._radius):
            places.setdefault(cells[index], (x + dx, y + dy, z + dz))
        return {self._name(number): place for number, place in places.items()}

    def _name(self, number: int) -> str:
        return self._palette[number] if number < len(self._palette) else f"#{number}"

    def _decoded(self) -> bytes | None:
        if self._cells is None and self._text is not None:
            self._cells = decode_rle(self._text, self._radius)
        if self._ops and self._cells is not None:
            self._cells = apply_delta(self._cells, self._radius, self._ops)
            self._ops.clear()
        return self._cells


def _indexes(cells: bytes, wanted: bytes) -> Iterator[int]:
    """The indexes of the cells with a wanted number, one number after the other."""
    for number in wanted:
        index = cells.find(number)
        while index >= 0:
            yield index
            index = cells.find(number, index + 1)


@cache
def _nearest_first(radius: int) -> list[tuple[int, Position]]:
    """The cells of a cube by their distance from the centre: index and offset."""
    span = range(-radius, radius + 1)
    offsets = [(dx, dy, dz) for dy in span for dz in span for dx in span]
    return sorted(enumerate(offsets), key=lambda cell: sum(map(abs, cell[1])))


@cache
def _ranks(radius: int) -> list[int]:
    """For each cell of a cube, its index in `_nearest_first`."""
    ranks = [0] * len(_nearest_first(radius))
    for rank, (index, _) in enumerate(_nearest_first(radius)):
        ranks[index] = rank
    return ranks

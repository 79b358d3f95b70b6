"""What a villager sees of the ground: the cube of its newest observation, decoded when somebody looks."""

from collections.abc import Iterator, Sequence

from thorp.protocol.obs import Position, Voxels, cell_index, decode_rle


class Sight:
    def __init__(self, palette: Sequence[str]) -> None:
        self._palette = palette
        self._numbers = {name: number for number, name in enumerate(palette)}
        self._voxels: Voxels | None = None
        self._text = ""
        self._cells = b""

    def take(self, voxels: Voxels) -> None:
        self._voxels = voxels

    def block(self, position: Position) -> str | None:
        """The block in a cell, or None if it is out of sight."""
        voxels = self._decoded()
        x, y, z = voxels.center
        offset = position[0] - x, position[1] - y, position[2] - z
        if max(map(abs, offset)) > voxels.radius:
            return None
        return self._palette[self._cells[cell_index(offset, voxels.radius)]]

    def find_all(self, *names: str) -> Iterator[Position]:
        """Where such blocks are, the nearest first."""
        voxels = self._decoded()
        found = [(abs(dx) + abs(dy) + abs(dz), dy, dz, dx) for dx, dy, dz in self._offsets(voxels, names)]
        x, y, z = voxels.center
        for _, dy, dz, dx in sorted(found):
            yield x + dx, y + dy, z + dz

    def _offsets(self, voxels: Voxels, names: Sequence[str]) -> Iterator[Position]:
        radius, cells = voxels.radius, self._cells
        edge = 2 * radius + 1
        for name in names:
            number = self._numbers[name]
            index = cells.find(number)
            while index >= 0:
                row, dx = divmod(index, edge)
                dy, dz = divmod(row, edge)
                yield dx - radius, dy - radius, dz - radius
                index = cells.find(number, index + 1)

    def _decoded(self) -> Voxels:
        voxels = self._voxels
        if voxels is None or not isinstance(voxels.data, str):
            raise AssertionError("villagers ask for whole cubes, and look after they have seen one")
        if voxels.data is not self._text:
            self._text = voxels.data
            self._cells = decode_rle(voxels.data, voxels.radius)
        return voxels

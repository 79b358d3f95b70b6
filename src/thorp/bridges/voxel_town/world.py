"""The towns of a voxel world as a `TownWorld`, in process. A handoff is one tick."""

from __future__ import annotations

import threading

from thorp.bridges.voxel_town.asking import request_of
from thorp.bridges.voxel_town.seal import shown
from thorp.kernel.canonical import Json, read_text
from thorp.town.world import UnknownTown
from thorp.voxel.service import WorldService


class VoxelTowns:
    """Every city of a world that this process keeps, and that nobody else lets tick. Any thread may call."""

    def __init__(self, service: WorldService) -> None:
        self._service = service
        self._turn = threading.Lock()

    def snapshot(self, town_id: str) -> dict[str, Json]:
        """The town as it was sealed."""
        with self._turn:
            snapshot = shown(self._service.world, town_id)
        if snapshot is None:
            raise UnknownTown(town_id)
        return snapshot

    def execute(self, handoff: object) -> dict[str, Json]:
        """What became of a handoff, when its tick is durable."""
        request = request_of(handoff)
        with self._turn:
            durable = self._service.tick([request])
            (text,) = self._service.world.answers
        durable.result()
        result: dict[str, Json] = read_text(text.encode())
        return result

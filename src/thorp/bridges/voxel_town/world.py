"""The towns of a voxel world as a `TownWorld`, in process: each handoff takes one tick."""

import threading

from thorp.bridges.voxel_town.city_effects import request_of
from thorp.bridges.voxel_town.extension import TownExtension
from thorp.bridges.voxel_town.seal import town_snapshot
from thorp.kernel.canonical import Json, read_text
from thorp.town.handoff_judge import UnknownTown
from thorp.voxel import Tuning, World, WorldService, create_world


class VoxelTowns:
    """Every city of a world that this process keeps and nobody else advances. Methods may be called
    from any thread: a lock lets one handoff have a tick for itself."""

    def __init__(self, service: WorldService) -> None:
        self._service = service
        self._turn = threading.Lock()

    def snapshot(self, town_id: str) -> dict[str, Json]:
        """The town's sealed snapshot."""
        with self._turn:
            snapshot = town_snapshot(self._service.world, town_id)
        if snapshot is None:
            raise UnknownTown(town_id)
        return snapshot

    def execute(self, handoff: object) -> dict[str, Json]:
        """The result of a handoff, returned when its tick is durable."""
        request = request_of(handoff)
        with self._turn:
            durable = self._service.tick([request])
            (text,) = self._service.world.scratch.answers
        durable.result()
        result: dict[str, Json] = read_text(text.encode())
        return result


def new_city_world(seed: int, draw_seed: int | None = None, tuning: Tuning | None = None) -> World:
    """Make a new world in which cities are towns."""
    return with_towns(create_world(seed, draw_seed, tuning))


def with_towns(world: World) -> World:
    """Let the cities of a world, which is still at tick 0, be towns; return the world."""
    world.extensions = (TownExtension(),)
    return world

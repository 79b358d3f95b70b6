"""The towns of a voxel world as a `TownWorld`, in process: each handoff takes one tick."""

import threading

from thorp.bridges.voxel_town.city_effects import request_of
from thorp.bridges.voxel_town.extension import TownExtension
from thorp.bridges.voxel_town.seal import town_snapshot
from thorp.kernel.canonical import Json, read_text
from thorp.town.handoff_judge import UnknownTown
from thorp.voxel.new_world import create_world
from thorp.voxel.service import WorldService
from thorp.voxel.state.world import World
from thorp.voxel.tuning import Tuning


class VoxelTowns:
    """Every city of a world that this process keeps, and that nobody else lets tick. Any thread may
    call."""

    def __init__(self, service: WorldService) -> None:
        self._service = service
        self._turn = threading.Lock()

    def snapshot(self, town_id: str) -> dict[str, Json]:
        """The town as it was sealed."""
        with self._turn:
            snapshot = town_snapshot(self._service.world, town_id)
        if snapshot is None:
            raise UnknownTown(town_id)
        return snapshot

    def execute(self, handoff: object) -> dict[str, Json]:
        """What became of a handoff, when its tick is durable."""
        request = request_of(handoff)
        with self._turn:
            durable = self._service.tick([request])
            (text,) = self._service.world.scratch.answers
        durable.result()
        result: dict[str, Json] = read_text(text.encode())
        return result


def new_city_world(seed: int, draw_seed: int | None = None, tuning: Tuning | None = None) -> World:
    """Make a world that nobody has set foot in, in which cities are towns."""
    return with_towns(create_world(seed, draw_seed, tuning))


def with_towns(world: World) -> World:
    """The same world, at tick 0, in which cities are towns."""
    world.extensions = (TownExtension(),)
    return world

"""The towns of the live voxel world: read between ticks, governed by requests to its annex.

Nothing of a tick is shown before it is durable, so whoever asks while one is being written waits for it.
"""

from __future__ import annotations

from thorp.bridges.voxel_town import knows, shown
from thorp.bridges.voxel_town.town import known
from thorp.kernel.canonical import Json, read_text
from thorp.server.requests import Refused
from thorp.server.tick_loop import TickLoop
from thorp.voxel.inputs import Request


class LiveTowns:
    def __init__(self, loop: TickLoop) -> None:
        self._loop = loop

    def knows(self, town_id: object, key: object = None) -> bool:
        """Whether a town is, or a handoff was judged, in this world."""
        return knows(self._loop.service.world, town_id, key)

    async def snapshot(self, town_id: str) -> dict[str, Json] | None:
        """The town as it was sealed; None if there is none."""
        await self._loop.shown.wait()
        snapshot = shown(self._loop.service.world, town_id)
        if snapshot is not None and self._loop.failure is not None:
            raise Refused(503, "stopped", f"the world has stopped: {self._loop.failure}")
        return snapshot

    async def summaries(self) -> list[dict[str, Json]]:
        """What is listed of each town: as `thorp.town.embedded.projection.summary`, and its name."""
        await self._loop.shown.wait()
        return list(map(self._summary, known(self._loop.service.world)))

    def _summary(self, town_id: str) -> dict[str, Json]:
        world = self._loop.service.world
        org, seen = world.orgs[town_id], shown(world, town_id)
        assert seen is not None
        return {
            "townId": town_id,
            "day": seen["day"],
            "population": len(org.members),
            "pressure": seen["pressure"],
            "name": org.name,
        }

    async def execute(self, request: Request) -> dict[str, Json]:
        """What became of a handoff, when its tick is durable."""
        result: dict[str, Json] = read_text((await self._loop.asking.ask(request)).encode())
        return result

"""Generates terrain before anyone gets there, in the time that is left between ticks.

A chunk takes half a millisecond, and a moving crowd needs dozens in a tick. When a season ends
everyone needs new terrain in one tick, about a thousand chunks; it is generated in the minutes
before. The loaded chunks are not part of the state, so they may depend on how much time there is.
"""

from collections.abc import Iterator
from time import perf_counter
from typing import Final

from thorp.voxel import World
from thorp.voxel.society.seasons import prefetch_next_season, ticks_left
from thorp.voxel.state.ground import ChunkKey

# An agent sees into the next chunk, and reaches it within three seconds.
AHEAD_CHUNKS: Final = 2
# The share of the spare time that is used, and the longest stretch: sockets must not wait.
SPARE_SHARE: Final = 0.3
AT_ONCE_SECONDS: Final = 0.02
# How long before the end of a season the next one is prepared; a full world takes about 600 ticks.
SEASON_AHEAD_TICKS: Final = 1_500


class TerrainPrefetch:
    """Generates the terrain that the agents of a world will need next."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._wanted: Iterator[ChunkKey] = iter(())
        self._done: set[ChunkKey] = set()
        """Chunks with agents in them around which everything is loaded, until a chunk is
        evicted."""
        self._evictions = world.ground.evictions
        self._season = 0
        """The season for whose end terrain is being generated."""
        self._next_season: Iterator[None] = iter(())

    def look_ahead(self, spare_seconds: float) -> None:
        """Generate some of the terrain around everyone, in a part of the spare time."""
        until = perf_counter() + min(spare_seconds * SPARE_SHARE, AT_ONCE_SECONDS)
        self._prepare_season(until)
        while perf_counter() < until:
            chunk = next(self._wanted, None)
            if chunk is None:
                self._wanted = self._around_everyone()
                return
            self._world.ground.base(*chunk)

    def _prepare_season(self, until: float) -> None:
        """Generate terrain for the next season, if this one is near its end."""
        left = ticks_left(self._world)
        if left is None or left > SEASON_AHEAD_TICKS:
            return
        if self._season != self._world.season:
            self._season = self._world.season
            self._next_season = prefetch_next_season(self._world)
        while perf_counter() < until and next(self._next_season, self) is not self:
            pass

    def _around_everyone(self) -> Iterator[ChunkKey]:
        """Chunks near agents that are not loaded yet."""
        ground = self._world.ground
        if self._evictions != ground.evictions:
            self._evictions = ground.evictions
            self._done.clear()
        centres = {(agent.x >> 4, agent.z >> 4) for agent in self._world.agents.awake}
        self._done &= centres
        for cx, cz in sorted(centres - self._done):
            for x in range(cx - AHEAD_CHUNKS, cx + AHEAD_CHUNKS + 1):
                for z in range(cz - AHEAD_CHUNKS, cz + AHEAD_CHUNKS + 1):
                    if not ground.in_use(x, z):
                        yield x, z
            self._done.add((cx, cz))

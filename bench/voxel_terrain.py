"""What it costs to make the land: a chunk near the middle, one far away, a biome, a place to begin.

python bench/voxel_terrain.py
"""

from __future__ import annotations

from calibration import report

from thorp.voxel import Agent, Tuning, World, default_catalogs
from thorp.voxel.lookups.spawn_points import find_spawn
from thorp.voxel.society.listeners import LISTENERS
from thorp.voxel.terrain.generator import NoiseTerrain

CHUNKS = 12
"""A measurement makes CHUNKS × CHUNKS chunks."""
JOINS = 40
LOOKS = 100_000


def land(seed: int = 1337) -> NoiseTerrain:
    return NoiseTerrain(seed, seed + 1, default_catalogs(), Tuning().world_boundary_r)


def make_chunks(first: int) -> float:
    terrain = land()
    for cx in range(first, first + CHUNKS):
        for cz in range(CHUNKS):
            terrain.chunk(cx, cz)
    return CHUNKS * CHUNKS


def look_up_biomes() -> float:
    terrain = land()
    terrain.biome(0, 0)
    for _ in range(LOOKS):
        terrain.biome(7, 9)
    return LOOKS


def join() -> float:
    tuning = Tuning()
    world = World(
        seed=1,
        draw_seed=2,
        catalogs=default_catalogs(),
        tuning=tuning,
        terrain=land(1),
        listeners=LISTENERS,
    )
    for number in range(1, JOINS + 1):
        x, y, z = find_spawn(world, number)
        world.agents.put(Agent(number, f"A{number}", "bench", x, y, z, (x, z), 0, {}))
    return JOINS


def main() -> None:
    for label, work, unit in (
        ("chunks among the sites", lambda: make_chunks(-CHUNKS // 2), "chunks"),
        ("chunks far away", lambda: make_chunks(200), "chunks"),
        ("biome of a column", look_up_biomes, "columns"),
        ("spawn with the chunks around it", join, "bodies"),
    ):
        rate = report(label, unit, work)
        print(f"    {1e6 / rate:.1f} microseconds each, calibrated")


if __name__ == "__main__":
    main()

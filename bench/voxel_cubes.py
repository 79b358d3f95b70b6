"""What it costs to give every agent its cube: gathering, packing, base64; and the ops of one
changed cube.

python bench/voxel_cubes.py
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from calibration import report

from thorp.voxel import Position, Tuning, default_catalogs
from thorp.voxel.lookups import cubes
from thorp.voxel.state.ground import Ground
from thorp.voxel.terrain.columns import MAX_RINGS, site_columns
from thorp.voxel.terrain.generator import NoiseTerrain

RADIUS = Tuning().obs_radius
ROUNDS = 4_000
"""Cubes in one measurement."""


def scattered(ground: Ground, count: int) -> list[Position]:
    """Agents that have walked a few cells from their sites."""
    found = []
    for number, (x, z) in enumerate(site_columns(MAX_RINGS)[:count]):
        x, z = x + number % 11 - 5, z + number % 7 - 3
        found.append((x, len(ground.column(x, z).rstrip(b"\0")), z))
    return found


def main() -> None:
    tuning = Tuning()
    terrain = NoiseTerrain(1337, 7331, default_catalogs(), tuning.world_boundary_r)
    ground = Ground(terrain, tuning.world_boundary_r)
    for count in (1, 50, 200, 1_000):
        centres = scattered(ground, count)
        views = cubes.gather(ground, centres, RADIUS)
        texts = cubes.rle_texts(views)
        print(f"{count} agents, {sum(map(len, texts)) / count:.0f} bytes of base64 each")
        times = max(1, ROUNDS // count)

        def several(work: Callable[[], object], times: int = times, count: int = count) -> float:
            for _ in range(times):
                work()
            return times * count

        gather = partial(cubes.gather, ground, centres, RADIUS)
        for label, work in (
            ("gather", gather),
            ("RLE and base64", partial(cubes.rle_texts, views)),
            ("both", partial(both, gather)),
        ):
            rate = report(f"  {label}", "cubes", partial(several, work))
            print(f"    {1e6 / rate:.1f} microseconds a cube, calibrated")
    before, after = views[0].copy(), views[0].copy()
    after[:3] ^= 1

    def ops() -> float:
        for _ in range(ROUNDS):
            cubes.delta_ops(before, after, RADIUS)
        return ROUNDS

    report("DELTA of three cells", "cubes", ops)


def both(gather: partial[cubes.Cubes]) -> list[bytes]:
    return cubes.rle_texts(gather())


if __name__ == "__main__":
    main()

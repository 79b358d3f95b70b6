"""The tick with which a season begins: `python bench/voxel_season.py [--agents 1000] [--chunks
5000]`.

A world with a given number of agents and changed chunks is rolled over twice from the same state:
as a server does it, which has made the new land in the time between ticks before, and as a replay
does it, which has not. Printed are CPU time of the tick's own thread, wall time, and the wait until
archive and record are durable.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from calibration import REFERENCE_MS, calibration_ms
from voxel_restart import fill_rings, touch_chunks

from thorp.server.live.terrain_prefetch import TerrainPrefetch
from thorp.store import RealDisk
from thorp.voxel import Join, Tuning, World, WorldService
from thorp.voxel.observation.compose import compose
from thorp.voxel.observation.session import Session

TUNING = Tuning(seasons=True, day_ticks=24, season_length_ticks=48)


def prepare(world: World) -> None:
    """Let a server look ahead until there is nothing left to make."""
    foresight, cpu, made = TerrainPrefetch(world), time.process_time(), -1
    while world.derived.land_ahead is None or world.derived.land_ahead.loaded > made:
        made = world.derived.land_ahead.loaded if world.derived.land_ahead is not None else -1
        foresight.look_ahead(1.0)
    spent = time.process_time() - cpu
    print(f"  made before, between ticks: {made} chunks, {spent:.1f} s of CPU")


def roll_over(agents: int, chunks: int, directory: Path, *, ahead: bool) -> None:
    service = WorldService.open(RealDisk(), directory, seed=7, draw_seed=8, tuning=TUNING)
    world = service.world
    service.tick([Join(f"agent {number}", "00" * 32) for number in range(agents)]).result()
    touch_chunks(world, chunks)
    fill_rings(world)
    while world.tick < TUNING.season_length_ticks - 1:
        service.tick([]).result()
    sessions = [Session(agent.number, delta=True) for agent in world.agents]
    compose(world, sessions)
    service.digest()
    if ahead:
        prepare(world)
    gc.collect()
    gc.disable()
    slowness = calibration_ms() / REFERENCE_MS
    marks = [(time.thread_time(), time.perf_counter())]
    durable = service.tick([])
    marks.append((time.thread_time(), time.perf_counter()))
    compose(world, sessions)
    marks.append((time.thread_time(), time.perf_counter()))
    durable.result()
    waited = 1000 * (time.perf_counter() - marks[-1][1])
    gc.enable()
    (tick_cpu, tick), (obs_cpu, obs) = [
        (1000 * (cpu - cpu_before), 1000 * (wall - wall_before))
        for (cpu_before, wall_before), (cpu, wall) in pairwise(marks)
    ]
    print(
        f"  as a {'server' if ahead else 'replay'}: tick {tick_cpu:.0f} ms of CPU, OBS "
        f"{obs_cpu:.0f} "
        f"(calibrated {tick_cpu / slowness:.0f}, {obs_cpu / slowness:.0f}); "
        f"wall {tick:.0f}, {obs:.0f}, and {waited:.0f} until durable",
        flush=True,
    )
    service.close(snapshot=False)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--agents", type=int, default=1000)
    parser.add_argument("--chunks", type=int, default=5000)
    options = parser.parse_args()
    print(f"a season ends, {options.agents} agents, {options.chunks} changed chunks")
    with tempfile.TemporaryDirectory() as directory:
        for ahead in (True, False):
            roll_over(options.agents, options.chunks, Path(directory) / str(ahead), ahead=ahead)


if __name__ == "__main__":
    main()

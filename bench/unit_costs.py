"""What an agent costs, for docs/scale.md: `python bench/unit_costs.py [--agents 100] [--ticks
300]`.

Agents walk and work in a world that is kept on disk. Printed: CPU, bytes of OBS and bytes of the
journal for each agent and tick, the memory of the world, and the size of its snapshot.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import zstandard
from calibration import REFERENCE_MS, calibration_ms
from voxel_tick import walking

from thorp.bridges.voxel_town import new_city_world
from thorp.store import RealDisk
from thorp.voxel import Join, WorldService
from thorp.voxel.observation.compose import compose
from thorp.voxel.observation.session import Session


def resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


def directory_bytes(path: Path) -> int:
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def run(count: int, ticks: int, path: Path) -> None:
    empty = resident_bytes()
    service = WorldService.open(RealDisk(), path, seed=7, draw_seed=8, make_world=new_city_world)
    world = service.world
    service.tick([Join(f"agent {number}", "00" * 32) for number in range(count)]).result()
    sessions = [Session(agent.number, delta=True) for agent in world.agents]
    compose(world, sessions)
    whole = sum(len(one.take() or b"") for one in sessions)
    service.snapshot().result()
    before, sent, slowness = directory_bytes(path), 0, calibration_ms() / REFERENCE_MS
    began = time.process_time()
    for _ in range(ticks):
        service.tick(walking(world, working=True)).result()
        compose(world, sessions)
        sent += sum(len(one.take() or b"") for one in sessions)
    spent = time.process_time() - began
    written = directory_bytes(path) - before
    each = count * ticks
    journal = b"".join(file.read_bytes() for file in path.glob("journal-*.jsonl"))
    packed = written / each * len(zstandard.compress(journal)) / len(journal)
    used = resident_bytes() - empty
    service.close()
    snapshots = [file.stat().st_size for file in path.rglob("*snap*") if file.is_file()]
    print(f"{count} agents, {ticks} ticks, machine at {slowness:.2f} times the reference time")
    print(f"  CPU       {spent / each * 1e6:8.0f} us an agent and tick, without sockets")
    print(
        f"  OBS       {whole / count:8,.0f} B the first one, then {sent / each:,.0f} B an agent "
        "and tick"
    )
    print(
        f"  journal   {written / each:8.1f} B an agent and tick; {packed:.1f} B once its file is "
        "sealed"
    )
    print(f"  memory    {used / 1e6:8.1f} MB beside {empty / 1e6:.0f} MB of an empty process")
    print(f"  snapshot  {max(snapshots, default=0) / 1e3:8.0f} kB")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--agents", type=int, default=100)
    options.add_argument("--ticks", type=int, default=300)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        run(chosen.agents, chosen.ticks, Path(name) / "world")


if __name__ == "__main__":
    main()

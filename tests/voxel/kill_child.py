"""A process that keeps a world and says which ticks are durable, until it is killed."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

import msgspec

from thorp.simulator.crowd import RICH, Crowd
from thorp.simulator.flat_world import create_flat_world
from thorp.store import RealDisk
from thorp.voxel import WorldService


def main() -> None:
    tuning = msgspec.structs.replace(RICH, snapshot_every_ticks=7)
    service = WorldService.open(
        RealDisk(), Path(sys.argv[1]), tuning=tuning, make_world=create_flat_world
    )
    crowd = Crowd(service.world.tick, 5)
    while True:
        service.tick(crowd.inputs(service.world)).result()
        print(service.world.tick, service.digest(), flush=True)


if __name__ == "__main__":
    main()

"""A village that is kept in a data directory, for tests that fork it."""

from __future__ import annotations

from fcntl import LOCK_EX, flock
from pathlib import Path

import pytest

from tests.village.lives import Founded, packed
from thorp import village
from thorp.bridges.voxel_town import new_city_world
from thorp.society.counterfactual import DurableRun
from thorp.store import RealDisk
from thorp.voxel import Join, WorldService
from thorp.voxel.persistence.copies import write_fork
from thorp.voxel.persistence.snapshot import encode_state, read_header, restore

FOUNDED_TICKS = 17_400
"""Late on the third day, so that a fork that lives until its end is quick."""
LAST_TICK = 17_600
TOKENS = {name: f"the token of {name}" for name in village.ROSTER}


@pytest.fixture(scope="session")
def founded(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Founded:
    own = tmp_path_factory.getbasetemp()
    return Founded(own if worker_id == "master" else own.parent)


@pytest.fixture(scope="session")
def kept_village(
    founded: Founded, tmp_path_factory: pytest.TempPathFactory, worker_id: str
) -> Path:
    """The data directory of a village on its third evening, with a stranger in it."""
    own = tmp_path_factory.getbasetemp()
    data = (own if worker_id == "master" else own.parent) / "kept-village"
    with data.with_suffix(".lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not data.exists():
            keep(founded, data)
    return data


def keep(founded: Founded, data: Path) -> None:
    world = founded(1337, FOUNDED_TICKS)
    epoch = read_header(packed(world)).epoch
    write_fork(RealDisk(), encode_state(world, epoch), data / "world")
    with WorldService.open(RealDisk(), data / "world", make_world=new_city_world) as service:
        run = DurableRun(service)
        run.execute(service.world, [Join("Nell", "7" * 64)])
        village.run(
            service.world,
            lambda inputs: run.execute(service.world, inputs),
            TOKENS,
            to_tick=LAST_TICK,
        )
        run.finish()


@pytest.fixture
def village_state(founded: Founded) -> object:
    """A fresh copy of the founded village, in memory."""
    return restore(packed(founded(1337, FOUNDED_TICKS)), new_city_world)

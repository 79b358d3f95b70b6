"""Towns in a world that is kept: handoffs are journaled, receipts are state, and all of it is found
again."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.bridges.voxel_town.settled import (
    DAY,
    FIRST,
    QUIET,
    SECOND,
    create_settled_world,
    open_settled,
)
from thorp.bridges.voxel_town import VoxelTowns, snapshot_text
from thorp.kernel.canonical import Json
from thorp.kernel.errors import IllegalError
from thorp.simulator.flat_world import create_flat_world
from thorp.store import DiskError, RealDisk
from thorp.store.testing import BreakableDisk, PowerLost
from thorp.town import UnknownTown
from thorp.town.embedded.council import Council
from thorp.town.testing import handoff_for
from thorp.voxel import backup, fork, replay, verify
from thorp.voxel.persistence.audit import Change, audit
from thorp.voxel.persistence.directory import WorldDirectory
from thorp.voxel.rollback import Box, rollback

DISK = RealDisk()
SALVAGE = ("SALVAGE_PLAN", "scarcity")


def governed(path: Path, days: int = 2) -> tuple[str, list[str]]:
    """A world in which both cities were governed for some days: its digest, and all results."""
    results: list[str] = []
    with open_settled(DISK, path) as service:
        towns = VoxelTowns(service)
        councils = [Council(FIRST), Council(SECOND)]
        for _ in range(days):
            for council in councils:
                results += [result["resultId"] for _, result in council.sit(towns)]
            while service.world.tick % DAY:
                service.tick([]).result()
        digest = service.digest()
        service.close(snapshot=False)
    return digest, results


def test_governing_is_replayed_proved_and_forked(tmp_path: Path) -> None:
    digest, results = governed(tmp_path / "world")
    assert len(set(results)) == 12
    verdict = verify(DISK, tmp_path / "world", make_world=create_settled_world)
    assert verdict.ok, verdict
    assert verdict.digest == digest
    half = replay(DISK, tmp_path / "world", DAY, make_world=create_settled_world)
    assert snapshot_text(half, FIRST) is not None
    fork(DISK, tmp_path / "world", DAY, tmp_path / "fork", make_world=create_settled_world)
    with open_settled(DISK, tmp_path / "fork") as service:
        assert snapshot_text(service.world, FIRST) == snapshot_text(half, FIRST)
        towns = VoxelTowns(service)
        assert towns.execute(handoff_for(towns.snapshot(FIRST)))["status"] == "executed"
    assert verify(DISK, tmp_path / "fork", make_world=create_settled_world).ok


def test_the_same_governing_gives_the_same_digests_and_results(tmp_path: Path) -> None:
    first = governed(tmp_path / "one", days=1)
    assert governed(tmp_path / "two", days=1) == first
    code = (
        "import pathlib, sys; from tests.bridges.voxel_town.test_keeping import governed; "
        "print(governed(pathlib.Path(sys.argv[1]), days=1)[0])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "three")],
        env={**os.environ, "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        cwd=Path(__file__).parents[3],
    )
    assert done.stdout.strip() == first[0]


def test_without_the_extension_the_world_is_refused(tmp_path: Path) -> None:
    governed(tmp_path, days=1)
    with pytest.raises(IllegalError, match="town") as refused:
        open_settled(DISK, tmp_path, make_world=create_flat_world)
    assert refused.value.code == "annex"
    verdict = verify(DISK, tmp_path, make_world=create_flat_world)
    assert not verdict.ok


def test_the_audit_tells_who_governed(tmp_path: Path) -> None:
    governed(tmp_path, days=1)
    changes: list[Change] = []
    audit(DISK, tmp_path, changes.append, make_world=create_settled_world)
    told = [change for change in changes if change.what == "town"]
    assert {change.actor for change in told} == {"mayor-1", "captain-1", "warden-1"}
    assert {change.more["reason"] for change in told} == {"EXECUTED"}
    assert [change.reason for change in changes if change.reason == "BACKED"]


def test_a_town_that_nobody_knows(tmp_path: Path) -> None:
    with open_settled(DISK, tmp_path) as service, pytest.raises(UnknownTown):
        VoxelTowns(service).snapshot("ORG000003")


def same_key(path: Path, handoff: Json, **options: Any) -> tuple[str, str | None]:
    """What the same handoff comes to in the world of a directory, and whose duplicate it is."""
    with open_settled(DISK, path, **options) as service:
        result = VoxelTowns(service).execute(handoff)
    return result["status"], result["evaluation"]["duplicateCheck"].get("duplicateOf")


def test_a_key_is_remembered_wherever_its_effect_is(tmp_path: Path) -> None:
    """After a restart, in a copy, in forks, and after a rollback: that puts back ground, never
    decisions."""
    world = tmp_path / "world"
    with open_settled(DISK, world) as service:
        towns = VoxelTowns(service)
        before, handoff = service.world.tick, handoff_for(towns.snapshot(FIRST), *SALVAGE)
        used = ("duplicate", towns.execute(handoff)["resultId"])
        after = service.world.tick
    backup(DISK, world, tmp_path / "copy")
    assert same_key(tmp_path / "copy", handoff) == used
    fork(DISK, world, after, tmp_path / "later", make_world=create_settled_world)
    assert same_key(tmp_path / "later", handoff) == used
    fork(DISK, world, before, tmp_path / "earlier", make_world=create_settled_world)
    assert same_key(tmp_path / "earlier", handoff) == ("executed", None), (
        "its effect is not there either"
    )
    assert same_key(tmp_path / "earlier", handoff)[0] == "duplicate"
    rollback(DISK, world, Box.between((0, 1, 0), (40, 40, 40)), 1, make_world=create_settled_world)
    assert same_key(world, handoff) == used


def test_a_key_outlives_the_history_that_used_it(tmp_path: Path) -> None:
    """Retention drops journals; receipts are state."""
    short = {"tuning": msgspec.structs.replace(QUIET, snapshot_every_ticks=5), "retain_days": 0}
    with open_settled(DISK, tmp_path, **short) as service:
        towns = VoxelTowns(service)
        handoff = handoff_for(towns.snapshot(FIRST), *SALVAGE)
        used = ("duplicate", towns.execute(handoff)["resultId"])
        tick = service.world.tick
        for _ in range(20):
            service.tick([]).result()
    assert min(WorldDirectory(DISK, tmp_path).journals()) > tick
    assert same_key(tmp_path, handoff, **short) == used


@pytest.mark.parametrize("cut", range(1, 60, 3))
def test_no_receipt_without_effect_and_no_effect_without_receipt(cut: int) -> None:
    """Power is lost anywhere. What was answered is there; what was not is done entirely, or not at
    all."""
    disk = BreakableDisk(cut)
    path = disk.root / "world"
    handoffs = []
    answered = []
    with (
        contextlib.suppress(PowerLost, DiskError, IllegalError),
        open_settled(disk, path, tuning=QUIET) as service,
    ):
        towns = VoxelTowns(service)
        disk.cut_power_in(cut)
        for command in (SALVAGE, SALVAGE, ("PROJECT_ADVANCE", "W000001")):
            handoffs.append(handoff_for(towns.snapshot(FIRST), *command))
            answered.append(towns.execute(handoffs[-1]))
    disk.restart()
    with open_settled(disk, path) as service:
        towns = VoxelTowns(service)
        orders = [one for one in service.world.contracts if one.poster == FIRST]
        assert len(answered) <= len(orders) <= len(handoffs)
        for handoff, result in zip(handoffs, answered, strict=False):
            again = towns.execute(handoff)
            assert again["status"] == "duplicate"
            assert again["evaluation"]["duplicateCheck"]["duplicateOf"] == result["resultId"]
        for handoff in handoffs[len(answered) :]:
            done = len(orders) > len(answered)
            assert towns.execute(handoff)["status"] == ("duplicate" if done else "executed")
        assert len([one for one in service.world.contracts if one.poster == FIRST]) == len(handoffs)
    assert verify(disk, path, make_world=create_settled_world).ok

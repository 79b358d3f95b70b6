"""After a crash: never a lost acknowledged tick, never another world."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from thorp.kernel.errors import DamagedError, IllegalError
from thorp.simulator.crowd import Crowd
from thorp.simulator.flat_world import create_flat_world
from thorp.simulator.inline import open_flat
from thorp.simulator.world_lives import WorldLives
from thorp.store import RealDisk
from thorp.store.packed import pack_file
from thorp.store.testing import BreakableDisk
from thorp.voxel import verify
from thorp.voxel.persistence.directory import WorldDirectory
from thorp.voxel.state.world import World
from thorp.voxel.tuning import Tuning

DISK = RealDisk()
BLOCK = 25
CHILD = Path(__file__).with_name("kill_child.py")


# Lives on the breakable disk.


@pytest.mark.parametrize("block", range(5))
def test_a_hundred_lives(block: int) -> None:
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        WorldLives(seed).run()


@pytest.mark.long
@pytest.mark.parametrize("block", range(48))
def test_ten_thousand_lives(block: int) -> None:
    for seed in range(1_000 + block * 250, 1_000 + (block + 1) * 250):
        WorldLives(seed).run()


def test_lives_end_in_every_way() -> None:
    ends = set()
    for seed in range(12):
        story = WorldLives(seed)
        story.run()
        ends.update(story.ends)
    assert ends == {"closed", "power", "disk"}


def first_life_that_fails() -> int | None:
    """A seed whose story goes wrong."""
    for seed in range(200):
        try:
            WorldLives(seed).run()
        except (AssertionError, DamagedError, IllegalError):
            return seed
    return None


def test_the_lives_notice_a_missing_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    def pretend(journal: Any) -> None:
        journal._synced, journal._synced_tip, journal._synced_end = (
            journal._next,
            journal._tip,
            journal._end,
        )

    monkeypatch.setattr("thorp.store.journal.Journal._sync", pretend)
    assert first_life_that_fails() is not None


def test_the_lives_notice_a_segment_removed_before_its_packed_form_is_durable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def careless(directory: WorldDirectory, *, before: int, rest: object) -> None:
        for first, path in directory.journals().items():
            if first < before and path.suffix == ".jsonl":
                with contextlib.closing(directory.disk.open(path)) as file:
                    data = file.read(0, file.size())
                directory.disk.remove(path)
                directory.disk.sync_directory(directory.path)
                kept = directory.disk.create(path)
                kept.write(0, data)
                kept.close()

    monkeypatch.setattr("thorp.voxel.service.seal_segments", careless)
    assert first_life_that_fails() is not None


# One crash at a time.


def test_a_torn_tail_is_set_aside_and_reported(tmp_path: Path) -> None:
    with open_flat(DISK, tmp_path) as service:
        for _ in range(3):
            service.tick([]).result()
        digest = service.digest()
        service.close(snapshot=False)
    journal = tmp_path / "journal-000000000001.jsonl"
    with journal.open("ab") as file:
        file.write(b'{\t"hash":"half a rec')
    with open_flat(DISK, tmp_path) as service:
        torn = service.recovery.torn
        assert torn is not None
        assert torn.kept_in.read_bytes() == b'{\t"hash":"half a rec'
        assert (service.world.tick, service.digest()) == (3, digest)
        service.tick([]).result()


def test_an_unsound_snapshot_is_passed_over_and_named(tmp_path: Path) -> None:
    with open_flat(DISK, tmp_path) as service:
        for _ in range(3):
            service.tick([]).result()
        digest = service.digest()
    snapshot = tmp_path / "snapshot-000000000003.zst"
    data = bytearray(snapshot.read_bytes())
    data[-20] ^= 1
    snapshot.write_bytes(data)
    with open_flat(DISK, tmp_path) as service:
        assert service.recovery.snapshot_tick is None
        assert service.recovery.replayed == 3
        assert "snapshot-000000000003.zst" in service.recovery.unsound[0]
        assert service.digest() == digest


def test_a_segment_that_is_plain_and_packed_is_one_segment(tmp_path: Path) -> None:
    with open_flat(DISK, tmp_path, tuning=Tuning(snapshot_every_ticks=5)) as service:
        for _ in range(7):
            service.tick([]).result()
        digest = service.digest()
    packed = tmp_path / "journal-000000000001.jsonl.zst"
    kept = packed.read_bytes()
    (tmp_path / "journal-000000000001.jsonl").write_bytes(b"left by a crash")
    with open_flat(DISK, tmp_path) as service:
        assert service.digest() == digest
        assert not (tmp_path / "journal-000000000001.jsonl").exists()
        assert packed.read_bytes() == kept


def test_a_stale_packed_form_of_the_live_segment_does_not_count(tmp_path: Path) -> None:
    """Someone packed the live file by hand, and the world went on: nothing may be lost."""
    with open_flat(DISK, tmp_path) as service:
        service.tick([]).result()
        pack_file(DISK, tmp_path / "journal-000000000001.jsonl")
        service.tick([]).result()
        digest = service.digest()
        service.close(snapshot=False)
    with open_flat(DISK, tmp_path) as service:
        assert (service.world.tick, service.digest()) == (2, digest)


def test_damage_in_the_live_segment_refuses_and_changes_nothing(tmp_path: Path) -> None:
    with open_flat(DISK, tmp_path) as service:
        for _ in range(6):
            service.tick([]).result()
        service.close(snapshot=False)
    journal = tmp_path / "journal-000000000001.jsonl"
    data = bytearray(journal.read_bytes())
    data[len(data) // 2] ^= 1
    journal.write_bytes(data)
    with pytest.raises(DamagedError):
        open_flat(DISK, tmp_path)
    assert journal.read_bytes() == bytes(data)


def test_a_journal_that_leads_elsewhere_is_refused(tmp_path: Path) -> None:
    """The same inputs under rules that do something else: recovery notices at the next digest it
    compares."""
    with open_flat(DISK, tmp_path) as service:
        crowd = Crowd(1, 3)
        for _ in range(6):
            service.tick(crowd.inputs(service.world)).result()
        service.close(snapshot=False)

    def create_other_world(seed: int, draw_seed: int, tuning: Tuning) -> World:
        world = create_flat_world(seed, draw_seed, tuning)
        world.counters.task = 100
        return world

    with pytest.raises(DamagedError, match="digest"):
        open_flat(DISK, tmp_path, make_world=create_other_world)


def test_opening_can_be_cut_off_anywhere() -> None:
    """Recovery itself loses power at each of its changes in turn, and is begun again."""
    for cut in range(1, 60):
        disk = BreakableDisk(cut)
        path = disk.root / "world"
        with open_flat(disk, path) as service:
            for _ in range(3):
                service.tick([]).result()
            digest = service.digest()
            service.close(snapshot=False)
        disk.cut_power_in(cut)
        with contextlib.suppress(BaseException):
            open_flat(disk, path).close()
        disk.restart()
        with open_flat(disk, path) as again:
            assert (again.world.tick, again.digest()) == (3, digest)


# Real kills.


@pytest.mark.parametrize("kill", range(2))
def test_real_kills(tmp_path: Path, kill: int) -> None:
    for life in range(4):
        _kill_one(tmp_path, Random(f"{kill},{life}"))
    assert verify(DISK, tmp_path, make_world=create_flat_world).ok


@pytest.mark.long
@pytest.mark.parametrize("kill", range(10))
def test_two_hundred_real_kills(tmp_path: Path, kill: int) -> None:
    for life in range(20):
        _kill_one(tmp_path, Random(f"long {kill},{life}"))
    assert verify(DISK, tmp_path, make_world=create_flat_world).ok


def _kill_one(path: Path, draw: Random) -> None:
    """Start a child, let it acknowledge some ticks, kill it, and see that they are there."""
    child = subprocess.Popen([sys.executable, str(CHILD), str(path)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    told = [child.stdout.readline() for _ in range(draw.randint(1, 30))]
    os.kill(child.pid, signal.SIGKILL)
    told += child.stdout.read().splitlines(keepends=True)
    child.wait()
    child.stdout.close()
    acknowledged = dict(line.split() for line in told if line.endswith(b"\n"))
    with open_flat(DISK, path) as service:
        last = max(map(int, acknowledged))
        assert last <= service.world.tick <= last + 1
        if service.world.tick == last:
            assert service.digest().encode() == acknowledged[b"%d" % last]
        service.close(snapshot=draw.random() < 0.5)

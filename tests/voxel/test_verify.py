"""Proof of a directory, and what is made from one: replay, fork, backup."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thorp.kernel.errors import ConflictError, IllegalError, InvalidError
from thorp.simulator.crowd import RICH, Crowd
from thorp.simulator.flat_world import create_flat_world
from thorp.simulator.inline import open_flat
from thorp.store import RealDisk
from thorp.store.packed import pack_file
from thorp.store.real_disk import RealFile
from thorp.store.testing import BreakableDisk
from thorp.voxel import Verdict, WorldService, backup, fork, replay, verify
from thorp.voxel.persistence.directory import WorldDirectory

DISK = RealDisk()
OFTEN = msgspec.structs.replace(RICH, snapshot_every_ticks=5)
TICKS = 23


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[int, str]]:
    """A world of some segments, not closed cleanly, and the digest of each tick."""
    path = tmp_path_factory.mktemp("kept") / "world"
    digests = {}
    with open_flat(DISK, path, tuning=OFTEN) as service:
        crowd = Crowd(11, 4, busy=0.8)
        for _ in range(TICKS):
            service.tick(crowd.inputs(service.world)).result()
            digests[service.world.tick] = service.digest()
        service.close(snapshot=False)
    return path, digests


@pytest.fixture
def copy(kept: tuple[Path, dict[int, str]], tmp_path: Path) -> Path:
    return Path(shutil.copytree(kept[0], tmp_path / "copy"))


def proof(path: Path) -> Verdict:
    return verify(DISK, path, make_world=create_flat_world)


def listing(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.iterdir()}


def test_a_sound_directory_is_proved_to_its_last_tick(kept: tuple[Path, dict[int, str]]) -> None:
    path, digests = kept
    before = listing(path)
    seen: list[int] = []
    verdict = verify(DISK, path, make_world=create_flat_world, watch=seen.append)
    assert verdict.ok
    assert (verdict.first_tick, verdict.replayed_after, verdict.last_good_tick) == (1, 0, TICKS)
    assert verdict.digest == digests[TICKS]
    assert verdict.snapshots == 3
    assert verdict.problems == ()
    assert seen == list(range(1, TICKS + 1))
    assert listing(path) == before


def test_a_live_directory_can_be_proved(tmp_path: Path) -> None:
    with open_flat(DISK, tmp_path, tuning=OFTEN) as service:
        for _ in range(8):
            service.tick([]).result()
        assert proof(tmp_path).last_good_tick == 8


def test_a_segment_may_be_sealed_while_it_is_proved(
    kept: tuple[Path, dict[int, str]], tmp_path: Path
) -> None:
    path = Path(shutil.copytree(kept[0], tmp_path / "live"))
    live = path / "journal-000000000021.jsonl"

    def seal(tick: int) -> None:
        if tick == 22:
            pack_file(DISK, live)
            live.unlink()

    verdict = verify(DISK, path, make_world=create_flat_world, watch=seal)
    assert verdict.ok, verdict
    assert verdict.last_good_tick == TICKS


def test_a_torn_tail_is_told_and_no_problem(copy: Path) -> None:
    with (copy / "journal-000000000021.jsonl").open("ab") as file:
        file.write(b"{\t")
    verdict = proof(copy)
    assert verdict.ok
    assert verdict.torn is not None
    assert verdict.last_good_tick == TICKS


@pytest.mark.parametrize(("segment", "first", "ticks"), [(1, 1, 5), (11, 11, 5), (16, 16, 5)])
def test_damage_in_a_sealed_segment_is_named(
    copy: Path, segment: int, first: int, ticks: int
) -> None:
    path = copy / f"journal-{segment:012d}.jsonl.zst"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x40
    path.write_bytes(data)
    verdict = proof(copy)
    assert not verdict.ok
    assert first - 1 <= verdict.last_good_tick < first + ticks
    assert path.name in verdict.problems[0]


@settings(max_examples=40)
@given(st.integers(0, 10**9), st.integers(0, 7))
def test_any_changed_bit_of_a_plain_segment_names_the_last_good_tick(
    kept: tuple[Path, dict[int, str]], at: int, bit: int
) -> None:
    """The head says how far it went, so that damage to the last record is none that a crash did."""
    path, digests = kept
    disk = BreakableDisk(1)
    root = disk.root / "world"
    disk.make_directories(root)
    for name, data in listing(path).items():
        file = disk.create(root / name)
        file.write(0, data)
        file.sync()
    live = root / "journal-000000000021.jsonl"
    data = (path / live.name).read_bytes()
    at %= len(data)
    disk.corrupt(live, at, data[at] ^ 1 << bit)
    verdict = verify(disk, root, make_world=create_flat_world)
    line = data[:at].count(b"\n")  # 0 is the header, then one line a tick
    assert verdict.last_good_tick == max(20, 20 + line - 1)
    assert not verdict.ok
    assert verdict.digest == digests[verdict.last_good_tick]


def test_a_missing_segment_is_found(copy: Path) -> None:
    (copy / "journal-000000000011.jsonl.zst").unlink()
    verdict = proof(copy)
    assert not verdict.ok
    assert verdict.last_good_tick == 10


def test_an_exchanged_segment_is_found(copy: Path, tmp_path: Path) -> None:
    with open_flat(DISK, tmp_path / "other", tuning=OFTEN) as service:
        for _ in range(TICKS):
            service.tick([]).result()
    name = "journal-000000000011.jsonl.zst"
    shutil.copy(tmp_path / "other" / name, copy / name)
    verdict = proof(copy)
    assert not verdict.ok
    assert verdict.last_good_tick == 10


def test_a_forged_record_is_found_by_its_digest(tmp_path: Path) -> None:
    """Whoever rewrites the whole chain must also know where the inputs lead."""
    with open_flat(DISK, tmp_path, seed=1, draw_seed=2) as service:
        crowd = Crowd(5, 3)
        for _ in range(4):
            service.tick(crowd.inputs(service.world)).result()
        service.world.weather_until += 1  # as if a tick had done something else
        for _ in range(4):
            service.tick([]).result()
        service.close(snapshot=False)
    verdict = proof(tmp_path)
    assert not verdict.ok
    assert verdict.last_good_tick == 3, "the record of tick 5 has the wrong digest for tick 4"
    assert "after tick 4" in verdict.problems[0]


def test_a_damaged_snapshot_is_told_though_the_journal_is_sound(copy: Path) -> None:
    path = copy / "snapshot-000000000015.zst"
    data = bytearray(path.read_bytes())
    data[-9] ^= 1
    path.write_bytes(data)
    verdict = proof(copy)
    assert not verdict.ok
    assert verdict.last_good_tick == TICKS
    assert "snapshot-000000000015.zst" in verdict.problems[0]


def test_what_retention_left_is_proved_from_where_it_begins(tmp_path: Path) -> None:
    ten_ticks = 10 / (86_400 * OFTEN.tick_rate_hz)
    with open_flat(DISK, tmp_path, tuning=OFTEN, retain_days=ten_ticks) as service:
        for _ in range(30):
            service.tick([]).result()
    verdict = proof(tmp_path)
    assert verdict.ok
    assert (verdict.first_tick, verdict.replayed_after, verdict.last_good_tick) == (21, 20, 30)
    with pytest.raises(Exception, match="begins with tick 21"):
        replay(DISK, tmp_path, 3, make_world=create_flat_world)


def test_an_empty_directory_holds_no_world(tmp_path: Path) -> None:
    with pytest.raises(IllegalError) as refused:
        proof(tmp_path / "nothing")
    assert refused.value.code == "no_world"
    assert not (tmp_path / "nothing").exists()


# Replay.


@pytest.mark.parametrize("tick", [0, 1, 9, 10, 15, 19, TICKS])
def test_replay_gives_the_world_as_it_was(kept: tuple[Path, dict[int, str]], tick: int) -> None:
    path, digests = kept
    world = replay(DISK, path, tick, make_world=create_flat_world)
    assert world.tick == tick
    assert tick == 0 or world.digest() == digests[tick]


def test_there_is_no_replay_beyond_the_end(kept: tuple[Path, dict[int, str]]) -> None:
    with pytest.raises(IllegalError, match="last tick is 23"):
        replay(DISK, kept[0], TICKS + 1, make_world=create_flat_world)
    with pytest.raises(InvalidError):
        replay(DISK, kept[0], -1, make_world=create_flat_world)


# Fork.


@pytest.mark.parametrize("tick", [0, 7, 10, TICKS])
def test_a_fork_goes_on_from_its_tick(
    kept: tuple[Path, dict[int, str]], tmp_path: Path, tick: int
) -> None:
    path, digests = kept
    before = listing(path)
    forked = fork(DISK, path, tick, tmp_path / "fork", make_world=create_flat_world)
    assert tick == 0 or forked.digest == digests[tick]
    with open_flat(DISK, tmp_path / "fork") as service:
        assert service.world.tick == tick
        assert service.digest() == forked.digest
        service.tick([]).result()
    verdict = proof(tmp_path / "fork")
    assert verdict.ok
    assert verdict.last_good_tick == tick + 1
    assert verdict.epochs[-1].reason == f"forked at tick {tick}"
    assert listing(path) == before


def test_a_fork_and_a_backup_need_an_empty_place(
    kept: tuple[Path, dict[int, str]], tmp_path: Path
) -> None:
    (tmp_path / "letter").write_text("mine")
    for make in (
        lambda: fork(DISK, kept[0], 3, tmp_path, make_world=create_flat_world),
        lambda: backup(DISK, kept[0], tmp_path),
    ):
        with pytest.raises(ConflictError):
            make()
    assert [file.name for file in tmp_path.iterdir()] == ["letter"]


# Backup.


def test_a_backup_opens_like_the_world(kept: tuple[Path, dict[int, str]], tmp_path: Path) -> None:
    path, digests = kept
    done = backup(DISK, path, tmp_path / "backup")
    assert done.tick == TICKS
    assert proof(tmp_path / "backup").ok
    with open_flat(DISK, tmp_path / "backup") as service:
        assert service.digest() == digests[TICKS]
        service.tick([]).result()
    assert proof(tmp_path / "backup").ok


def test_a_backup_of_a_live_world_is_a_world_that_was(tmp_path: Path) -> None:
    """After each tick, with segments sealed and snapshots removed in between."""
    with open_flat(DISK, tmp_path / "world", tuning=OFTEN) as service:
        crowd = Crowd(3, 3)
        for tick in range(1, 14):
            service.tick(crowd.inputs(service.world)).result()
            copy = tmp_path / f"backup-{tick}"
            assert backup(DISK, tmp_path / "world", copy).tick == tick
            with open_flat(DISK, copy) as restored:
                assert restored.digest() == service.digest()


def test_a_segment_may_be_sealed_while_it_is_copied(
    kept: tuple[Path, dict[int, str]], tmp_path: Path
) -> None:
    """The plain file vanishes between the listing and the opening of it."""

    class Sealing(RealDisk):
        def open(self, path: Path, *, writable: bool = False) -> RealFile:
            if (
                path.name == "journal-000000000021.jsonl"
                and path.exists()
                and path.parent == source
            ):
                pack_file(RealDisk(), path)
                path.unlink()
            return super().open(path, writable=writable)

    source = Path(shutil.copytree(kept[0], tmp_path / "source"))
    done = backup(Sealing(), source, tmp_path / "backup")
    assert done.tick == TICKS
    assert proof(tmp_path / "backup").ok
    with WorldService.open(DISK, tmp_path / "backup", make_world=create_flat_world) as service:
        service.tick([]).result()
    assert list(WorldDirectory(DISK, tmp_path / "backup").journals())[-1] == TICKS + 1
    assert proof(tmp_path / "backup").ok

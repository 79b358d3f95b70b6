"""Forgeries and losses: what nobody may take for a sound world, and how one goes on with a loss."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.voxel.test_extension import create_counting_world, open_counting
from tests.voxel.test_recovery import CHILD
from thorp.kernel.errors import DamagedError, InvalidError
from thorp.simulator.crowd import RICH, Crowd
from thorp.simulator.flat_world import create_flat_world
from thorp.simulator.inline import open_flat
from thorp.store import Journal, RealDisk, read_journal
from thorp.voxel import Verdict, backup, fork, replay, verify
from thorp.voxel.persistence.directory import Segment, WorldDirectory
from thorp.voxel.persistence.head import read_head, write_head
from thorp.voxel.persistence.snapshot import encode_state, pack

DISK = RealDisk()
OFTEN = msgspec.structs.replace(RICH, snapshot_every_ticks=5)
TICKS = 23
LIVE = "journal-000000000021.jsonl"
SEALED = "journal-000000000011.jsonl.zst"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A world of five segments, closed, without a snapshot of its last tick."""
    path = tmp_path_factory.mktemp("played") / "world"
    with open_flat(DISK, path, tuning=OFTEN) as service:
        crowd = Crowd(12, 4, busy=0.8)
        for _ in range(TICKS):
            service.tick(crowd.inputs(service.world)).result()
        service.close(snapshot=False)
    return path


@pytest.fixture
def world(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "world"))


def proof(path: Path, **options: Any) -> Verdict:
    return verify(DISK, path, **{"make_world": create_flat_world, **options})


def refused(path: Path) -> str:
    """Why the directory does not open, after which it is as it was."""
    before = {file.name: file.read_bytes() for file in path.iterdir() if file.name != "lock"}
    with pytest.raises(DamagedError) as error:
        open_flat(DISK, path)
    assert error.value.code == "loss"
    assert "--accept-loss" in error.value.message
    assert {
        file.name: file.read_bytes() for file in path.iterdir() if file.name != "lock"
    } == before
    return error.value.message


# Forgeries: whoever can write the directory can hash the chain anew.


def forge(path: Path, change: Callable[[dict[str, Any]], None], *, tick: int = 0) -> None:
    """Write a journal of one segment anew, in another epoch and with another digest; remove the
    snapshots."""
    directory = WorldDirectory(DISK, path)
    journal = directory.journal_path(1)
    payloads = list(read_journal(DISK, journal))
    header = msgspec.to_builtins(Segment(DISK, journal).header)
    change(header["terms"])  # type: ignore[arg-type]
    for file in [journal, *map(directory.snapshot_path, directory.snapshots())]:
        file.unlink()
    records = [msgspec.json.decode(payload) for payload in payloads]
    for record in records:
        if record["tick"] == tick:
            record["digest"] = "ab" * 32
    with Journal.open(DISK, journal, header=header) as anew:
        anew.append([msgspec.json.encode(record) for record in records])
        head = read_head(directory)
        assert head is not None
        write_head(directory, msgspec.structs.replace(head, tip=anew.tip))


def test_what_can_be_executed_is_executed_whatever_the_header_says(tmp_path: Path) -> None:
    with open_counting(DISK, tmp_path) as service:
        for _ in range(5):
            service.tick([]).result()
    forge(tmp_path, lambda terms: terms.update(annexes=[]))
    verdict = proof(tmp_path, make_world=create_counting_world)
    assert verdict.verdict == "not_sound"
    assert "after tick 1" in verdict.problems[0]


def test_a_world_without_extensions_is_executed_where_there_are_some(tmp_path: Path) -> None:
    with open_flat(DISK, tmp_path) as service:
        for _ in range(5):
            service.tick([]).result()
    assert proof(tmp_path, make_world=create_counting_world).verdict == "sound"
    forge(tmp_path, lambda _: None, tick=4)
    verdict = proof(tmp_path, make_world=create_counting_world)
    assert (verdict.verdict, verdict.last_good_tick) == ("not_sound", 2)
    assert "after tick 3" in verdict.problems[0]


def test_what_cannot_be_executed_is_never_called_sound(tmp_path: Path) -> None:
    with open_flat(DISK, tmp_path) as service:
        for _ in range(5):
            service.tick([]).result()
    forge(tmp_path, lambda terms: terms.update(rules=99), tick=4)
    verdict = proof(tmp_path)
    assert (verdict.ok, verdict.verdict, verdict.problems) == (False, "partly_executed", ())
    assert verdict.unexecuted[0].startswith("ticks 1 to 5: it has rules 99")


def test_a_forged_newest_snapshot_is_passed_over(tmp_path: Path) -> None:
    """It proves itself, and the head says that the last state was another one."""
    with open_flat(DISK, tmp_path) as service:
        for _ in range(3):
            service.tick([]).result()
        service.close()
        digest, epoch = service.digest(), service.epoch
    forged = replay(DISK, tmp_path, 3, make_world=create_flat_world)
    forged.weather_until += 1
    (tmp_path / "snapshot-000000000003.zst").write_bytes(pack(encode_state(forged, epoch)))
    verdict = proof(tmp_path)
    assert verdict.verdict == "not_sound"
    assert "snapshot-000000000003.zst" in verdict.problems[0]
    with open_flat(DISK, tmp_path) as service:
        assert "another digest than the journal says" in service.recovery.unsound[0]
        assert service.digest() == digest


def test_a_forged_head_is_found_by_executing(world: Path) -> None:
    directory = WorldDirectory(DISK, world)
    head = read_head(directory)
    assert head is not None
    write_head(directory, msgspec.structs.replace(head, digest="ab" * 32))
    assert "the head has digest" in proof(world).problems[0]


# Losses.


def lose_the_end(path: Path) -> None:
    journal = path / LIVE
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-1]))


def flip_in_the_last_record(path: Path) -> None:
    data = bytearray((path / LIVE).read_bytes())
    data[-9] ^= 1
    (path / LIVE).write_bytes(data)


def flip_in_the_head(path: Path) -> None:
    data = bytearray((path / "head").read_bytes())
    data[-9] ^= 1
    (path / "head").write_bytes(data)


def lose_the_journal(path: Path) -> None:
    for file in path.glob("journal-*"):
        file.unlink()


LOSSES: dict[str, tuple[Callable[[Path], None], str, int]] = {
    "live": (
        lambda path: (path / LIVE).unlink(),
        f"{LIVE} is missing, with every tick from 21 on",
        20,
    ),
    "sealed": (
        lambda path: (path / SEALED).unlink(),
        "1 of 4 full segments are missing: ticks 11 to 15",
        TICKS,
    ),
    "first": (
        lambda path: (path / "journal-000000000001.jsonl.zst").unlink(),
        "1 of 4 full segments are missing: ticks 1 to 5",
        TICKS,
    ),
    "all": (lose_the_journal, "the journal is missing", 20),
    "end": (lose_the_end, "the journal ends with tick 22, and tick 23 was durable", 22),
    "flip": (flip_in_the_last_record, "the journal ends with tick 22, and tick 23 was durable", 22),
    "head": (lambda path: (path / "head").unlink(), "head is missing", TICKS),
    "damaged head": (flip_in_the_head, "not the head of a world", TICKS),
}


@pytest.mark.parametrize("what", LOSSES)
def test_a_loss_is_named_and_only_accepted_on_request(
    world: Path, tmp_path: Path, what: str
) -> None:
    lose, told, reached = LOSSES[what]
    lose(world)
    assert told in refused(world)
    if what != "all":
        verdict = proof(world)
        assert verdict.verdict == "not_sound"
        assert any(told in problem for problem in verdict.problems), verdict.problems
        with pytest.raises(DamagedError):
            backup(DISK, world, tmp_path / "backup")
    with open_flat(DISK, world, accept_loss=True) as service:
        assert service.world.tick == reached
        assert (
            any(told.partition(":")[0] in loss for loss in service.recovery.loss) or what == "all"
        )
        assert service.recovery.epoch_reason is not None
        assert service.recovery.epoch_reason.startswith("went on with a loss: ")
        service.tick([]).result()
        service.close(snapshot=False)
    with open_flat(DISK, world) as service:
        assert (service.world.tick, service.recovery.loss) == (reached + 1, ())
    verdict = proof(world)
    assert verdict.verdict == "sound", verdict.problems
    assert (verdict.first_tick, verdict.last_good_tick) == (reached + 1, reached + 1)
    assert verdict.epochs[0].reason.startswith("went on with a loss: ")


def test_an_accepted_loss_of_nothing_changes_nothing(world: Path) -> None:
    with open_flat(DISK, world, accept_loss=True) as service:
        assert (service.recovery.loss, service.recovery.epoch_reason) == ((), None)
    assert proof(world).first_tick == 1


def test_where_nothing_is_left_only_a_new_world_can_begin(tmp_path: Path) -> None:
    with open_flat(DISK, tmp_path) as service:
        service.tick([]).result()
        service.close(snapshot=False)
    (tmp_path / "journal-000000000001.jsonl").unlink()
    assert "the journal is missing" in refused(tmp_path)
    with pytest.raises(DamagedError, match="--fresh"):
        open_flat(DISK, tmp_path, accept_loss=True)


def test_a_live_segment_that_is_gone_after_a_kill_is_missed(tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, str(CHILD), str(tmp_path)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    told = [child.stdout.readline() for _ in range(17)]
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    assert int(told[-1].split()[0]) == 17
    copy = Path(shutil.copytree(tmp_path, tmp_path.with_name("copy")))
    assert proof(copy).verdict == "sound"
    open_flat(DISK, copy).close()
    directory = WorldDirectory(DISK, tmp_path)
    last = max(directory.journals())
    directory.journals()[last].unlink()
    assert proof(tmp_path).verdict == "not_sound"
    assert f"every tick from {last} on" in refused(tmp_path)


def test_records_behind_a_closing_are_no_part_of_the_world(world: Path) -> None:
    with Journal.open(DISK, world / LIVE) as journal:
        record = msgspec.json.decode(list(journal.read())[-1])
        journal.append([msgspec.json.encode({**record, "tick": TICKS + 1})])
    assert "was closed after tick 23, and its journal has tick 24" in refused(world)


# What is made from a world.


def test_a_backup_and_a_fork_know_their_own_end(world: Path, tmp_path: Path) -> None:
    backup(DISK, world, tmp_path / "backup")
    fork(DISK, world, 7, tmp_path / "fork", make_world=create_flat_world)
    for path, last in ((tmp_path / "backup", TICKS), (tmp_path / "fork", 7)):
        head = read_head(WorldDirectory(DISK, path))
        assert head is not None
        assert (head.tick, head.closed, head.digest) == (
            last,
            True,
            replay(DISK, world, last, make_world=create_flat_world).digest(),
        )
        assert proof(path).verdict == "sound"
        max(path.glob("journal-*")).unlink()
        refused(path)


# The tip that was noted elsewhere.


def test_a_noted_tip_must_lie_on_the_chain(world: Path) -> None:
    noted = proof(world).tip
    assert noted is not None
    with open_flat(DISK, world) as service:
        for _ in range(9):
            service.tick([]).result()
    verdict = proof(world, tip=noted)
    assert (verdict.verdict, verdict.tip_tick) == ("sound", TICKS)
    assert verdict.tip != noted
    for elsewhere in ("ab" * 16, "ab" * 32):
        verdict = proof(world, tip=elsewhere)
        assert (verdict.verdict, verdict.tip_tick) == ("not_sound", None)
        assert verdict.problems == (f"no record of this history has the hash {elsewhere}",)
    for nonsense in ("", "AB" * 32, "ab" * 31, "ab" * 33):
        with pytest.raises(InvalidError, match="64 hexadecimal digits"):
            proof(world, tip=nonsense)

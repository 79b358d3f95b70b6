"""A world that is kept: what a tick promises, when snapshots are taken, what opening refuses."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from concurrent.futures import CancelledError, Executor, Future
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
import zstandard

from thorp.kernel.errors import ConflictError, DamagedError, IllegalError, InvalidError, LimitError
from thorp.protocol import actions
from thorp.protocol.act import Act
from thorp.protocol.actions import MAX_TEXT_LENGTH
from thorp.simulator.crowd import RICH, Crowd
from thorp.simulator.flat_world import create_flat_world
from thorp.simulator.inline import Inline, open_flat
from thorp.store import DiskError, RealDisk, read_journal
from thorp.store.testing import BreakableDisk
from thorp.voxel import WorldService, act_dispatch, verify
from thorp.voxel import service as voxel_service
from thorp.voxel.inputs import Acted, AnyInput, Join
from thorp.voxel.persistence.directory import WorldDirectory
from thorp.voxel.persistence.record import PART_BYTES, decode_ticks, encode_tick
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.world import World
from thorp.voxel.tuning import Tuning

OFTEN = msgspec.structs.replace(RICH, snapshot_every_ticks=5)
DISK = RealDisk()


def run(service: WorldService, crowd: Crowd, ticks: int) -> None:
    for _ in range(ticks):
        service.tick(crowd.inputs(service.world)).result()


def names(path: Path) -> list[str]:
    return sorted(file.name for file in path.iterdir())


def test_a_new_world_has_seeds_and_journals_them(tmp_path: Path) -> None:
    with open_flat(DISK, tmp_path / "a") as one, open_flat(DISK, tmp_path / "b") as other:
        assert one.recovery.new
        assert one.world.seed == other.world.seed == 1337
        assert one.world.draw_seed != other.world.draw_seed, "the draw seed is secret unless given"
        drawn = one.world.draw_seed
    with open_flat(DISK, tmp_path / "a") as again:
        assert (again.world.seed, again.world.draw_seed) == (1337, drawn)


def test_a_world_resumes_at_its_last_tick(tmp_path: Path) -> None:
    crowd = Crowd(1, 5)
    with open_flat(DISK, tmp_path, tuning=OFTEN) as service:
        run(service, crowd, 13)
        digest = service.digest()
    with open_flat(DISK, tmp_path) as service:
        assert service.recovery.snapshot_tick == service.world.tick == 13
        assert service.recovery.replayed == 0
        assert service.digest() == digest
        run(service, crowd, 1)
        digest = service.digest()
        service.close(snapshot=False)
    with open_flat(DISK, tmp_path) as service:
        assert (service.world.tick, service.recovery.replayed) == (14, 1)
        assert service.digest() == digest


def test_the_record_says_what_the_state_was_before_its_tick(tmp_path: Path) -> None:
    inputs: list[AnyInput] = [Join("Ada", "00" * 32)]
    with open_flat(DISK, tmp_path) as service:
        before = service.digest()
        service.tick(inputs).result()
        after = service.digest()
        service.tick([]).result()
    first, second = decode_ticks(read_journal(DISK, tmp_path / "journal-000000000001.jsonl"))
    assert (first.tick, first.digest, first.inputs) == (1, before, inputs)
    assert (second.tick, second.digest, second.inputs) == (2, after, [])


def test_segments_rotate_and_are_sealed_and_few_snapshots_stay(tmp_path: Path) -> None:
    with open_flat(DISK, tmp_path, tuning=OFTEN) as service:
        run(service, Crowd(2, 3), 22)
        assert names(tmp_path) == [
            "head",
            "journal-000000000001.jsonl.zst",
            "journal-000000000006.jsonl.zst",
            "journal-000000000011.jsonl.zst",
            "journal-000000000016.jsonl.zst",
            "journal-000000000021.jsonl",
            "lock",
            "snapshot-000000000010.zst",
            "snapshot-000000000015.zst",
            "snapshot-000000000020.zst",
        ]


def test_much_work_makes_a_snapshot_due_and_no_new_segment(tmp_path: Path) -> None:
    efforts = iter(range(1000))
    with open_flat(DISK, tmp_path, effort=lambda: float(next(efforts))) as service:
        for _ in range(3):
            service.tick([]).result()
        assert WorldDirectory(DISK, tmp_path).snapshots() == [3]
        assert list(WorldDirectory(DISK, tmp_path).journals()) == [1]


def test_retention_drops_what_lies_before_an_old_snapshot(tmp_path: Path) -> None:
    """Days are counted in ticks: a clock that is wrong by years, either way, drops nothing."""
    times = iter([0.0, 1e12] * 50)
    ten_ticks = 10 / (86_400 * OFTEN.tick_rate_hz)
    with open_flat(
        DISK, tmp_path, tuning=OFTEN, retain_days=ten_ticks, clock=lambda: next(times)
    ) as service:
        directory = WorldDirectory(DISK, tmp_path)
        for tick, first in ((9, 1), (16, 6), (40, 31)):
            while service.world.tick < tick:
                service.tick([]).result()
            assert min(directory.journals()) == first
            assert directory.snapshots()[0] == (5 if first == 1 else first - 1)
    with open_flat(DISK, tmp_path) as service:
        assert service.world.tick == 40


@pytest.mark.parametrize("retain_days", [None, 0])
def test_what_only_has_the_name_of_a_snapshot_stops_nothing(
    tmp_path: Path, retain_days: int | None
) -> None:
    def play(service: WorldService) -> None:
        for _ in range(12):
            service.tick([]).result()

    with open_flat(DISK, tmp_path, tuning=OFTEN) as service:
        play(service)
    strange = [tmp_path / f"snapshot-{tick:012d}.zst" for tick in (1, 2, 3, 999_999)]
    strange[0].write_bytes((tmp_path / "snapshot-000000000010.zst").read_bytes())  # of another tick
    later = msgspec.json.encode({"terms": {"format": 99}})
    strange[1].write_bytes(zstandard.ZstdCompressor().compress(later))
    with strange[2].open("wb") as sparse:
        sparse.truncate(2**40)
    strange[3].mkdir()
    with open_flat(DISK, tmp_path, tuning=OFTEN, retain_days=retain_days) as service:
        assert service.world.tick == 12
        assert "snapshot-000000999999.zst: this is not a file" in service.recovery.unsound[0]
        play(service)
    assert all(path.exists() for path in strange)
    with open_flat(DISK, tmp_path, tuning=OFTEN) as service:
        assert service.world.tick == 24


def test_a_snapshot_that_is_far_too_long_is_not_read(tmp_path: Path) -> None:
    with open_flat(DISK, tmp_path) as service:
        service.tick([]).result()
    os.truncate(tmp_path / "snapshot-000000000001.zst", 2**40)
    with open_flat(DISK, tmp_path) as service:
        assert (service.world.tick, service.recovery.snapshot_tick) == (1, None)
        assert "are the most" in service.recovery.unsound[0]


# What is refused.


def test_another_seed_is_refused_with_advice(tmp_path: Path) -> None:
    open_flat(DISK, tmp_path, seed=5, draw_seed=6).close()
    open_flat(DISK, tmp_path, seed=5, draw_seed=6).close()
    with pytest.raises(ConflictError, match="is 5, not 7; leave it out") as refused:
        open_flat(DISK, tmp_path, seed=7)
    assert refused.value.code == "seed"
    with pytest.raises(ConflictError) as refused:
        open_flat(DISK, tmp_path, draw_seed=7)
    assert "6" not in refused.value.message.replace(str(tmp_path), ""), "the draw seed is not told"


@pytest.mark.parametrize("seed", [2**53 + 1, -(2**60)])
def test_a_seed_that_json_cannot_keep_is_refused(tmp_path: Path, seed: int) -> None:
    with pytest.raises(InvalidError):
        open_flat(DISK, tmp_path, seed=seed)
    with open_flat(DISK, tmp_path, seed=0, draw_seed=0) as service:
        assert (service.world.seed, service.world.draw_seed) == (0, 0)


def test_another_tuning_is_refused_unless_asked_for(tmp_path: Path) -> None:
    open_flat(DISK, tmp_path, tuning=Tuning(place_reach=5)).close()
    open_flat(DISK, tmp_path, tuning=Tuning(place_reach=5)).close()
    with pytest.raises(ConflictError, match=r"place_reach.*--retune") as refused:
        open_flat(DISK, tmp_path, tuning=Tuning())
    assert refused.value.code == "tuning"
    with open_flat(DISK, tmp_path) as service:
        assert service.world.tuning.place_reach == 5, "without asking, the stored values win"


def test_the_boundary_cannot_move(tmp_path: Path) -> None:
    open_flat(DISK, tmp_path).close()
    with pytest.raises(ConflictError, match="world_boundary_r stays 4000"):
        open_flat(DISK, tmp_path, tuning=Tuning(world_boundary_r=100), retune=True)


def test_a_directory_is_held_alone(tmp_path: Path) -> None:
    with open_flat(DISK, tmp_path):
        with pytest.raises(IllegalError) as refused:
            open_flat(DISK, tmp_path)
        assert refused.value.code == "locked"
    open_flat(DISK, tmp_path).close()


def test_snapshots_without_a_journal_are_no_place_for_a_new_world(tmp_path: Path) -> None:
    with open_flat(DISK, tmp_path) as service:
        service.tick([]).result()
    (tmp_path / "journal-000000000001.jsonl").unlink()
    with pytest.raises(DamagedError, match="the journal is missing"):
        open_flat(DISK, tmp_path)


def test_a_journal_that_lost_its_end_is_refused(tmp_path: Path) -> None:
    with open_flat(DISK, tmp_path) as service:
        run(service, Crowd(3, 2), 6)
    journal = tmp_path / "journal-000000000001.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-2]))
    with pytest.raises(DamagedError, match="ends with tick 4, and tick 6 was durable"):
        open_flat(DISK, tmp_path)


def test_a_closed_world_does_not_tick(tmp_path: Path) -> None:
    service = open_flat(DISK, tmp_path)
    service.close()
    service.close()
    with pytest.raises(IllegalError) as refused:
        service.tick([])
    assert refused.value.code == "closed"


# Long ticks.


def test_inputs_that_are_too_long_for_one_record_take_several(tmp_path: Path) -> None:
    long: list[AnyInput] = [
        Acted(1, Act(tick=1, instants=[actions.Say(id=f"s{n}", text="é" * MAX_TEXT_LENGTH)]))
        for n in range(3 * PART_BYTES // (2 * MAX_TEXT_LENGTH))
    ]
    assert 1 < len(encode_tick(2, "", long)) < len(long)
    with open_flat(DISK, tmp_path) as service:
        service.tick([Join("Ada", "00" * 32)]).result()
        service.tick(long).result()
        digest = service.digest()
        service.close(snapshot=False)
    with open_flat(DISK, tmp_path) as service:
        assert (service.world.tick, service.digest()) == (2, digest)


def test_inputs_that_no_batch_can_hold_are_refused_and_change_nothing(tmp_path: Path) -> None:
    huge: list[AnyInput] = [Join("x" * 5_000_000, "00") for _ in range(11)]
    with open_flat(DISK, tmp_path) as service:
        with pytest.raises(LimitError) as refused:
            service.tick(huge)
        assert refused.value.code == "tick_too_long"
        assert service.world.tick == 0
        service.tick([]).result()


# When a rule fails.


def broken_say(world: World, agent: Agent, wish: actions.Say) -> dict[str, object]:
    """A rule with two defects: one before it changes anything, one after."""
    if wish.text == "changes":
        agent.inventory["COAL"] = 99
    raise ZeroDivisionError("a defect")


def say(text: str, tick: int) -> Acted:
    move = actions.MoveTo(id="m", target=(3, 22, 4))
    return Acted(1, Act(tick=tick, instants=[actions.Say(id="s", text=text)], tasks=[move]))


def test_an_action_whose_rule_fails_is_answered_and_skipped_ever_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = open_flat(DISK, tmp_path, tuning=OFTEN)
    service.tick([Join("mole", "00" * 32)]).result()
    with monkeypatch.context() as patch:
        patch.setitem(cast(dict[type, object], act_dispatch.INSTANTS), actions.Say, broken_say)
        for tick in range(1, 12):  # also where a segment would end
            service.tick([say("hello", tick)]).result()
            assert service.world.scratch.defects.failed == [1]
            assert isinstance(service.world.scratch.defects.cause, ZeroDivisionError)
    answers = [json.loads(event.text) for event in service.world.agents[1].event_log.since(0)]
    codes = {
        event["ref"]: event.get("code") for event in answers if event["type"] == "ACTION_RESULT"
    }
    assert codes["s"] == "E_INTERNAL"
    assert "m" in codes, "the other actions of the ACT are answered as ever"
    service.close()
    digest = service.digest()
    assert verify(DISK, tmp_path, make_world=create_flat_world).ok, (
        "the rule is mended, and the history stays as it was"
    )
    for snapshot in WorldDirectory(DISK, tmp_path).snapshots():
        (tmp_path / f"snapshot-{snapshot:012d}.zst").unlink()
    with open_flat(DISK, tmp_path) as again:
        assert again.recovery.replayed == 13
        assert again.digest() == digest


def test_a_rule_that_fails_half_way_stops_the_world(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(cast(dict[type, object], act_dispatch.INSTANTS), actions.Say, broken_say)
    service = open_flat(DISK, tmp_path)
    service.tick([Join("mole", "00" * 32)]).result()
    with pytest.raises(ZeroDivisionError):
        service.tick([say("changes", 1)])
    with pytest.raises(IllegalError, match="no more ticks after a failure"):
        service.tick([])
    service.close()


# When the disk fails.


@pytest.mark.parametrize("code", ["disk_error", "disk_full"])
def test_a_disk_error_fails_the_tick_and_every_later_one(code: str) -> None:
    disk = BreakableDisk(1)
    service = open_flat(disk, disk.root / "world")
    service.tick([]).result()
    disk.fail_in(1, code)
    failed = service.tick([])
    assert isinstance(failed.exception(), DiskError)
    for _ in range(2):
        with pytest.raises(IllegalError) as refused:
            service.tick([])
        assert refused.value.code == "broken"
        assert isinstance(refused.value.__cause__, DiskError)
    service.close()


def test_a_snapshot_that_cannot_be_written_stops_the_ticking_and_loses_nothing() -> None:
    disk = BreakableDisk(2)
    service = open_flat(disk, disk.root / "world", tuning=OFTEN)
    for _ in range(4):
        service.tick([]).result()
    disk.fail_in(16)  # behind the record and the new segment
    service.tick([]).result()
    with pytest.raises(IllegalError, match="no more ticks"):
        service.tick([])
    service.close()
    with open_flat(disk, disk.root / "world") as again:
        assert again.world.tick == 5


def test_a_tick_that_is_not_durable_has_no_snapshot() -> None:
    """If it had, its inputs would be nowhere, and the journal could not lead to it."""
    disk = BreakableDisk(3)
    service = open_flat(disk, disk.root / "world", tuning=OFTEN)
    for _ in range(4):
        service.tick([]).result()
    disk.fail_in(1)
    assert service.tick([]).exception() is not None
    service.close()
    assert WorldDirectory(disk, disk.root / "world").snapshots() == []
    assert list(WorldDirectory(disk, disk.root / "world").journals()) == [1]


def test_a_tick_that_cannot_be_executed_stops_the_ticking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = open_flat(DISK, tmp_path)
    service.tick([]).result()

    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a rule is wrong")

    with monkeypatch.context() as patched:
        patched.setattr("thorp.voxel.service.step", fail)
        with pytest.raises(ZeroDivisionError):
            service.tick([])
    with pytest.raises(IllegalError) as refused:
        service.tick([])
    assert refused.value.code == "broken"
    service.close()


# With threads.


class Held(Executor):
    """A thread that waits for leave."""

    def __init__(self) -> None:
        self.leave = threading.Event()
        self._inside = Inline()

    def submit(self, work: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        done: Future[Any] = Future()

        def run() -> None:
            self.leave.wait()
            work(*arguments, **named)
            done.set_result(None)

        thread = threading.Thread(target=run)
        thread.start()
        done.add_done_callback(lambda _: None)
        self._threads = [*getattr(self, "_threads", []), thread]
        return done

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.leave.set()
        for thread in getattr(self, "_threads", []):
            thread.join()


def test_a_tick_is_not_late_for_a_slow_disk_and_not_done_before_it_is_durable(
    tmp_path: Path,
) -> None:
    writer = Held()
    threads = iter([writer, Inline()])
    service = open_flat(DISK, tmp_path, threads=lambda: next(threads))
    durable = service.tick([])
    assert service.world.tick == 1, "the tick was executed while the disk was busy"
    assert not durable.done()
    writer.leave.set()
    durable.result(timeout=10)
    service.close(snapshot=False)


def test_whoever_stops_waiting_does_not_take_the_record_back(tmp_path: Path) -> None:
    async def impatient(service: WorldService) -> None:
        waiting = asyncio.ensure_future(asyncio.wrap_future(service.tick([])))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises((asyncio.CancelledError, CancelledError)):
            await waiting

    writer = Held()
    threads = iter([writer, Inline()])
    service = open_flat(DISK, tmp_path, threads=lambda: next(threads))
    asyncio.run(impatient(service))
    writer.leave.set()
    service.close(snapshot=False)
    with open_flat(DISK, tmp_path) as again:
        assert again.world.tick == 1


def test_a_snapshot_is_taken_while_ticks_go_on(tmp_path: Path) -> None:
    keeper = Held()
    threads = iter([Inline(), keeper])
    service = open_flat(DISK, tmp_path, tuning=OFTEN, threads=lambda: next(threads))
    crowd = Crowd(4, 3)
    run(service, crowd, 13)
    assert WorldDirectory(DISK, tmp_path).snapshots() == []
    service.close(snapshot=False)
    assert WorldDirectory(DISK, tmp_path).snapshots() == [5], "one at a time; the next waits for it"
    with open_flat(DISK, tmp_path) as again:
        assert (again.recovery.snapshot_tick, again.world.tick) == (5, 13)


def test_a_snapshot_is_packed_in_a_turn_a_tick_and_at_once_if_somebody_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(voxel_service, "TURN_S", 0.0)  # every piece is a turn
    monkeypatch.setattr(voxel_service, "MAX_TURN_WAIT_S", 600.0)
    crowd = Crowd(4, 3)
    with WorldService.open(DISK, tmp_path, tuning=RICH, make_world=create_flat_world) as service:
        run(service, crowd, 3)
        kept = service.snapshot()
        with pytest.raises(TimeoutError):
            kept.result(timeout=0.2)
        while not kept.done():
            run(service, crowd, 1)
        first, last = 3, service.world.tick
        assert last - first > len(service.world.agents), "the events of each agent are a piece"
        service.snapshot()
    assert WorldDirectory(DISK, tmp_path).snapshots() == [first, last]


def test_real_threads_make_the_same_world(tmp_path: Path) -> None:
    crowd = Crowd(5, 6)
    with WorldService.open(DISK, tmp_path, tuning=OFTEN, make_world=create_flat_world) as service:
        run(service, crowd, 30)
        digest = service.digest()
    with open_flat(DISK, tmp_path) as again:
        assert again.digest() == digest

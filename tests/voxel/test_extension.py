"""Rules from outside that live in a world's tick: asked by inputs, remembered in rows, missed if
away."""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec
import pytest

from tests.voxel.test_snapshot import packed
from thorp.kernel.errors import DamagedError, IllegalError
from thorp.simulator.flat_world import create_flat_world
from thorp.simulator.inline import open_flat
from thorp.store import Disk, RealDisk
from thorp.store.testing import BreakableDisk, PowerLost
from thorp.voxel import WorldService, fork, replay, verify
from thorp.voxel.extension import ExtensionRow, RowKey
from thorp.voxel.inputs import MAX_REQUEST_BYTES, ExtensionRequest, Join
from thorp.voxel.persistence.audit import audit, trace
from thorp.voxel.persistence.record import decode_ticks, encode_tick
from thorp.voxel.persistence.snapshot import restore
from thorp.voxel.state.world import World
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning

DISK = RealDisk()


class Counting:
    """Counts ticks, and words; tells how many there were."""

    def __init__(self, name: str = "counting") -> None:
        self.name = name

    def step(self, world: World) -> None:
        self._add(world, "ticks", 1)

    def answer(self, world: World, text: str) -> str:
        return f"{text}: {self._add(world, 'words', len(text.split()))}"

    def _add(self, world: World, key: str, count: int) -> int:
        row = world.rows.get(RowKey(self.name, key))
        total = count + (0 if row is None else int(row.text))
        world.rows.put(ExtensionRow(self.name, key, str(total)))
        return total


def create_counting_world(seed: int, draw_seed: int, tuning: Tuning) -> World:
    world = create_flat_world(seed, draw_seed, tuning)
    world.extensions = (Counting(),)
    return world


def ask(text: str) -> ExtensionRequest:
    return ExtensionRequest("counting", text)


def open_counting(disk: Disk, path: Path, **options: object) -> WorldService:
    return open_flat(
        disk, path, **{"make_world": create_counting_world, "seed": 1, "draw_seed": 2, **options}
    )


def remembered(world: World) -> dict[str, str]:
    return {row.key: row.text for row in world.rows}


def test_requests_are_answered_in_the_order_they_came() -> None:
    world = create_counting_world(1, 2, Tuning())
    step(world, [ask("one two"), Join("mole", "00"), ask("three")])
    assert world.scratch.answers == ["one two: 2", "three: 3"]
    assert remembered(world) == {"ticks": "1", "words": "3"}
    step(world, [])
    assert (world.scratch.answers, world.scratch.requests) == ([], [])
    assert remembered(world) == {"ticks": "2", "words": "3"}


def test_extensions_have_rows_of_their_own() -> None:
    world = create_flat_world(1, 2, Tuning())
    world.extensions = (Counting("a"), Counting("b"))
    step(
        world,
        [
            ExtensionRequest("b", "one"),
            ExtensionRequest("a", "one two"),
            ExtensionRequest("b", "one"),
        ],
    )
    assert world.scratch.answers == ["one: 1", "one two: 2", "one: 2"]
    assert [row.place for row in world.rows] == [
        ("a", "ticks"),
        ("a", "words"),
        ("b", "ticks"),
        ("b", "words"),
    ]


def test_rows_are_state() -> None:
    one, other = create_counting_world(1, 2, Tuning()), create_counting_world(1, 2, Tuning())
    step(one, [ask("word")])
    step(other, [])
    assert one.digest() != other.digest()
    restored = restore(packed(one), create_counting_world)
    assert remembered(restored) == remembered(one)
    step(one, [ask("more")])
    step(restored, [ask("more")])
    assert restored.scratch.answers == one.scratch.answers
    assert restored.digest() == one.digest()


def test_whoever_asks_an_extension_that_is_not_there_is_refused_and_nothing_has_changed(
    tmp_path: Path,
) -> None:
    with open_counting(DISK, tmp_path) as service:
        before = service.digest()
        with pytest.raises(IllegalError, match="elsewhere") as refused:
            service.tick([ask("word"), ExtensionRequest("elsewhere", "word")])
        assert refused.value.code == "annex"
        assert (service.world.tick, service.world.digest()) == (0, before)
        service.tick([ask("word")]).result()
        assert service.world.scratch.answers == ["word: 1"], "the world goes on"
    world = create_flat_world(1, 2, Tuning())
    with pytest.raises(IllegalError):
        step(world, [ask("word")])
    assert world.tick == 0


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A world of three ticks that nobody has closed in good order."""
    path = tmp_path / "kept"
    with open_counting(DISK, path) as service:
        for words in ("one", "two three", ""):
            service.tick([ask(words)] if words else []).result()
        service.close(snapshot=False)
    return path


def test_everything_that_executes_a_world_executes_its_extensions(
    kept: Path, tmp_path: Path
) -> None:
    verdict = verify(DISK, kept, make_world=create_counting_world)
    assert (verdict.ok, verdict.last_good_tick) == (True, 3)
    assert remembered(replay(DISK, kept, 2, make_world=create_counting_world)) == {
        "ticks": "2",
        "words": "3",
    }
    fork(DISK, kept, 2, tmp_path / "fork", make_world=create_counting_world)
    with open_counting(DISK, tmp_path / "fork") as service:
        assert service.epoch.extensions == ("counting",)
        service.tick([ask("four")]).result()
        assert service.world.scratch.answers == ["four: 4"]
    assert verify(DISK, tmp_path / "fork", make_world=create_counting_world).ok
    with open_counting(DISK, kept) as service:
        assert (service.recovery.replayed, remembered(service.world)) == (
            3,
            {"ticks": "3", "words": "3"},
        )


def test_without_its_extensions_a_world_is_refused_with_a_reason(
    kept: Path, tmp_path: Path
) -> None:
    works = (
        lambda: open_flat(DISK, kept),
        lambda: replay(DISK, kept, 2, make_world=create_flat_world),
        lambda: fork(DISK, kept, 2, tmp_path / "fork", make_world=create_flat_world),
        lambda: audit(DISK, kept, lambda _: None, make_world=create_flat_world),
        lambda: trace(DISK, kept, "A1", lambda _: None, make_world=create_flat_world),
    )
    for closed in (False, True):
        if closed:
            open_counting(DISK, kept).close()
        for work in works:
            with pytest.raises(IllegalError, match="counting") as refused:
                work()
            assert refused.value.code == "annex"
        verdict = verify(DISK, kept, make_world=create_flat_world)
        assert (verdict.ok, verdict.verdict) == (False, "partly_executed")
        assert verdict.unexecuted[0].startswith("ticks 1 to 3: this world was made with counting")
    assert not (tmp_path / "fork").exists()
    open_counting(DISK, kept).close()


def test_one_extension_more_begins_an_epoch(tmp_path: Path) -> None:
    with open_flat(DISK, tmp_path, seed=1, draw_seed=2) as service:
        service.tick([]).result()
    with open_counting(DISK, tmp_path) as service:
        assert service.recovery.epoch_reason == "another annex"
        service.tick([ask("word")]).result()
        assert remembered(service.world) == {"ticks": "1", "words": "1"}
    verdict = verify(DISK, tmp_path, make_world=create_counting_world)
    assert verdict.ok
    assert [epoch.reason for epoch in verdict.epochs] == ["founded", "another annex"]
    assert [epoch.replayed for epoch in verdict.epochs] == [True, True]


def test_an_extension_more_takes_over_what_was_not_closed(tmp_path: Path) -> None:
    """What was executed without it is executed again without it."""
    with open_flat(DISK, tmp_path, seed=1, draw_seed=2) as service:
        service.tick([]).result()
        service.close(snapshot=False)
    with open_counting(DISK, tmp_path) as service:
        assert (service.recovery.replayed, service.recovery.epoch_reason) == (1, "another annex")
        assert remembered(service.world) == {}
    assert verify(DISK, tmp_path, make_world=create_counting_world).ok


def test_a_request_that_was_acknowledged_survives_any_loss_of_power() -> None:
    for cut in range(1, 30):
        disk = BreakableDisk(cut)
        path = disk.root / "world"
        acknowledged = 0
        with contextlib.suppress(PowerLost, IllegalError), open_counting(disk, path) as service:
            disk.cut_power_in(cut)
            for number in range(1, 12):
                service.tick([ask("word")]).result()
                acknowledged = number
        disk.restart()
        with open_counting(disk, path) as service:
            counted = int(remembered(service.world).get("words", "0"))
            assert acknowledged <= counted <= acknowledged + 1
        assert verify(disk, path, make_world=create_counting_world).ok


def test_a_forged_snapshot_with_rows_of_nobody_is_refused() -> None:
    world = create_flat_world(1, 2, Tuning())
    world.rows.put(ExtensionRow("nobody", "key", "text"))
    with pytest.raises(IllegalError, match="nobody") as refused:
        restore(packed(world), create_flat_world)
    assert refused.value.code == "annex"


def test_a_record_has_room_for_a_request_and_not_for_more() -> None:
    longest = ask('"' * MAX_REQUEST_BYTES)
    (record,) = decode_ticks(encode_tick(1, "", [longest]))
    assert record.inputs == [longest]
    (text,) = encode_tick(1, "", [longest])
    with pytest.raises(DamagedError):
        list(decode_ticks([text.replace(b'\\"', b'\\"\\"', 1)]))
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(
            msgspec.json.encode(ask("x" * (MAX_REQUEST_BYTES + 1))), type=ExtensionRequest
        )

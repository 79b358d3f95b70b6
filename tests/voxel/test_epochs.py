"""Worlds that outlive a tuning or a release: a change of either begins an epoch, and old ones stay
proved."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest

from tests.voxel.golden import EARLIER, EXPECTED, GOLDEN, write
from thorp.kernel.errors import IllegalError, InvalidError
from thorp.simulator.crowd import RICH, Crowd
from thorp.simulator.flat_world import create_flat_world
from thorp.simulator.inline import open_flat
from thorp.store import Journal, RealDisk
from thorp.store.testing import BreakableDisk, PowerLost
from thorp.voxel import WorldService, replay, verify
from thorp.voxel.persistence.record import FORMAT, RELEASES, RULES

DISK = RealDisk()
LATER = RULES + 1
OFTEN = msgspec.structs.replace(RICH, snapshot_every_ticks=5)
RETUNED = msgspec.structs.replace(OFTEN, place_reach=2)


def run(service: WorldService, ticks: int, seed: int = 1) -> None:
    crowd = Crowd(seed, 3)
    for _ in range(ticks):
        service.tick(crowd.inputs(service.world)).result()


def as_release(monkeypatch: pytest.MonkeyPatch, rules: int) -> None:
    """Be a release with other rules."""
    for module in ("persistence.record", "persistence.recovery"):
        monkeypatch.setattr(f"thorp.voxel.{module}.RULES", rules)
    monkeypatch.setitem(RELEASES, LATER, "0.2.0")


@pytest.mark.parametrize("clean", [True, False])
@pytest.mark.parametrize("ticks", [0, 3, 5, 12])
def test_another_tuning_begins_an_epoch(tmp_path: Path, ticks: int, clean: bool) -> None:
    with open_flat(DISK, tmp_path, tuning=OFTEN) as service:
        run(service, ticks)
        digest = service.digest()
        service.close(snapshot=clean)
    with open_flat(DISK, tmp_path, tuning=RETUNED, retune=True) as service:
        assert service.recovery.epoch_reason == "another tuning"
        assert service.world.tuning == RETUNED
        assert (service.world.tick, service.digest()) == (ticks, digest), "the state is the same"
        run(service, 7, seed=2)
        digest = service.digest()
        service.close(snapshot=False)
    with open_flat(DISK, tmp_path, tuning=RETUNED) as service:
        assert service.recovery.epoch_reason is None
        assert service.digest() == digest
    verdict = verify(DISK, tmp_path, make_world=create_flat_world)
    assert verdict.ok, verdict
    assert verdict.last_good_tick == ticks + 7
    assert verdict.epochs[-1].reason == "another tuning"
    assert all(epoch.replayed for epoch in verdict.epochs), "our rules can replay both"
    assert replay(DISK, tmp_path, ticks, make_world=create_flat_world).tick == ticks


def test_the_same_tuning_begins_none(tmp_path: Path) -> None:
    open_flat(DISK, tmp_path, tuning=OFTEN).close()
    with open_flat(DISK, tmp_path, tuning=OFTEN, retune=True) as service:
        assert service.recovery.epoch_reason is None


def test_the_snapshot_an_epoch_begins_with_is_kept(tmp_path: Path) -> None:
    with open_flat(DISK, tmp_path, tuning=OFTEN) as service:
        run(service, 3)
    with open_flat(DISK, tmp_path, tuning=RETUNED, retune=True) as service:
        run(service, 40)
    assert (tmp_path / "snapshot-000000000003.zst").exists()


def test_beginning_an_epoch_can_be_cut_off_anywhere() -> None:
    """Whatever was done by then, the world opens under either tuning, and nothing is lost."""
    for cut in range(1, 40):
        disk = BreakableDisk(cut)
        path = disk.root / "world"
        with open_flat(disk, path, tuning=OFTEN) as service:
            run(service, 6)
            digest = service.digest()
            service.close(snapshot=cut % 2 == 0)
        disk.cut_power_in(cut)
        try:
            open_flat(disk, path, tuning=RETUNED, retune=True).close()
        except PowerLost:
            disk.restart()
        else:
            disk.cut_power_in(0)
        with open_flat(disk, path) as service:
            assert (service.world.tick, service.digest()) == (6, digest)
            assert service.world.tuning in (OFTEN, RETUNED)
            assert service.epoch.tuning == service.world.tuning
            run(service, 3)
        assert verify(disk, path, make_world=create_flat_world).ok


def test_other_rules_take_over_a_world_that_was_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_flat(DISK, tmp_path, tuning=OFTEN) as service:
        run(service, 8)
        state = [msgspec.structs.asdict(agent)["inventory"] for agent in service.world.agents]
    as_release(monkeypatch, LATER)
    with open_flat(DISK, tmp_path) as service:
        assert service.recovery.epoch_reason == f"rules {RULES} became {LATER}"
        assert service.world.tick == 8
        assert [agent.inventory for agent in service.world.agents] == state
        run(service, 8)
    verdict = verify(DISK, tmp_path, make_world=create_flat_world)
    assert verdict.verdict == "partly_executed", verdict
    assert [told.partition(":")[0] for told in verdict.unexecuted] == ["ticks 1 to 8"]
    assert [(epoch.rules, epoch.release, epoch.replayed) for epoch in verdict.epochs] == [
        (RULES, "0.1.0", False),
        (LATER, "0.2.0", True),
    ]
    assert (verdict.replayed_after, verdict.last_good_tick) == (8, 16)
    with pytest.raises(IllegalError, match=r"thorp 0\.1\.0"):
        replay(DISK, tmp_path, 3, make_world=create_flat_world)


def test_damage_in_an_epoch_of_other_rules_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_flat(DISK, tmp_path, tuning=OFTEN) as service:
        run(service, 8)
    as_release(monkeypatch, LATER)
    with open_flat(DISK, tmp_path) as service:
        run(service, 3)
    sealed = tmp_path / "journal-000000000006.jsonl"
    assert sealed.exists() or sealed.with_name(sealed.name + ".zst").exists()
    path = tmp_path / "journal-000000000001.jsonl.zst"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    assert not verify(DISK, tmp_path, make_world=create_flat_world).ok


def test_other_rules_do_not_take_over_what_was_not_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_flat(DISK, tmp_path, tuning=OFTEN) as service:
        run(service, 8)
        service.close(snapshot=False)
    with monkeypatch.context() as later:
        as_release(later, LATER)
        with pytest.raises(
            IllegalError, match=r"start and stop it once with thorp 0\.1\.0"
        ) as refused:
            open_flat(DISK, tmp_path)
        assert refused.value.code == "rules"
    open_flat(DISK, tmp_path).close()
    as_release(monkeypatch, LATER)
    with open_flat(DISK, tmp_path) as service:
        assert service.world.tick == 8


def test_a_newer_world_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as later:
        as_release(later, LATER + 1)
        open_flat(DISK, tmp_path).close()
    with pytest.raises(IllegalError, match="another release") as refused:
        open_flat(DISK, tmp_path)
    assert refused.value.code == "newer"


def test_other_catalogs_begin_an_epoch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_flat(DISK, tmp_path, tuning=OFTEN) as service:
        run(service, 4)
    monkeypatch.setattr("thorp.voxel.catalog.Catalogs.digest", lambda _: "other")
    with open_flat(DISK, tmp_path) as service:
        assert service.recovery.epoch_reason == "other catalogs"
        assert service.world.tick == 4


def test_a_damaged_first_snapshot_of_an_epoch_is_replaced_by_replay(tmp_path: Path) -> None:
    """While the rules are ours, an epoch of another tuning can be reached from the one before
    it."""
    with open_flat(DISK, tmp_path, tuning=OFTEN) as service:
        run(service, 3)
    with open_flat(DISK, tmp_path, tuning=RETUNED, retune=True) as service:
        run(service, 1)
        digest = service.digest()
        service.close(snapshot=False)
    (tmp_path / "snapshot-000000000003.zst").write_bytes(b"gone")
    with open_flat(DISK, tmp_path) as service:
        assert service.digest() == digest
        assert service.world.tuning == RETUNED


@pytest.mark.parametrize(
    ("format", "advice"), [(FORMAT - 1, "--fresh"), (FORMAT + 1, "a later one")]
)
def test_another_format_is_told_from_damage(tmp_path: Path, format: int, advice: str) -> None:
    header = {"terms": {"format": format, "unheard_of": []}}
    path = tmp_path / "journal-000000000001.jsonl"
    Journal.open(DISK, path, header=header).close()
    before = path.read_bytes()
    for look in (open_flat, verify):
        with pytest.raises(
            InvalidError, match=f"this release reads {FORMAT}; .*{advice}"
        ) as refused:
            look(DISK, tmp_path)
        assert refused.value.code == "version"
    assert path.read_bytes() == before


# What earlier releases left.


@pytest.fixture(params=[GOLDEN, *EARLIER], ids=lambda path: path.name)
def golden(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return Path(shutil.copytree(request.param, tmp_path / "golden"))


def test_the_golden_world_is_proved(golden: Path) -> None:
    """If this fails, the same inputs lead elsewhere: see the head of `tests/voxel/golden.py`."""
    expected = json.loads((golden / EXPECTED).read_text("utf-8"))
    verdict = verify(DISK, golden)
    ours = verdict.epochs[0].rules == RULES
    assert verdict.verdict == ("sound" if ours else "partly_executed"), verdict.problems
    assert (verdict.last_good_tick, verdict.tip) == (expected["tick"], expected["tip"])
    assert [epoch.reason for epoch in verdict.epochs] == ["founded", "another tuning"]
    if ours:
        assert verdict.digest == expected["digest"]
        assert (verdict.first_tick, verdict.replayed_after) == (1, 0)


def test_the_golden_world_goes_on(golden: Path) -> None:
    with WorldService.open(DISK, golden) as service:
        before = service.world.tick
        assert service.world.tuning.place_reach == 4
        assert service.recovery.unsound == ()
        run(service, 5)
    verdict = verify(DISK, golden)
    assert verdict.problems == ()
    assert verdict.epochs[-1].replayed
    assert verdict.last_good_tick == before + 5


def test_the_golden_world_can_be_written_anew(tmp_path: Path) -> None:
    write(tmp_path / "anew")
    anew = {file.name for file in (tmp_path / "anew").iterdir()}
    assert anew == {file.name for file in GOLDEN.iterdir()}

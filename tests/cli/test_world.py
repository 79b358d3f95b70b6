"""`thorp world …` as a user runs it."""

from __future__ import annotations

import json
import shutil
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.cli.command import refused, thorp
from tests.cli.serving import served
from thorp.bridges.voxel_town import new_city_world
from thorp.simulator.crowd import Crowd
from thorp.simulator.inline import Inline
from thorp.store import RealDisk
from thorp.voxel import WorldService
from thorp.voxel.inputs import AnyInput, Join
from thorp.voxel.persistence.record import RULES
from thorp.voxel.tuning import Tuning

TICKS = 12


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A data directory with a generated world, and the digest after each tick from 0 on."""
    data = tmp_path_factory.mktemp("cli") / "data"
    tuning = Tuning(snapshot_every_ticks=5)
    crowd = Crowd(1, 3)
    with WorldService.open(
        RealDisk(),
        data / "world",
        seed=4,
        draw_seed=5,
        tuning=tuning,
        make_world=new_city_world,
        threads=Inline,
    ) as service:
        digests = [service.digest()]
        for _ in range(TICKS):
            service.tick(crowd.inputs(service.world)).result()
            digests.append(service.digest())
    return data, digests


def test_show(kept: tuple[Path, list[str]]) -> None:
    data, _ = kept
    shown = thorp("world", "show", "--data", data)
    assert shown.returncode == 0
    assert f"tick 12, seed 4, rules {RULES}".encode() in shown.stdout
    summary = json.loads(thorp("world", "show", "--data", data, "--json").stdout)
    assert summary["last_tick"] == TICKS
    assert "draw_seed" not in summary
    assert summary["snapshots"] == [5, 10, 12]


def test_verify(kept: tuple[Path, list[str]]) -> None:
    data, digests = kept
    done = thorp("world", "verify", "--data", data, "--quiet")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"sound: 12" in done.stdout
    verdict = json.loads(thorp("world", "verify", "--data", data, "--json").stdout)
    assert verdict["ok"]
    assert verdict["digest"] == digests[TICKS]


def test_verify_takes_a_tip_that_was_noted(kept: tuple[Path, list[str]]) -> None:
    data, _ = kept
    tip = json.loads(thorp("world", "verify", "--data", data, "--json").stdout)["tip"]
    done = thorp("world", "verify", "--data", data, "--tip", tip)
    assert done.returncode == 0
    assert b"that of tick 12" in done.stdout
    done = thorp("world", "verify", "--data", data, "--tip", "0" * 64)
    assert done.returncode == 1
    assert b"wrong: no record of this history has the hash" in done.stdout
    assert "64 hexadecimal digits" in refused(
        thorp("world", "verify", "--data", data, "--tip", "0")
    )


def test_verify_does_not_call_sound_what_it_did_not_execute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as later:
        for module in ("persistence.record", "persistence.recovery"):
            later.setattr(f"thorp.voxel.{module}.RULES", 9)
        with WorldService.open(RealDisk(), tmp_path / "world") as service:
            service.tick([]).result()
    done = thorp("world", "verify", "--data", tmp_path)
    assert done.returncode == 3
    assert b"not executed: ticks 1 to 1: it has rules 9" in done.stdout
    assert b"sound as far as executed: 1" in done.stdout
    verdict = json.loads(thorp("world", "verify", "--data", tmp_path, "--json").stdout)
    assert (verdict["ok"], verdict["verdict"]) == (False, "partly_executed")


def test_verify_executes_a_world_that_was_made_without_towns(tmp_path: Path) -> None:
    with WorldService.open(RealDisk(), tmp_path / "world", seed=7) as service:
        for _ in range(3):
            service.tick([]).result()
    done = thorp("world", "verify", "--data", tmp_path)
    assert done.returncode == 0
    assert b"ticks 1 to 3: founded; replayed" in done.stdout


def test_verify_names_the_last_good_tick_of_a_damaged_directory(
    kept: tuple[Path, list[str]], tmp_path: Path
) -> None:
    data = Path(shutil.copytree(kept[0], tmp_path / "data"))
    journal = data / "world" / "journal-000000000011.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([lines[0], lines[1].replace(b'"digest"', b'"DIGEST"'), lines[2]]))
    done = thorp("world", "verify", "--data", data)
    assert done.returncode == 1
    assert b"last good tick: 10" in done.stdout
    assert b"record 1" in done.stdout


def test_replay(kept: tuple[Path, list[str]]) -> None:
    data, digests = kept
    world = json.loads(thorp("world", "replay", "--to", "7", "--data", data, "--json").stdout)
    assert (world["tick"], world["digest"]) == (7, digests[7])
    assert len(world["agents"]) >= 1
    assert digests[7].encode() in thorp("world", "replay", "--to", "7", "--data", data).stdout
    assert "last tick is 12" in refused(thorp("world", "replay", "--to", "13", "--data", data))


def test_fork_and_backup_give_worlds_that_are_sound(
    kept: tuple[Path, list[str]], tmp_path: Path
) -> None:
    data, digests = kept
    forked = json.loads(
        thorp(
            "world", "fork", "--at", "6", "--into", tmp_path / "f", "--data", data, "--json"
        ).stdout
    )
    assert forked == {"tick": 6, "digest": digests[6]}
    assert b"sound: 6" in thorp("world", "verify", "--data", tmp_path / "f").stdout
    other = ("--at", "6", "--into", tmp_path / "o", "--data", data, "--draw-seed", "99")
    thorp("world", "fork", *other)
    said = b"forked at tick 6, with another draw seed, 99"
    assert said in thorp("world", "show", "--data", tmp_path / "o").stdout
    assert said in thorp("world", "verify", "--data", tmp_path / "o").stdout
    done = thorp("world", "backup", "--into", tmp_path / "b", "--data", data)
    assert b"up to tick 12" in done.stdout
    assert b"sound: 12" in thorp("world", "verify", "--data", tmp_path / "b").stdout
    assert "not empty" in refused(
        thorp("world", "backup", "--into", tmp_path / "b", "--data", data)
    )


@pytest.mark.parametrize(
    "command", [["show"], ["verify"], ["replay", "--to", "1"], ["backup", "--into", "b"]]
)
def test_where_there_is_no_world_nothing_is_made(tmp_path: Path, command: list[str]) -> None:
    assert "there is no world here" in refused(
        thorp("world", *command, "--data", "none", cwd=tmp_path)
    )
    assert list(tmp_path.iterdir()) == []


def test_the_usual_directory_is_used(kept: tuple[Path, list[str]], tmp_path: Path) -> None:
    shutil.copytree(kept[0], tmp_path / "thorp-data")
    assert b"tick 12" in thorp("world", "show", cwd=tmp_path).stdout


@pytest.mark.parametrize("is_served", [False, True])
def test_absent_bodies_are_listed_and_retired(tmp_path: Path, is_served: bool) -> None:
    data = tmp_path / "data"
    life: list[AnyInput] = [Join("mole", "00"), Join("vole", "00")]
    if not is_served:
        with WorldService.open(RealDisk(), data / "world", make_world=new_city_world) as service:
            service.tick(life).result()
    with served(data, inputs=life, clock="real") if is_served else nullcontext():
        listed = json.loads(thorp("world", "agents", "--data", data, "--json").stdout)
        assert [(body["id"], body["name"], body["acted"]) for body in listed] == [
            ("A1", "mole", False),
            ("A2", "vole", False),
        ]
        retired = thorp("world", "agents", "--data", data, "--retire", "mole", "--json")
        assert json.loads(retired.stdout) == {"id": "A1", "name": "mole"}
        refused(thorp("world", "agents", "--data", data, "--retire", "A1"))
        (line,) = thorp("world", "agents", "--absent", "--data", data).stdout.decode().splitlines()
        assert line.startswith("A2     vole ")
        assert "never acted" in line
    assert thorp("world", "verify", "--data", data, "--quiet").returncode == 0

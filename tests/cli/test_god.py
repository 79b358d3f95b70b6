"""`god`: what a town keeper sees and does, through a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.cli.command import run
from tests.postgres import Cluster
from tests.town_engine.worlds import handoff_for
from thorp.cli.god import app
from thorp.town import validate_snapshot
from thorp.town.service import EmbeddedTown

NAMES = [
    "town-1",
    'Old "Mill" 🏰',
    "it's\ta tab",
    "--strange",
    "ünï cödé",
    "a/b\\c",
    "'; DROP TABLE town_state; --",
]


def god(
    *arguments: str | bytes, data: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    where: list[str] = [] if data is None else ["--data", str(data)]
    return run("god", *map(os.fsdecode, arguments), *where, environment=environment)


def refused(done: subprocess.CompletedProcess[bytes]) -> str:
    """The one line of a refusal: exit code 2, nothing on standard output."""
    message = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b""), message
    assert message.startswith("god: ")
    assert message.count("\n") == 1
    return message


def told(*arguments: str, data: Path) -> str:
    """What a command says that succeeds; in this process, because there are many."""
    done = CliRunner().invoke(app, [*arguments, "--data", str(data)], catch_exceptions=False)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("god") / "data"
    with EmbeddedTown(home, seed=5) as world:
        for name in NAMES:
            world.create_town(name)
    return home


@pytest.mark.parametrize("name", NAMES)
def test_snapshot_is_the_contract_s(data: Path, name: str) -> None:
    # An id that begins with dashes stands behind `--`, as with any command.
    done = god("snapshot", "--json", "--data", str(data), "--", name)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1
    seen = json.loads(done.stdout)
    validate_snapshot(seen)
    assert seen["townId"] == name
    assert list(seen) == [
        "schemaVersion",
        "day",
        "townId",
        "mission",
        "sideQuests",
        "pressure",
        "projects",
        "latestNetherEvent",
    ]
    assert god("snapshot", "--json", "--data", str(data), "--", name).stdout == done.stdout


def test_a_fresh_town_s_snapshot_to_the_byte(data: Path) -> None:
    text = told("snapshot", "town-1", "--json", data=data)
    assert text.startswith(
        '{"schemaVersion":"snapshot.v1","day":0,"townId":"town-1","mission":null,'
    )
    assert '"pressure":{"threat":0.35,"scarcity":0.4,"hope":0.55,"dread":0.3}' in text
    assert text.endswith('"latestNetherEvent":null}\n')


def test_every_command_is_readable_and_has_json(tmp_path: Path) -> None:
    data, town = tmp_path / "data", 'Old "Mill" 🏰'
    assert "founded on day 0" in told("town", "create", town, "--seed", "9", data=data)
    assert json.loads(told("town", "create", "b", "--json", data=data))["townId"] == "b"
    assert [each["townId"] for each in json.loads(told("town", "list", "--json", data=data))] == [
        town,
        "b",
    ]
    assert told("town", "list", data=data).startswith(f"{town}  day 0  people 40  threat 0.350")
    title = 'Find 🐈, it\'s "gone"'
    told("quest", "add", town, title, "--id", "q 1", "--complexity", "4", data=data)
    listed = json.loads(told("quest", "list", town, "--json", data=data))
    assert (listed[-1]["id"], listed[-1]["title"], listed[-1]["complexity"]) == ("q 1", title, 4)
    assert f"q 1: {title}" in told("quest", "list", town, data=data)
    told("project", "add", town, "Mühle", "--kind", "hall", "--id", "m", data=data)
    assert (
        json.loads(told("project", "list", town, "--json", data=data))[-1]["status"] == "planning"
    )
    assert "m: Mühle, planning, 0%" in told("project", "list", town, data=data)
    assert "from 350 to 735" in told("pressure", "set", town, "threat", "0.735", data=data)
    assert json.loads(told("pressure", "show", town, "--json", data=data))["threat"] == 0.735
    assert "threat   0.735" in told("pressure", "show", town, data=data)
    assert json.loads(told("event", "draw", town, "--json", data=data))[0]["kind"] == "nether_event"
    assert len(json.loads(told("event", "list", town, "--json", data=data))) == 1
    assert told("mission", "show", town, data=data) == "  mission   -\n"
    assert told("mission", "show", town, "--json", data=data) == "null\n"
    assert "no mission" in refused(god("mission", "complete", town, data=data))
    assert told("day", "advance", "--days", "3", data=data) == "day 3\n"
    assert json.loads(told("day", "show", "--json", data=data)) == {"day": 3, "seed": 9}
    assert json.loads(told("town", "board", town, "--json", data=data))["population"] >= 39
    board = told("town", "board", town, data=data)
    for word in ("stores", "works", "mission", "quest", "project", "folk", "day "):
        assert word in board
    entries = json.loads(told("chronicle", town, "--limit", "5", "--json", data=data))
    assert len(entries) == 5
    assert {entry["town"] for entry in entries} == {town}
    assert told("chronicle", "--limit", "2", data=data).count("\n") == 2
    assert "for 30 days" in told("receipt", "retain", "30", data=data)
    with EmbeddedTown(data, create=False) as world:
        assert world.verify().difference is None


def test_missions_end_as_the_keeper_says(tmp_path: Path) -> None:
    for ending in ("complete", "fail"):
        data = tmp_path / ending
        with EmbeddedTown(data, seed=1) as world:
            world.create_town("a")
            world.execute(handoff_for(world.snapshot("a"), "MAYOR_ACCEPT_MISSION", "sq-2"))
        assert "sq-2" in told("mission", "show", "a", data=data)
        told("mission", ending, "a", data=data)
        assert told("mission", "show", "a", data=data) == "  mission   -\n"


REFUSALS: dict[str, tuple[str | bytes, ...]] = {
    "an unknown town": ("snapshot", "Nowhere"),
    "a town that is there": ("town", "create", "town-1"),
    "an empty name": ("town", "create", ""),
    "a name of blanks": ("town", "create", " \t"),
    "a name that is too long": ("town", "create", "x" * 201),
    "bytes that are no text": ("town", "create", b"\xff\xfe"),
    "bytes that are no town": ("snapshot", b"\xff"),
    "an unknown meter": ("pressure", "set", "town-1", "joy", "0.5"),
    "a level beyond the end": ("pressure", "set", "town-1", "hope", "1.5"),
    "a level that is too fine": ("pressure", "set", "town-1", "hope", "0.12345"),
    "a level that is no number": ("pressure", "set", "town-1", "hope", "high"),
    "a level that is not finite": ("pressure", "set", "town-1", "hope", "nan"),
    "an infinite level": ("pressure", "set", "town-1", "hope", "inf"),
    "a quest that is too hard": ("quest", "add", "town-1", "T", "--complexity", "11"),
    "a quest without a title": ("quest", "add", "town-1", ""),
    "a taken id": ("quest", "add", "town-1", "T", "--id", "sq-1"),
    "an unknown kind": ("project", "add", "town-1", "N", "--kind", "moat"),
    "no days": ("day", "advance", "--days", "0"),
    "too many days": ("day", "advance", "--days", "1001"),
    "another seed": ("town", "create", "new", "--seed", "6"),
    "a directory and a URL": ("town", "list", "--url", "sqlite:///x.db"),
    "receipts for no time": ("receipt", "retain", "0"),
    "receipts for some time": ("receipt", "retain", "-1"),
    "an unknown command": ("frobnicate",),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refusals_are_one_line_and_change_nothing(data: Path, case: str) -> None:
    with EmbeddedTown(data, create=False) as world:
        before = world.verify()
    refused(god(*REFUSALS[case], data=data))
    with EmbeddedTown(data, create=False) as world:
        assert world.verify() == before


def test_looking_makes_nothing(tmp_path: Path) -> None:
    for command in (("snapshot", "a", "--json"), ("day", "advance")):
        assert "no town world" in refused(god(*command, data=tmp_path / "none"))
    assert list(tmp_path.iterdir()) == []


def test_where_the_world_is(tmp_path: Path) -> None:
    assert god("town", "create", "a", THORP_DATA=str(tmp_path / "w")).returncode == 0
    assert (tmp_path / "w" / "town.db").exists()
    done = god("town", "list", "--json", "--url", f"sqlite:///{tmp_path}/w/town.db")
    assert json.loads(done.stdout)[0]["townId"] == "a"


def test_json_is_utf_8_whatever_the_terminal(data: Path) -> None:
    done = god("snapshot", NAMES[1], "--json", data=data, PYTHONIOENCODING="ascii", LC_ALL="C")
    assert json.loads(done.stdout)["townId"] == NAMES[1]


@pytest.mark.real("postgresql")
def test_a_world_in_postgresql(postgres: Cluster) -> None:
    url = postgres.make_schema()
    assert god("town", "create", NAMES[1], "--url", url).returncode == 0
    assert (
        json.loads(god("snapshot", NAMES[1], "--json", "--url", url).stdout)["townId"] == NAMES[1]
    )

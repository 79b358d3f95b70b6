"""`thorp doctor` and `thorp config show`: what they find, and that they leave nothing behind."""

from __future__ import annotations

import json
import os
import resource
import socket
import sqlite3
from contextlib import closing
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from tests.cli.command import thorp
from tests.cli.said import said
from tests.cli.serving import answered_by, served
from thorp.bridges.voxel_town import new_city_world as with_towns
from thorp.cli import doctor
from thorp.cli.doctor import CHECKS, Installation, examine
from thorp.server.access.tokens import TOKENS_FILE
from thorp.server.processes.lockfile import RunningServer, announce_server
from thorp.store import RealDisk
from thorp.story import open_ledger
from thorp.town.service import EmbeddedTown
from thorp.voxel import WorldService
from thorp.voxel.tuning import Tuning


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


def found(data: Path, port: int | None = None) -> dict[str, tuple[str, str]]:
    findings = examine(Installation(data, port or free_port()))
    return {each.check: (each.verdict, f"{each.found}; {each.advice}") for each in findings}


def verdicts(data: Path) -> dict[str, str]:
    return {name: verdict for name, (verdict, _) in found(data).items()}


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    with WorldService.open(RealDisk(), data / "world", tuning=Tuning(day_ticks=3000)) as service:
        for _ in range(5):
            service.tick([]).result()
    with EmbeddedTown(data) as world:
        world.create_town("a")
    with open_ledger(data) as ledger:
        ledger.seed({"request_id": "s", "author_id": "WORLD", "text": "A mill."})
    return data


def test_all_is_well_and_nothing_is_left_behind(kept: Path) -> None:
    before = sorted(kept.rglob("*"))
    looked = found(kept)
    assert list(looked) == list(CHECKS)
    assert {
        verdict
        for name, (verdict, _) in looked.items()
        if name not in ("room", "sync", "open files")
    } == {"ok"}
    assert "tick 5, seed 1337" in looked["world"][1]
    assert "2 records, and all follows" in looked["towns"][1]
    assert "1 beats" in looked["story"][1]
    assert sorted(kept.rglob("*")) == before


def test_a_directory_that_is_not_there_yet(tmp_path: Path) -> None:
    looked = found(tmp_path / "new" / "one")
    assert looked["directory"][0] == "ok"
    assert {looked[name][1] for name in ("world", "towns", "story")} == {"none yet; None"}
    assert list(tmp_path.iterdir()) == []


def test_the_command(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    done = thorp("doctor", "--data", kept, "--port", str(port))
    assert (done.returncode, done.stderr) == (0, b"")
    assert f"ok    port        {port}: free".encode() in done.stdout
    told = said("doctor", "--data", str(kept), "--port", str(port), "--json")
    assert [each["check"] for each in json.loads(told.out)] == list(CHECKS)
    (kept / TOKENS_FILE).write_text("{")
    failed = said("doctor", "--data", str(kept), "--port", str(port))
    assert failed.code == 1
    assert b"fail  tokens" in failed.out


def test_damage_is_found(kept: Path) -> None:
    with closing(sqlite3.connect(kept / "town.db")) as towns, towns:
        towns.execute("UPDATE town_world SET day = 7")
    with closing(sqlite3.connect(kept / "story.db")) as story, story:
        for (name,) in story.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            story.execute(f"DROP TRIGGER {name}")
        story.execute("UPDATE story_entry SET text = 'Another mill.'")
    (journal,) = (kept / "world").glob("journal-*.jsonl")
    content = bytearray(journal.read_bytes())
    content[len(content) // 2] ^= 1
    journal.write_bytes(content)
    looked = verdicts(kept)
    assert [looked[name] for name in ("world", "towns", "story")] == ["fail"] * 3


def test_longer_journals_are_left_to_their_own_commands(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "QUICK_RECORDS", 0)
    looked = found(kept)
    assert "`thorp town verify` does" in looked["towns"][1]
    assert "`thorp story verify` does" in looked["story"][1]


def test_a_port_that_is_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        verdict, told = found(tmp_path, port)["port"]
    assert (verdict, "in use" in told) == ("warn", True)


def test_who_holds_the_directory(kept: Path) -> None:
    with served(kept) as url:
        looked = found(kept, int(url.rpartition(":")[2]))
        assert looked["port"] == (
            "ok",
            f"{url.rpartition(':')[2]}: the server of this directory listens there; None",
        )
        verdict, told = looked["held by"]
        assert (verdict, url in told, str(os.getpid()) in told) == ("ok", True, True)

    async def opening(request: web.Request) -> web.StreamResponse:
        return web.Response(status=503, text="the world is being opened")

    with answered_by(opening) as url, announce_server(kept, RunningServer(url, 7, "0")):
        verdict, told = found(kept)["held by"]
        assert (verdict, "not ready: the world is being opened" in told) == ("warn", True)
    with announce_server(kept, RunningServer("http://127.0.0.1:1", 7, "0")):
        assert found(kept)["held by"][0] == "fail"
    with WorldService.open(RealDisk(), kept / "world", make_world=with_towns):
        assert found(kept)["held by"] == (
            "warn",
            "another process holds the world; wait for the command that works on the world, or "
            "stop it",
        )


def test_a_directory_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    assert verdicts(tmp_path / "data")["directory"] == "fail"


TROUBLES: dict[str, tuple[str, Any, str, str]] = {
    "an old Python": ("LEAST_PYTHON", (9, 0), "python", "fail"),
    "a full disk": ("ROOM_BYTES", 1 << 62, "room", "warn"),
    "a slow disk": ("SLOW_SYNC_SECONDS", -1.0, "sync", "warn"),
    "a wrong clock": ("EARLIEST_SECONDS", 1 << 40, "clock", "fail"),
}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_troubles_come_with_advice(
    trouble: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    constant, value, check, verdict = TROUBLES[trouble]
    monkeypatch.setattr(doctor, constant, value)
    assert found(tmp_path)[check][0] == verdict
    assert not found(tmp_path)[check][1].endswith("None")


def test_few_open_files_and_missing_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 1024))
    monkeypatch.setattr(metadata, "requires", lambda _: ["no-such-package>=1.0", "msgspec>=99"])
    looked = found(tmp_path)
    assert (looked["open files"][0], looked["packages"][0]) == ("warn", "fail")
    assert "no-such-package (missing)" in looked["packages"][1]


# config show


def shown(*arguments: str) -> dict[str, Any]:
    answer = said("config", "show", "--json", *arguments)
    assert answer.code == 0
    document: dict[str, Any] = json.loads(answer.out)
    return document


def test_what_is_in_force(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("THORP_DATA", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("THORP_TOKEN", "thorp_secret")
    monkeypatch.setenv("THORP_MODEL_URL", "http://me:secret@127.0.0.1/v1")
    whole = shown("--data", str(kept))
    assert whole["data"] == {
        **dict.fromkeys(("world", "towns", "story"), True),
        "directory": str(kept),
        "in_postgresql": False,
        "chosen_by": "--data",
        "server": None,
    }
    assert whole["tuning"] == {"of": "the world, in epoch 1", "day_ticks": 3000}
    assert whole["environment"]["THORP_TOKEN"] == "(set; not shown)"
    assert whole["versions"]["thorp"]
    assert "secret" not in json.dumps(whole)
    assert b"secret" not in said("config", "show", "--data", str(kept)).out


def test_where_the_directory_comes_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("THORP_DATA", raising=False)
    data = shown()["data"]
    assert (data["directory"], data["chosen_by"]) == (str(tmp_path / "thorp-data"), "the default")
    assert shown()["tuning"]["of"].startswith("the next world")
    monkeypatch.setenv("THORP_DATA", "elsewhere")
    with served(tmp_path / "elsewhere") as url:
        data = shown()["data"]
    assert (data["chosen_by"], data["server"]) == ("$THORP_DATA", url)
    for journal in (tmp_path / "elsewhere" / "world").glob("journal-*"):
        journal.write_text("nonsense")
    assert "cannot be read" in shown()["tuning"]["of"]

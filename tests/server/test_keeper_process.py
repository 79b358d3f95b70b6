"""Commands, and `thorp up` as a process: found, killed, stopped in the middle, two of them,
tokens."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.command import THORP
from tests.cli.said import Said, said
from tests.server.test_up import fails, up
from thorp.cli.god import app as commands
from thorp.server.access.tokens import Role, Tokens
from thorp.server.processes.lockfile import FILE, find_server
from thorp.town.service import EmbeddedTown

GOD = THORP.with_name("god")


@pytest.fixture(autouse=True)
def _no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("THORP_TOKEN", raising=False)


def god(*arguments: str, data: Path) -> Said:
    return said(*arguments, "--data", str(data), app=commands)


def test_a_running_server_is_found_and_a_killed_one_is_not(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with up(data) as running:
        server = find_server(data)
        assert server is not None
        assert (server.url, server.pid) == (f"http://127.0.0.1:{running.port}", running.process.pid)
        assert god("town", "create", "a", data=data).out.startswith(b"a: founded on day 0")
        assert json.loads(running.get("/v1/towns/a/snapshot"))["townId"] == "a"
        running.until_ready()
        assert "another process holds it" in fails("up", "--data", str(data), "--port", "0")
        assert find_server(data) == server  # the one that could not begin has taken nothing away
        running.process.kill()
        running.process.wait()
    assert (data / FILE).exists()
    assert god("day", "advance", data=data).out == b"day 1\n"
    with up(data) as running:
        running.until_ready()
        assert god("day", "advance", data=data).out == b"day 2\n"
        assert running.end(signal.SIGTERM)[0] == 0
    assert not (data / FILE).exists()
    assert god("day", "show", data=data).out == b"day 2\n"


def test_a_server_that_asks_for_a_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "data"
    _, operator = Tokens(data).create(Role.OPERATOR, created="today")
    with up(data, "--require-token"):
        assert "not known" in str(
            god("town", "create", "a", "--token", "thorp_no", data=data).refusal
        )
        assert god("town", "create", "a", "--token", operator, data=data).code == 0
        monkeypatch.setenv("THORP_TOKEN", operator)
        assert god("town", "list", data=data).out.startswith(b"a ")


def test_a_server_that_stops_in_the_middle_of_a_command(tmp_path: Path) -> None:
    """The command ends with one line; every day that it was told of is there."""
    data = tmp_path / "data"
    with up(data) as running:
        running.until_ready()
        god("town", "create", "a", data=data)
        command = subprocess.Popen(
            [str(GOD), "day", "advance", "--days", "1000", "--data", str(data)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        deadline = time.monotonic() + 30
        while json.loads(running.get("/admin/v1/towns"))["world"]["day"] < 3:
            assert time.monotonic() < deadline
        assert running.end(signal.SIGTERM)[0] == 0
        out, told = command.communicate(timeout=60)
    assert (command.returncode, out) == (2, "")
    assert told.count("\n") == 1
    assert "went away before it had answered" in told or "cannot be reached" in told
    with EmbeddedTown(data, create=False) as world:
        assert 3 <= world.world().day < 1000
        assert world.verify().difference is None

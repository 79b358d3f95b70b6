"""`thorp up` and `thorp token` as processes: start, signals, ports, directories, restarts, bots."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import aiohttp
import pytest
from typer.testing import CliRunner

from tests.cli.command import run as run_command
from tests.server.serving import Closed, RawAgent, role_of, run
from thorp.bridges.voxel_town import new_city_world
from thorp.cli import main
from thorp.kernel.errors import ThorpError
from thorp.server.access.tokens import Role, Tokens, read_admin_token
from thorp.server.host import STOP_SECONDS as OWN_LIMIT
from thorp.server.host import host
from thorp.server.opening import set_aside
from thorp.server.settings import WORLD, Settings
from thorp.store import RealDisk
from thorp.voxel import WorldService
from thorp.voxel.persistence.directory import LOCK
from thorp.voxel.tuning import Tuning

THORP = [sys.executable, "-m", "thorp"]
TUNING = "tick_rate_hz: 50\n"
# A new village is a little over two days old.
SHORT_DAYS = TUNING + "day_ticks: 60\nseason_length_ticks: 42000\n"
# The server ends itself within its own limit; a busy machine is slow to end and to notice it.
STOP_SECONDS = OWN_LIMIT + 10
ROOT = Path(__file__).parents[2]


class Running:
    """A `thorp up` in a process of its own."""

    def __init__(self, process: subprocess.Popen[str], data: Path) -> None:
        self.process = process
        self.data = data
        self.lines: list[str] = []
        self.port = int(self.line(r"listening on http://127\.0\.0\.1:(\d+)/")[1])

    def line(self, pattern: str) -> re.Match[str]:
        """The next line that looks like this."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            if match := re.search(pattern, line):
                return match
        raise AssertionError(f"{pattern!r} is not in {self.lines}; {self.process.communicate()}")

    def get(self, path: str) -> str:
        shown = {"Authorization": f"Bearer {read_admin_token(self.data)}"}
        with urlopen(
            Request(f"http://127.0.0.1:{self.port}{path}", headers=shown), timeout=10
        ) as answer:
            text: str = answer.read().decode()
            return text

    def until_ready(self, patience: float = 60) -> None:
        deadline = time.monotonic() + patience
        while True:
            try:
                self.get("/readyz")
                return
            except HTTPError:
                assert time.monotonic() < deadline
                time.sleep(0.02)

    def worked(self) -> float:
        """The seconds of a processor that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self, number: int = signal.SIGINT) -> tuple[int, float]:
        """Send a signal; return the exit code and how long it took."""
        began = time.monotonic()
        self.process.send_signal(number)
        code = self.process.wait(timeout=20)
        return code, time.monotonic() - began


@contextmanager
def up(
    data: Path,
    *options: str,
    ignore_interrupts: bool = False,
    thorp: list[str] = THORP,
    values: str = TUNING,
) -> Iterator[Running]:
    tuning = data.parent / "tuning.yaml"
    tuning.write_text(values)
    command = [*thorp, "up", "--data", str(data), "--port", "0", "--tuning", str(tuning), *options]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=(lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        if ignore_interrupts
        else None,
    )
    with process:
        try:
            yield Running(process, data)
        finally:
            if process.poll() is None:
                process.kill()


def fails(*arguments: str) -> str:
    """The one line with which a command refuses."""
    done = run_command("thorp", *arguments)
    assert done.returncode == 2, done
    lines = done.stderr.decode().strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def play_once(port: int, token: str | None = None) -> tuple[str, str, int]:
    """Join or resume; return the agent's id, its next token, and the tick of its first OBS."""

    async def play() -> tuple[str, str, int]:
        async with (
            aiohttp.ClientSession() as http,
            http.ws_connect(f"ws://127.0.0.1:{port}/v1/ws") as ws,
        ):
            agent = RawAgent(ws)
            await agent.hello("mole", token)
            await agent.greeted()
            obs = await agent.obs()
            return agent.id, agent.token, obs["tick"]

    return run(play())


# A server that dies as soon as a resume is durable, before WELCOME is sent.
DIES_BEFORE_WELCOME = """
import os, signal, sys
from thorp.cli.main import main
from thorp.server.sockets.agents import Agents
release = Agents.release
def dying(agents):
    if any(newcomer.presented_hash for newcomer in agents._welcomed):
        os.kill(os.getpid(), signal.SIGKILL)
    release(agents)
Agents.release = dying
sys.exit(main())
"""


def test_a_kill_between_the_new_token_and_its_welcome_costs_nobody_its_body(tmp_path: Path) -> None:
    with up(tmp_path / "data") as running:
        running.until_ready()
        body, token, _ = play_once(running.port)
        running.end()
    for _ in range(2):
        with up(tmp_path / "data", thorp=[sys.executable, "-c", DIES_BEFORE_WELCOME]) as running:
            running.until_ready()
            with pytest.raises(Closed):
                play_once(running.port, token)
            assert running.process.wait(timeout=20) == -signal.SIGKILL
    with up(tmp_path / "data") as running:
        running.until_ready()
        assert play_once(running.port, token)[0] == body


def test_it_answers_within_five_seconds_of_work_and_ends_on_both_signals(tmp_path: Path) -> None:
    with up(tmp_path / "data") as running:
        assert running.get("/healthz") == "ok"
        assert running.worked() < 5
        running.until_ready()
        assert "a new world" in running.line("seed 1337")[0] or running.lines
        play_once(running.port)
        code, seconds = running.end(signal.SIGTERM)
        assert code == 0
        assert seconds < STOP_SECONDS
        running.line("stopped after tick")
    with up(tmp_path / "data", ignore_interrupts=True) as running:
        running.until_ready()
        code, seconds = running.end(signal.SIGINT)
        assert code == 0
        assert seconds < STOP_SECONDS


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_bots_live_in_it_and_go_with_it(number: int, tmp_path: Path) -> None:
    with up(tmp_path / "data", "--bots", "3") as running:
        running.until_ready()
        deadline = time.monotonic() + 20
        while json.loads(running.get("/admin/v1/state"))["metrics"]["clients"] < 3:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        children = (
            Path(f"/proc/{running.process.pid}/task/{running.process.pid}/children")
            .read_text()
            .split()
        )
        assert children
        code, seconds = running.end(number)
        assert code == (0 if number == signal.SIGINT else -number)
        assert seconds < STOP_SECONDS
        deadline = time.monotonic() + (STOP_SECONDS if number == signal.SIGKILL else 0)
        while any(Path(f"/proc/{child}/cmdline").exists() for child in children):
            assert time.monotonic() < deadline
            time.sleep(0.05)
    if number == signal.SIGINT:
        with WorldService.open(
            RealDisk(), tmp_path / "data" / WORLD, make_world=new_city_world
        ) as service:
            assert not len(service.world.agents), "their bodies went with them"


@pytest.mark.parametrize("people", [("--bots", "3"), ("--village",)])
def test_in_lockstep_our_own_bots_and_villagers_keep_time_going(
    people: tuple[str, ...], tmp_path: Path
) -> None:
    with up(tmp_path / "data", "--clock", "lockstep", *people, values=SHORT_DAYS) as running:
        count = 3 if "--bots" in people else 24

        def metrics() -> dict[str, Any]:
            metrics: dict[str, Any] = json.loads(running.get("/admin/v1/state"))["metrics"]
            return metrics

        running.until_ready(patience=120)
        deadline = time.monotonic() + 60
        while metrics()["clients"] < count:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        begun = metrics()["tick"]
        while metrics()["tick"] < begun + 100:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert metrics()["clients"] == count
        assert metrics()["late_ticks"] == 0  # nobody's move was waited for in vain


def test_it_ends_in_time_whatever_its_clients_do_and_a_restart_goes_on(tmp_path: Path) -> None:
    async def play(running: Running) -> tuple[str, str, int]:
        url = f"ws://127.0.0.1:{running.port}/v1/ws"
        async with aiohttp.ClientSession() as http, http.ws_connect(url) as ws:
            deaf = RawAgent(ws)
            await deaf.hello("deaf")
            await deaf.greeted()
            tick = (await deaf.obs())["tick"]
            connection = ws._response.connection
            assert connection is not None
            assert connection.transport is not None
            connection.transport.pause_reading()
            await asyncio.sleep(0.3)
            code, seconds = await asyncio.to_thread(running.end)
            assert code == 0
            assert seconds < STOP_SECONDS
            connection.transport.abort()
            return deaf.id, deaf.token, tick

    with up(tmp_path / "data", "--seed", "77") as running:
        running.until_ready()
        agent_id, token, tick = run(play(running))
    with up(tmp_path / "data") as running:
        running.until_ready()
        again_id, next_token, later = play_once(running.port, token)
        assert (again_id, next_token != token) == (agent_id, True)
        assert later > tick
        running.process.kill()
        running.process.wait()
    with up(tmp_path / "data", "--fresh") as running:
        running.until_ready()
        assert play_once(running.port, next_token)[0] == "A1"
    kept = sorted(path.name for path in (tmp_path / "data").iterdir() if path.is_dir())
    assert kept == ["tape", "world", "world.before-1"]
    assert list((tmp_path / "data" / "world.before-1").glob("journal-*"))


def test_a_port_in_use_and_a_held_directory_are_one_line_with_advice(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    with up(tmp_path / "data") as running:
        running.until_ready()
        line = fails("up", "--data", str(tmp_path / "other"), "--port", str(running.port))
        assert f"127.0.0.1:{running.port} is in use" in line
        assert "--port" in line
        assert "another process holds it" in fails("up", "--data", data, "--port", "0")
        assert "another process holds it" in fails("up", "--data", data, "--port", "0", "--fresh")
        play_once(running.port)


@contextmanager
def made(data: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """A `make run`, and where the system tells of its server."""
    command = [
        "make", "--no-print-directory", "--old-file=.venv/run", f"BIN={Path(sys.executable).parent}",
        f"UP=--data {data} --port 0 --bots 1", "run",
    ]  # fmt: skip
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as make:
        try:
            assert make.stdout is not None
            assert any("a new world" in line for line in make.stdout)
            children = Path(f"/proc/{make.pid}/task/{make.pid}/children").read_text().split()
            (server,) = [
                child
                for child in children
                if b"thorp" in Path(f"/proc/{child}/cmdline").read_bytes()
            ]
            yield make, Path(f"/proc/{server}")
        finally:
            with suppress(ProcessLookupError):
                os.killpg(make.pid, signal.SIGKILL)


@pytest.mark.real("make")
@pytest.mark.parametrize(
    ("told", "number"),
    [
        ("make alone", signal.SIGINT),
        ("make alone", signal.SIGTERM),
        ("the whole group", signal.SIGINT),
    ],
)
def test_make_run_ends_on_both_signals_and_leaves_nothing(
    told: str, number: int, tmp_path: Path
) -> None:
    with made(tmp_path / "data") as (make, server):
        began = time.monotonic()
        os.kill(make.pid, number) if told == "make alone" else os.killpg(make.pid, number)
        make.wait(timeout=20)
        assert time.monotonic() - began < STOP_SECONDS
        assert not server.exists()
        deadline = time.monotonic() + STOP_SECONDS
        while group_of(make.pid):
            assert time.monotonic() < deadline, group_of(make.pid)
            time.sleep(0.05)


@pytest.mark.real("make")
def test_the_server_ends_when_make_is_killed(tmp_path: Path) -> None:
    with made(tmp_path / "data") as (make, _):
        make.kill()
        make.wait()
        deadline = time.monotonic() + STOP_SECONDS
        while group_of(make.pid):
            assert time.monotonic() < deadline, group_of(make.pid)
            time.sleep(0.05)


def group_of(leader: int) -> list[str]:
    """What still runs of a process group."""
    names = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            name, _, fields = stat.read_text().rpartition(")")
            state, _, group = fields.split()[:3]
            if int(group) == leader and state != "Z":
                names.append(name)
    return names


# What needs no process of its own.


def refusal_of(data: Path, **wishes: Any) -> str:
    """Why a world is not served."""
    with pytest.raises(ThorpError) as refused:
        asyncio.run(host(Settings(data=data, port=0, **wishes), lambda _: None))
    return str(refused.value)


def make_world(data: Path, **wishes: Any) -> None:
    with WorldService.open(RealDisk(), data / WORLD, **wishes) as service:
        for _ in range(20):
            service.tick([]).result()


def test_another_seed_and_another_tuning_are_refused(tmp_path: Path) -> None:
    make_world(tmp_path, seed=77)
    before = {path.name: path.read_bytes() for path in (tmp_path / WORLD).iterdir()}
    assert "77" in refusal_of(tmp_path, seed=78)
    assert "--retune" in refusal_of(tmp_path, tuning=Tuning(day_ticks=3000))
    assert {path.name: path.read_bytes() for path in (tmp_path / WORLD).iterdir()} == before


def test_a_damaged_directory_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    make_world(tmp_path)
    (journal,) = (tmp_path / WORLD).glob("journal-*.jsonl")
    content = bytearray(journal.read_bytes())
    content[len(content) // 2] ^= 1
    journal.write_bytes(content)
    for snapshot in (tmp_path / WORLD).glob("snapshot-*"):
        snapshot.unlink()
    assert journal.name in refusal_of(tmp_path)
    assert journal.read_bytes() == content
    (tmp_path / "file").write_text("")
    assert "file" in refusal_of(tmp_path / "file")


def test_a_world_goes_on_with_a_loss_only_on_request(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with WorldService.open(RealDisk(), data / WORLD, tuning=Tuning(tick_rate_hz=50)) as service:
        for _ in range(3):
            service.tick([]).result()
    (journal,) = (data / WORLD).glob("journal-*.jsonl")
    journal.unlink()
    assert "--accept-loss" in fails("up", "--data", str(data), "--port", "0")
    with up(data, "--accept-loss") as running:
        running.line(r"goes on after tick 3; without what is lost: .*journal")
        assert running.end()[0] == 0
    with up(data) as running:
        running.until_ready()
        assert running.end()[0] == 0


def test_moving_aside_never_takes_a_name_that_is_there(tmp_path: Path) -> None:
    assert set_aside(tmp_path) is None
    (tmp_path / WORLD).mkdir()
    (tmp_path / WORLD / LOCK).touch()
    assert set_aside(tmp_path) is None, "a start that was refused left a lock, and no world"
    for number in (1, 2, 3):
        make_world(tmp_path)
        assert set_aside(tmp_path) == tmp_path / f"world.before-{number}"
    assert not (tmp_path / WORLD).exists()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--clock", "sundial"], "sundial"),
        (["--port", "99999"], "--port"),
        (["--bots", "-1"], "--bots"),
        (["--seed", "x"], "--seed"),
    ],
)
def test_wrong_options_are_refused(options: list[str], told: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(main.commands(), ["up", "--data", str(tmp_path / "data"), *options])
    assert done.exit_code == 2
    assert told in done.output
    assert not (tmp_path / "data").exists()


def test_tokens_are_made_listed_and_revoked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THORP_DATA", str(tmp_path / "data"))

    def token(*arguments: str) -> str:
        done = CliRunner().invoke(main.commands(), ["token", *arguments])
        assert done.exit_code == 0, done
        return done.output.strip()

    assert token("list") == ""
    text = token("create", "--role", "viewer", "--note", "for the hall")
    served = Tokens(tmp_path / "data")
    assert role_of(served, text) is Role.VIEWER
    listed = json.loads(token("list", "--json"))
    assert (listed["role"], listed["note"]) == ("viewer", "for the hall")
    assert text not in token("list")
    assert "revoked" in token("revoke", listed["id"])
    assert role_of(served, text) is None
    assert CliRunner().invoke(main.commands(), ["token", "revoke", "nothing"]).exit_code == 1
    assert CliRunner().invoke(main.commands(), ["token", "create"]).exit_code == 2

"""An agent is the same body in the next run of its program, and nobody's body is taken from it."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from yarl import URL

from tests.cli.serving import served
from tests.client.scripted import Peer, endless, serve
from thorp.client import Agent, Unreachable, connect, say, token_file
from thorp.client.connection import agent_url
from thorp.client.token_file import TokenFile, server_of, state_directory
from thorp.voxel.tuning import read_tuning

PATIENCE_SECONDS = 60


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state directory that nobody has used."""
    directory = tmp_path / "state"
    monkeypatch.setenv("THORP_STATE", str(directory))
    return directory


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A world ten times as fast as usual; its address."""
    with fast(tmp_path_factory.mktemp("world")) as url:
        yield url


def fast(directory: Path) -> AbstractContextManager[str]:
    return served(directory / "data", clock="real", tuning=read_tuning({"tick_rate_hz": 50}))


def files(state: Path, suffix: str = ".json") -> list[Path]:
    return sorted((state / "tokens").glob(f"*{suffix}"))


def kept(state: Path) -> dict[str, str]:
    (file,) = files(state)
    content: dict[str, str] = json.loads(file.read_bytes())
    return content


def run(url: str, name: str, token: str | None = None, *, fresh: bool = False) -> tuple[str, str]:
    """One run of a program that does something: the body's id, and its token at the end."""

    async def live() -> tuple[str, str]:
        async with connect(url, name, token, fresh=fresh) as agent:
            assert await agent.do(say("Good morning."))
            return agent.id, agent.token

    return asyncio.run(live())


def test_the_next_run_is_the_same_body(world: str, state: Path) -> None:
    first, token = run(world, "Sawyer")
    second, later = run(world, "Sawyer")
    assert first == second
    assert token != later
    assert kept(state) == {
        "server": world.replace("http", "ws") + "/v1/ws",
        "name": "Sawyer",
        "token": later,
    }


def test_another_name_is_another_body(world: str, state: Path) -> None:
    assert run(world, "Ada")[0] != run(world, "Ben")[0]
    assert len(files(state)) == 2


def test_a_fresh_body_is_a_new_one_and_nothing_is_kept(world: str, state: Path) -> None:
    first, token = run(world, "Cleo")
    again, _ = run(world, "Cleo", fresh=True)
    assert first != again
    assert kept(state)["token"] == token
    assert run(world, "Cleo")[0] == first


def test_a_token_of_ones_own_wins(world: str, state: Path) -> None:
    other, token = run(world, "Dora", fresh=True)
    run(world, "Dora")
    back, later = run(world, "Dora", token)
    assert back == other
    assert kept(state)["token"] == later


def test_an_empty_variable_keeps_nothing(
    world: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THORP_STATE", "")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert run(world, "Enid")[0] != run(world, "Enid")[0]
    assert list(tmp_path.iterdir()) == []


def test_where_tokens_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert state_directory() == Path(os.environ["THORP_STATE"])
    assert Path.home() not in Path(os.environ["THORP_STATE"]).parents, "tests leave a user's alone"
    monkeypatch.delenv("THORP_STATE")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", "/somewhere")
    assert state_directory() == Path("/somewhere/thorp")
    monkeypatch.delenv("XDG_STATE_HOME")
    assert state_directory() == tmp_path / ".local" / "state" / "thorp"


def test_only_the_user_can_read_them(world: str, state: Path) -> None:
    (state / "tokens").mkdir(parents=True, mode=0o755)
    before = os.umask(0)
    try:
        run(world, "Flora")
    finally:
        os.umask(before)
    assert stat.S_IMODE((state / "tokens").stat().st_mode) == 0o700
    modes = [stat.S_IMODE(file.stat().st_mode) for file in (state / "tokens").iterdir()]
    assert modes == [0o600, 0o600]


def test_an_address_is_one_server_however_it_is_written() -> None:
    addresses = ("127.0.0.1:8080", "ws://127.0.0.1:8080/v1/ws", "http://127.0.0.1:8080/")
    assert {server_of(agent_url(address)) for address in addresses} == {"ws://127.0.0.1:8080/v1/ws"}
    assert server_of(URL("wss://127.0.0.1/v1/ws?a=1")) == "wss://127.0.0.1:443/v1/ws"


# Two programs of one name


def test_a_body_that_is_connected_is_not_taken_over(
    world: str, state: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first, _ = run(world, "Gil")

    async def both() -> tuple[str, str]:
        async with connect(world, "Gil") as one:
            async with connect(world, "Gil") as other:
                assert await other.do(say("Who are you?"))
                taken = other.id
            assert await one.do(say("I am still here."))
            assert kept(state)["token"] == one.token
            return one.id, taken

    one, other = asyncio.run(both())
    assert one == first != other
    (line,) = caplog.messages
    assert line.startswith("another program lives as Gil at ws://127.0.0.1:")
    assert line.endswith("this one gets a new body")
    assert run(world, "Gil")[0] == first


PROGRAM = """
import asyncio, sys
from thorp.client import connect, say

async def main():
    async with connect(sys.argv[1], "Hugo") as agent:
        print(agent.id, flush=True)
        while sys.stdin.readline():
            print(bool(await agent.do(say("Hello."))), flush=True)

asyncio.run(main())
"""


def start(url: str, program: str = PROGRAM) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_of_programs_that_start_together_one_has_the_body(tmp_path: Path, state: Path) -> None:
    with fast(tmp_path) as url:
        first, _ = run(url, "Hugo")
        programs = [start(url) for _ in range(3)]
        ids = [
            (program.stdout.readline().strip() if program.stdout else "") for program in programs
        ]
        errors = [program.communicate("\n", PATIENCE_SECONDS)[1] for program in programs]
        assert len(set(ids)) == 3
        assert ids.count(first) == 1
        told = [error.count("gets a new body\n") for error in errors]
        assert sorted(told) == [0, 1, 1]
        assert told[ids.index(first)] == 0
        assert [program.returncode for program in programs] == [0, 0, 0]


def test_a_program_that_is_killed_leaves_its_body_to_the_next(tmp_path: Path, state: Path) -> None:
    with fast(tmp_path) as url:
        program = start(url)
        assert program.stdout is not None
        first = program.stdout.readline().strip()
        program.kill()
        program.communicate(timeout=PATIENCE_SECONDS)
        assert run(url, "Hugo")[0] == first


KILLED = (
    """
import os, signal, sys
from thorp.client.token_file import TokenFile

TokenFile.keep = lambda self, token: os.kill(os.getpid(), signal.SIGKILL)
"""
    + PROGRAM
)


def test_a_program_that_is_killed_before_it_has_kept_its_token_comes_back(
    tmp_path: Path, state: Path
) -> None:
    """The token of the run before is good until the first ACT, which was never sent."""
    with fast(tmp_path) as url:
        first, token = run(url, "Hugo")
        for _ in range(2):
            killed = start(url, KILLED)
            assert killed.communicate("\n", PATIENCE_SECONDS)[0] == ""
            assert killed.returncode == -9
            assert kept(state)["token"] == token
        assert run(url, "Hugo")[0] == first


# What may be wrong with the file


def damage_nothing(file: Path) -> None:
    file.unlink()


def damage_text(file: Path) -> None:
    file.write_bytes(b'{"server": "')


def damage_empty(file: Path) -> None:
    file.write_bytes(b"")


def damage_bytes(file: Path) -> None:
    file.write_bytes(bytes(range(256)))


def damage_size(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b" " * token_file.MAX_FILE_BYTES)


def damage_owner(file: Path) -> None:
    file.write_bytes(file.read_bytes().replace(b"Ida", b"Eve"))


def damage_link(file: Path) -> None:
    elsewhere = file.parent.parent / "elsewhere"
    elsewhere.write_bytes(file.read_bytes())
    file.unlink()
    file.symlink_to(elsewhere)


def damage_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


@pytest.mark.parametrize(
    "damage",
    [
        damage_nothing,
        damage_text,
        damage_empty,
        damage_bytes,
        damage_size,
        damage_owner,
        damage_link,
        damage_pipe,
    ],
)
def test_what_cannot_be_read_is_no_token_and_is_replaced(
    world: str, state: Path, damage: Callable[[Path], None]
) -> None:
    first, before = run(world, "Ida")
    (file,) = files(state)
    damage(file)
    second, token = run(world, "Ida")
    assert second != first
    assert kept(state)["token"] == token
    assert stat.S_ISREG(file.lstat().st_mode)
    elsewhere = state / "elsewhere"
    assert not elsewhere.exists() or before in elsewhere.read_text()
    assert run(world, "Ida")[0] == second


def test_a_half_written_file_of_a_killed_program_is_in_nobodys_way(world: str, state: Path) -> None:
    first, _ = run(world, "Jan")
    (file,) = files(state)
    file.with_suffix(".tmp").write_bytes(b'{"server"')
    assert run(world, "Jan")[0] == first
    assert not file.with_suffix(".tmp").exists()


def test_another_world_at_the_same_address_gives_a_new_body(state: Path) -> None:
    """Its servers do not know the token; what they give instead is kept."""
    greetings = []

    async def first(peer: Peer) -> None:
        greetings.append(await peer.greet("A7", "resume_of_the_first"))
        await endless(peer)

    async def second(peer: Peer) -> None:
        greetings.append(await peer.greet("A1", "resume_of_the_second"))
        await endless(peer)

    async def scenario(url: str) -> None:
        for token in ("resume_of_the_first", "resume_of_the_second"):
            async with connect(url, "mole") as agent:
                assert agent.token == token
            assert kept(state)["token"] == token

    asyncio.run(serve([first, second], scenario))
    assert "auth" not in greetings[0]
    assert greetings[1]["auth"] == {"token": "resume_of_the_first"}


def test_a_connection_that_is_made_anew_keeps_its_newest_token(state: Path) -> None:
    async def first(peer: Peer) -> None:
        await peer.greet(token="resume_1")
        await peer.obs()
        peer.cut()

    async def second(peer: Peer) -> None:
        await peer.greet(token="resume_2")
        await endless(peer)

    async def scenario(url: str) -> None:
        async with connect(url, "mole") as agent:
            while agent.token != "resume_2":
                await asyncio.sleep(0.01)
            assert kept(state)["token"] == "resume_2"

    asyncio.run(serve([first, second], scenario))


def test_a_directory_that_cannot_be_written_costs_one_warning(
    world: str, state: Path, caplog: pytest.LogCaptureFixture
) -> None:
    state.write_text("a file where a directory should be")
    assert run(world, "Kit")[0] != run(world, "Kit")[0]
    assert len(caplog.messages) == 2, "one a run"
    assert caplog.messages[0] == (
        f"{state / 'tokens'}: the resume token of Kit cannot be kept (Not a directory): the next run"
        " gets a new body; THORP_STATE names another directory"
    )


def test_a_disk_that_is_full_costs_one_warning_and_no_body(
    world: str, state: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who cannot keep its newest token holds the file on: the old one is still good."""

    def fail(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(token_file, "_replace", fail)

    async def both() -> None:
        async with connect(world, "Lea") as one, connect(world, "Lea") as other:
            assert one.id != other.id

    asyncio.run(both())
    unkept, taken = caplog.messages
    assert "(No space left on device)" in unkept
    assert "this one gets a new body" in taken
    assert files(state) == []


def test_somebody_elses_directory_is_not_used(
    state: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "trap").mkdir()
    state.mkdir()
    (state / "tokens").symlink_to(tmp_path / "trap")
    file = TokenFile(URL("ws://127.0.0.1:9/v1/ws"), "mole")
    assert file.hold() is None
    file.keep("resume_1")
    file.close()
    assert list((tmp_path / "trap").iterdir()) == []
    assert "it belongs to somebody else" in caplog.text


def test_a_program_that_gets_no_connection_lets_go(state: Path) -> None:
    async def knock() -> None:
        async with connect("127.0.0.1:9", "mole"):
            raise AssertionError("nobody is there")

    for _ in range(2):
        with pytest.raises(Unreachable):
            asyncio.run(knock())
    file = TokenFile(agent_url("127.0.0.1:9"), "mole")
    file.hold()
    file.keep("resume_1")
    file.close()
    assert kept(state)["token"] == "resume_1"


def test_the_token_of_a_body_that_was_given_up_is_forgotten(world: str, state: Path) -> None:
    async def live() -> None:
        async with connect(world, "Mia") as agent:
            assert len(files(state)) == 1
            assert await agent.retire()

    asyncio.run(live())
    assert files(state) == []


def test_of_many_agents_the_last_ones_are_kept(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(token_file, "MAX_FILES", 3)
    server = URL("ws://127.0.0.1:9/v1/ws")
    running = TokenFile(server, "running")
    running.hold()
    running.keep("resume_running")
    for number in range(6):
        file = TokenFile(server, f"mole-{number}")
        file.hold()
        file.keep(f"resume_{number}")
        os.utime(files(state, ".lock")[0].parent)
        file.close()
    tokens = {json.loads(file.read_bytes())["token"] for file in files(state)}
    assert tokens == {"resume_running", "resume_3", "resume_4", "resume_5"}
    assert len(files(state, ".lock")) == 4
    running.close()


def test_tokens_are_in_no_log_and_no_trace(
    world: str, state: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    trace = io.StringIO()
    tokens = []

    async def live() -> None:
        async with connect(world, "Nan", trace=trace) as one, connect(world, "Nan") as other:
            assert await one.do(say("Good morning."))
            tokens.extend([one.token, other.token])

    asyncio.run(live())
    asyncio.run(live())
    assert len(set(tokens)) == 4
    for token in tokens:
        assert token not in caplog.text
        assert token not in trace.getvalue()


def test_an_agent_knows_its_name(world: str) -> None:
    async def live() -> None:
        agent: Agent
        async with connect(world, "Otto", fresh=True) as agent:
            assert agent.name == "Otto"

    asyncio.run(live())

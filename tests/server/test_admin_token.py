"""Nobody is admin by address: the file that makes one, and what this machine may do without it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import stat
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from multiprocessing.pool import ThreadPool
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from aiohttp import ClientSession

from tests.cli.command import run
from tests.server.serving import Served, role_of, with_server
from tests.server.test_up import fails, up
from thorp.kernel.errors import DamagedError
from thorp.server.access.tokens import (
    ADMIN_TOKEN,
    Role,
    Tokens,
    ensure_admin_token,
    read_admin_token,
    rotate_admin_token,
)

STATE = "/admin/v1/state"


def test_the_admin_token_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    data = tmp_path / "new" / "data"
    old = os.umask(0)
    try:
        token = ensure_admin_token(data)
    finally:
        os.umask(old)
    assert stat.S_IMODE((data / ADMIN_TOKEN).stat().st_mode) == 0o600
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    assert ensure_admin_token(data) == token == read_admin_token(data)
    assert os.listdir(data) == [ADMIN_TOKEN]
    rotate_admin_token(data)
    assert ensure_admin_token(data) != token
    assert stat.S_IMODE((data / ADMIN_TOKEN).stat().st_mode) == 0o600


def test_servers_that_start_at_once_have_the_same_admin_token(tmp_path: Path) -> None:
    with ThreadPool(16) as pool:
        assert len(set(pool.map(ensure_admin_token, [tmp_path / "data"] * 64))) == 1


def test_an_older_directory_gets_an_admin_token_and_keeps_its_permissions(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    ensure_admin_token(tmp_path)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


@pytest.mark.parametrize(
    "wrong", ["group", "others", "link", "directory", "empty", "garbage", "cut"]
)
def test_an_admin_token_that_others_may_read_is_refused(wrong: str, tmp_path: Path) -> None:
    token, file = ensure_admin_token(tmp_path), tmp_path / ADMIN_TOKEN
    tokens = Tokens(tmp_path)
    assert role_of(tokens, token) is Role.ADMIN
    if wrong in ("group", "others"):
        file.chmod(0o640 if wrong == "group" else 0o602)
    elif wrong == "link":
        file.rename(tmp_path / "elsewhere")
        file.symlink_to(tmp_path / "elsewhere")
    elif wrong == "directory":
        file.unlink()
        file.mkdir()
    else:
        file.write_bytes(
            {"empty": b"", "garbage": bytes(range(256))}.get(wrong, token[:20].encode())
        )
    with pytest.raises(DamagedError):
        ensure_admin_token(tmp_path)
    assert role_of(tokens, token) is None
    assert role_of(tokens, "") is None
    if wrong != "directory":
        rotate_admin_token(tmp_path)
        assert not file.is_symlink()
        assert role_of(tokens, ensure_admin_token(tmp_path)) is Role.ADMIN


@with_server(loopback=Role.NEIGHBOUR)
async def test_on_this_machine_one_may_watch_join_and_read_without_a_token(served: Served) -> None:
    ensure_admin_token(served.data)
    for path in ("/metrics", "/admin/v1/observer/bootstrap", "/admin/v1/towns", "/story"):
        assert (await served.get(path))[0] == 200, path
    assert (await served.get("/v1/story/stream"))[0] == 404, "there is no story yet"
    async with served.agent() as mole:
        assert mole.id == "A1"
    async with served.socket("/admin/v1/observer/ws"):
        pass
    own = {"Origin": f"http://127.0.0.1:{served.port}"}
    for headers in ({}, own):
        status, body = await served.get(STATE, headers=headers)
        assert status == 401
        assert f"{ADMIN_TOKEN} in {served.data.absolute()}" in json.loads(body)["details"]
        for path in (
            "/admin/v1/snapshot",
            "/invocations",
            "/v1/handoffs",
            "/admin/v1/towns/orders",
        ):
            assert (await served.get(path, "POST", headers=headers, data=b"{}"))[0] == 401, path
    shown = {"Authorization": f"Bearer {ensure_admin_token(served.data)}"}
    assert (await served.get("/admin/v1/snapshot", "POST", headers=shown))[0] == 200
    rotate_admin_token(served.data)
    assert (await served.get("/admin/v1/snapshot", "POST", headers=shown))[0] == 401


@asynccontextmanager
async def plain_proxy(port: int) -> AsyncIterator[int]:
    """A proxy that hands on bytes, and says nothing of those it speaks for."""

    async def hand_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(65536):
            writer.write(piece)
        writer.close()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(hand_on(reader, up_writer), hand_on(up_reader, writer))

    async with await asyncio.start_server(accept, "127.0.0.1", 0) as proxy:
        yield proxy.sockets[0].getsockname()[1]


@with_server(loopback=Role.NEIGHBOUR)
async def test_nobody_is_operator_or_admin_through_a_plain_proxy(served: Served) -> None:
    async with plain_proxy(served.port) as port, ClientSession() as http:
        for host in ("127.0.0.1", "thorp.example"):
            async with http.get(
                f"http://127.0.0.1:{port}{STATE}", headers={"Host": host}
            ) as answer:
                assert answer.status == 401
                assert (str(served.data) in await answer.text()) is (host == "127.0.0.1")


def status_of(url: str, token: str | None = None) -> int:
    request = Request(url, headers={} if token is None else {"Authorization": f"Bearer {token}"})
    try:
        with urlopen(request, timeout=10) as answer:
            return int(answer.status)
    except HTTPError as refused:
        return refused.code


@pytest.fixture(autouse=True)
def _no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("THORP_TOKEN", raising=False)


def test_up_prints_a_link_and_commands_need_no_token_typed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with up(data, "--bots", "1") as running:
        link = running.line(r"open http://127\.0\.0\.1:\d+/\?token=(\S+)")
        token = link[1]
        running.until_ready()
        state = f"http://127.0.0.1:{running.port}{STATE}"
        assert read_admin_token(data) == token
        assert (status_of(state), status_of(state, token)) == (401, 200)

        there = ("--data", str(data))
        assert run("god", "town", "create", "Mill", *there).returncode == 0
        assert run("thorp", "story", "beat", "Rain.", *there).returncode == 0
        assert b"Rain." in run("thorp", "story", "show", *there).stdout
        for told in (
            run("thorp", "config", "show", *there),
            run("thorp", "doctor", *there),
            run("thorp", "token", "list", *there),
        ):
            assert token.encode() not in told.stdout + told.stderr
        assert token not in (data / "serving.json").read_text()

        assert run("thorp", "token", "rotate-admin", *there).returncode == 0
        new = read_admin_token(data)
        assert new is not None
        assert (status_of(state, token), status_of(state, new)) == (401, 200)
        assert run("god", "town", "create", "Weir", *there).returncode == 0
        running.end()
        said = running.process.stderr.read() if running.process.stderr else ""
        assert token not in said
        assert new not in said


def test_trust_loopback_makes_this_machine_admin_and_says_so(tmp_path: Path) -> None:
    with up(tmp_path / "data", "--trust-loopback") as running:
        running.line("every process of this machine is admin")
        running.until_ready()
        assert status_of(f"http://127.0.0.1:{running.port}{STATE}") == 200
    told = fails("up", "--data", str(tmp_path / "data"), "--trust-loopback", "--require-token")
    assert "not both" in told


def test_bots_and_villagers_of_a_server_that_asks_for_tokens_come_in(tmp_path: Path) -> None:
    with up(tmp_path / "data", "--bots", "2", "--require-token") as running:
        running.until_ready()
        token = read_admin_token(tmp_path / "data")
        assert token is not None
        shown = {"Authorization": f"Bearer {token}"}
        metrics = Request(f"http://127.0.0.1:{running.port}/metrics", headers=shown)
        deadline = time.monotonic() + 30
        while not re.search(
            r"\nvoxelcraft_world_clients\S* 2\n", urlopen(metrics, timeout=10).read().decode()
        ):
            assert time.monotonic() < deadline
            time.sleep(0.05)

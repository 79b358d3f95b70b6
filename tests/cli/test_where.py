"""Who keeps a directory, and what is said when a server cannot be used."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from aiohttp import web

from tests.cli.command import THORP
from tests.cli.said import said
from tests.cli.serving import PATIENCE_SECONDS, answered_by, served
from thorp.cli import god
from thorp.cli.location import Where, find_token
from thorp.cli.options import DEFAULT_DATA
from thorp.client import http
from thorp.client.http import HttpClient, ServerError
from thorp.kernel.errors import IllegalError, InvalidError
from thorp.server.access.tokens import ADMIN_TOKEN, Role, Tokens, ensure_admin_token
from thorp.server.processes.lockfile import (
    FILE,
    RunningServer,
    announce_server,
    find_server,
    url_of,
)
from thorp.town.service import EmbeddedTown

HERE = RunningServer("http://127.0.0.1:1", os.getpid(), "0.1.0")
ELSEWHERE = RunningServer("http://127.0.0.1:2", 77, "0.2.0")


def refusal(*arguments: str) -> str:
    answer = said(*arguments, app=god.app)
    assert (answer.code, answer.out) == (2, b"")
    return str(answer.refusal)


# Word in the directory.


def test_word_is_there_as_long_as_the_server_is(tmp_path: Path) -> None:
    data = tmp_path / "new"
    assert find_server(data) is None
    with announce_server(data, HERE):
        assert find_server(data) == HERE
    assert find_server(data) is None
    assert list(data.iterdir()) == []


def test_the_second_server_says_nothing_and_takes_nothing_away(tmp_path: Path) -> None:
    with announce_server(tmp_path, HERE):
        with announce_server(tmp_path, ELSEWHERE):
            assert find_server(tmp_path) == HERE
        assert find_server(tmp_path) == HERE


@pytest.mark.parametrize(
    "left", [b"", b"{", b"\xff" * 9000, b'{"url":"http://127.0.0.1:9","pid":1,"release":"0"}']
)
def test_what_a_killed_server_left_counts_for_nothing(tmp_path: Path, left: bytes) -> None:
    (tmp_path / FILE).write_bytes(left)
    assert find_server(tmp_path) is None
    with announce_server(tmp_path, HERE):
        assert find_server(tmp_path) == HERE


def _hold_for_ever(data: str) -> None:
    with announce_server(Path(data), HERE):
        time.sleep(60)


def test_the_word_of_a_process_goes_with_it(tmp_path: Path) -> None:
    process = multiprocessing.get_context("spawn").Process(
        target=_hold_for_ever, args=(str(tmp_path),)
    )
    process.start()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while find_server(tmp_path) is None:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    assert (tmp_path / FILE).exists()
    assert find_server(tmp_path) is None


def test_many_may_look_at_a_stale_word_at_once(tmp_path: Path) -> None:
    """Nobody takes another who looks for a server; and a server that begins is not kept from saying
    so."""
    (tmp_path / FILE).write_bytes(b'{"url":"http://127.0.0.1:9","pid":1,"release":"0"}')
    found: list[RunningServer | None] = []
    stop = threading.Event()

    def look() -> None:
        while not stop.is_set():
            found.append(find_server(tmp_path))

    lookers = [threading.Thread(target=look) for _ in range(3)]
    for looker in lookers:
        looker.start()
    try:
        for _ in range(20):
            with announce_server(tmp_path, HERE):
                assert find_server(tmp_path) == HERE
    finally:
        stop.set()
        for looker in lookers:
            looker.join()
    assert set(found) <= {None, HERE}


def test_a_held_lockfile_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with announce_server(tmp_path, HERE):
        (tmp_path / FILE).write_bytes(b"{")
        with pytest.raises(IllegalError, match="cannot be read"):
            find_server(tmp_path)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:80"),
        ("0.0.0.0", "http://127.0.0.1:80"),
        ("", "http://127.0.0.1:80"),
        ("::", "http://[::1]:80"),
        ("fe80::1", "http://[fe80::1]:80"),
        ("localhost", "http://localhost:80"),
    ],
)
def test_the_lockfile_has_a_url_that_this_machine_reaches(host: str, url: str) -> None:
    assert url_of(host, 80) == url


def test_the_lockfile_holds_no_secret(tmp_path: Path) -> None:
    _, token = Tokens(tmp_path).create(Role.ADMIN, created="today")
    with served(tmp_path):
        text = (tmp_path / FILE).read_text()
    assert token not in text
    assert set(RunningServer.__struct_fields__) == {"url", "pid", "release"}


# What a server says, and what is said of it.


def test_options_that_contradict_each_other_or_are_nonsense(tmp_path: Path) -> None:
    for arguments, part in (
        (("--data", str(tmp_path), "--url", "http://127.0.0.1:1"), "not both"),
        (("--url", "127.0.0.1:8080"), "takes a URL"),
        (("--url", "http://"), "address of a server"),
        (("--url", "http://me:secret@127.0.0.1:1"), "address of a server"),
        (("--url", "http://127.0.0.1:1?token=x"), "address of a server"),
        (("--url", "http://127.0.0.1:99999"), "address of a server"),
        (("--url", "http://127.0.0.1:1", "--token", "two words"), "a token has"),
        (("--url", "http://127.0.0.1:1", "--token", "x\r\nHost: y"), "a token has"),
    ):
        assert part in refusal("town", "list", *arguments)


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with announce_server(tmp_path, HERE):
        told = refusal("town", "list", "--data", str(tmp_path))
    assert "http://127.0.0.1:1" in told
    assert f"which holds {tmp_path}, cannot be reached" in told
    assert not (tmp_path / "town.db").exists()
    assert "cannot be reached" in refusal("town", "list", "--url", "http://no-such-name.invalid:1")


def test_a_token_is_needed_and_roles_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("THORP_TOKEN", raising=False)
    tokens = {
        role: Tokens(tmp_path).create(role, created="today")[1]
        for role in (Role.VIEWER, Role.OPERATOR)
    }
    data = ("--data", str(tmp_path))
    with served(tmp_path, loopback=Role.ANYONE):
        (tmp_path / ADMIN_TOKEN).unlink()
        told = refusal("town", "create", "a", *data)
        assert "admin-token in the server's data directory" in told
        assert "give it with --data, --token or $THORP_TOKEN" in told
        assert "this token is not known" in refusal(
            "town", "create", "a", *data, "--token", "thorp_wrong"
        )
        assert "yours is viewer" in refusal(
            "town", "create", "a", *data, "--token", tokens[Role.VIEWER]
        )
        assert (
            said("town", "create", "a", *data, "--token", tokens[Role.OPERATOR], app=god.app).code
            == 0
        )
        monkeypatch.setenv("THORP_TOKEN", tokens[Role.VIEWER])
        for looking in (
            ("town", "list"),
            ("snapshot", "a"),
            ("town", "board", "a"),
            ("chronicle",),
        ):
            assert said(*looking, *data, app=god.app).code == 0
        for ordering in (("day", "advance"), ("event", "draw", "a"), ("receipt", "retain", "9")):
            assert "this needs the role operator" in refusal(*ordering, *data)


def test_the_admin_token_goes_to_the_server_that_holds_its_directory_and_to_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("THORP_TOKEN", raising=False)
    monkeypatch.delenv("THORP_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    data, shown = tmp_path / DEFAULT_DATA, list[str | None]()

    async def curious(request: web.Request) -> web.StreamResponse:
        shown.append(request.headers.get("Authorization"))
        return web.json_response({"world": None, "towns": []})

    with served(data) as url, answered_by(curious) as elsewhere:
        token = ensure_admin_token(data)
        assert said("town", "create", "a", "--url", url, app=god.app).code == 0
        assert said("town", "create", "b", app=god.app).code == 0
        assert [find_token(each) for each in (url, url.replace("http", "ws") + "/v1/ws")] == [
            token
        ] * 2
        assert find_token(url, "given") == "given"
        refusal("town", "list", "--url", elsewhere)
        (data / ADMIN_TOKEN).chmod(0o644)
        assert "others may read it" in refusal("town", "list")
    assert set(shown) == {None}
    assert find_token(url) is None, "a server that has ended is nobody's"


def test_two_servers_of_two_directories(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    with served(one), served(two) as url:
        for data in (one, two):
            assert said("town", "create", data.name, "--data", str(data), app=god.app).code == 0
        told = said("town", "list", "--url", url, app=god.app)
    assert told.out.startswith(b"two ")
    with EmbeddedTown(one, create=False) as world:
        assert [town.town_id for town in world.towns()] == ["one"]


@contextmanager
def answering(status: int, body: str, **headers: str) -> Iterator[HttpClient]:
    async def handler(request: web.Request) -> web.StreamResponse:
        return web.Response(status=status, text=body, headers=headers)

    with answered_by(handler) as url:
        asked = HttpClient(url)
        try:
            yield asked
        finally:
            asked.close()


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (200, "<html>", "gibberish"),
        (404, '{"error":"not_found","details":"/admin/v1/towns"}', "too_old"),
        (405, "", "too_old"),
        (302, "", "redirected"),
        (401, "", "token"),
        (403, '{"error":"forbidden","details":"no"}', "token"),
        (500, "oh dear", "server"),
        (503, '{"error":"busy","details":"later"}', "server"),
        (400, "not what we know", "server"),
        (400, '["error"]', "server"),
        (409, '{"error":"locked","details":"so it is"}', "locked"),
        (
            400,
            '{"error":"x","details":{"violations":[{"code":"c","path":"$.a","message":"m"}]}}',
            "c",
        ),
        (400, '{"error":"x","details":{"violations":[7]}}', "x"),
        (400, '{"error":"x","details":{"violations":7}}', "x"),
        (503, '{"error":"busy","details":"later","kind":"unavailable"}', "busy"),
        (409, '{"error":"x","details":"y","kind":"no such kind"}', "x"),
    ],
)
def test_what_is_made_of_an_answer(status: int, body: str, code: str) -> None:
    headers = {"Location": "/elsewhere"} if status == 302 else {}
    with answering(status, body, **headers) as asked, pytest.raises(Exception) as refused:
        asked.get("/admin/v1/towns")
    assert refused.value.code == code  # type: ignore[attr-defined]


def test_an_answer_that_never_ends_and_one_that_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MAX_ANSWER_BYTES", 1000)

    async def handler(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        await response.write(b"x" * (2000 if request.path == "/large" else 10))
        if request.path == "/cut":
            assert request.transport is not None
            request.transport.abort()
        await asyncio.sleep(0 if request.path != "/slow" else 30)
        return response

    with answered_by(handler) as url:
        asked = HttpClient(url)
        try:
            for path, code in (("/large", "size"), ("/cut", "lost"), ("/slow", "timeout")):
                with pytest.raises(ServerError) as refused:
                    asked.get(path, seconds=0.5)
                assert refused.value.code == code
            with pytest.raises(ServerError) as refused:
                list(asked.lines("/cut", {}))
            assert refused.value.code == "lost"
        finally:
            asked.close()


def test_a_line_outlives_a_connection_that_the_server_closed(tmp_path: Path) -> None:
    """A batch may wait for its next line longer than a server keeps a silent connection."""
    closed = threading.Event()

    async def handler(request: web.Request) -> web.StreamResponse:
        def cut() -> None:
            assert request.transport is not None
            request.transport.close()
            closed.set()

        asyncio.get_running_loop().call_later(0.05, cut)
        return web.json_response(await request.json())

    with answered_by(handler) as url:
        asked = HttpClient(url)
        try:
            for number in range(3):
                closed.clear()
                assert asked.post("/orders", b"%d" % number) == number
                assert closed.wait(PATIENCE_SECONDS)
                time.sleep(0.05)
        finally:
            asked.close()


def test_a_world_that_is_being_opened_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    async def handler(request: web.Request) -> web.StreamResponse:
        asked.append(request.method)
        if len(asked) < 3 or request.path == "/never":
            return web.json_response({"error": "not_ready", "details": "being opened"}, status=503)
        return web.json_response("at last")

    monkeypatch.setattr(http, "ASK_AGAIN_SECONDS", 0.01)
    with answered_by(handler) as url:
        waiting = HttpClient(url)
        try:
            assert waiting.post("/orders", b"{}") == "at last"
            assert asked == ["POST"] * 3
            monkeypatch.setattr(http, "READY_SECONDS", 0.05)
            with pytest.raises(ServerError, match="being opened"):
                waiting.get("/never")
        finally:
            waiting.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_command_that_waits_can_be_stopped(number: int) -> None:
    asked = threading.Event()

    async def handler(request: web.Request) -> web.StreamResponse:
        asked.set()
        await asyncio.sleep(PATIENCE_SECONDS)
        return web.Response()

    with answered_by(handler) as url:
        command = [str(THORP.with_name("god")), "town", "list", "--url", url]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert asked.wait(PATIENCE_SECONDS)
        process.send_signal(number)
        assert process.communicate(timeout=PATIENCE_SECONDS) == (b"", b"")
    assert process.returncode == 128 + number


def test_a_database_by_url_is_opened_here(tmp_path: Path) -> None:
    found = Where(url=f"sqlite:///{tmp_path}/town.db").find()
    assert found == f"sqlite:///{tmp_path}/town.db"
    with pytest.raises(InvalidError):
        Where(url="nonsense").find()

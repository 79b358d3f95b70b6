"""One bounded POST, against a real server that does everything wrong."""

from __future__ import annotations

import gc
import os
import shlex
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from tests.models import misbehaviour
from tests.models.loopback import Handler, saying, serving, unused_address
from thorp.models.http_post import BODY_BYTES_LIMIT, DETAIL_BYTES_LIMIT, PostError, post

HANG_SECONDS = 20


async def echo(request: web.Request) -> web.StreamResponse:
    return web.Response(body=await request.read())


@pytest.fixture(autouse=True)
def _never_hangs():
    started = time.monotonic()
    yield
    assert time.monotonic() - started < HANG_SECONDS


def test_body_there_and_back() -> None:
    with serving(echo) as url:
        answer = post(url, b'{"a":1}', seconds=5)
    assert (answer.status, answer.body, answer.retry_after) == (200, b'{"a":1}', None)


def test_headers_and_no_compression_asked_for() -> None:
    seen: dict[str, Any] = {}

    async def handler(request: web.Request) -> web.StreamResponse:
        seen.update(request.headers)
        return web.Response(text="{}")

    with serving(handler) as url:
        post(url, b"{}", seconds=5, headers={"X-One": "1"})
    assert seen["X-One"] == "1"
    assert seen["Accept-Encoding"] == "identity"
    assert seen["Content-Type"] == "application/json"


@pytest.mark.parametrize(
    ("handler", "code", "text"),
    [
        (misbehaviour.cut_off, "cut_off", "the reply was cut off"),
        (misbehaviour.cut_off_chunked, "cut_off", "the reply was cut off"),
        (misbehaviour.close, "connection", "connection failed"),
        (misbehaviour.huge, "size", "the reply is larger than 1048576 bytes"),
        (misbehaviour.endless, "size", "the reply is larger than 1048576 bytes"),
    ],
)
def test_broken_replies(handler: Handler, code: str, text: str) -> None:
    with serving(handler) as url, pytest.raises(PostError) as caught:
        post(url, b"{}", seconds=10)
    assert (caught.value.code, str(caught.value)) == (code, text)


@pytest.mark.parametrize(
    "handler", [misbehaviour.stall, misbehaviour.drip, misbehaviour.stall_in_error]
)
def test_the_deadline_covers_the_whole_reply(handler: Handler) -> None:
    with serving(handler) as url, pytest.raises(TimeoutError):
        post(url, b"{}", seconds=0.2)


def test_a_body_of_exactly_the_limit_is_taken() -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        return web.Response(body=b" " * BODY_BYTES_LIMIT)

    with serving(handler) as url:
        assert len(post(url, b"{}", seconds=10).body) == BODY_BYTES_LIMIT


def test_nobody_listens() -> None:
    with pytest.raises(PostError, match="connection failed"):
        post(unused_address(), b"{}", seconds=5)


def test_a_name_that_does_not_exist() -> None:
    with pytest.raises(PostError, match="connection failed"):
        post("http://no-such-host.invalid/", b"{}", seconds=10)


@pytest.mark.parametrize("data", [b"hello\r\n\r\n", b"HTTP/1.1 two hundred\r\n\r\n", b"\x00" * 100])
def test_what_is_not_http(data: bytes) -> None:
    with saying(data) as url, pytest.raises(PostError, match="the reply is not HTTP"):
        post(url, b"{}", seconds=5)


def test_a_server_that_never_completes_the_tls_handshake() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, pytest.raises(TimeoutError):
        post(f"https://127.0.0.1:{server.getsockname()[1]}", b"{}", seconds=0.3)
    gc.collect()  # what was left open would warn now


def test_ctrl_c_leaves_nothing_behind() -> None:
    asked = threading.Event()

    async def stall(request: web.Request) -> web.StreamResponse:
        asked.set()
        return await misbehaviour.stall(request)

    program = (
        "import sys\nfrom thorp.models.http_post import post\npost(sys.argv[1], b'{}', seconds=60)"
    )
    with serving(stall) as url:
        client = subprocess.Popen(
            [sys.executable, "-X", "dev", "-c", program, url], stderr=subprocess.PIPE, text=True
        )
        assert asked.wait(10)
        client.send_signal(signal.SIGINT)
        _, said = client.communicate(timeout=HANG_SECONDS)
    assert said.splitlines()[-1] == "KeyboardInterrupt"
    for noise in ("ResourceWarning", "Unclosed", "never retrieved", "was destroyed"):
        assert noise not in said


def test_redirects_are_not_followed() -> None:
    with serving(misbehaviour.redirect) as url:
        assert post(url, b"{}", seconds=5).status == 307


def test_other_statuses_keep_the_beginning_of_their_body() -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        return web.Response(status=503, text="x" * 10_000, headers={"Retry-After": "7"})

    with serving(handler) as url:
        answer = post(url, b"{}", seconds=5)
    assert (answer.status, answer.retry_after) == (503, "7")
    assert answer.body == b"x" * DETAIL_BYTES_LIMIT


def test_compressed_replies_are_not_unpacked() -> None:
    with serving(misbehaviour.compressed) as url:
        assert len(post(url, b"{}", seconds=5).body) < 10_000


def test_proxies_from_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, unused_address())
    with serving(echo) as url:
        assert post(url, b"{}", seconds=5).status == 200


CERTIFICATE = shlex.split(
    "openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 "
    "-subj /CN=localhost -addext subjectAltName=IP:127.0.0.1"
)


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> tuple[ssl.SSLContext, Path]:
    directory = tmp_path_factory.mktemp("tls")
    try:
        subprocess.run(CERTIFICATE, cwd=directory, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl is not installed")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(directory / "cert.pem", directory / "key.pem")
    return context, directory / "cert.pem"


def test_a_certificate_nobody_vouches_for(tls: tuple[ssl.SSLContext, Path]) -> None:
    with serving(echo, tls[0]) as url, pytest.raises(PostError, match="connection failed"):
        post(url, b"{}", seconds=5)


@pytest.mark.parametrize(
    ("handler", "expected"),
    [(echo, "200"), (misbehaviour.stall, "timeout"), (misbehaviour.huge, "size")],
)
def test_https(tls: tuple[ssl.SSLContext, Path], handler: Handler, expected: str) -> None:
    # In a process of its own, for Python reads SSL_CERT_FILE once; with every warning an error.
    program = (
        "import sys\nfrom thorp.models.http_post import PostError, post\n"
        "try: print(post(sys.argv[1], b'{}', seconds=1).status)\n"
        "except TimeoutError: print('timeout')\n"
        "except PostError as failure: print(failure.code)\n"
    )
    with serving(handler, tls[0]) as url:
        done = subprocess.run(
            [sys.executable, "-X", "dev", "-W", "error", "-c", program, url],
            env={**os.environ, "SSL_CERT_FILE": str(tls[1])},
            capture_output=True,
            text=True,
            timeout=HANG_SECONDS,
        )
    # On a busy machine the development mode tells of steps that took long.
    told = [line for line in done.stderr.splitlines() if not line.startswith("Executing <")]
    assert (done.stdout.strip(), told) == (expected, [])

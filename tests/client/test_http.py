"""The client of the HTTP API reads no more than it can bear, whatever a server sends."""

import asyncio
import socket
import threading
from collections.abc import Iterator

import aiohttp
import pytest

from thorp.client import http
from thorp.client.http import HttpClient, ServerError, read_json_answer

MAX_BYTES = 2**20
SENT_AT_MOST = 200 * MAX_BYTES  # Of what never ends, if nobody stops reading.


class EndlessServer(threading.Thread):
    """Answers one request with 200 and a body that has no end, and no line break in it."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.sent_bytes = 0

    def run(self) -> None:
        peer, _ = self._listener.accept()
        with self._listener, peer:
            peer.recv(65536)
            try:
                peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
                while self.sent_bytes < SENT_AT_MOST:
                    peer.sendall(b"1" * 65536)
                    self.sent_bytes += 65536
            except OSError:
                return  # it has hung up, as it should


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EndlessServer]:
    monkeypatch.setattr(http, "MAX_ANSWER_BYTES", MAX_BYTES)
    server = EndlessServer()
    server.start()
    yield server
    server.join(10.0)
    assert not server.is_alive()
    assert server.sent_bytes < SENT_AT_MOST  # what the two systems have buffered is far less


def test_a_document_without_an_end_is_refused(server: EndlessServer) -> None:
    with HttpClient(server.url) as client, pytest.raises(ServerError, match="larger"):
        client.get("/")


def test_a_line_without_an_end_is_refused(server: EndlessServer) -> None:
    with HttpClient(server.url) as client, pytest.raises(ServerError, match="larger"):
        list(client.lines("/", {}))


def test_an_answer_without_an_end_is_refused_in_a_running_loop(server: EndlessServer) -> None:
    async def ask() -> None:
        async with aiohttp.ClientSession() as session, session.get(server.url) as response:
            await read_json_answer(response)

    with pytest.raises(ServerError, match="larger"):
        asyncio.run(ask())

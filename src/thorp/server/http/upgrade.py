"""Tells requests for a WebSocket from plain HTTP, and refuses the latter where it must."""

from aiohttp import web


def wants_socket(request: web.Request) -> bool:
    """Whether a request asks for a WebSocket, in a way that can be granted."""
    return web.WebSocketResponse().can_prepare(request).ok


def refuse_plain_http() -> web.Response:
    """The answer to plain HTTP where only a WebSocket is served."""
    return web.Response(status=400, text="Bad Request", headers={"Sec-Websocket-Version": "13"})

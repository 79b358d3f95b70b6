"""Finds out whether an answer has arrived at the machine that asked.

A handler cannot know that by itself: what it writes goes into a buffer of the system, even when the
client hung up a moment before. The system knows: it keeps sent bytes until the peer has
acknowledged them, and it remembers that the peer has refused some.
"""

import asyncio
import fcntl
import socket
import struct
import termios
from contextlib import suppress
from time import monotonic
from typing import Final

from aiohttp import web

from thorp.server.sockets.limited_protocol import on_connection_lost

# An answer that is not acknowledged after this time counts as lost. A slow line needs some seconds.
DELIVERY_SECONDS: Final = 30.0
# How often the system is asked whether the answer was acknowledged: it does not say so by itself.
LOOK_SECONDS: Final = 0.1

_INTEGER_BYTES: Final = struct.calcsize("i")


async def has_arrived(request: web.Request, response: web.StreamResponse) -> bool:
    """Wait until the answer to a request, which is about to be written, has arrived; False if it
    will not.

    Begun in a task of its own, before the handler returns the answer.
    """
    transport = request.transport
    over = asyncio.Event()
    arrived = False

    def end() -> None:
        nonlocal arrived
        arrived = response.prepared and transport is not None and _is_acknowledged(transport)
        over.set()

    with on_connection_lost(request, end) as is_open:
        if transport is None or not is_open:
            return False
        until = monotonic() + DELIVERY_SECONDS
        while not over.is_set() and monotonic() < until:
            if response.prepared and _is_acknowledged(transport):
                return True
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await over.wait()
    return arrived


def _is_acknowledged(transport: asyncio.Transport) -> bool:
    """Whether the peer's system has taken all that was written."""
    if transport.get_write_buffer_size():
        return False
    connection = transport.get_extra_info("socket")
    try:
        if connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            return False  # the peer had closed the connection before the answer came
        waiting = fcntl.ioctl(connection.fileno(), termios.TIOCOUTQ, bytes(_INTEGER_BYTES))
    except OSError:
        return True  # this system has no such question, so the answer counts as arrived
    return waiting == bytes(_INTEGER_BYTES)

"""One agent's connection: how much it may still send this tick, and what waits to be sent to it."""

import asyncio
from hashlib import sha256

from aiohttp import web

from thorp.protocol.handshake import Hello
from thorp.server.frames import Inbox, close_socket, text_frame
from thorp.voxel.observation.session import Session


class Connection:
    """Lives from a valid HELLO until the socket is gone. The tick that admits it gives it its number."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        transport: asyncio.Transport,
        inbox: Inbox,
        hello: Hello,
        address: str | None,
    ) -> None:
        self.socket = socket
        self.inbox = inbox
        self.transport = transport
        self.address = address
        """The address whose new bodies are limited; None if they are not."""
        self.refusal = "the world is full"
        """Why it was not admitted."""
        self.name = hello.agent_name
        self.title = hello.title or ""
        self.capabilities = hello.capabilities
        self.presented_hash = sha256(hello.token.encode()).digest() if hello.token else b""
        """The hash of the resume token it came with."""
        self.admitted: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.number = 0
        self.resumed = False
        """Whether its token was known."""
        self.token = ""
        self.session: Session | None = None
        self.closing: asyncio.Task[None] | None = None
        self.acts = 0
        """ACTs taken since the last tick began, and their bytes."""
        self.bytes = 0
        self.missed_moves = 0
        """In lockstep: how many move deadlines it has let pass since it sent something."""
        self._next_tick = asyncio.Event()

    def begin_tick(self) -> None:
        """A tick took what it sent; there is room again."""
        self.acts = self.bytes = 0
        self._next_tick.set()

    async def next_tick(self) -> None:
        """Wait until a tick takes what it sent. Meanwhile nothing is read, which holds the peer back."""
        self._next_tick.clear()
        await self._next_tick.wait()

    def flush(self) -> bool:
        """Write frames while the system takes them; return whether some still wait."""
        session, transport = self.session, self.transport
        if session is None or transport.is_closing():
            return False
        while not transport.get_write_buffer_size():
            text = session.take()
            if text is None:
                return False
            transport.write(text_frame(text))
        return len(session) > 0

    async def close(self, code: int, reason: str) -> None:
        await close_socket(self.socket, self.transport, code, reason)

"""One agent's connection: how much it may still send this tick, what waits to be sent, and its
first frames.

The first eight frames are WELCOME and the seven catalogs, which are encoded once for a world.
Digests are SHA-256 over the text of a catalog's `data` exactly as it is sent, so a client can check
each.
"""

import asyncio
from hashlib import sha256
from typing import Any, Final

import msgspec
from aiohttp import web
from msgspec import UNSET

from thorp.protocol import handshake
from thorp.protocol.websocket import text_frame
from thorp.server.sockets.frames import Inbox, close_socket
from thorp.voxel import World
from thorp.voxel.observation.session import Session
from thorp.voxel.state.ground import CHUNK, HEIGHT
from thorp.voxel.tuning import tuning_catalog

# In the order in which they are sent.
CATALOGS: Final = (
    "block_palette",
    "item_palette",
    "tuning",
    "recipes",
    "blueprints",
    "law_templates",
    "events",
)
CHUNK_SIZE: Final = (CHUNK, CHUNK, HEIGHT)

_encode = msgspec.json.encode


class AgentConnection:
    """One agent's socket, from a valid HELLO until it is gone. The tick that admits it gives it the
    number of its body."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        transport: asyncio.Transport,
        inbox: Inbox,
        hello: handshake.Hello,
        address: str,
        *,
        unlimited: bool,
    ) -> None:
        self.socket = socket
        self.inbox = inbox
        self.transport = transport
        self.address = address
        """Where it comes from; empty if that is this server itself."""
        self.unlimited = unlimited
        """Whether the limit on new bodies from its address is lifted."""
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
        self.cursor = 0
        """Its reader certainly has the events below this number; `session` knows the present
        one."""
        self.closing: asyncio.Task[None] | None = None
        self.acts = 0
        """ACTs taken since the last tick began, and their bytes."""
        self.bytes = 0
        self.missed_moves = 0
        """In lockstep: how many move deadlines it has let pass since it sent something."""
        self._next_tick = asyncio.Event()

    def begin_session(self, cursor: int) -> None:
        """Begin to observe for its agent, whose seat it holds from now on. Its reader has had the
        events below `cursor`."""
        self.cursor = cursor
        delta = self.capabilities.delta_voxels
        most = self.capabilities.max_queue
        self.session = Session(self.number, delta=delta, max_queue=most, cursor=cursor)

    def begin_tick(self) -> None:
        """Let it send again: a tick took what it sent."""
        self.acts = self.bytes = 0
        self._next_tick.set()

    async def next_tick(self) -> None:
        """Wait until a tick takes what it sent. Meanwhile nothing is read, which holds the peer
        back."""
        self._next_tick.clear()
        await self._next_tick.wait()

    def flush(self) -> bool:
        """Write frames while the system takes them; return whether some still wait."""
        session = self.session
        transport = self.transport
        if session is None or transport.is_closing():
            return False
        # A frame is taken only when the one before has left this process. Until then the session
        # replaces an OBS that waits by a newer one, so that a slow reader gets fresh ones.
        while not transport.get_write_buffer_size():
            text = session.take()
            if text is None:
                return False
            transport.write(text_frame(text))
        return len(session) > 0

    async def close(self, code: int, reason: str) -> None:
        """Close the socket, at the latest after its peer was given a moment to answer."""
        await close_socket(self.socket, self.transport, code, reason)


class Greeting:
    """The first eight frames of a session."""

    def __init__(self, world: World, clock: str = "real") -> None:
        data: dict[str, Any] = {**world.catalogs.lists(), "tuning": tuning_catalog(world.tuning)}
        texts = {name: _encode(data[name]) for name in CATALOGS}
        digests = {name: sha256(text).hexdigest() for name, text in texts.items()}
        self.catalogs = b"".join(
            text_frame(
                _encode(handshake.Catalog(name=name, digest=digests[name], data=msgspec.Raw(text)))
            )
            for name, text in texts.items()
        )
        self._params = handshake.WorldParams(
            tick_rate_hz=world.tuning.tick_rate_hz,
            chunk_size=CHUNK_SIZE,
            height=HEIGHT,
            obs_radius=world.tuning.obs_radius,
            day_ticks=world.tuning.day_ticks,
            seed=world.seed,
            clock=clock if clock == handshake.LOCKSTEP else UNSET,
        )

        def palette(name: str) -> handshake.PaletteDigest:
            return handshake.PaletteDigest(digest=digests[name], count=len(data[name]))

        self._digests = handshake.CatalogDigests(
            block_palette=palette("block_palette"),
            item_palette=palette("item_palette"),
            recipes_digest=digests["recipes"],
            blueprints_digest=digests["blueprints"],
            law_templates_digest=digests["law_templates"],
            events_digest=digests["events"],
            tuning_digest=digests["tuning"],
        )

    def frames(self, newcomer: AgentConnection, agent_id: str) -> bytes:
        """WELCOME and the catalogs as the bytes of their frames."""
        welcome = handshake.Welcome(
            agent_id=agent_id,
            resume_token=newcomer.token,
            world_params=self._params,
            catalogs=self._digests,
            token_unknown=UNSET if newcomer.resumed or not newcomer.presented_hash else True,
        )
        return text_frame(_encode(welcome)) + self.catalogs

"""The stream for spectators, observer protocol 0.1: ticks, surfaces, voxels. Watching changes
nothing.

It never carries whispers, memory or tokens. Its cost is bounded: the chunks that a viewer gets in a
tick, and those generated for all viewers together; the rest is sent later. A viewer that does not
keep up misses ticks, and gets whole chunks again where it missed patches.
"""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from time import monotonic
from typing import Final

from aiohttp import WSCloseCode, web

from thorp.observer.bootstrap import make_bootstrap
from thorp.observer.spectator_frames import LAYERS, Chunks, SelfDescriptions, tick_text
from thorp.protocol.handshake import SubscribeError, read_subscribe
from thorp.protocol.observer import Bootstrap, Subscribe
from thorp.protocol.websocket import DEFLATE_BITS, DeflatedStream, deflated_frame, text_frame
from thorp.server.sockets.frames import IGNORED_COST_BYTES, Inbox, close_socket
from thorp.server.sockets.limited_protocol import open_socket
from thorp.server.sockets.resume_token import WORLD_ID
from thorp.voxel import AnyInput, World
from thorp.voxel.observation.surface import chunks_around
from thorp.voxel.state.ground import ChunkKey

SUBSCRIBE_SECONDS: Final = 5.0
# Each costs a socket, and the chunks that it lacks within the bounds below.
MAX_VIEWERS: Final = 256
# Between pings. Every viewer that reads answers them, even a page that never sends anything.
PING_SECONDS: Final = 10.0
# When all places are taken, a viewer that has read nothing for this long loses its place to a new
# one.
IDLE_SECONDS: Final = 30.0
_PING: Final = b"\x89\x00"
# A viewer whose socket holds more than this unsent misses the tick.
BACKLOG_BYTES: Final = 512 * 1024
# In ticks: the chunks that a viewer wants are planned once a second, not every tick.
PLAN_EVERY: Final = 5
# In ticks: every tenth one is a whole tick, at which the compressed stream starts over. Until the
# next one a new viewer gets ticks that are compressed each by itself.
WHOLE_EVERY: Final = 10
# Up to this many chunks of a layer and tick go out uncompressed to a viewer that follows the
# compressed stream. A compressed chunk would throw the viewer out of it until the next whole tick,
# which costs some 2 kB a tick; a chunk has 1 to 6 kB.
PLAIN_CHUNKS: Final = 2
# Surfaces that one viewer may have, whatever it asks for: all within 32 chunks of one body. This
# also bounds its plan.
SURFACES_PER_VIEWER: Final = 65 * 65
# Chunks that may be planned in one tick for all viewers together, at about 2 µs each. A plan that
# begins within this limit is finished; the other viewers have their turn in a later tick.
PLANNED_PER_TICK: Final = 2_048


class Coverage:
    """What a viewer has of one layer: the chunks it was sent, and which of them are stale."""

    def __init__(self) -> None:
        self._wanted: dict[ChunkKey, None] = {}
        self._missing: dict[ChunkKey, None] = {}
        """Wanted chunks that the viewer lacks or has only stale, the most wanted first."""
        self.wanted_ticks: dict[ChunkKey, int] = {}
        """The chunks that the viewer has; for each, the last tick in which it was wanted."""
        self._stale: set[ChunkKey] = set()

    def want(self, chunks: Sequence[ChunkKey], tick: int) -> None:
        """Replace the plan: these chunks are wanted now, the most wanted first."""
        self._wanted = dict.fromkeys(chunks)
        self._missing = {key: None for key in chunks if not self.has(key)}
        for key in chunks:
            if key in self.wanted_ticks:
                self.wanted_ticks[key] = tick

    def missing(self, most: int) -> list[ChunkKey]:
        """The most wanted chunks that the viewer lacks or has only stale."""
        return list(islice(self._missing, most))

    def wants(self, key: ChunkKey) -> bool:
        """Whether a chunk is in the plan."""
        return key in self._wanted

    def has(self, key: ChunkKey) -> bool:
        """Whether the viewer has a chunk as it is now."""
        return key in self.wanted_ticks and key not in self._stale

    def sent(self, key: ChunkKey, tick: int) -> None:
        """Note that the viewer was sent a whole chunk."""
        self.wanted_ticks[key] = tick
        self._stale.discard(key)
        self._missing.pop(key, None)

    def mark_stale(self, keys: Iterable[ChunkKey]) -> None:
        """Note that the viewer missed changes of these chunks, and needs them whole again."""
        stale = [key for key in keys if key in self.wanted_ticks]
        self._stale.update(stale)
        self._missing.update((key, None) for key in stale if key in self._wanted)

    def forget_before(self, tick: int) -> list[ChunkKey]:
        """Forget the chunks that were not wanted since that tick; return them."""
        old = [key for key, last in self.wanted_ticks.items() if last < tick]
        for key in old:
            del self.wanted_ticks[key]
            self._stale.discard(key)
        return old


class Viewer:
    """One spectator's socket."""

    def __init__(
        self, transport: asyncio.Transport, inbox: Inbox, subscription: Subscribe, tick: int
    ) -> None:
        self.transport = transport
        self._inbox = inbox
        self._waiting_bytes = 0
        self._taken_at = 0.0
        self.subscription = subscription
        self.planned_tick = tick
        """The tick of its last plan, or in which it came. The viewer that has waited longest is
        planned for next."""
        self.is_new_subscription = True
        self.inflates = False
        """Whether it takes compressed frames."""
        self.is_following = False
        """Whether it got every message of the compressed stream since the last whole tick, and no
        other compressed frame: then its decompressor is where the stream is."""
        self.gets_chunks = False
        """Whether compressed chunks go out with this tick."""
        self.coverage = {layer.name: Coverage() for layer in LAYERS}
        self.pending: list[bytes] = []

    def subscribe(self, subscription: Subscribe) -> None:
        """Replace what it wants to see."""
        self.subscription = subscription
        self.is_new_subscription = True

    def is_due(self, tick: int) -> bool:
        """Whether its chunks should be planned in this tick."""
        return self.is_new_subscription or tick - self.planned_tick >= PLAN_EVERY

    def keeps_up(self) -> bool:
        """Whether it reads fast enough to get this tick."""
        return self.transport.get_write_buffer_size() <= BACKLOG_BYTES

    def send(self, frames: bytes) -> None:
        """Write frames to its socket, unless that is closing."""
        if not self.transport.is_closing():
            self.note_progress()
            self.transport.write(frames)
            self._waiting_bytes = self.transport.get_write_buffer_size()

    def note_progress(self) -> None:
        """Notice whether a slow viewer reads: then less waits in its socket than before."""
        waiting = self.transport.get_write_buffer_size()
        if waiting < self._waiting_bytes:
            self._taken_at = monotonic()
        self._waiting_bytes = waiting

    def read_at(self) -> float:
        """When it last showed that it reads what it is sent."""
        return max(self._inbox.heard_at, self._taken_at)


class Spectators:
    """Everyone who watches one world."""

    def __init__(self, world: World, max_viewers: int = MAX_VIEWERS) -> None:
        self._world = world
        self._max_viewers = max_viewers
        self._pinging: asyncio.TimerHandle | None = None
        self._viewers: dict[Viewer, web.WebSocketResponse] = {}
        self._chunks = Chunks(world.ground)
        self._descriptions = SelfDescriptions()
        self._renewed = world.ground.renewed
        self._stream = DeflatedStream()
        self._packer = ThreadPoolExecutor(1, "thorp spectators")
        self._packed: Future[tuple[bytes, bytes]] | None = None

    def __len__(self) -> int:
        return len(self._viewers)

    def bootstrap(self) -> Bootstrap:
        """What a page has to know before it can read the stream."""
        return make_bootstrap(self._world, WORLD_ID)

    # The life of a connection

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Show the world to one spectator until its socket is gone."""
        socket, transport = await open_socket(request, compress=True)
        if transport is None:
            return socket
        viewer = None
        inbox = Inbox(socket)
        try:
            async with asyncio.timeout(SUBSCRIBE_SECONDS):
                subscription = await _next_subscription(inbox)
            if subscription is not None and not self._has_room():
                await close_socket(socket, transport, WSCloseCode.TRY_AGAIN_LATER, "server busy")
            elif subscription is not None:
                viewer = Viewer(transport, inbox, subscription, self._world.tick)
                viewer.inflates = socket.compress == DEFLATE_BITS
                self._viewers[viewer] = socket
                self._pinging = self._pinging or self._ping_later()
                while (subscription := await _next_subscription(inbox)) is not None:
                    viewer.subscribe(subscription)
        except TimeoutError:
            transport.abort()
        except SubscribeError as problem:
            await close_socket(socket, transport, problem.close_code, problem.reason)
        finally:
            if viewer is not None:
                self._viewers.pop(viewer, None)
        return socket

    def _has_room(self) -> bool:
        """Whether one more may watch. If no place is free, the longest idle viewer is cut."""
        if len(self._viewers) < self._max_viewers:
            return True
        idle = min(self._viewers, key=Viewer.read_at, default=None)
        if idle is None or monotonic() - idle.read_at() < IDLE_SECONDS:
            return False
        del self._viewers[idle]
        idle.transport.abort()  # a close frame would wait behind all that it does not read
        return True

    def _ping(self) -> None:
        """Ping every viewer to learn who reads, even while the world does not tick."""
        for viewer in self._viewers:
            if viewer.keeps_up():
                viewer.send(_PING)
            else:
                viewer.note_progress()
        self._pinging = self._ping_later() if self._viewers else None

    def _ping_later(self) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(PING_SECONDS, self._ping)

    async def stop(self, code: int, reason: str) -> None:
        """Close every viewer's socket."""
        self._packer.shutdown(wait=False)
        closing = [
            close_socket(socket, viewer.transport, code, reason)
            for viewer, socket in self._viewers.items()
        ]
        await asyncio.gather(*closing)

    # The life of a tick

    def compose(self, inputs: Sequence[AnyInput]) -> None:
        """Compose the tick's frames for every viewer. Nothing is sent before `release`."""
        if self._renewed != self._world.ground.renewed:
            self._start_over()
        changes = self._chunks.begin_tick(self._world.scratch.block_changes)
        self._descriptions.take(self._world, inputs)
        if not self._viewers:
            return
        text = tick_text(self._world, inputs, self._descriptions)
        tick_frame = text_frame(text)
        # Compressed once for everybody, in a thread, while the disk writes the tick.
        self._packed = self._packer.submit(self._pack, text, self._world.tick % WHOLE_EVERY == 0)
        reading = dict.fromkeys(viewer for viewer in self._viewers if viewer.keeps_up())
        plans = self._plan(reading)
        for viewer in self._viewers:
            if viewer in reading:
                viewer.pending = [
                    tick_frame,
                    *plans.get(viewer, ()),
                    *self._chunk_frames(viewer, changes),
                ]
            else:
                for coverage in viewer.coverage.values():
                    coverage.mark_stale(changes)

    def _start_over(self) -> None:
        """Make every viewer get all chunks again: a season began, and the land is new."""
        self._renewed = self._world.ground.renewed
        self._chunks = Chunks(self._world.ground)
        for viewer in self._viewers:
            for coverage in viewer.coverage.values():
                coverage.mark_stale(coverage.wanted_ticks)

    def release(self) -> None:
        """Send what was composed: the tick is durable."""
        whole, following = (b"", b"") if self._packed is None else self._packed.result()
        self._packed = None
        for viewer in self._viewers:
            # A message of the stream refers to bytes of those before it. A viewer that missed one,
            # or got another compressed frame in between, must wait for the next whole tick.
            viewer.is_following &= bool(viewer.pending)
            if viewer.pending:
                if viewer.inflates and whole:
                    viewer.is_following |= self._world.tick % WHOLE_EVERY == 0
                    viewer.pending[0] = following if viewer.is_following else whole
                    viewer.is_following &= not viewer.gets_chunks
                viewer.send(b"".join(viewer.pending))
            viewer.pending = []

    def _pack(self, text: bytes, whole: bool) -> tuple[bytes, bytes]:
        """A tick compressed by itself, and as the next message of the compressed stream."""
        following = self._stream.frame(text, whole=whole)
        return following if whole else deflated_frame(text), following

    def _plan(self, viewers: Iterable[Viewer]) -> dict[Viewer, list[bytes]]:
        """Plan which chunks viewers want, for the one that has waited longest first. Returns for
        each the frames that tell it which chunks to forget."""
        tick = self._world.tick
        left = PLANNED_PER_TICK
        forgotten: dict[Viewer, list[bytes]] = {}
        for viewer in sorted(viewers, key=lambda viewer: viewer.planned_tick):
            if left > 0 and viewer.is_due(tick):
                viewer.planned_tick = tick
                viewer.is_new_subscription = False
                frames = forgotten[viewer] = []
                for layer in LAYERS:
                    coverage = viewer.coverage[layer.name]
                    wanted = self._wanted(viewer, layer.name)
                    coverage.want(wanted, tick)
                    frames += map(
                        layer.evict_frame, coverage.forget_before(tick - layer.kept_ticks)
                    )
                    left -= len(wanted)
        return forgotten

    def _chunk_frames(self, viewer: Viewer, changes: Sequence[ChunkKey]) -> Iterator[bytes]:
        """Patches for chunks that the viewer has, and some chunks that it lacks."""
        tick = self._world.tick
        viewer.gets_chunks = False
        for layer in LAYERS:
            coverage = viewer.coverage[layer.name]
            for key in changes:
                if coverage.has(key):
                    yield self._chunks.patch(layer, key)
            missing = coverage.missing(layer.per_tick)
            deflate = viewer.inflates and not (viewer.is_following and len(missing) <= PLAIN_CHUNKS)
            for key in missing:
                frame = self._chunks.whole(layer, key, deflate)
                if frame is None:
                    break
                viewer.gets_chunks |= deflate
                coverage.sent(key, tick)
                yield frame

    def _wanted(self, viewer: Viewer, layer: str) -> list[ChunkKey]:
        """The chunks of a layer that a viewer wants, the most wanted first."""
        world = self._world
        subscription = viewer.subscription
        if layer == "voxels":
            return self._wanted_voxels(viewer)
        present = [agent for agent in world.agents.awake if agent.attached]
        bodies = present or [agent for agent in world.agents if not agent.hidden]
        centres = [(agent.x >> 4, agent.z >> 4) for agent in bodies] or [(0, 0)]
        most = min(subscription.max_chunks, SURFACES_PER_VIEWER)
        return chunks_around(centres, subscription.chunk_radius, most)

    def _wanted_voxels(self, viewer: Viewer) -> list[ChunkKey]:
        """The chunks around the agent in focus, or else around the place in focus.

        Around a place, only chunks whose surface the viewer wants too, which are near a body. So
        looking at a far place generates no ground, and shows none that nobody has been near.
        """
        subscription = viewer.subscription
        radius = subscription.voxel_radius
        most = subscription.voxel_max_chunks
        if not radius:
            return []
        agent = self._world.agent_by_id(subscription.focus_agent_id)
        if agent is not None:
            return chunks_around([(agent.x >> 4, agent.z >> 4)], radius, most)
        if subscription.focus_pos is None:
            return []
        x, _, z = subscription.focus_pos
        surfaces = viewer.coverage["surface"]
        return [
            key for key in chunks_around([(x >> 4, z >> 4)], radius, most) if surfaces.wants(key)
        ]


async def _next_subscription(inbox: Inbox) -> Subscribe | None:
    """The next SUBSCRIBE, which replaces the one before; None when the socket is gone."""
    frame = await inbox.next()
    if frame is None:
        return None
    await asyncio.sleep(inbox.charge(len(frame) + IGNORED_COST_BYTES))
    return read_subscribe(frame)

"""Shows the tape of a running world to spectators: which ticks it has, its segments, the events of
a range, and the ground after a tick. Nothing is shown before it is durable.
"""

import asyncio
import gzip
import struct
import time
from collections.abc import Callable, Sequence
from typing import Annotated, Final, ParamSpec, Protocol, TypeVar
from zlib import crc32

import msgspec
import numpy as np
from aiohttp import web

from thorp.observer.buildings import Building
from thorp.observer.inspection import read_position
from thorp.observer.society_curves import SocietySample
from thorp.observer.tape import MAX_BINS, Present, Stretch, Tape
from thorp.observer.tape_recorder import SEGMENT_TICKS, TOLLS, Segment
from thorp.server.access.requests import PRIVATE, Refused, json_response, query_number, refusal
from thorp.server.http.openapi import Parameter
from thorp.server.live.tape_keeper import why_missing
from thorp.voxel import World
from thorp.voxel.achievements import SOCIAL, TECH
from thorp.voxel.state.ground import ChunkKey, Terrain

# How long the tape's listing is cached.
LISTED_SECONDS: Final = 1.0
# The largest radius that a page may ask for, in chunks: as far as it can see.
MAX_RADIUS: Final = 6
# How far from a body the stream shows every cell, in chunks.
SEEN_CHUNKS: Final = 8
DEFAULT_BINS: Final = 100

TICK: Final = Parameter("tick", int, "The tick.")
RANGE: Final = (
    Parameter("from", int, "The first tick."),
    Parameter("to", int, "The last tick."),
    Parameter(
        "bins",
        Annotated[int, msgspec.Meta(ge=1, le=MAX_BINS)],
        "Into how many parts it is divided.",
    ),
)
AROUND: Final = (
    Parameter("cx", int, "The chunk in the middle."),
    Parameter("cz", int, "The chunk in the middle."),
    Parameter(
        "r", Annotated[int, msgspec.Meta(ge=0, le=MAX_RADIUS)], "How many chunks to each side."
    ),
)


P = ParamSpec("P")
T = TypeVar("T")


class TapeSource(Protocol):
    """A tape and its world: of a running world, or of a match that is over."""

    world: World
    name: str
    tape: Tape
    begins: int
    """The first tick of its journal: that of a fork begins late."""
    waiting: dict[int, Segment]

    def lacks(self, numbers: Sequence[int], stretches: Sequence[Stretch]) -> bool:
        """Whether a segment is missing that can be made."""

    def unstored(self) -> list[Segment]:
        """Segments that are not on the tape yet."""

    def fill_gaps(self) -> None:
        """Have missing segments made soon."""

    async def ask(self, question: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Ask the tape something, in a thread."""


class TapeState(msgspec.Struct):
    """Which ticks can be looked at."""

    world: str
    """The name of the world. Segments of another world with the same number have other content."""
    tick: int
    segment_ticks: int
    day_ticks: int
    tick_rate_hz: int
    playable: list[tuple[int, int]]
    """Ranges of ticks, in order."""
    missing: list[Stretch]
    """Ticks that cannot be shown, and why."""
    done: int
    """How many of the `of` finished segments are on the tape."""
    of: int
    achievements: dict[str, tuple[str, ...]]
    """By group. In the member `achieved` of a segment, the first of all groups has the lowest
    bit."""


class TapeView:
    """What spectators see of one tape."""

    def __init__(self, keeper: TapeSource, durable: asyncio.Event) -> None:
        """`durable` is set while the present state is durable."""
        self._keeper = keeper
        self._durable = durable
        self._world = keeper.world
        self._land: tuple[int, Terrain] | None = None
        """The season, and its terrain for threads to generate with."""
        self._one_at_a_time = asyncio.Lock()
        """Held for the costly questions. It may be held while `_durable` is awaited, and is never
        taken together with `_packing`."""
        self._packing = asyncio.Lock()
        """Held while the listing is read or the newest segment packed, so that one request does it
        for all that came meanwhile."""
        self._listed: tuple[list[int], list[Stretch], dict[int, int]] = [], [], {}
        self._listed_at = -LISTED_SECONDS
        self._newest: dict[bool, tuple[Segment, bytes]] = {}

    async def state(self, request: web.Request) -> web.Response:
        """Which ticks of the past can be looked at, and how complete the tape is."""
        async with self._packing:
            if time.monotonic() - self._listed_at > LISTED_SECONDS:
                self._listed = await self._keeper.ask(
                    lambda: (
                        self._keeper.tape.numbers(),
                        self._keeper.tape.stretches(),
                        self._keeper.tape.late_firsts(),
                    )
                )
                self._listed_at = time.monotonic()
            numbers, stretches, firsts = self._listed
        await self._durable.wait()
        if self._keeper.lacks(numbers, stretches):
            self._keeper.fill_gaps()  # the file may have been deleted
        now = self._world.tick
        spans = [
            (firsts.get(n, n * SEGMENT_TICKS), min(now, (n + 1) * SEGMENT_TICKS - 1))
            for n in numbers
        ]
        for segment in self._keeper.unstored():
            spans.append((segment.document["first"], segment.document["last"]))
        playable: list[tuple[int, int]] = []
        for first, last in sorted(spans):
            if playable and first <= playable[-1][1] + 1:
                playable[-1] = playable[-1][0], max(last, playable[-1][1])
            else:
                playable.append((max(1, first), last))
        tick = self._world.tick
        tuning = self._world.tuning
        state = TapeState(
            world=self._keeper.name,
            tick=tick,
            segment_ticks=SEGMENT_TICKS,
            day_ticks=tuning.day_ticks,
            tick_rate_hz=tuning.tick_rate_hz,
            playable=playable,
            missing=stretches,
            done=len(numbers),
            of=(tick + 1) // SEGMENT_TICKS,
            achievements={"tech": TECH, "social": SOCIAL},
        )
        return json_response(state)

    async def segment(self, request: web.Request, private: bool = False) -> web.StreamResponse:
        """One segment, from memory while it still grows or waits to be written, else from the
        tape. Only a finished one may be cached, and asked for in ranges."""
        text = request.match_info["n"]
        if not text.isascii() or not text.isdigit() or len(text) > 9:
            raise Refused(400, "invalid_n", "a segment has a number, as in tape/12")
        n = int(text)
        await self._durable.wait()
        fresh = next((each for each in self._keeper.unstored() if each.n == n), None)
        if fresh is not None and n not in self._keeper.waiting:
            return _gzip(await self._packed(fresh, private))
        if fresh is not None:
            pack = fresh.packed_private if private else fresh.packed
            return _ranged(request, await asyncio.to_thread(pack))
        packed = await self._keeper.ask(
            self._keeper.tape.private if private else self._keeper.tape.segment, n
        )
        if packed is not None:
            # The end of a run that goes on elsewhere is on its tape, and will be longer.
            is_over = (n + 1) * SEGMENT_TICKS - 1 <= self._world.tick
            return _ranged(request, packed) if is_over else _gzip(packed)
        self._keeper.fill_gaps()
        first = n * SEGMENT_TICKS
        last = (n + 1) * SEGMENT_TICKS - 1
        stretches = await self._keeper.ask(self._keeper.tape.stretches)
        why = why_missing(n, stretches, self._keeper.begins)
        if first > self._world.tick:
            message = f"tick {first} has not come yet; the last one was {self._world.tick}"
            raise Refused(404, "not_on_tape", message)
        if why is not None:
            raise Refused(404, "not_on_tape", f"ticks {first} to {last}: {why}")
        message = f"ticks {first} to {last}: being made from the journal; try again soon"
        raise Refused(503, "not_on_tape", message)

    async def _packed(self, segment: Segment, private: bool) -> bytes:
        """The growing segment, packed once a tick for everybody who asks."""
        async with self._packing:
            if private not in self._newest or self._newest[private][0] is not segment:
                pack = segment.packed_private if private else segment.packed
                self._newest[private] = segment, await asyncio.to_thread(pack, 1)
            return self._newest[private][1]

    @property
    def tick(self) -> int:
        """The newest tick."""
        return self._world.tick

    @property
    def day_ticks(self) -> int:
        """How long a day is."""
        return self._world.tuning.day_ticks

    async def whole_segment(self, n: int) -> bytes | None:
        """The public part of a segment, as it is now; None if it is not there."""
        await self._durable.wait()
        fresh = next((each for each in self._keeper.unstored() if each.n == n), None)
        if fresh is not None:
            return await asyncio.to_thread(fresh.packed, 1)
        return await self._keeper.ask(self._keeper.tape.segment, n)

    async def samples(self, first: int, last: int) -> list[SocietySample]:
        """The society in a range of ticks."""
        await self._durable.wait()
        unstored = self._keeper.unstored()
        return await self._keeper.ask(self._keeper.tape.samples, first, last, unstored)

    async def packed_bytes(self, first: int, last: int) -> int:
        """How long the segments of a range of ticks are together, compressed."""
        await self._durable.wait()
        return await self._keeper.ask(
            self._keeper.tape.packed_bytes, first, last, self._keeper.unstored()
        )

    async def marks(self, request: web.Request) -> web.Response:
        """What happened in a range of ticks: counts by sort, and the weightiest events."""
        await self._durable.wait()
        tick = self._world.tick
        first = query_number(request, "from") or 0
        last = query_number(request, "to")
        last = tick if last is None else min(last, tick)
        bins = query_number(request, "bins")
        bins = DEFAULT_BINS if bins is None else bins
        if not 0 <= first <= last or not 1 <= bins <= MAX_BINS:
            raise Refused(
                400, "invalid_range", f"from ≤ to, within 0 and {tick}, and 1 to {MAX_BINS} bins"
            )
        answer = await self._keeper.ask(
            self._keeper.tape.marks, first, last, bins, self._keeper.unstored()
        )
        return json_response(answer, compress=True)

    async def effects(self, request: web.Request) -> web.Response:
        """What a law in force has yielded up to a tick: how often somebody paid because of it, and
        what. It is in force until the next law of its kind on the same land is."""
        await self._durable.wait()
        law = self._world.laws.get(request.match_info["law"])
        if law is None:
            raise Refused(404, "unknown_law", "there is no such law")
        tick = query_number(request, "tick")
        kind = TOLLS.get(law.template_id, "")
        after = (
            other.vote_ends_tick - 1
            for other in self._world.laws
            if other.vote_ends_tick > law.vote_ends_tick
            and (other.land_id, other.template_id, other.status)
            == (law.land_id, law.template_id, "ACTIVE")
        )
        last = min(self._world.tick if tick is None else tick, *after, self._world.tick)
        first = law.vote_ends_tick if law.status == "ACTIVE" else last + 1
        span = (law.land_id, kind, first, last, self._keeper.unstored())
        return json_response(await self._keeper.ask(self._keeper.tape.effects, *span))

    async def activity(self, request: web.Request) -> web.Response:
        """Where blocks were taken away and put, within the last day of a range."""
        await self._durable.wait()
        first, last = (query_number(request, name) for name in ("from", "to"))
        tick = self._world.tick
        day = self._world.tuning.day_ticks
        last = tick if last is None else min(last, tick)
        first = max(0, last - day, first or 0)
        squares = await self._keeper.ask(
            self._keeper.tape.activity, first, last, self._keeper.unstored()
        )
        return json_response(squares, compress=True)

    async def changes(self, request: web.Request) -> web.Response:
        """The newest changes of a cell up to a tick."""
        await self._durable.wait()
        position = read_position(request.match_info["place"])
        tick = query_number(request, "tick")
        last = self._world.tick if tick is None else min(tick, self._world.tick)
        async with self._one_at_a_time:
            place_changes = await self._keeper.ask(
                self._keeper.tape.changes_at, position, last, self._keeper.unstored()
            )
        return json_response(place_changes)

    async def rising(self, building: Building) -> web.Response:
        """In which ticks a building was put up."""
        await self._durable.wait()
        async with self._one_at_a_time:
            ticks = await self._keeper.ask(
                self._keeper.tape.rising,
                building.low,
                building.high,
                building.tick,
                self._keeper.unstored(),
            )
        return json_response(ticks)

    async def ground(self, request: web.Request) -> web.Response:
        """The ground after a tick, of all chunks within a radius that a spectator may see."""
        tick = query_number(request, "tick")
        cx, cz, radius = (query_number(request, name) or 0 for name in ("cx", "cz", "r"))
        now = self._world.tick
        if tick is None or not 0 <= tick <= now:
            raise Refused(400, "invalid_tick", f"tick is from 0 to {now}")
        if not 0 <= radius <= MAX_RADIUS:
            raise Refused(400, "invalid_r", f"r is from 0 to {MAX_RADIUS}")
        edge = self._world.tuning.world_boundary_r >> 4
        span = range(-radius, radius + 1)
        keys = [
            (cx + dx, cz + dz)
            for dz in span
            for dx in span
            if max(abs(cx + dx), abs(cz + dz)) <= edge
        ]
        async with self._one_at_a_time:
            await self._durable.wait()
            keys = self._visible(keys)
            body = await self._keeper.ask(self._packed_ground, tick, keys, self._present(keys))
        return _gzip(body)

    def _visible(self, keys: Sequence[ChunkKey]) -> list[ChunkKey]:
        """The chunks that a spectator could have seen: generated already, or near a body."""
        ground = self._world.ground
        bodies = np.array([(agent.x >> 4, agent.z >> 4) for agent in self._world.agents]).reshape(
            -1, 1, 2
        )
        away = np.abs(np.array(keys).reshape(1, -1, 2) - bodies).max(axis=2)
        near = (away <= SEEN_CHUNKS).any(axis=0)
        return [
            key
            for key, is_near in zip(keys, near, strict=True)
            if is_near or ground.in_use(*key) or ground.is_changed(*key)
        ]

    def _present(self, keys: Sequence[ChunkKey]) -> Present:
        """The present state of these chunks, from which the tape computes the past one. Chunks that
        nobody has touched are left to the terrain."""
        ground = self._world.ground
        season = self._world.season
        if self._land is None or self._land[0] != season:
            # A terrain of its own: another thread generates with it.
            self._land = (season, ground.terrain.of_season(season))
        cells = {
            key: ground.look(*key) for key in keys if ground.in_use(*key) or ground.is_changed(*key)
        }
        return Present(self._world.tick, self._land[1], cells, self._keeper.unstored())

    def _packed_ground(self, tick: int, keys: Sequence[ChunkKey], present: Present) -> bytes:
        cells = self._keeper.tape.ground(tick, keys, present)
        whole = b"".join(struct.pack("<ii", *key) + cells[key] for key in keys)
        return gzip.compress(whole, 1, mtime=0)


def _gzip(body: bytes, status: int = 200, headers: dict[str, str] = PRIVATE) -> web.Response:
    return web.Response(status=status, body=body, content_type="application/gzip", headers=headers)


def _ranged(request: web.Request, packed: bytes) -> web.Response:
    """An answer with bytes that never change, or with the range of them that was asked for."""
    tag = f"{crc32(packed):08x}-{len(packed)}"
    headers = {
        "ETag": f'"{tag}"',
        "Cache-Control": "private, max-age=31536000, immutable",
        "Accept-Ranges": "bytes",
    }
    tags = [each.value for each in request.if_none_match or ()]
    if tag in tags or "*" in tags:
        return web.Response(status=304, headers=headers)
    try:
        part = range(len(packed))[request.http_range]
    except ValueError:
        part = range(0)
    if "Range" in request.headers and not part:
        size = {"Content-Range": f"bytes */{len(packed)}"}
        return refusal(416, "range", f"this segment has {len(packed)} bytes", **size)
    if len(part) == len(packed):
        return _gzip(packed, 200, headers)
    headers["Content-Range"] = f"bytes {part[0]}-{part[-1]}/{len(packed)}"
    return _gzip(packed[part[0] : part[-1] + 1], 206, headers)

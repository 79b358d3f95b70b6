"""Keeps the tape of a running world beside it, and shows it to spectators.

The tick hands a finished segment to the tape's own thread and never waits. When that is behind, a
segment is left out; a process of its own makes it again from the journal, as it makes all that is
missing at the start.
"""

import asyncio
import gzip
import logging
import struct
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Annotated, Final, ParamSpec, TypeVar
from zlib import crc32

import msgspec
import numpy as np
from aiohttp import web

from thorp.bridges.chronicle import world_name
from thorp.kernel.errors import LimitError, ThorpError, UnavailableError
from thorp.observer.inspection import read_position
from thorp.observer.tape import MAX_BINS, Present, Stretch, Tape
from thorp.observer.tape_recorder import SEGMENT_TICKS, TOLLS, Recorder, Segment
from thorp.server.chronicles import Replay
from thorp.server.openapi import Parameter
from thorp.server.requests import PRIVATE, Refused, json_response, query_number, refusal
from thorp.store import RealDisk
from thorp.voxel.achievements import SOCIAL, TECH
from thorp.voxel.inputs import AnyInput
from thorp.voxel.state.ground import ChunkKey, Terrain
from thorp.voxel.state.world import World

# Segments that may wait for the tape's thread: some minutes.
MAX_WAITING: Final = 4
# For so long everybody who asks is told the same of what the tape has.
LISTED_SECONDS: Final = 1.0
# Before the journal is replayed again after that has failed.
RETRY_SECONDS: Final = 30.0
# Before a tape that could not be opened is tried again.
UNAVAILABLE_SECONDS: Final = 5.0
# Chunks to each side of one that a page asks for: as far as it sees.
MAX_RADIUS: Final = 6
# As far from any body as the stream shows every cell.
SEEN_CHUNKS: Final = 8
DEFAULT_BINS: Final = 100

P = ParamSpec("P")
T = TypeVar("T")

_log = logging.getLogger(__name__)

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
    """Of the segments there should be, how many there are."""
    of: int
    achievements: dict[str, tuple[str, ...]]
    """By group. Who has achieved the first of all groups has the lowest bit in `achieved` of a
    segment."""


class TapeKeeper:
    """`look` is called by the thread that ticks; no failure of it reaches the tick."""

    def __init__(self, data: Path, path: Path, world: World) -> None:
        self._world = world
        self._name = world_name(RealDisk(), path)
        self._tape = Tape(data, self._name, last_tick=world.tick)
        self._recorder: Recorder | None = Recorder()
        self.waiting: dict[int, Segment] = {}
        """Segments that are over and not stored yet."""
        self._too_long: dict[int, str] = {}
        """Segments that the tape cannot have, and why, until it says so."""
        self._replay = Replay(("world", "tape", "--data", str(data)))
        self._gap = threading.Event()
        self._stopping = False
        self._land: tuple[int, Terrain] | None = None
        self._one_at_a_time = asyncio.Lock()
        self._packing = asyncio.Lock()
        self._listed: tuple[list[int], list[Stretch]] = [], []
        self._listed_at = -LISTED_SECONDS
        self._frozen: Segment | None = None
        self._newest: dict[bool, tuple[Segment, bytes]] = {}
        self.durable = asyncio.Event()
        """Set while the present state is durable; nothing is shown before."""
        self.durable.set()
        self._thread = threading.Thread(target=self._fill_gaps, name="thorp tape", daemon=True)
        if world.tick:
            self._gap.set()
        self._thread.start()

    def close(self) -> None:
        """Write what waits, and stop. What was not finished is made from the journal later.
        Blocks."""
        self._stopping = True
        self._gap.set()
        self._replay.stop()
        self._tape.close()

    # Recording

    def look(self, world: World, inputs: Sequence[AnyInput], durable: Future[None]) -> None:
        if self._recorder is None:
            return
        try:
            segment = self._recorder.look(world, inputs)
            if segment is None:
                if world.tick % SEGMENT_TICKS == SEGMENT_TICKS - 1:
                    self._gap.set()  # its beginning was not seen
            elif len(self.waiting) >= MAX_WAITING:
                self._gap.set()
                _log.warning("the tape is behind: ticks up to %d are put on it later", world.tick)
            else:
                self.waiting[segment.n] = segment
                stored = self._tape.write(segment, durable, wait=False)
                stored.add_done_callback(lambda done: self._written(segment.n, done))
        except ThorpError:  # there is no tape just now, which the tape itself has logged
            self.waiting.pop(world.tick // SEGMENT_TICKS, None)
            self._tape.file.doubt()
            self._gap.set()
        except Exception:
            self._recorder = None
            _log.exception("the tape has stopped at tick %d; the world goes on", world.tick)

    def _written(self, n: int, done: Future[None]) -> None:
        self.waiting.pop(n, None)
        problem = done.exception()
        if problem is None:
            return
        if isinstance(problem, LimitError):
            self._too_long[n] = problem.message
        else:
            self._tape.file.doubt()
        self._gap.set()
        _log.warning("segment %d of the tape could not be written: %s", n, problem)

    def _fill_gaps(self) -> None:
        """In a thread of its own: let a process make what is missing, whenever something is."""
        while self._gap.wait() and not self._stopping:
            self._gap.clear()
            try:
                self._note_too_long()
                if self._lacks(self._tape.numbers(), self._tape.stretches()):
                    self._replay(self._world.tick)
            except UnavailableError:  # which the tape has logged, once
                time.sleep(UNAVAILABLE_SECONDS)
                self._gap.set()
            except ThorpError as problem:
                if not self._stopping:
                    _log.warning("the tape is not complete: %s", problem)
                    time.sleep(RETRY_SECONDS)

    def _note_too_long(self) -> None:
        for n, why in list(self._too_long.items()):
            self._tape.add_stretch(Stretch(n * SEGMENT_TICKS, (n + 1) * SEGMENT_TICKS - 1, why))
            del self._too_long[n]

    def _lacks(self, numbers: Sequence[int], stretches: Sequence[Stretch]) -> bool:
        """Whether a segment that is over is neither there, nor on its way, nor known to be
        impossible."""
        lacking = set(range((self._world.tick + 1) // SEGMENT_TICKS)).difference(
            numbers, self.waiting
        )
        return any(_why_missing(n, stretches) is None for n in lacking)

    def _unstored(self) -> list[Segment]:
        """Segments that are not on the tape yet, the last of them still growing."""
        segments = dict(self.waiting)
        growing = None if self._recorder is None else self._recorder.open
        if growing is not None and growing.n not in segments:
            last = growing.document["last"]
            if self._frozen is None or self._frozen.document["last"] != last:
                self._frozen = growing.frozen()  # once a tick for everybody who asks
            segments[growing.n] = self._frozen
        return [segments[n] for n in sorted(segments)]

    async def _ask(self, question: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Ask the tape something, in a thread. What it turns out to lack is made."""
        try:
            return await asyncio.to_thread(question, *args, **kwargs)
        except UnavailableError:
            self._gap.set()
            raise

    # Showing

    async def state(self, request: web.Request) -> web.Response:
        """Which ticks of the past can be looked at, and how far the tape is made."""
        async with self._packing:
            if time.monotonic() - self._listed_at > LISTED_SECONDS:
                self._listed = await self._ask(
                    lambda: (self._tape.numbers(), self._tape.stretches())
                )
                self._listed_at = time.monotonic()
            numbers, stretches = self._listed
        await self.durable.wait()
        if self._lacks(numbers, stretches):
            self._gap.set()  # somebody may have deleted it
        spans = [(n * SEGMENT_TICKS, (n + 1) * SEGMENT_TICKS - 1) for n in numbers]
        spans += [(one.document["first"], one.document["last"]) for one in self._unstored()]
        playable: list[tuple[int, int]] = []
        for first, last in sorted(spans):
            if playable and first <= playable[-1][1] + 1:
                playable[-1] = playable[-1][0], max(last, playable[-1][1])
            else:
                playable.append((max(1, first), last))
        tick = self._world.tick
        tuning = self._world.tuning
        of = (tick + 1) // SEGMENT_TICKS
        told = (self._name, tick, SEGMENT_TICKS, tuning.day_ticks, tuning.tick_rate_hz)
        achievements = {"tech": TECH, "social": SOCIAL}
        return json_response(TapeState(*told, playable, stretches, len(numbers), of, achievements))

    async def segment(self, request: web.Request, private: bool = False) -> web.StreamResponse:
        """One segment: 250 ticks, as gzip of JSON. One that is over never changes."""
        text = request.match_info["n"]
        if not text.isascii() or not text.isdigit() or len(text) > 9:
            raise Refused(400, "invalid_n", "a segment has a number, as in tape/12")
        n = int(text)
        await self.durable.wait()
        fresh = next((one for one in self._unstored() if one.n == n), None)
        if fresh is not None and n not in self.waiting:
            return _gzip(await self._packed(fresh, private))
        if fresh is not None:
            pack = fresh.packed_private if private else fresh.packed
            return _ranged(request, await asyncio.to_thread(pack))
        packed = await self._ask(self._tape.private if private else self._tape.segment, n)
        if packed is not None:
            return _ranged(request, packed)
        self._gap.set()
        first = n * SEGMENT_TICKS
        last = (n + 1) * SEGMENT_TICKS - 1
        why = _why_missing(n, await self._ask(self._tape.stretches))
        if first > self._world.tick:
            told = f"tick {first} has not come yet; the last one was {self._world.tick}"
            raise Refused(404, "not_on_tape", told)
        if why is not None:
            raise Refused(404, "not_on_tape", f"ticks {first} to {last}: {why}")
        told = f"ticks {first} to {last}: being made from the journal; try again soon"
        raise Refused(503, "not_on_tape", told)

    async def _packed(self, segment: Segment, private: bool) -> bytes:
        """A segment that still grows, packed once a tick for everybody who asks."""
        async with self._packing:
            if private not in self._newest or self._newest[private][0] is not segment:
                pack = segment.packed_private if private else segment.packed
                self._newest[private] = segment, await asyncio.to_thread(pack, 1)
            return self._newest[private][1]

    async def marks(self, request: web.Request) -> web.Response:
        """What happened in a range of ticks: counts by sort, and the weightiest events."""
        await self.durable.wait()
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
        found = await self._ask(self._tape.marks, first, last, bins, self._unstored())
        return json_response(found, compress=True)

    async def effects(self, request: web.Request) -> web.Response:
        """What a law in force has brought up to a tick: how often somebody paid because of it, and
        what."""
        await self.durable.wait()
        law = self._world.laws.get(request.match_info["law"])
        if law is None:
            raise Refused(404, "unknown_law", "there is no such law")
        tick = query_number(request, "tick")
        kind = TOLLS.get(law.template_id, "")
        after = (
            one.vote_ends_tick - 1
            for one in self._world.laws
            if one.vote_ends_tick > law.vote_ends_tick
            and (one.land_id, one.template_id, one.status)
            == (law.land_id, law.template_id, "ACTIVE")
        )
        last = min(self._world.tick if tick is None else tick, *after, self._world.tick)
        first = law.vote_ends_tick if law.status == "ACTIVE" else last + 1
        span = (law.land_id, kind, first, last, self._unstored())
        return json_response(await self._ask(self._tape.effects, *span))

    async def activity(self, request: web.Request) -> web.Response:
        """Where blocks were taken away and put: of each square of 8 by 8 cells its place in
        squares, and how many. Only segments count that lie within the range, of which the last day
        is told."""
        await self.durable.wait()
        first, last = (query_number(request, name) for name in ("from", "to"))
        tick = self._world.tick
        day = self._world.tuning.day_ticks
        last = tick if last is None else min(last, tick)
        first = max(0, last - day, first or 0)
        found = await self._ask(self._tape.activity, first, last, self._unstored())
        return json_response(found, compress=True)

    async def changes(self, request: web.Request) -> web.Response:
        """The newest changes of a place up to a tick: when, what was there before and after, who,
        and how."""
        await self.durable.wait()
        position = read_position(request.match_info["place"])
        tick = query_number(request, "tick")
        last = self._world.tick if tick is None else min(tick, self._world.tick)
        async with self._one_at_a_time:
            found = await self._ask(self._tape.changes_at, position, last, self._unstored())
        return json_response(found)

    async def ground(self, request: web.Request) -> web.Response:
        """The ground after a tick, as gzip: of each chunk its two numbers, four bytes each, and its
        cells."""
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
            await self.durable.wait()
            keys = self._known(keys)
            body = await self._ask(self._packed_ground, tick, keys, self._present(keys))
        return _gzip(body)

    def _known(self, keys: Sequence[ChunkKey]) -> list[ChunkKey]:
        """Those chunks that a spectator could have seen: made already, or near a body."""
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
        """The world of now, as far as these chunks are concerned. Untouched ones are left to the
        terrain."""
        ground = self._world.ground
        season = self._world.season
        if self._land is None or self._land[0] != season:
            self._land = (
                season,
                ground.terrain.of_season(season),
            )  # its own: another thread generates with it
        cells = {
            key: ground.look(*key) for key in keys if ground.in_use(*key) or ground.is_changed(*key)
        }
        return Present(self._world.tick, self._land[1], cells, self._unstored())

    def _packed_ground(self, tick: int, keys: Sequence[ChunkKey], present: Present) -> bytes:
        cells = self._tape.ground(tick, keys, present)
        whole = b"".join(struct.pack("<ii", *key) + cells[key] for key in keys)
        return gzip.compress(whole, 1, mtime=0)


def _why_missing(n: int, stretches: Sequence[Stretch]) -> str | None:
    """Why a segment cannot be made, if that is known."""
    first = n * SEGMENT_TICKS
    last = (n + 1) * SEGMENT_TICKS - 1
    return next((one.why for one in stretches if one.first <= last and first <= one.last), None)


def _gzip(body: bytes, status: int = 200, headers: dict[str, str] = PRIVATE) -> web.Response:
    return web.Response(status=status, body=body, content_type="application/gzip", headers=headers)


def _ranged(request: web.Request, packed: bytes) -> web.Response:
    """Bytes that never change, or the part of them that was asked for."""
    tag = f"{crc32(packed):08x}-{len(packed)}"
    headers = {
        "ETag": f'"{tag}"',
        "Cache-Control": "private, max-age=31536000, immutable",
        "Accept-Ranges": "bytes",
    }
    known = [each.value for each in request.if_none_match or ()]
    if tag in known or "*" in known:
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

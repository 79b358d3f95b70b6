"""Snapshots: a world's state as bytes, and a world from such bytes.

    encode_state   in the thread that ticks, between two ticks: copies whatever a later tick could
                   change
    pack_chunks    in any thread, later: packs the copied chunks. Given back to the ground, they
                   need not be copied again until they change
    pack           in any thread, later: encodes and compresses the rest

A file is two zstd frames. The first holds one JSON line, the header; the second holds the parts,
each a length of four bytes and that many bytes of MessagePack: scalars, tables, an event log for
each agent, the changed chunks. Fields are stored by name, so that a later release finds those it
knows and begins the others anew. Derived values are not stored. `restore` computes the digest from
nothing and compares it with the header's. The texts of events are not in the digest; a hash of the
second frame covers them.
"""

import zlib
from collections.abc import Callable, Iterator
from copy import copy
from hashlib import sha256
from types import GenericAlias
from typing import Any, Final

import msgspec
import zstandard

from thorp.kernel.errors import DamagedError
from thorp.voxel import extension
from thorp.voxel.persistence.record import Epoch, check_format
from thorp.voxel.state.agent import KEPT_EVENT_BYTES, KEPT_EVENTS, Agent, Event, EventLog
from thorp.voxel.state.ground import CHUNK_CELLS, HEIGHT, Position
from thorp.voxel.state.table import Natural
from thorp.voxel.state.world import SCALARS, TABLES, World, WorldState
from thorp.voxel.tuning import Tuning

# Compresses 80 MB of chunks in a third of a second; higher levels save little on blocks that repeat
# this much.
LEVEL: Final = 3
# How many chunks are compressed between two rests.
CHUNKS_A_REST: Final = 16
# The most bytes that are compressed at once: some two milliseconds.
BYTES_A_REST: Final = 512 * 1024
# A header has some two kilobytes. A file that claims many more was not written by us.
MAX_HEADER_BYTES: Final = 64 * 1024
# Limits on what a damaged or hostile file can make us read. A world of 2,500 agents with full
# memories and full event logs that changed 50,000 chunks has a 160 MB part of tables and unpacks to
# some 2.5 GB, part by part.
MAX_FILE_BYTES: Final = 2**30
MAX_UNPACKED_BYTES: Final = 4 * 2**30
MAX_TABLES_BYTES: Final = 256 * 2**20
MAX_SCALARS_BYTES: Final = 16 * 2**20
MAX_EVENT_LOG_BYTES: Final = 4 * KEPT_EVENT_BYTES
MAX_CHUNK_BYTES: Final = 2 * CHUNK_CELLS
# Four times the window of our compression level.
MAX_WINDOW_BYTES: Final = 8 * 2**20
# The boundary of the widest world there can be.
MAX_DISTANCE: Final = 1_000_000
_LENGTH_BYTES: Final = 4
# The errors that bytes which we have not written can cause.
_FORGED: Final = (
    ArithmeticError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
    msgspec.MsgspecError,
    zstandard.ZstdError,
)

Chunk = tuple[int, int, bytes]  # Column of a chunk and its cells, packed or not.

# Makes a world at tick 0 from its two seeds and its tuning.
WorldMaker = Callable[[int, int, Tuning], World]

_encode = msgspec.msgpack.Encoder().encode
_chunk_decode = msgspec.msgpack.Decoder(tuple[int, int, bytes]).decode
_ROWS: Final[dict[str, msgspec.msgpack.Decoder[list[Any]]]] = {
    name: msgspec.msgpack.Decoder(GenericAlias(list, (kind,))) for name, kind in TABLES.items()
}
_raw_decode = msgspec.msgpack.Decoder(dict[str, msgspec.Raw]).decode
_event_log_decode = msgspec.msgpack.Decoder(tuple[int, list[Event]]).decode


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a snapshot."""

    epoch: Epoch = msgspec.field(name="terms")
    tick: Natural
    digest: str
    taken_s: int  # When it was taken, in seconds since 1970. No rule depends on it.
    agents: Natural
    chunks: Natural
    body_sha256: str


class CopiedState(msgspec.Struct, frozen=True):
    """A copy of a world's state that no later tick can change."""

    epoch: Epoch
    tick: int
    digest: str
    scalars: bytes
    tables: list[tuple[str, bytes]]
    event_logs: list[tuple[int, list[Event], int]]
    """For each agent: its number, its events, and how many there were. The list is not copied: it
    only grows at its end, and is replaced when it is cut."""
    chunks: list[Chunk]
    edits: int  # How many edits the ground had when it was copied.


def encode_state(world: WorldState, epoch: Epoch, digest: str | None = None) -> CopiedState:
    """Copy the whole state, between two ticks. A `digest` that is given need not be computed."""
    tables = [
        (
            name,
            _encode([_bare(agent) for agent in world.agents] if name == "agents" else list(table)),
        )
        for name, table in world.tables().items()
    ]
    return CopiedState(
        epoch=epoch,
        tick=world.tick,
        digest=world.digest() if digest is None else digest,
        scalars=_encode(
            {"unsettled": list(world.unsettled), **{name: getattr(world, name) for name in SCALARS}}
        ),
        tables=tables,
        event_logs=[
            (agent.number, agent.event_log.events, len(agent.event_log.events))
            for agent in world.agents
        ],
        chunks=world.ground.export(),
        edits=world.ground.edits,
    )


def _bare(agent: Agent) -> Agent:
    """A copy of an agent without derived values, and with an empty event log that keeps its
    counters: the events are stored apart."""
    bare = copy(agent)
    bare.slow_digest = bare.inventory_text = b""
    bare.at_rest = False
    bare.marks = {}
    bare.event_log = EventLog([], agent.event_log.next, agent.event_log.head)
    return bare


def pack_chunks(state: CopiedState, *, rest: Callable[[], None] = lambda: None) -> CopiedState:
    """The same state with all its chunks packed. `rest` is called as in `pack`."""
    chunks: list[Chunk] = []
    compressed = 0
    for cx, cz, cells in state.chunks:
        if len(cells) == CHUNK_CELLS:
            cells = zlib.compress(cells, 1)
            compressed += 1
            if compressed % CHUNKS_A_REST == 0:
                rest()
        chunks.append((cx, cz, cells))
    return msgspec.structs.replace(state, chunks=chunks)


def pack(state: CopiedState, *, taken_s: int = 0, rest: Callable[[], None] = lambda: None) -> bytes:
    """The file of a snapshot. `rest` is called between short pieces of work, so that another thread
    can have the interpreter."""
    compressor = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True)
    stream = compressor.compressobj()
    pieces = []
    for number, part in enumerate(_parts(state)):
        pieces.append(stream.compress(len(part).to_bytes(_LENGTH_BYTES, "big")))
        for start in range(0, len(part), BYTES_A_REST):
            pieces.append(stream.compress(part[start : start + BYTES_A_REST]))
            if number % CHUNKS_A_REST == 0 or number < len(state.event_logs):
                rest()
    pieces.append(stream.flush())
    body = b"".join(pieces)
    header = Header(
        epoch=state.epoch,
        tick=state.tick,
        digest=state.digest,
        taken_s=taken_s,
        agents=len(state.event_logs),
        chunks=len(state.chunks),
        body_sha256=sha256(body).hexdigest(),
    )
    return compressor.compress(msgspec.json.encode(header) + b"\n") + body


def _parts(state: CopiedState) -> Iterator[bytes]:
    yield state.scalars
    yield _encode({name: msgspec.Raw(rows) for name, rows in state.tables})
    for number, events, count in state.event_logs:
        yield _encode((number, events[max(0, count - KEPT_EVENTS) : count]))
    yield from map(_encode, state.chunks)


def read_header(data: bytes) -> Header:
    """The header of a snapshot; `data` is the file or its beginning."""
    return _split(data)[0]


def restore(data: bytes, make_world: WorldMaker, *, tuning: Tuning | None = None) -> World:
    """The world of a snapshot, with its own tuning or another; raises DamagedError if it is not
    sound, and refuses it as `annex` if rules from outside are missing. A state that other rules
    made has another digest under ours, so none is compared: its hash must do, and the caller
    decides whether it may be used."""
    header, body = _split(data)
    if sha256(body).hexdigest() != header.body_sha256:
        raise DamagedError(f"the snapshot of tick {header.tick} is not the one that was written")
    world = header.epoch.begin_world(make_world, tuning)
    try:
        _fill(world, header, _Parts(body))
        digest = world.digest()
    except _FORGED as error:
        raise DamagedError(
            f"the snapshot of tick {header.tick} cannot be read: {error!r}"
        ) from None
    ours = header.epoch.obstacle(world.catalogs, world.extensions) is None
    if world.tick != header.tick or (ours and digest != header.digest):
        raise DamagedError(f"the snapshot of tick {header.tick} does not have the digest it says")
    return world


def with_tuning(world: WorldState, make_world: WorldMaker, epoch: Epoch) -> World:
    """The same world under the tuning of another epoch."""
    return restore(pack(encode_state(world, epoch)), make_world, tuning=epoch.tuning)


def _split(data: bytes) -> tuple[Header, bytes]:
    """The header and the second frame of a snapshot."""
    try:
        # The size is checked before anything is unpacked: a small frame can unpack to gigabytes.
        if not 0 < zstandard.frame_content_size(data) <= MAX_HEADER_BYTES:
            problem = "its first frame is too long, or does not say"
            raise DamagedError(f"this is not a snapshot of a world: {problem}")
        line = _decompressor().decompress(data)  # no more than the frame claims
        fields = msgspec.json.decode(line)
        check_format(fields)
        header = msgspec.convert(fields, Header)
        first = _decompressor().decompressobj()
        first.decompress(data)
    except _FORGED as error:
        raise DamagedError(f"this is not a snapshot of a world: {error}") from None
    return header, first.unused_data


def _decompressor() -> zstandard.ZstdDecompressor:
    return zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW_BYTES)


class _Parts:
    """Reads the parts of a snapshot one by one, and refuses one that is longer than it may be."""

    def __init__(self, body: bytes) -> None:
        self._stream = _decompressor().stream_reader(body)
        self._left = MAX_UNPACKED_BYTES

    def next(self, at_most: int) -> bytes:
        """The next part, of at most this many bytes."""
        length = int.from_bytes(self._stream.read(_LENGTH_BYTES), "big")
        self._left -= length
        if length > at_most or self._left < 0:
            raise DamagedError(
                f"a snapshot has a part of {length} bytes, where {at_most} are the most"
            )
        part = self._stream.read(length)
        if not length or len(part) != length:
            raise DamagedError("a snapshot ends before its last part")
        return part


def _fill(world: World, header: Header, parts: _Parts) -> None:
    """Put the stored state into a new world. Fields that the file does not have stay as they
    begin."""
    scalars = _raw_decode(parts.next(MAX_SCALARS_BYTES))
    world.unsettled = dict.fromkeys(
        msgspec.msgpack.decode(scalars["unsettled"], type=list[Position])
    )
    season = (
        msgspec.msgpack.decode(scalars["season"], type=Natural)
        if "season" in scalars
        else world.season
    )
    if season != world.season:
        world.enter_season(season)
    for name in SCALARS:
        if name in scalars:
            value = getattr(world, name)
            kind = Natural if isinstance(value, int) else type(value)
            setattr(world, name, msgspec.msgpack.decode(scalars[name], type=kind))
    tables = _raw_decode(parts.next(MAX_TABLES_BYTES))
    for name, table in world.tables().items():
        if name in tables:
            for row in _ROWS[name].decode(tables[name]):
                table.put(row)
    places = list(world.unsettled)
    for table in world.tables().values():
        places += [row.position for row in table if hasattr(row, "position")]
    for x, y, z in places:
        if not 0 <= y < HEIGHT or max(abs(x), abs(z)) > MAX_DISTANCE:  # no world has such a cell
            raise DamagedError(f"a snapshot has something at {x}, {y}, {z}")
    extension.check(extension.names(world.extensions), [row.extension for row in world.rows])
    if header.agents != len(world.agents):
        raise DamagedError("a snapshot does not have as many agents as it says")
    for _ in range(header.agents):
        number, events = _event_log_decode(parts.next(MAX_EVENT_LOG_BYTES))
        world.agents[number].event_log.keep(events)
    world.ground.restore(_chunk_decode(parts.next(MAX_CHUNK_BYTES)) for _ in range(header.chunks))

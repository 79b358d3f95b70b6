"""Snapshots: a world's state as bytes, and a world from such bytes.

    encode_state   in the tick's own thread: copies whatever a later tick could change
    pack_chunks    anywhere, later: packs the copied chunks. Given back to the ground, they need not
                   be copied again before they change
    pack           anywhere, later: encodes and compresses the rest

A file is two zstd frames. The first holds one JSON line, the header; the second holds the parts,
each a length of four bytes and that many bytes of MessagePack: scalars, tables, an event log for
each agent, the changed chunks. Things are stored by name, so that a later release finds what it
knows and begins the rest anew. Derived things are not stored. After `restore` the digest is
computed from nothing and compared with the header's; what the digest does not cover (the texts of
events) is covered by a hash of the second frame.
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
from thorp.voxel.persistence.record import Terms, check_format
from thorp.voxel.state.agent import RING_BYTES, RING_EVENTS, Agent, Event, EventLog
from thorp.voxel.state.ground import CHUNK_CELLS, HEIGHT, Position
from thorp.voxel.state.table import Natural
from thorp.voxel.state.world import SCALARS, TABLES, World, WorldState
from thorp.voxel.tuning import Tuning

# 80 MB of chunks in a third of a second; higher levels save little on blocks that repeat this much.
LEVEL: Final = 3
# How many chunks are compressed between two rests.
CHUNKS_A_REST: Final = 16
# The most that is compressed at once: some two milliseconds.
BYTES_A_REST: Final = 512 * 1024
# A header has some two kilobytes. A file that claims more is none of ours.
MAX_HEADER_BYTES: Final = 64 * 1024
# What a file may make us take. A world of 2,500 agents with full memories and full rings that
# changed 50,000 chunks has a 160 MB part of tables and unpacks to some 2.5 GB, part by part.
MAX_FILE_BYTES: Final = 2**30
MAX_UNPACKED_BYTES: Final = 4 * 2**30
MAX_TABLES_BYTES: Final = 256 * 2**20
MAX_SCALARS_BYTES: Final = 16 * 2**20
MAX_RING_BYTES: Final = 4 * RING_BYTES
MAX_CHUNK_BYTES: Final = 2 * CHUNK_CELLS
# Four times that of our level.
MAX_WINDOW_BYTES: Final = 8 * 2**20
# The widest world there can be.
MAX_DISTANCE: Final = 1_000_000
_LENGTH_BYTES: Final = 4
# How bytes that somebody else composed fail.
_FORGED: Final = (
    LookupError, TypeError, ValueError, ArithmeticError, RecursionError,
    msgspec.MsgspecError, zstandard.ZstdError,
)  # fmt: skip

Chunk = tuple[int, int, bytes]  # Column of a chunk and its cells, packed or not.

Found = Callable[
    [int, int, Tuning], World
]  # Makes a world at tick 0 from its two seeds and its tuning.

_encode = msgspec.msgpack.Encoder().encode
_chunk_decode = msgspec.msgpack.Decoder(tuple[int, int, bytes]).decode
_ROWS: Final[dict[str, msgspec.msgpack.Decoder[list[Any]]]] = {
    name: msgspec.msgpack.Decoder(GenericAlias(list, (kind,))) for name, kind in TABLES.items()
}
_raw_decode = msgspec.msgpack.Decoder(dict[str, msgspec.Raw]).decode
_ring_decode = msgspec.msgpack.Decoder(tuple[int, list[Event]]).decode


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a snapshot."""

    terms: Terms
    tick: Natural
    digest: str
    taken_s: int  # When it was taken, in seconds since 1970. No rule looks at it.
    agents: Natural
    chunks: Natural
    body_sha256: str


class State(msgspec.Struct, frozen=True):
    """Copies that no later tick can change."""

    terms: Terms
    tick: int
    digest: str
    scalars: bytes
    tables: list[tuple[str, bytes]]
    rings: list[
        tuple[int, list[Event], int]
    ]  # Number of the agent, its events, and how many there were.
    chunks: list[Chunk]
    edits: int  # How many edits the ground had had.


def encode_state(world: WorldState, terms: Terms, digest: str | None = None) -> State:
    """Copy the whole state, between two ticks. `digest` saves computing it once more."""
    tables = [
        (
            name,
            _encode([_bare(agent) for agent in world.agents] if name == "agents" else list(table)),
        )
        for name, table in world.tables().items()
    ]
    return State(
        terms=terms,
        tick=world.tick,
        digest=world.digest() if digest is None else digest,
        scalars=_encode(
            {"unsettled": list(world.unsettled), **{name: getattr(world, name) for name in SCALARS}}
        ),
        tables=tables,
        rings=[
            (agent.number, agent.event_log.events, len(agent.event_log.events))
            for agent in world.agents
        ],
        chunks=world.ground.export(),
        edits=world.ground.edits,
    )


def _bare(agent: Agent) -> Agent:
    """The agent without what is derived, and with an empty event log that still counts."""
    bare = copy(agent)
    bare.slow_digest = bare.inventory_text = b""
    bare.at_rest = False
    bare.marks = {}
    bare.event_log = EventLog([], agent.event_log.next, agent.event_log.head)
    return bare


def pack_chunks(state: State, *, rest: Callable[[], None] = lambda: None) -> State:
    """The same state with all its chunks packed. `rest` as in `pack`."""
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


def pack(state: State, *, taken_s: int = 0, rest: Callable[[], None] = lambda: None) -> bytes:
    """The file of a snapshot. `rest` is called between short pieces of work, to let another thread
    in."""
    compressor = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True)
    stream = compressor.compressobj()
    pieces = []
    for number, part in enumerate(_parts(state)):
        pieces.append(stream.compress(len(part).to_bytes(_LENGTH_BYTES, "big")))
        for start in range(0, len(part), BYTES_A_REST):
            pieces.append(stream.compress(part[start : start + BYTES_A_REST]))
            if number % CHUNKS_A_REST == 0 or number < len(state.rings):
                rest()
    pieces.append(stream.flush())
    body = b"".join(pieces)
    header = Header(
        terms=state.terms,
        tick=state.tick,
        digest=state.digest,
        taken_s=taken_s,
        agents=len(state.rings),
        chunks=len(state.chunks),
        body_sha256=sha256(body).hexdigest(),
    )
    return compressor.compress(msgspec.json.encode(header) + b"\n") + body


def _parts(state: State) -> Iterator[bytes]:
    yield state.scalars
    yield _encode({name: msgspec.Raw(rows) for name, rows in state.tables})
    for number, events, count in state.rings:
        yield _encode((number, events[max(0, count - RING_EVENTS) : count]))
    yield from map(_encode, state.chunks)


def read_header(data: bytes) -> Header:
    """The header of a snapshot; `data` is its beginning, or all of it."""
    return _split(data)[0]


def restore(data: bytes, found: Found, *, tuning: Tuning | None = None) -> World:
    """The world of a snapshot, with its own tuning or another; raises DamagedError if it is not
    sound, and refuses it as `annex` if rules from outside are missing. Under foreign terms it has
    another digest, so none is compared: its hash must do, and the caller decides whether it may be
    used."""
    header, body = _split(data)
    if sha256(body).hexdigest() != header.body_sha256:
        raise DamagedError(f"the snapshot of tick {header.tick} is not the one that was written")
    world = found(header.terms.seed, header.terms.draw_seed, tuning or header.terms.tuning)
    try:
        _fill(world, header, _Parts(body))
        digest = world.digest()
    except _FORGED as error:
        raise DamagedError(
            f"the snapshot of tick {header.tick} cannot be read: {error!r}"
        ) from None
    ours = header.terms.foreign(world.catalogs, world.extensions) is None
    if world.tick != header.tick or (ours and digest != header.digest):
        raise DamagedError(f"the snapshot of tick {header.tick} does not have the digest it says")
    return world


def with_tuning(world: WorldState, found: Found, terms: Terms) -> World:
    """The same world under the tuning of other terms."""
    return restore(pack(encode_state(world, terms)), found, tuning=terms.tuning)


def _split(data: bytes) -> tuple[Header, bytes]:
    try:
        if not 0 < zstandard.frame_content_size(data) <= MAX_HEADER_BYTES:
            told = "its first frame is too long, or does not say"
            raise DamagedError(f"this is not a snapshot of a world: {told}")
        line = _decompressor().decompress(data)  # no more than it says
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
    """The parts of a body, one by one, none of them longer than it may be."""

    def __init__(self, body: bytes) -> None:
        self._stream = _decompressor().stream_reader(body)
        self._left = MAX_UNPACKED_BYTES

    def next(self, at_most: int) -> bytes:
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
        if not 0 <= y < HEIGHT or max(abs(x), abs(z)) > MAX_DISTANCE:  # where no world has a cell
            raise DamagedError(f"a snapshot has something at {x}, {y}, {z}")
    extension.check([one.name for one in world.extensions], [row.extension for row in world.rows])
    if header.agents != len(world.agents):
        raise DamagedError("a snapshot has not as many agents as it says")
    for _ in range(header.agents):
        number, events = _ring_decode(parts.next(MAX_RING_BYTES))
        world.agents[number].event_log.keep(events)
    world.ground.restore(_chunk_decode(parts.next(MAX_CHUNK_BYTES)) for _ in range(header.chunks))

"""OBS, what one agent perceives in a tick, and the encodings of the cube of blocks around it.

Integers are JSON integers and empty lists are `[]`. A field that is UNSET is absent. Events stay
plain objects: each has `t` and `type`, and further fields that depend on the type.
`docs/protocol.md` says how cubes are encoded; the varints of RLE have their low seven bits first. A
decoded cube is `bytes`, one for each cell: palettes of more than 256 blocks are refused.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterable
from typing import Any, Final, Literal

from msgspec import UNSET, Struct, UnsetType, field

from thorp.kernel.errors import InvalidError
from thorp.protocol.actions import Stack
from thorp.protocol.handshake import ProtocolMessage

MAX_RADIUS: Final = 32  # The largest radius that a world may be set to; its cube has 274,625 cells.
MAX_BLOCK: Final = 255
_CELL: Final = [bytes((block,)) for block in range(MAX_BLOCK + 1)]
_MAX_BYTES: Final = 4  # A varint has at most 28 bits.
_LONG: Final = re.compile(rb"[\x80-\xff]+[\x00-\x7f]?")


class VoxelError(InvalidError):
    """A cube that cannot be decoded."""

    code = "bad_voxels"


def cell_count(radius: int) -> int:
    """The number of cells in a cube of this radius."""
    if not 1 <= radius <= MAX_RADIUS:
        raise VoxelError(f"radius: expected 1 to {MAX_RADIUS}, got {radius}")
    return int((2 * radius + 1) ** 3)


def cell_index(offset: Position, radius: int) -> int:
    """The index, in a cube, of the cell at an offset from the centre; the offset must be inside."""
    dx, dy, dz = offset
    edge = 2 * radius + 1
    if not (-radius <= dx <= radius and -radius <= dy <= radius and -radius <= dz <= radius):
        raise VoxelError(f"offset {offset} is not within {radius} of the centre")
    return ((dy + radius) * edge + dz + radius) * edge + dx + radius


def decode_rle(data: str, radius: int) -> bytes:
    """The cells of a cube, decoded from base64 and run lengths. Raises VoxelError if it is
    malformed."""
    cells = cell_count(radius)
    try:
        packed = b64decode(data, validate=True)
    except ValueError:
        raise VoxelError("voxels.data: expected base64") from None
    numbers = list(packed) if packed.isascii() else _varints(packed)
    blocks = numbers[::2]
    runs = numbers[1::2]
    if len(blocks) != len(runs) or sum(runs) != cells or 0 in runs:
        raise VoxelError(f"voxels.data: expected pairs of block and run, {cells} cells in all")
    if max(blocks) > MAX_BLOCK:
        raise VoxelError(f"voxels.data: expected blocks up to {MAX_BLOCK}, got {max(blocks)}")
    return b"".join([_CELL[block] * run for block, run in zip(blocks, runs, strict=True)])


def apply_delta(cells: bytes, radius: int, ops: Iterable[VoxelOp]) -> bytes:
    """The cube after these changes."""
    if len(cells) != cell_count(radius):
        raise VoxelError(f"expected {cell_count(radius)} cells to change, got {len(cells)}")
    changed = bytearray(cells)
    for op in ops:
        if not 0 <= op.b <= MAX_BLOCK:
            raise VoxelError(f"voxels.ops: expected a block from 0 to {MAX_BLOCK}, got {op.b}")
        changed[cell_index(op.d, radius)] = op.b
    return bytes(changed)


def _varints(packed: bytes) -> list[int]:
    """The numbers in a sequence of varints. Most are one byte: those are taken over as they are,
    and only the longer ones are put together."""
    numbers: list[int] = []
    begin = 0
    for long in _LONG.finditer(packed):
        numbers += packed[begin : long.start()]
        begin = long.end()
        is_cut = long[0][-1] >= 0x80
        if len(long[0]) + is_cut > _MAX_BYTES:
            raise VoxelError("voxels.data: a number is too long")
        if is_cut:
            raise VoxelError("voxels.data: the last number is cut off")
        numbers.append(sum((byte & 0x7F) << 7 * place for place, byte in enumerate(long[0])))
    numbers += packed[begin:]
    return numbers


Position = tuple[int, int, int]
Event = dict[str, Any]


class Surroundings(Struct, kw_only=True):
    """The world around the agent."""

    time_of_day: float
    weather: str
    season_day: int
    biome: str
    temperature: int | UnsetType = UNSET  # Degrees Celsius where the agent stands.
    active_event: str | UnsetType = UNSET
    active_event_ends_tick: int | UnsetType = UNSET
    active_event_center: Position | UnsetType = UNSET
    active_event_radius: int | UnsetType = UNSET


class Reputation(Struct, kw_only=True):
    """How well the agent is thought of, by field."""

    trade: float
    build: float
    social: float
    law: float


class Body(Struct, kw_only=True):
    """The agent itself."""

    pos: Position
    yaw: int
    hp: int
    hunger: int
    stamina: float
    status: list[str]
    reputation: Reputation


class Equipment(Struct, kw_only=True):
    """What the agent holds and wears."""

    main_hand: str
    armor: tuple[str, str, str, str]


class Permissions(Struct, kw_only=True):
    """What the agent may do where it stands."""

    can_build: bool
    can_break: bool
    can_damage: bool
    can_trade: bool


class Tax(Struct, kw_only=True):
    """The taxes where the agent stands."""

    market: float


class LocalRules(Struct, kw_only=True):
    """Whose land the agent stands on, and which rules hold there."""

    role: str
    permissions: Permissions
    tax: Tax
    land_id: str | UnsetType = UNSET
    owner: str | UnsetType = UNSET
    maintenance_due_tick: int | UnsetType = UNSET
    maintenance_stage: int | UnsetType = UNSET


class VoxelOp(Struct, kw_only=True):
    """The cell at offset `d` from the centre is now block `b`."""

    d: Position
    b: int


class Voxels(Struct, kw_only=True):
    """The cube around the agent: whole (RLE, in `data`) or as changes (DELTA, in `ops`)."""

    center: Position
    radius: int
    encoding: Literal["RLE", "DELTA"]
    data: str | UnsetType = UNSET
    ops: list[VoxelOp] | UnsetType = UNSET


class Entity(Struct, kw_only=True, omit_defaults=True):
    """Something near the agent that is not a block: an agent, an item, a sign, a container."""

    id: str
    type: str
    pos: Position
    tags: list[str] = []
    reputation_hint: float = 0
    item: str = ""
    count: int = 0


class RunningTask(Struct, kw_only=True, omit_defaults=True):
    """A task of the agent that is under way."""

    task_id: str
    kind: str
    progress: float
    target: Position
    eta_ticks: int = 0


class FunScore(Struct, kw_only=True):
    """The agent's score by what it was earned for."""

    novelty: int
    creation: int
    social: int
    influence: int
    narrative: int
    risk_rescue: int


class Post(Struct, kw_only=True):
    """A post on a public board, in short."""

    post_id: str
    author: str
    title: str
    summary: str


class PublicBoard(Struct, kw_only=True):
    """A board nearby and some of its posts."""

    board_id: str
    top_posts: list[Post]


class Memory(Struct, kw_only=True):
    """One entry of the agent's memory, as LOAD_MEMORY asked for it."""

    key: str
    value: str


class Obs(ProtocolMessage, tag="OBS", kw_only=True):
    """What one agent perceives in a tick."""

    tick: int
    agent_id: str
    world: Surroundings
    body: Body = field(name="self")
    inventory: list[Stack]
    equipment: Equipment
    local_rules: LocalRules
    voxels: Voxels
    entities: list[Entity]
    events: list[Event]
    tasks: list[RunningTask]
    fun_score: FunScore | UnsetType = UNSET
    public_boards: list[PublicBoard] | UnsetType = UNSET
    memory: list[Memory] | UnsetType = UNSET

"""The observer protocol 0.1, for spectators: a SUBSCRIBE goes in, chunks and ticks come out.

Chunks are columns of 16 by 16 cells. `PAL16_Y8` is the surface of a chunk: 256 cells of a palette
id (two bytes, low byte first) and a height (one byte), row by row, x changing fastest.
`PAL16_U16LE_YZX` is every cell, two bytes each, with y outermost and x changing fastest. Both are
sent as base64.
"""

from typing import Any, Final, Literal

from msgspec import UNSET, Struct, UnsetType

OBSERVER_VERSION: Final = "0.1"

Position = tuple[int, int, int]


class ObserverMessage(Struct, kw_only=True, tag_field="type"):
    """A frame of the observer protocol: an object with `type` and `protocol_version`."""

    protocol_version: Literal["0.1"] = "0.1"


class ObserverParams(Struct, kw_only=True):
    """The constants of a world that a viewer needs in order to draw it."""

    tick_rate_hz: int
    chunk_size: Position  # x, z and height, in this order.
    height: int
    seed: int
    boundary_r: int


class Bootstrap(Struct, kw_only=True):
    """The answer to `GET /admin/v1/observer/bootstrap`."""

    protocol_version: Literal["0.1"] = "0.1"
    world_id: str
    tick: int
    world_params: ObserverParams
    block_palette: list[str]


class Subscribe(ObserverMessage, tag="SUBSCRIBE", kw_only=True):
    """What to show. The last one sent holds."""

    chunk_radius: int = 6
    max_chunks: int = 1024
    focus_agent_id: str = ""
    focus_pos: Position | None = None  # Where to show voxels if that agent is absent or not named.
    voxel_radius: int = 0
    voxel_max_chunks: int = 256


class ShownTask(Struct, kw_only=True, omit_defaults=True):
    """A task that is under way, as viewers see it."""

    kind: str
    target: Position
    progress: float
    target_id: str = ""
    eta_ticks: int = 0


class ShownAgent(Struct, kw_only=True):
    """An agent as viewers see it."""

    id: str
    name: str
    connected: bool
    pos: Position
    yaw: int
    hp: int
    hunger: int
    stamina_milli: int
    org_id: str | UnsetType = UNSET
    move_task: ShownTask | UnsetType = UNSET
    work_task: ShownTask | UnsetType = UNSET
    title: str | UnsetType = UNSET  # What it calls itself, from its HELLO.
    intent: str | UnsetType = UNSET  # Why it does what it does, from its last ACT that said so.


class ShownJoin(Struct, kw_only=True):
    """An agent that joined in this tick."""

    agent_id: str
    name: str


class ShownAudit(Struct, kw_only=True, rename={"before": "from", "after": "to"}):
    """A block that was changed, by whom and why."""

    tick: int
    actor: str
    action: Literal["SET_BLOCK"] = "SET_BLOCK"
    pos: Position
    before: int
    after: int
    reason: str | UnsetType = UNSET


class ShownAction(Struct, kw_only=True):
    """What an agent asked for, without what it whispered or remembers."""

    agent_id: str
    act: dict[str, Any]


class ShownTick(ObserverMessage, tag="TICK", kw_only=True):
    """What happened in a tick, and where every agent is now."""

    tick: int
    time_of_day: float
    weather: str
    agents: list[ShownAgent]
    active_event_id: str | UnsetType = UNSET
    active_event_ends_tick: int | UnsetType = UNSET
    joins: list[ShownJoin] | UnsetType = UNSET
    leaves: list[str] | UnsetType = UNSET
    actions: list[ShownAction] | UnsetType = UNSET
    audits: list[ShownAudit] | UnsetType = UNSET


class ChunkMessage(ObserverMessage, kw_only=True):
    """A message about one chunk."""

    cx: int
    cz: int


class ChunkSurface(ChunkMessage, tag="CHUNK_SURFACE", kw_only=True):
    """The surface of a chunk, whole."""

    encoding: Literal["PAL16_Y8"] = "PAL16_Y8"
    data: str


class SurfaceCell(Struct, kw_only=True):
    """The new top block of a column, and its height."""

    x: int
    z: int
    block: int
    y: int


class ChunkPatch(ChunkMessage, tag="CHUNK_PATCH", kw_only=True):
    """The columns of a chunk whose surface changed."""

    cells: list[SurfaceCell]


class ChunkEvict(ChunkMessage, tag="CHUNK_EVICT", kw_only=True):
    """A chunk's surface that is no longer kept up to date; forget it."""


class ChunkVoxels(ChunkMessage, tag="CHUNK_VOXELS", kw_only=True):
    """Every cell of a chunk."""

    encoding: Literal["PAL16_U16LE_YZX"] = "PAL16_U16LE_YZX"
    data: str


class VoxelCell(Struct, kw_only=True):
    """The new block of one cell."""

    x: int
    y: int
    z: int
    block: int


class ChunkVoxelPatch(ChunkMessage, tag="CHUNK_VOXEL_PATCH", kw_only=True):
    """The cells of a chunk that changed."""

    cells: list[VoxelCell]


class ChunkVoxelsEvict(ChunkMessage, tag="CHUNK_VOXELS_EVICT", kw_only=True):
    """A chunk's cells that are no longer kept up to date; forget them."""


AnyObserverMessage = (
    ShownTick
    | ChunkSurface
    | ChunkPatch
    | ChunkEvict
    | ChunkVoxels
    | ChunkVoxelPatch
    | ChunkVoxelsEvict
)

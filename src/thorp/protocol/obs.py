"""OBS: what one agent perceives, once a tick.

Integers are JSON integers and empty lists are `[]`. A field that is UNSET is absent. Events stay plain
objects: each has `t` and `type`, and what else depends on the type.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field

from thorp.protocol.fields import Stack
from thorp.protocol.messages import Message

Position = tuple[int, int, int]
Event = dict[str, Any]


class Surroundings(Struct, kw_only=True):
    """The world around the agent."""

    time_of_day: float
    weather: str
    season_day: int
    biome: str
    temperature: int | UnsetType = UNSET
    """Degrees Celsius where the agent stands."""
    active_event: str | UnsetType = UNSET
    active_event_ends_tick: int | UnsetType = UNSET
    active_event_center: Position | UnsetType = UNSET
    active_event_radius: int | UnsetType = UNSET


class Reputation(Struct, kw_only=True):
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
    main_hand: str
    armor: tuple[str, str, str, str]


class Permissions(Struct, kw_only=True):
    can_build: bool
    can_break: bool
    can_damage: bool
    can_trade: bool


class Tax(Struct, kw_only=True):
    market: float


class LocalRules(Struct, kw_only=True):
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
    id: str
    type: str
    pos: Position
    tags: list[str] = []
    reputation_hint: float = 0
    item: str = ""
    count: int = 0


class RunningTask(Struct, kw_only=True, omit_defaults=True):
    task_id: str
    kind: str
    progress: float
    target: Position
    eta_ticks: int = 0


class FunScore(Struct, kw_only=True):
    novelty: int
    creation: int
    social: int
    influence: int
    narrative: int
    risk_rescue: int


class Post(Struct, kw_only=True):
    post_id: str
    author: str
    title: str
    summary: str


class PublicBoard(Struct, kw_only=True):
    board_id: str
    top_posts: list[Post]


class Memory(Struct, kw_only=True):
    key: str
    value: str


class Obs(Message, tag="OBS", kw_only=True):
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

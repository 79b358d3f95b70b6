"""An agent's body and belongings, and the two tasks it may have."""

from __future__ import annotations

from hashlib import sha256
from operator import attrgetter
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from thorp.protocol import actions
from thorp.voxel.ground import HEIGHT, Position
from thorp.voxel.numbers import Natural, Positive
from thorp.voxel.ring import Ring
from thorp.voxel.search import Search

MAX_HP: Final = 20
MAX_HUNGER: Final = 20
MAX_STAMINA: Final = 1000
MAX_BREATH: Final = 75
REPUTATIONS: Final = ("trade", "build", "social", "law")
START_REPUTATION: Final = 500
MAX_REPUTATION: Final = 1000

_encode = msgspec.msgpack.Encoder(order="deterministic").encode


def _tag(request: actions.Task) -> str:
    """The name of an action on the wire."""
    return str(request.__struct_config__.tag)


class Movement(msgspec.Struct):
    """A movement task under way."""

    id: str
    request: actions.MoveTo | actions.Follow
    started_tick: Natural
    start: Position
    path: bytes = b""
    """Steps still to take, the next one last, as `systems.paths` writes them: one byte a step."""
    goal: Position | None = None
    """Where the path is meant to lead: the cell of the target's column nearest to the target's height."""
    waiting: bool = True
    """A path is wanted."""
    patient: bool = False
    """The usual search found nothing nearer; a longer one is wanted."""
    search: Search | None = None
    """The search for the path, begun and interrupted. There are never more than two in a world."""

    @property
    def kind(self) -> str:
        return _tag(self.request)


class Work(msgspec.Struct):
    """A work task under way."""

    id: str
    request: actions.WorkTask
    started_tick: Natural
    spent: Natural = 0
    """Working ticks spent on the unit in hand."""
    made: Natural = 0
    """Units or blocks finished."""
    total: Natural = 0
    """Units or blocks there will be; 0 while unknown."""
    laid: Natural = 0
    """Blocks of a blueprint that were not there before."""

    @property
    def kind(self) -> str:
        return _tag(self.request)


class Memo(msgspec.Struct, array_like=True):
    value: str
    expires_tick: Natural | None


class Window(msgspec.Struct, array_like=True):
    """One rate limit's running window."""

    start_tick: Natural
    used: Natural


class Agent(msgspec.Struct):
    number: Positive
    id: str
    name: str
    x: int
    y: Annotated[int, Meta(ge=0, le=HEIGHT - 2)]
    """Of the feet; there is room for the head."""
    z: int
    home: tuple[int, int]
    """The column of its spawn."""
    joined_tick: Natural
    inventory: dict[str, Positive]
    yaw: Annotated[int, Meta(ge=0, lt=360)] = 0
    hp: Annotated[int, Meta(ge=0, le=MAX_HP)] = MAX_HP
    hunger: Annotated[int, Meta(ge=0, le=MAX_HUNGER)] = MAX_HUNGER
    stamina: Annotated[int, Meta(ge=0, le=MAX_STAMINA)] = MAX_STAMINA
    breath: Annotated[int, Meta(ge=0, le=MAX_BREATH)] = MAX_BREATH
    fallen: Natural = 0
    """Cells fallen since it last stood or swam."""
    reputation: dict[str, Annotated[int, Meta(ge=0, le=MAX_REPUTATION)]] = msgspec.field(
        default_factory=lambda: dict.fromkeys(REPUTATIONS, START_REPUTATION)
    )
    move: Movement | None = None
    work: Work | None = None
    memory: dict[str, Memo] = {}
    windows: dict[str, Window] = {}
    ring: Ring = msgspec.field(default_factory=Ring)
    token: bytes = b""
    """SHA-256 of the resume token."""
    fresh: bytes = b""
    """Of the token that its owner was last given, until it is known to have arrived; `token` is good, too."""
    came_tick: Natural = 0
    """When its owner came in last."""
    attached: bool = False
    left_tick: Natural = 0
    acted: bool = False
    seen: Natural = 0
    """Events below this number had reached its owner when it last acted: after a crash, go on here."""
    fun: dict[str, int] = {}
    fun_windows: dict[str, Window] = {}
    org: str = ""
    seen_biomes: list[str] = []
    seen_events: list[str] = []
    seen_recipes: list[str] = []
    roamed: list[int] = []
    """The chunks farthest west, east, north and south that it ever was in."""
    slow_digest: bytes = b""
    """Of the fields that seldom change; empty after a change of theirs."""
    inventory_text: bytes = b""
    """The inventory as an OBS shows it; empty after a change."""
    at_rest: bool = False
    """Looked at, and neither falling nor swimming up nor short of breath; false after it was moved."""

    @property
    def position(self) -> Position:
        return self.x, self.y, self.z

    def have(self, item: str) -> int:
        return self.inventory.get(item, 0)

    def give(self, item: str, count: int) -> None:
        """Put so many into the inventory, or take them out (a negative count)."""
        left = self.inventory.get(item, 0) + count
        if left < 0:
            raise AssertionError(f"{self.id} would have {left} of {item}")
        if left:
            self.inventory[item] = left
        else:
            self.inventory.pop(item, None)
        self.slow_digest = self.inventory_text = b""

    def changed(self) -> None:
        """Say that memory, windows or another seldom changing field was changed in place."""
        self.slow_digest = b""


HOT: Final = (
    "x", "y", "z", "yaw", "hp", "hunger", "stamina", "breath", "fallen", "move", "work", "attached", "acted",
    "seen",
)  # fmt: skip
# Derived from the others, so never part of the state.
_DERIVED: Final = ("slow_digest", "inventory_text", "at_rest", "ring")
_SLOW: Final = tuple(field for field in Agent.__struct_fields__ if field not in (*HOT, *_DERIVED))
_hot = attrgetter(*HOT)
_slow = attrgetter(*_SLOW)


def agent_bytes(agent: Agent) -> bytes:
    """What the digest covers: every field, the ring by its running hash."""
    if not agent.slow_digest:
        agent.slow_digest = sha256(_encode(_slow(agent))).digest()
    return agent.slow_digest + agent.ring.head + _encode(_hot(agent))

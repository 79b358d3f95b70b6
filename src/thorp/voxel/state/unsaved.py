"""What stands beside the state of a world and is neither saved nor hashed.

Derived       follows from the state (indexes, land made ahead), and is made anew when it is missing
TickScratch   what one tick writes down about itself; a new value for every tick
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from thorp.voxel.inputs import Request
from thorp.voxel.state.ground import Ground, Position
from thorp.voxel.state.records import Claim, Contract, Law, Structure, Trade


class Part(NamedTuple):
    """One block of a blueprint that was turned: where it is from the anchor, and what it costs."""

    offset: Position
    block: int
    price: tuple[tuple[str, int], ...]


class Index(msgspec.Struct):
    """Rows of the tables by what rules look them up with. `lookups.indexes` makes it and keeps it
    in step."""

    due: dict[int, dict[Position, None]] = {}  # Growing blocks, by the tick they are due in.
    carried: dict[int, None] = {}  # Numbers of the items that lie on a belt.
    feeders: dict[Position, None] = {}  # Belts with a container behind them.
    networks: dict[Position, tuple[list[Position], list[Position]]] = {}
    """Of a wire that was asked for: all wires connected with it, and the switches and sensors they
    touch."""
    overlong: dict[
        Position, None
    ] = {}  # Wires that were found to belong to a network which is too long.
    listening: dict[Position, tuple[list[Position], list[Position]]] = {}
    """Of a belt that was asked for: the switches and sensors beside it, and the wires."""
    layouts: dict[
        tuple[str, int], list[Part]
    ] = {}  # Of a blueprint and its quarter turns: its blocks.
    land: dict[tuple[int, int], list[Claim]] = {}  # Of a chunk: the claims that cover any of it.
    upkeep: dict[int, dict[str, Claim]] = {}  # Claims, by the tick their upkeep is due in.
    laws: dict[
        int, dict[str, Law]
    ] = {}  # Laws that are not decided, by the tick their next stage begins in.
    offers: dict[
        int, dict[str, Trade]
    ] = {}  # Trades that were offered, by the tick they expire in.
    offers_by: dict[str, dict[str, Trade]] = {}  # Of an agent: the trades it has offered.
    contracts: dict[
        int, dict[str, Contract]
    ] = {}  # Not closed, by the first tick after their deadline.
    contracts_at: dict[Position, dict[str, Contract]] = {}  # Of a terminal: all its contracts.
    contracts_of: dict[
        str, dict[str, Contract]
    ] = {}  # Of an agent: posted or accepted, and not closed.
    sites: dict[Position, dict[str, None]] | None = None
    """Of a cell: accepted contracts to build for which it matters what is there. See
    `society.worksites`."""
    builds: dict[str, None] = {}  # The ids of these contracts; as good as `sites` is.
    stirred: dict[Position, None] = {}  # Terminals with contracts whose stock changed in this tick.
    structures: dict[
        tuple[int, int], dict[str, Structure]
    ] = {}  # Of a chunk: those a body in it may use.
    structures_of: dict[str, dict[str, Structure]] = {}  # Of a builder: its structures.
    structures_due: dict[
        int, dict[str, Structure]
    ] = {}  # By the tick in which they must still stand.
    guests: dict[
        int, None
    ] = {}  # Numbers of agents that are away and never acted, in the order they left.
    board_texts: dict[str, bytes] = {}  # Of a board: how an OBS shows it. See `society.boards`.
    boards_everywhere: dict[str, bytes] | None = (
        None  # The boards that are in every OBS, as it shows them.
    )
    boards_near: dict[tuple[int, int], list[tuple[Position, str]]] | None = None
    """Of a chunk: boards with posts that an OBS from somewhere in it shows."""
    boards_shown: dict[
        tuple[str, ...], bytes
    ] = {}  # Of the boards near an agent: its OBS on all boards.


@dataclass(slots=True)
class Derived:
    """Values that follow from the state. A world that was loaded, or enters a season, has a new
    one."""

    index: Index | None = None  # Made when it is first asked for; see `lookups.indexes`.
    land_ahead: Ground | None = (
        None  # The land of the next season, as far as it was made before its time.
    )


class BlockChange(NamedTuple):
    """One cell got another block, and who caused it."""

    actor: str
    reason: str
    position: Position
    before: int
    after: int


class FixtureChange(NamedTuple):
    """Somebody changed what a container holds, or turned a switch."""

    actor: str
    reason: str
    position: Position


@dataclass(slots=True)
class Defects:
    """Actions of the tick whose rule raised an unexpected exception. See `act_dispatch`."""

    skip: Sequence[
        int
    ] = ()  # Actions that failed when this tick was first executed; they are not run again.
    contain: bool = False  # Whether the rule of an action may fail without ending the tick.
    actions: int = 0  # How many actions were answered so far, which is the number of the last one.
    failed: list[int] = field(default_factory=list)
    cause: Exception | None = None


@dataclass(slots=True)
class TickScratch:
    """What the systems of one tick tell each other, and what the tick tells its caller.
    `tick.step` begins with a new one; between two ticks it is that of the last."""

    defects: Defects = field(default_factory=Defects)
    block_changes: list[BlockChange] = field(default_factory=list)
    fixture_changes: list[FixtureChange] = field(default_factory=list)
    """Changes that somebody made; what belts and deadlines do is not listed."""
    public_events: list[dict[str, object]] = field(default_factory=list)
    """What happened that anyone may know: for spectators, the audit and the chronicle."""
    joined: list[int] = field(
        default_factory=list
    )  # The number that each join got; 0 if the world was full.
    requests: list[Request] = field(
        default_factory=list
    )  # Requests to extensions, in order of arrival.
    answers: list[str] = field(
        default_factory=list
    )  # The extensions' answers, in the order of the requests.
    seals: list[str] = field(
        default_factory=list
    )  # Sealed snapshots of each request's town before, or "".
    memory_uses: dict[int, int] = field(
        default_factory=dict
    )  # How often each agent has used its memory.
    loaded_memory: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    """What LOAD_MEMORY found, by agent; the agent's OBS shows it."""

"""Parts of a world that are not its state: they are neither saved nor hashed.

Derived       follows from the state (indexes, land made ahead of time); made anew when missing
TickScratch   what one tick writes down about itself; a new value for every tick
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from thorp.voxel.inputs import ExtensionRequest
from thorp.voxel.state.ground import Ground, Position
from thorp.voxel.state.records import Claim, Contract, Law, Structure, Trade


class BlueprintPart(NamedTuple):
    """One block of a blueprint that was turned: its offset from the anchor, and what it costs."""

    offset: Position
    block: int
    price: tuple[tuple[str, int], ...]


class Index(msgspec.Struct):
    """Rows of the tables, by the keys that rules look them up with, so that no rule scans a table
    in every tick. `lookups.indexes` makes it and keeps it in step."""

    due: dict[int, dict[Position, None]] = {}  # Growing blocks, by the tick they are due in.
    carried: dict[int, None] = {}  # Numbers of the items that lie on a belt.
    feeders: dict[Position, None] = {}  # Belts with a container at their back end.
    networks: dict[Position, tuple[list[Position], list[Position]]] = {}
    """For a wire that was looked up: all wires connected with it, and the switches and sensors that
    they touch."""
    overlong: dict[Position, None] = {}
    """Wires of networks that are too long to carry a signal."""
    listening: dict[Position, tuple[list[Position], list[Position]]] = {}
    """For a belt that was looked up: the switches and sensors beside it, and the wires."""
    layouts: dict[tuple[str, int], list[BlueprintPart]] = {}
    """The blocks of a blueprint, by its id and quarter turns."""
    land: dict[tuple[int, int], list[Claim]] = {}  # By chunk: the claims that cover any of it.
    upkeep: dict[int, dict[str, Claim]] = {}  # Claims, by the tick their upkeep is due in.
    laws: dict[int, dict[str, Law]] = {}
    """Laws that are not decided, by the tick their next stage begins in."""
    offers: dict[int, dict[str, Trade]] = {}
    """Trades that were offered, by the tick they expire in."""
    offers_by: dict[str, dict[str, Trade]] = {}  # By agent: the trades it has offered.
    contracts: dict[int, dict[str, Contract]] = {}
    """Contracts that are not closed, by the first tick after their deadline."""
    contracts_at: dict[Position, dict[str, Contract]] = {}  # By terminal: all its contracts.
    contracts_of: dict[str, dict[str, Contract]] = {}
    """By agent: contracts that it has posted or accepted, and that are not closed."""
    sites: dict[Position, dict[str, None]] | None = None
    """By cell: the accepted contracts to build that depend on what is in it. See
    `society.worksites`."""
    builds: dict[str, None] = {}  # The ids of these contracts; valid while `sites` is not None.
    stirred: dict[Position, None] = {}  # Terminals with contracts whose stock changed in this tick.
    structures: dict[tuple[int, int], dict[str, Structure]] = {}
    """By chunk: the structures that a body in it may be using."""
    structures_of: dict[str, dict[str, Structure]] = {}  # By builder.
    structures_due: dict[int, dict[str, Structure]] = {}
    """By the tick in which a structure must still stand."""
    guests: dict[int, None] = {}
    """Numbers of agents that are away and never acted, in the order they left."""
    board_texts: dict[str, bytes] = {}  # By board: its text in an OBS. See `lookups.board_views`.
    boards_everywhere: dict[str, bytes] | None = None
    """The boards that are in every OBS, with their texts."""
    boards_near: dict[tuple[int, int], list[tuple[Position, str]]] | None = None
    """By chunk: the boards with posts that an OBS from somewhere in it shows."""
    boards_shown: dict[tuple[str, ...], bytes] = {}
    """By the boards near an agent: what its OBS says about all boards."""


@dataclass(slots=True)
class Derived:
    """Values that follow from the state. A world that is loaded, or that enters a season, begins
    with a new one."""

    index: Index | None = None  # Made when it is first asked for; see `lookups.indexes`.
    land_ahead: Ground | None = None
    """The land of the next season, as far as it was made ahead of time."""


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

    skip: Sequence[int] = ()
    """Actions that failed when this tick was first executed; they are not run again."""
    contain: bool = False  # Whether the rule of an action may fail without ending the tick.
    actions: int = 0  # How many actions were answered so far: the number of the last one.
    failed: list[int] = field(default_factory=list)
    cause: Exception | None = None


@dataclass(slots=True)
class TickScratch:
    """Notes that the systems of one tick leave for each other and for the caller of the tick.
    `tick.step` begins with a new one; between two ticks it is that of the last."""

    defects: Defects = field(default_factory=Defects)
    block_changes: list[BlockChange] = field(default_factory=list)
    fixture_changes: list[FixtureChange] = field(default_factory=list)
    """Changes that somebody made; those by belts and deadlines are not listed."""
    public_events: list[dict[str, object]] = field(default_factory=list)
    """What happened that anyone may know: for spectators, the audit and the chronicle."""
    joined: list[int] = field(default_factory=list)
    """The number that each join got; 0 if the world was full."""
    requests: list[ExtensionRequest] = field(default_factory=list)
    """Requests to extensions, in order of arrival."""
    answers: list[str] = field(default_factory=list)
    """The extensions' answers, in the order of the requests."""
    seals: list[str] = field(default_factory=list)
    """For each request, the snapshot of its town from before the request, or an empty text."""
    hints: dict[int, int] = field(default_factory=dict)
    """How many hints each agent got, by number; under 0, how many all got together."""
    memory_uses: dict[int, int] = field(default_factory=dict)
    """How often each agent has used its memory."""
    loaded_memory: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    """The notes that LOAD_MEMORY asked for, by agent; the agent's OBS shows them."""

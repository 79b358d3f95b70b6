"""What one tick writes down about itself: a new value for every tick, neither saved nor hashed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from thorp.voxel.inputs import Request
from thorp.voxel.state.ground import Position


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
    """Numbers of the actions that failed when this tick was first executed; a replay does not run them."""
    contain: bool = False
    """Whether the rule of an action may fail without ending the tick."""
    actions: int = 0
    """How many actions were answered so far, which is the number of the last one."""
    failed: list[int] = field(default_factory=list)
    cause: Exception | None = None


@dataclass(slots=True)
class TickScratch:
    """What the systems of one tick tell each other, and what the tick tells its caller.

    `tick.step` begins with a new one, so there is nothing to clear. Between two ticks it is that of the last.
    """

    defects: Defects = field(default_factory=Defects)
    block_changes: list[BlockChange] = field(default_factory=list)
    fixture_changes: list[FixtureChange] = field(default_factory=list)
    """Changes that somebody made; what belts and deadlines do is not listed."""
    public_events: list[dict[str, object]] = field(default_factory=list)
    """What happened that anyone may know: for spectators, the audit and the chronicle."""
    joined: list[int] = field(default_factory=list)
    """The agent number that each join got, in order; 0 if the world was full."""
    requests: list[Request] = field(default_factory=list)
    """Requests to annexes, in order of arrival."""
    answers: list[str] = field(default_factory=list)
    """The annexes' answers, in the order of the requests."""
    memory_uses: dict[int, int] = field(default_factory=dict)
    """How often each agent has used its memory."""
    loaded_memory: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    """What LOAD_MEMORY found, by agent; the agent's OBS shows it."""

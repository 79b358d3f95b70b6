"""What one agent saw, did and was told, tick by tick, found again by executing the journal."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec

from thorp.kernel.errors import IllegalError
from thorp.protocol.act import Act
from thorp.store import Disk
from thorp.voxel.inputs import Acted, Attach, Detach, Malformed
from thorp.voxel.new_world import found as found_generated
from thorp.voxel.observation.compose import compose
from thorp.voxel.observation.session import Session
from thorp.voxel.persistence.replay import History
from thorp.voxel.persistence.snapshot import Found

_ID: Final = re.compile(r"A[0-9]+", re.ASCII)


class Traced(msgspec.Struct, frozen=True, omit_defaults=True):
    tick: int
    observation: dict[str, Any]
    """Its OBS after the tick, without events and voxels."""
    acts: list[Act] = []
    """What it sent, applied in this tick."""
    unreadable: list[str] = []
    """Frames that could not be read, and why."""
    events: list[dict[str, Any]] = []
    """Everything it was told: results and refusals of its actions among them."""
    connection: list[str] = []
    """`joined`, `attached` or `detached` in this tick."""

    @property
    def eventful(self) -> bool:
        return bool(self.acts or self.unreadable or self.events or self.connection)


def trace(
    disk: Disk,
    path: Path,
    agent_id: str,
    show: Callable[[Traced], None],
    *,
    since: int = 1,
    until: int | None = None,
    found: Found = found_generated,
) -> None:
    """Show every tick of an agent's life from `since` to `until`, or to the last durable one.

    Anything but an id is taken as the name of an agent; exactly one must have had it then.
    """
    history = History.begin(disk, path, found, at_most=since - 1)
    if _ID.fullmatch(agent_id) is None:
        agent_id = _find_by_name(history, agent_id, since, until)
        history = History.begin(disk, path, found, at_most=since - 1)
    look = _Looking(history, agent_id, since, show)
    history.go(to_tick=until, watch=look)
    if not look.met:
        raise IllegalError(
            f"{path}: there was no agent {agent_id} in ticks {since} to {history.world.tick}; "
            "`thorp world replay` names those that are there",
            code="agent",
        )


def _find_by_name(history: History, name: str, since: int, until: int | None) -> str:
    """The id of the one agent with a name. Goes through the whole time, because others may come later."""
    ids: dict[str, None] = {}

    def look(tick: int) -> None:
        if tick >= since:
            ids.update((agent.id, None) for agent in history.world.agents if agent.name == name)

    history.go(to_tick=until, watch=look)
    if len(ids) > 1:
        told = f"{len(ids)} agents are called {name}: {', '.join(ids)}; give an id"
        raise IllegalError(told, code="ambiguous")
    return next(iter(ids), name)


class _Looking:
    def __init__(self, history: History, agent_id: str, since: int, show: Callable[[Traced], None]) -> None:
        self.met = False
        self._history = history
        self._agent_id = agent_id
        self._since = since
        self._show = show
        self._told = 0

    def __call__(self, tick: int) -> None:
        world = self._history.world
        agent = world.agent_by_id(self._agent_id)
        if agent is None:
            return
        told, self._told = self._told, agent.ring.next
        if tick < self._since:
            return
        self.met = True
        record = self._history.record
        inputs = [] if record is None else record.inputs
        mine = [entry for entry in inputs if getattr(entry, "agent", None) == agent.number]
        session = Session(agent.number)
        compose(world, [session])
        observation = msgspec.json.decode(session.take() or b"{}")
        del observation["events"], observation["voxels"]
        connection = [
            *(["joined"] if agent.joined_tick == tick else []),
            *("attached" for entry in mine if isinstance(entry, Attach)),
            *("detached" for entry in mine if isinstance(entry, Detach)),
        ]
        self._show(
            Traced(
                tick,
                observation,
                [entry.act for entry in mine if isinstance(entry, Acted)],
                [entry.problem for entry in mine if isinstance(entry, Malformed)],
                [msgspec.json.decode(event.text) for event in agent.ring.since(told)],
                connection,
            )
        )

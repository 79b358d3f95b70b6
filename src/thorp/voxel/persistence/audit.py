"""Audit: lists who changed what. Trace: what one agent saw, did and was told, tick by tick.

Both execute the journal again, so there is no second record that could differ from it. Changes of
blocks are those that the rules report. The contents of containers, signs and switches are compared
before and after each tick, and ascribed to those who handled them in it. The rest are the public
events of the rules. See `docs/world-audit.md`.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

import msgspec

from thorp.kernel.errors import IllegalError, InvalidError
from thorp.protocol.act import Act
from thorp.store import Disk
from thorp.voxel.inputs import Acted, Attach, Detach, Malformed
from thorp.voxel.new_world import create_world
from thorp.voxel.observation.compose import compose
from thorp.voxel.observation.session import Session
from thorp.voxel.persistence.replay import History, Watch
from thorp.voxel.persistence.snapshot import WorldMaker
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import Container, Sign, World, WorldState
from thorp.voxel.systems.blocks import CONTAINERS

WORLD: Final = "WORLD"

# The kinds of public events that are changes, and what they change.
SOCIETY: Final = {
    **dict.fromkeys(
        ("CLAIM_LAND", "UPGRADE_CLAIM", "SET_PERMISSIONS", "DEED_LAND", "LAND_ENDED"), "land"
    ),
    **dict.fromkeys(
        ("OFFER_LAND", "ADD_MEMBER", "REMOVE_MEMBER", "LEAVE_LAND", "INHERITED_LAND"), "land"
    ),
    **dict.fromkeys(("PAID_UPKEEP", "MISSED_UPKEEP", "PAID_FINE", "PAID_TICKET"), "land"),
    **dict.fromkeys(
        ("CREATE_ORG", "JOIN_ORG", "LEAVE_ORG", "PASSED_LEADERSHIP", "ORG_ENDED"), "org"
    ),
    **dict.fromkeys(
        ("ORG_DEPOSIT", "ORG_WITHDRAW", "SET_ORG_OPEN", "INVITE_ORG", "SET_ORG_ROLE"), "org"
    ),
    **dict.fromkeys(("LAW", "VOTE"), "law"),
    "TRADE": "trade",
    **dict.fromkeys(("CONTRACT", "BACKED"), "contract"),
    "POST": "board",
    "ROLLBACK": "rollback",
    "TOWN_RESULT": "town",
}
# The fields of a public event that name agents who are concerned.
_PARTIES: Final = ("with", "poster", "acceptor", "member_id", "owner", "new_owner")
# Blocks with contents. These go with the block, so whoever removes the block has changed them too.
_HOLDING: Final = (*CONTAINERS, "SIGN", "SWITCH")

_ID: Final = re.compile(r"A[0-9]+", re.ASCII)


def _contents(chest: Container) -> dict[str, int]:
    """All that lies in a container, including what is owed to someone."""
    contents = Counter(chest.stock)
    for owed in chest.owed.values():
        contents.update(owed)
    return dict(contents)


# Fixtures, which are blocks with contents: table, watched value, and its empty value.
_FIXTURES: Final[dict[str, tuple[str, Callable[[Any], Any], Any]]] = {
    "container": ("containers", _contents, {}),
    "sign": ("signs", attrgetter("text"), ""),
    "switch": ("switches", attrgetter("on"), False),
}

# By kind of fixture and position: its watched value.
FixtureValues = dict[str, dict[Position, Any]]
# By position: who changed a fixture in a tick, and by which action.
Doers = dict[Position, list[tuple[str, str]]]


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """One change in the journal, and who made it."""

    tick: int
    what: str
    actor: str
    """An agent or an organisation, several with commas between them, or WORLD or OPERATOR."""
    reason: str
    pos: Position | None = None
    before: Any = None
    after: Any = None
    more: dict[str, Any] = {}

    def concerns(self, agent_id: str) -> bool:
        """Whether an agent made the change, or is a party to it."""
        return agent_id in self.actor.split(",") or any(
            self.more.get(field) == agent_id for field in _PARTIES
        )

    def is_near(self, middle: Position, reach: int) -> bool:
        """Whether it happened in the cube around a cell."""
        return self.pos is not None and all(
            abs(a - b) <= reach for a, b in zip(self.pos, middle, strict=True)
        )


def audit(
    disk: Disk,
    path: Path,
    show: Callable[[Change], None],
    *,
    since: int = 1,
    until: int | None = None,
    begin: Callable[[World], None] = lambda world: None,
    make_world: WorldMaker = create_world,
    watch: Watch = lambda _: None,
) -> World:
    """Show every change from `since` to `until`, or to the last durable tick, in order.
    `begin` sees the world right before the tick `since`. Returns the world at the end."""
    if since < 1:
        raise InvalidError(f"a tick is 1 or more, not {since}", code="range")
    history = History.begin(disk, path, make_world, at_most=since - 1)
    values: FixtureValues = {}

    def look(tick: int) -> None:
        if tick == since - 1:
            begin(history.world)
            for kind, (table, value, _) in _FIXTURES.items():
                values[kind] = {
                    fixture.position: value(fixture) for fixture in getattr(history.world, table)
                }
        elif tick >= since:
            for change in _changes(history.world, values):
                show(change)
        watch(tick)

    look(history.world.tick)
    history.go(to_tick=until, watch=look)
    if not values:
        problem = f"the last tick is {history.world.tick}, so nothing happened since {since}"
        raise IllegalError(f"{path}: {problem}", code="range")
    return history.world


def _changes(world: World, values: FixtureValues) -> Iterator[Change]:
    """The changes of the last tick. `values` are those before it, and are brought up to date."""
    doers = _doers(world)
    name = [block.id for block in world.catalogs.blocks]
    for actor, reason, position, before, after in world.scratch.block_changes:
        yield Change(
            tick=world.tick,
            what="block",
            actor=actor,
            reason=reason,
            pos=position,
            before=name[before],
            after=name[after],
        )
    for kind in _FIXTURES:
        yield from _fixture_changes(world, kind, doers, values[kind])
    yield from _society_changes(world)


def _fixture_changes(
    world: WorldState, kind: str, doers: Doers, values: dict[Position, Any]
) -> Iterator[Change]:
    name, value, empty = _FIXTURES[kind]
    table = world.tables()[name]
    for position in sorted(table.changed()):
        fixture = table.get(position)
        before = values.pop(position, empty)
        after = empty if fixture is None else value(fixture)
        if fixture is not None:
            values[position] = after
        if before != after:
            actor, reason = _named(doers, position)
            if isinstance(fixture, Sign):
                actor = fixture.updated_by
                reason = "SET_SIGN"
            more = {}
            if kind == "container":
                moved = {
                    item: after.get(item, 0) - before.get(item, 0)
                    for item in sorted({*before, *after})
                }
                more = {"moved": {item: count for item, count in moved.items() if count}}
            yield Change(
                tick=world.tick,
                what=kind,
                actor=actor,
                reason=reason,
                pos=position,
                before=before,
                after=after,
                more=more,
            )


def _doers(world: World) -> Doers:
    """Who handled which fixture in this tick, also by removing its block."""
    doers: Doers = {}
    for actor, reason, position in world.scratch.fixture_changes:
        doers.setdefault(position, []).append((actor, reason))
    holding = [block.id in _HOLDING for block in world.catalogs.blocks]
    for entry in world.scratch.block_changes:
        # A world event fills the chest that it puts up; a chest that an agent places is empty.
        if holding[entry.before] or entry.actor == WORLD:
            doers.setdefault(entry.position, []).append((entry.actor, entry.reason))
    return doers


def _named(doers: Doers, position: Position) -> tuple[str, str]:
    """Actors and reasons of a change, several with commas between them; WORLD if nobody did it."""
    actors, reasons = zip(*doers.get(position, [(WORLD, WORLD)]), strict=True)
    return ",".join(dict.fromkeys(actors)), ",".join(dict.fromkeys(reasons))


def _society_changes(world: World) -> Iterator[Change]:
    for event in world.scratch.public_events:
        more = dict(event)
        reason = str(more.pop("kind"))
        subject = SOCIETY.get(reason)
        if subject is not None:
            actor = str(more.pop("actor", None) or more.pop("agent", None) or WORLD)
            pos: Any = more.pop("pos", None)
            claim = world.claims.get(str(more.get("land_id")))
            place = pos if pos is not None else claim.anchor if claim is not None else None
            yield Change(
                tick=world.tick, what=subject, actor=actor, reason=reason, pos=place, more=more
            )


# The trace of one agent.


class Traced(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one agent saw and sent around a tick."""

    tick: int
    observation: dict[str, Any]  # Its OBS after the tick, without events and voxels.
    acts: list[Act] = []  # What it sent, applied in this tick.
    unreadable: list[str] = []  # Frames that could not be read, and why.
    events: list[dict[str, Any]] = []
    """Everything it was told, results and refusals of its actions included."""
    connection: list[str] = []  # `joined`, `attached` or `detached` in this tick.

    @property
    def eventful(self) -> bool:
        """Whether anything but the observation is there."""
        return bool(self.acts or self.unreadable or self.events or self.connection)


def trace(
    disk: Disk,
    path: Path,
    agent_id: str,
    show: Callable[[Traced], None],
    *,
    since: int = 1,
    until: int | None = None,
    make_world: WorldMaker = create_world,
    watch: Watch = lambda _: None,
) -> None:
    """Show every tick of an agent's life from `since` to `until`, or to the last durable one.
    `agent_id` may also be a name, which exactly one agent must have had in that time."""
    history = History.begin(disk, path, make_world, at_most=since - 1)
    if _ID.fullmatch(agent_id) is None:
        agent_id = _find_by_name(history, agent_id, since, until, watch)
        history = History.begin(disk, path, make_world, at_most=since - 1)
    was_there = False
    next_event = 0

    def look(tick: int) -> None:
        nonlocal was_there, next_event
        watch(tick)
        agent = history.world.agent_by_id(agent_id)
        if agent is not None:
            if tick >= since:
                was_there = True
                show(_traced(history, agent, tick, next_event))
            next_event = agent.event_log.next

    history.go(to_tick=until, watch=look)
    if not was_there:
        nobody = f"there was no agent {agent_id} in ticks {since} to {history.world.tick}"
        raise IllegalError(
            f"{path}: {nobody}; `thorp world replay` names those that are there", code="agent"
        )


def _find_by_name(history: History, name: str, since: int, until: int | None, watch: Watch) -> str:
    """The id of the one agent with a name. Executes the whole time, because another agent of that
    name may come later."""
    ids: dict[str, None] = {}

    def look(tick: int) -> None:
        watch(tick)
        if tick >= since:
            ids.update((agent.id, None) for agent in history.world.agents if agent.name == name)

    history.go(to_tick=until, watch=look)
    if len(ids) > 1:
        raise IllegalError(
            f"{len(ids)} agents are called {name}: {', '.join(ids)}; give an id", code="ambiguous"
        )
    return next(iter(ids), name)


def _traced(history: History, agent: Agent, tick: int, first_event: int) -> Traced:
    """The last tick of an agent, with the events from a number on."""
    inputs = [] if history.record is None else history.record.inputs
    mine = [entry for entry in inputs if getattr(entry, "agent", None) == agent.number]
    session = Session(agent.number)
    compose(history.world, [session])
    observation = msgspec.json.decode(session.take() or b"{}")
    del observation["events"], observation["voxels"]
    connection = [
        *(["joined"] if agent.joined_tick == tick else []),
        *("attached" for entry in mine if isinstance(entry, Attach)),
        *("detached" for entry in mine if isinstance(entry, Detach)),
    ]
    return Traced(
        tick=tick,
        observation=observation,
        acts=[entry.act for entry in mine if isinstance(entry, Acted)],
        unreadable=[entry.problem for entry in mine if isinstance(entry, Malformed)],
        events=[msgspec.json.decode(event.text) for event in agent.event_log.since(first_event)],
        connection=connection,
    )

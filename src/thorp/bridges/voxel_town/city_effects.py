"""Executes handoffs for towns of the voxel world: as requests at the border, and judged inside the
tick.

The seal is what handoffs are compared with; preconditions and rules look at the world as it is. A
command that was executed seals the town anew. One that fails is undone, and uses its key all the
same.

A command touches the treasury, the terminals on the land and their contracts, notices, members who
are there, the town's own rows, and the counters of new ids. Those are copied before it and put back
if it fails. Derived indexes are built again; only what earlier rules of the tick have put into them
is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Any, Final

from thorp.bridges.voxel_town import commands, quests, records, town
from thorp.bridges.voxel_town.records import EXTENSION
from thorp.bridges.voxel_town.seal import seal
from thorp.bridges.voxel_town.territory import Domain, domain_of
from thorp.bridges.voxel_town.town import Town, load, store, today
from thorp.kernel.canonical import Json, canonical_text, read_text
from thorp.kernel.errors import LimitError
from thorp.kernel.identity import digest
from thorp.protocol.frame import clip
from thorp.town.handoff import storable_handoff
from thorp.town.handoff_judge import Receipt, RuleRefused, Seen, Standing, judge
from thorp.voxel.extension import RowKey
from thorp.voxel.inputs import MAX_REQUEST_BYTES, Request
from thorp.voxel.lookups.terminals import contracts_at
from thorp.voxel.state.agent import EventLog
from thorp.voxel.state.table import Table
from thorp.voxel.state.world import World, parse_block_id

# How much of a governor's text spectators are shown.
SHOWN_BYTES: Final = 120


def request_of(handoff: object) -> Request:
    """Request that carries a handoff into a tick. `ContractError` if invalid, `LimitError` if too
    long."""
    text, _ = storable_handoff(handoff)
    if len(text.encode()) > MAX_REQUEST_BYTES:
        raise LimitError(f"a handoff has at most {MAX_REQUEST_BYTES} bytes", code="too_long")
    return Request(EXTENSION, text)


def answer(world: World, text: str) -> str:
    """The result of a handoff, from its canonical text; both as canonical text."""
    handoff = read_text(text.encode())
    key = handoff["idempotencyKey"]
    content = digest(text.encode())
    town_id = handoff["proposal"]["townId"]
    own = load(world, town_id)
    domain = domain_of(world, town_id)
    judged = None if own is None or domain is None else JudgedTown(world, domain, own)
    world.scratch.seals.append(records.read(world, town_id + town.SEAL) or "")
    result = judge(handoff, content, records.find(world, key), judged)
    if result["accepted"]:
        records.keep(world, key, Receipt(content, result["resultId"]), today(world))
        _count(world, town_id)
    _tell(world, handoff, result)
    return canonical_text(result)


def knows(world: World, town_id: object, key: object = None) -> bool:
    """Whether a town is in this world, or a handoff with that key was accepted in it."""
    is_town = isinstance(town_id, str) and load(world, town_id) is not None
    return is_town or (isinstance(key, str) and records.find(world, key) is not None)


class JudgedTown:
    """One town, for one handoff."""

    def __init__(self, world: World, domain: Domain, town: Town) -> None:
        self._world = world
        self._domain = domain
        self._town = town

    @property
    def seen(self) -> Seen:
        return Seen(self._town.day, self._town.hash)

    def standing(self) -> Standing:
        mission = self._town.mission
        taken = None if mission is None else mission.id
        open_ones = [
            quest.id for quest in quests.open_quests(self._world, self._domain) if quest.id != taken
        ]
        return Standing(mission is not None, open_ones, [work.id for work in self._town.works])

    def apply(self, action_type: str, target: str) -> Seen:
        undo = Undo(self._world, self._domain)
        orders = len(self._town.orders)
        try:
            commands.execute(self._world, self._domain, self._town, action_type, target)
            seal(self._world, self._domain, self._town)
        except RuleRefused:
            raise  # nothing was done before it was asked
        except Exception:
            undo.roll_back()
            raise
        posted = self._town.orders[orders:]
        return self.seen._replace(contract=posted[0].contract if posted else None)


def _count(world: World, town_id: str) -> None:
    """One receipt more today."""
    town = load(world, town_id)
    assert town is not None
    town.commands += 1
    store(world, town)


def _tell(world: World, handoff: Json, result: Json) -> None:
    proposal = handoff["proposal"]
    world.scratch.public_events.append(
        {
            "kind": "TOWN_RESULT",
            "town_id": clip(proposal["townId"], SHOWN_BYTES),
            "actor": clip(proposal["actorId"], SHOWN_BYTES),
            "status": result["status"],
            "reason": result["reasonCode"],
            "command": clip(handoff["command"], SHOWN_BYTES),
            "tick": world.tick,
        }
    )


Kept = tuple[Table[Any, Any], Any, Any]
"""A table, a key, and a copy of what was there; None if nothing was."""


class Undo:
    """A copy of everything that a command may touch, to be put back if it fails."""

    def __init__(self, world: World, domain: Domain) -> None:
        self._world = world
        self._counters = copy(world.counters)
        self._fixture_changes = len(world.scratch.fixture_changes)
        self._public_events = len(world.scratch.public_events)
        terminals = domain.terminals(world)
        at_terminals = [
            contract.id for terminal in terminals for contract in contracts_at(world, terminal)
        ]
        own = [
            RowKey(records.EXTENSION, domain.org.id + suffix) for suffix in (town.STATE, town.SEAL)
        ]
        self._kept: list[Kept] = [
            *_copies(world.orgs, [domain.org.id]),
            *_copies(world.containers, [terminal.position for terminal in terminals]),
            *_copies(world.contracts, at_terminals),
            *_copies(world.notices, _boards(world, domain)),
            *_copies(world.agents, [agent.number for agent in domain.present(world)]),
            *_copies(world.rows, own),
        ]

    def roll_back(self) -> None:
        world = self._world
        for number in range(self._counters.contract + 1, world.counters.contract + 1):
            if f"C{number:06d}" in world.contracts:
                world.contracts.remove(f"C{number:06d}")
        for table, key, value in self._kept:
            if value is not None:
                table.put(value)
            elif key in table:
                table.remove(key)
        world.counters = self._counters
        del world.scratch.fixture_changes[self._fixture_changes :]
        del world.scratch.public_events[self._public_events :]
        world.derived.index = None


def _boards(world: World, domain: Domain) -> list[str]:
    """The board that a notice goes to, and those that could make room for it."""
    own = domain.board(world)
    if parse_block_id(own) is not None:
        return [own]
    everywhere = [
        notices.board_id for notices in world.notices if parse_block_id(notices.board_id) is None
    ]
    return list(dict.fromkeys([own, *everywhere]))


def _copies(table: Table[Any, Any], keys: Iterable[Any]) -> list[Kept]:
    return [(table, key, _copied(table.get(key))) for key in keys]


def _copied(thing: Any) -> Any:
    """A copy of a thing and of what it holds; what is in that is never changed in place."""
    kept = copy(thing)
    for name in getattr(thing, "__struct_fields__", ()):
        value = getattr(thing, name)
        if isinstance(value, (dict, list)):
            setattr(kept, name, copy(value))
        elif isinstance(value, EventLog):
            setattr(kept, name, _copied(value))
    return kept

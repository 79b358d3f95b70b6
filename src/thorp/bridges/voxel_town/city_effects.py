"""Executes handoffs for towns of the voxel world: makes requests of them at the border, and judges
these inside the tick.

Handoffs are compared with the seal; preconditions and rules use the world as it is. An executed
command seals the town anew. One that fails is undone, and uses its key all the same.

A command touches the treasury, the terminals on the land and their contracts, notices, members who
are there, the town's own rows, and the counters of new ids. These are copied before it and put back
if it fails. The index of lookups is dropped, and built again when it is needed.
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
from thorp.town.handoff_judge import Receipt, RuleRefused, Standing, TownVersion, judge
from thorp.voxel.extension import RowKey
from thorp.voxel.inputs import MAX_REQUEST_BYTES, ExtensionRequest
from thorp.voxel.lookups.terminals import contracts_at
from thorp.voxel.state.agent import EventLog
from thorp.voxel.state.table import Table
from thorp.voxel.state.world import World, parse_block_id

# Longest text of a governor that spectators are shown.
MAX_TEXT_BYTES: Final = 120

SavedRow = tuple[Table[Any, Any], Any, Any]
"""A table, a key, and a copy of the value under it; None if there was none."""


def request_of(handoff: object) -> ExtensionRequest:
    """The request that carries a handoff into a tick. `ContractError` if the handoff is invalid,
    `LimitError` if it is too long."""
    text, _ = storable_handoff(handoff)
    if len(text.encode()) > MAX_REQUEST_BYTES:
        raise LimitError(f"a handoff has at most {MAX_REQUEST_BYTES} bytes", code="too_long")
    return ExtensionRequest(EXTENSION, text)


def answer(world: World, text: str) -> str:
    """The result of a handoff, from its canonical text; both as canonical text."""
    handoff = read_text(text.encode())
    key = handoff["idempotencyKey"]
    content = digest(text.encode())
    town_id = handoff["proposal"]["townId"]
    own = load(world, town_id)
    domain = domain_of(world, town_id)
    judged = None if own is None or domain is None else JudgedTown(world, domain, own)
    # Read before judging, which may seal the town anew: the annals keep what the governor saw.
    world.scratch.seals.append(records.read(world, town_id + town.SEAL) or "")
    result = judge(handoff, content, records.find(world, key), judged)
    if result["accepted"]:
        records.keep(world, key, Receipt(content, result["resultId"]), today(world))
        _count_command(world, town_id)
    _publish(world, handoff, result)
    return canonical_text(result)


def knows(world: World, town_id: object, key: object = None) -> bool:
    """Whether this world has the town, or has accepted a handoff with that key."""
    is_town = isinstance(town_id, str) and load(world, town_id) is not None
    return is_town or (isinstance(key, str) and records.find(world, key) is not None)


class JudgedTown:
    """A town for the judge of one handoff."""

    def __init__(self, world: World, domain: Domain, town: Town) -> None:
        self._world = world
        self._domain = domain
        self._town = town

    @property
    def version(self) -> TownVersion:
        return TownVersion(self._town.day, self._town.hash)

    def standing(self) -> Standing:
        mission = self._town.mission
        taken = None if mission is None else mission.id
        quest_ids = [
            quest.id for quest in quests.open_quests(self._world, self._domain) if quest.id != taken
        ]
        return Standing(mission is not None, quest_ids, [work.id for work in self._town.works])

    def apply(self, action_type: str, target: str) -> TownVersion:
        undo = Undo(self._world, self._domain)
        orders_before = len(self._town.orders)
        try:
            commands.execute(self._world, self._domain, self._town, action_type, target)
            seal(self._world, self._domain, self._town)
        except RuleRefused:
            raise  # commands refuse before they change anything
        except Exception:
            undo.roll_back()
            raise
        posted = self._town.orders[orders_before:]
        return self.version._replace(contract=posted[0].contract if posted else None)


def _count_command(world: World, town_id: str) -> None:
    """Count an accepted command of today."""
    town = load(world, town_id)
    assert town is not None
    town.commands += 1
    store(world, town)


def _publish(world: World, handoff: Json, result: Json) -> None:
    """Let spectators see the result of a handoff."""
    proposal = handoff["proposal"]
    world.scratch.public_events.append(
        {
            "kind": "TOWN_RESULT",
            "town_id": clip(proposal["townId"], MAX_TEXT_BYTES),
            "actor": clip(proposal["actorId"], MAX_TEXT_BYTES),
            "status": result["status"],
            "reason": result["reasonCode"],
            "command": clip(handoff["command"], MAX_TEXT_BYTES),
            "tick": world.tick,
        }
    )


class Undo:
    """A copy of everything that a command may change, to be put back if it fails."""

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
        self._saved: list[SavedRow] = [
            *_copies(world.orgs, [domain.org.id]),
            *_copies(world.containers, [terminal.position for terminal in terminals]),
            *_copies(world.contracts, at_terminals),
            *_copies(world.notices, _boards(world, domain)),
            *_copies(world.agents, [agent.number for agent in domain.present(world)]),
            *_copies(world.rows, own),
        ]

    def roll_back(self) -> None:
        """Put everything back. New contracts have numbers above the counter, and are removed."""
        world = self._world
        for number in range(self._counters.contract + 1, world.counters.contract + 1):
            if f"C{number:06d}" in world.contracts:
                world.contracts.remove(f"C{number:06d}")
        for table, key, value in self._saved:
            if value is not None:
                table.put(value)
            elif key in table:
                table.remove(key)
        world.counters = self._counters
        del world.scratch.fixture_changes[self._fixture_changes :]
        del world.scratch.public_events[self._public_events :]
        world.derived.index = None


def _boards(world: World, domain: Domain) -> list[str]:
    """The board that a notice goes to. If it is one that can be read everywhere, also the others of
    that kind: the one that was quiet longest may be dropped to make room."""
    own = domain.board(world)
    if parse_block_id(own) is not None:
        return [own]
    everywhere = [
        notices.board_id for notices in world.notices if parse_block_id(notices.board_id) is None
    ]
    return list(dict.fromkeys([own, *everywhere]))


def _copies(table: Table[Any, Any], keys: Iterable[Any]) -> list[SavedRow]:
    return [(table, key, _copied(table.get(key))) for key in keys]


def _copied(thing: Any) -> Any:
    """A copy of a struct and of the lists and dicts in it. Their items need no copy: they are never
    changed in place."""
    duplicate = copy(thing)
    for name in getattr(thing, "__struct_fields__", ()):
        value = getattr(thing, name)
        if isinstance(value, (dict, list)):
            setattr(duplicate, name, copy(value))
        elif isinstance(value, EventLog):
            setattr(duplicate, name, _copied(value))
    return duplicate

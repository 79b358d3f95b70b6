"""Undoes a command that fails half-way, by copies of everything that a command may touch.

A command touches the treasury, the terminals on the land and their contracts, notices, members who are there,
the town's own rows, and the numbers that were given out. Those are copied before it and put back if it fails.
What follows from tables is made anew; only what earlier rules of the tick have called for is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Any

from thorp.bridges.voxel_town import records, town
from thorp.bridges.voxel_town.territory import Domain
from thorp.voxel.extension import RowKey
from thorp.voxel.society.escrow import contracts_at
from thorp.voxel.state.event_log import EventLog
from thorp.voxel.state.table import Table
from thorp.voxel.state.world import World, parse_block_id
from thorp.voxel.systems.indexes import index_of

Kept = tuple[Table[Any, Any], Any, Any]
"""A table, a key, and a copy of what was there; None if nothing was."""


class Undo:
    def __init__(self, world: World, domain: Domain) -> None:
        self._world = world
        self._counters = copy(world.counters)
        self._fixture_changes = len(world.scratch.fixture_changes)
        self._public_events = len(world.scratch.public_events)
        self._stirred = dict(index_of(world).stirred)
        terminals = domain.terminals(world)
        at_terminals = [contract.id for terminal in terminals for contract in contracts_at(world, terminal)]
        own = [RowKey(records.ANNEX, domain.org.id + suffix) for suffix in (town.STATE, town.SEAL)]
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
        index_of(world).stirred.update(self._stirred)


def _boards(world: World, domain: Domain) -> list[str]:
    """The board that a notice goes to, and those that could make room for it."""
    own = domain.board(world)
    if parse_block_id(own) is not None:
        return [own]
    everywhere = [notices.board_id for notices in world.notices if parse_block_id(notices.board_id) is None]
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

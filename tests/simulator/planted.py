"""Defects, planted in one engine each, that the simulator must find. Each takes something to plant with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from thorp.log.directory import Log
from thorp.simulator.run import Report, run_seed
from thorp.store import Connection
from thorp.store.journal import Journal
from thorp.store.sqlite import SqliteSession
from thorp.story.tables import Tables
from thorp.town import tables as town_tables
from thorp.voxel import WorldService
from thorp.voxel.state.agent import Agent

Plant = Callable[[pytest.MonkeyPatch], None]
SEEDS = range(60)


def journal_that_does_not_sync(planting: pytest.MonkeyPatch) -> None:
    def pretend(journal: Any) -> None:
        journal._synced, journal._synced_tip, journal._synced_end = (
            journal._next,
            journal._tip,
            journal._end,
        )

    planting.setattr(Journal, "_sync", pretend)


def database_that_syncs_now_and_then(planting: pytest.MonkeyPatch) -> None:
    run = SqliteSession.run

    def hasty(session: SqliteSession, sql: str, params: Any = ()) -> Any:
        return run(session, sql.replace("synchronous = FULL", "synchronous = NORMAL"), params)

    planting.setattr(SqliteSession, "run", hasty)


def log_that_forgets_a_leaf(planting: pytest.MonkeyPatch) -> None:
    add = Log.add

    def forgetful(log: Log, leaves: Sequence[bytes]) -> list[int]:
        if len(leaves) < 30:
            return add(log, leaves)
        numbers = add(log, leaves[:-1])
        return [*numbers, numbers[-1] + 1]

    planting.setattr(Log, "add", forgetful)


def town_without_receipts(planting: pytest.MonkeyPatch) -> None:
    execute = town_tables.execute

    def careless(connection: Connection, handoff: Any, text: str) -> Any:
        class Deaf:
            dialect = connection.dialect

            def execute(self, sql: str, params: Any = ()) -> Any:
                return [] if "INTO town_receipt" in sql else connection.execute(sql, params)

        return execute(Deaf(), handoff, text)

    planting.setattr(town_tables, "execute", careless)


def ledger_that_loses_an_entry(planting: pytest.MonkeyPatch) -> None:
    """Every third entry, with the rows that say to whom it is private."""
    insert = Tables.insert

    def careless(self: Tables, rows: Any) -> None:
        lost = {cells[0] for table, cells in rows if table == "story_entry" and cells[0] % 3 == 0}
        number_of = {"story_entry": 0, "story_audience": 3}
        insert(
            self,
            [
                row
                for row in rows
                if row[0] not in number_of or row[1][number_of[row[0]]] not in lost
            ],
        )

    planting.setattr(Tables, "insert", careless)


def world_that_acknowledges_before_it_is_durable(planting: pytest.MonkeyPatch) -> None:
    """Each tick is written with the next one."""
    append = WorldService._append
    waiting: list[tuple[WorldService, list[bytes]]] = []

    def late(service: WorldService, records: list[bytes]) -> None:
        for other, before in waiting:
            if other is service:
                append(service, before)
        waiting[:] = [(service, records)]

    planting.setattr(WorldService, "_append", late)


def world_that_conjures(planting: pytest.MonkeyPatch) -> None:
    """Whoever is given something gets one more."""
    give = Agent.give

    def generous(agent: Agent, item: str, count: int) -> None:
        give(agent, item, count + (count > 0))

    planting.setattr(Agent, "give", generous)


PLANTED: dict[str, tuple[str, Plant]] = {
    plant.__name__: (engine, plant)
    for engine, plant in (
        ("journal", journal_that_does_not_sync),
        ("database", database_that_syncs_now_and_then),
        ("log", log_that_forgets_a_leaf),
        ("town", town_without_receipts),
        ("story", ledger_that_loses_an_entry),
        ("world", world_that_acknowledges_before_it_is_durable),
        ("world", world_that_conjures),
    )
}


def find_failure(name: str, seeds: Sequence[int] = SEEDS) -> Report | None:
    """Plant a defect, and run seeds of its engine until one fails."""
    engine, plant = PLANTED[name]
    with pytest.MonkeyPatch.context() as planting:
        plant(planting)
        reports = (run_seed(seed, [engine]) for seed in seeds)
        return next((report for report in reports if report.failures), None)


def print_failure(name: str, seed: int) -> None:
    """Print the report of a seed with a defect planted, for a process of its own."""
    print(msgspec.json.encode(find_failure(name, [seed])).decode())

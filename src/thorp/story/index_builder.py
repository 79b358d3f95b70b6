"""Indexing, behind the beats: a full block of entries gets its words' rows (see `posting`).

The index follows from the entries, so it is written in works of its own. If one is lost, a later one makes up
for it; until then the entries of that block are found by looking at them.
"""

from __future__ import annotations

from typing import Final

from thorp.store import Connection
from thorp.story.config import StoryConfig
from thorp.story.inverted_index import BLOCK_ENTRIES, first_seq, seal
from thorp.story.storage import Block, EntryRow
from thorp.story.tables import Tables

BLOCKS_AT_ONCE: Final = 4
"""Blocks that one work indexes, so that beats behind it do not wait long."""


def seal_blocks(connection: Connection, config: StoryConfig) -> int:
    """Index some full blocks that are not indexed yet; return how many are indexed then."""
    tables = Tables(connection, config)
    [(done,)] = connection.execute("SELECT COUNT(*) FROM story_block")
    last = min(tables.head().seq // BLOCK_ENTRIES, int(done) + BLOCKS_AT_ONCE)
    for number in range(done, last):
        rows = block_rows(tables, number)
        tables.insert(
            [("story_posting", (term, number, entries)) for term, entries in sorted(seal(rows).items())]
        )
        first, latest, in_order = block_of_rows(number, rows)[1:]
        tables.insert([("story_block", (number, first, latest, int(in_order)))])
    return last


def block_rows(tables: Tables, number: int) -> list[EntryRow]:
    """The entries of a block, in ledger order."""
    first = first_seq(number)
    return sorted(tables.entries(range(first, first + BLOCK_ENTRIES)))


def block_of_rows(number: int, rows: list[EntryRow]) -> Block:
    """What is known of a block by its entries."""
    instants = [row.instant for row in rows]
    return Block(number, min(instants), max(instants), instants == sorted(instants))

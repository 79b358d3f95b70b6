"""A ledger's entries in memory, as far as retrieval asks for them, for tests that need many cheap
ones."""

from __future__ import annotations

from collections.abc import Sequence

from thorp.kernel.chain import GENESIS
from thorp.story.clock import Clock
from thorp.story.inverted_index import BLOCK_ENTRIES, block_postings
from thorp.story.storage import Block, EntryRow, Head
from thorp.story.tables import describe_block, public_among


class MemoryStore:
    """Answers from a list of rows; full blocks are indexed, as in the tables."""

    def __init__(self, rows: Sequence[EntryRow]) -> None:
        self.rows = list(rows)
        full = len(self.rows) // BLOCK_ENTRIES
        cut = [self.rows[n * BLOCK_ENTRIES : (n + 1) * BLOCK_ENTRIES] for n in range(full)]
        self._postings: dict[str, list[tuple[int, bytes]]] = {}
        self._blocks: list[Block] = []
        for number, block in enumerate(cut):
            before = public_among(self.rows[: number * BLOCK_ENTRIES])
            self._blocks.append(describe_block(number, before, block))
            for term, entries in block_postings(block).items():
                self._postings.setdefault(term, []).append((number, entries))

    def head(self) -> Head:
        return Head(0, len(self.rows), public_among(self.rows), Clock(0), GENESIS)

    def is_person(self, identity: str) -> bool:
        return identity in ("REBECCA", "WREN")

    def private_count(self, own: str) -> int:
        return sum(own in (row.visible_to or ()) for row in self.rows)

    def visible(self, own: str | None, place: int, limit: int) -> list[EntryRow]:
        seen = [row for row in self.rows if row.scope == "PUBLIC" or own in (row.visible_to or ())]
        return seen[place : place + limit]

    def entries(self, seqs: Sequence[int]) -> list[EntryRow]:
        return [self.rows[seq - 1] for seq in seqs if 1 <= seq <= len(self.rows)]

    def entries_after(self, seq: int) -> list[EntryRow]:
        return self.rows[seq:]

    def blocks(self) -> list[Block]:
        return self._blocks

    def postings(self, term: str) -> list[tuple[int, bytes]]:
        return self._postings.get(term, [])

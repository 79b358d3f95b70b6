"""Searches and reads entries for a reader. Results are literal excerpts, never interpretations.

The index only gives candidates. Every result is read from the ledger and checked with `knowledge`
once more. An entry that the reader may not see does not exist for that reader. A search without
results gives an empty list, not an error.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from thorp.story import inverted_index as index
from thorp.story.config import StoryConfig
from thorp.story.knowledge import Surface, allows, surface_of
from thorp.story.storage import Block, EntryRow, Store
from thorp.story.text import excerpt, shared_words, words_of


class TimeSpan(NamedTuple):
    """A span of world time, both ends included; an end that is None is open."""

    start: int | None = None
    end: int | None = None

    def has(self, instant: int) -> bool:
        """Whether a moment is in the span."""
        return (self.start is None or instant >= self.start) and (
            self.end is None or instant <= self.end
        )

    def has_all(self, block: Block) -> bool:
        """Whether all entries of a block are in the span."""
        return self.has(block.first_instant) and self.has(block.last_instant)

    def has_none(self, block: Block) -> bool:
        """Whether no entry of a block is in the span."""
        return (self.start is not None and block.last_instant < self.start) or (
            self.end is not None and block.first_instant > self.end
        )


ANY_TIME = TimeSpan()


class SearchHit(NamedTuple):
    """An entry that a search found, and the piece of it that is shown."""

    row: EntryRow
    excerpt: str


class Retrieval(msgspec.Struct, frozen=True):
    """Searches one state of the ledger for a reader; None sees what everybody may see."""

    _store: Store
    _config: StoryConfig

    def search(
        self,
        reader: str | None,
        question: str,
        *,
        limit: int,
        window: TimeSpan = ANY_TIME,
        author: str | None = None,
    ) -> list[SearchHit]:
        """The entries that share the most words with a question, the best first; the later one
        among equals."""
        surface = self._surface(reader)
        words = words_of(question)
        if not words:
            return []
        seqs = _EntrySearch(
            _store=self._store,
            _surface=surface,
            _words=words,
            _window=window,
            _author=author,
            _limit=limit,
            _blocks=self._store.blocks(),
        ).run()
        rows = {row.seq: row for row in self._store.entries(seqs)}
        return self._excerpts([rows[seq] for seq in seqs if seq in rows], surface, words)

    def get(self, reader: str | None, ids: Sequence[str], *, limit: int) -> list[SearchHit]:
        """The entries with these ids, and those of bundles with these ids, in ledger order."""
        surface = self._surface(reader)
        rows = self._store.entries_named(ids)
        return self._excerpts(rows, surface, ())[:limit]

    def latest(
        self,
        reader: str | None,
        *,
        limit: int,
        window: TimeSpan = ANY_TIME,
        author: str | None = None,
    ) -> list[EntryRow]:
        """The last entries that the reader sees, oldest first."""
        surface = self._surface(reader)
        if author is None and window == ANY_TIME:
            count = self._store.head().public + (
                self._store.private_count(surface.own) if surface.own else 0
            )
            rows = self._store.visible(surface.own, max(0, count - limit), limit)
        else:
            search = _EntrySearch(
                _store=self._store,
                _surface=surface,
                _words=(),
                _window=window,
                _author=author,
                _limit=limit,
                _blocks=self._store.blocks(),
            )
            rows = self._store.entries(search.run())
            rows.sort(key=lambda row: row.seq)
        return [row for row in rows if allows(surface, row.scope, row.visible_to)]

    def is_person(self, identity: str) -> bool:
        """Whether there is a person with this id."""
        return self._store.is_person(identity)

    def evidence(self, reader: str | None, person: str) -> int:
        """How many bundles hold an entry of a person that the reader may see."""
        return self._store.evidence(person, self._surface(reader).own)

    def since(self, reader: str | None, place: int, *, limit: int) -> list[EntryRow]:
        """The entries that the reader sees after a place, in ledger order."""
        surface = self._surface(reader)
        rows = self._store.visible(surface.own, place, limit)
        return [row for row in rows if allows(surface, row.scope, row.visible_to)]

    def _surface(self, reader: str | None) -> Surface:
        is_person = reader is not None and self._store.is_person(reader)
        return surface_of(reader, self._config, is_person=is_person)

    def _excerpts(
        self, rows: list[EntryRow], surface: Surface, words: Sequence[str]
    ) -> list[SearchHit]:
        limit = self._config.tools.max_excerpt_chars
        return [
            SearchHit(row, excerpt(row.text, words, limit))
            for row in rows
            if allows(surface, row.scope, row.visible_to)
        ]


class _EntrySearch(msgspec.Struct, frozen=True):
    """One search for the best entries: those that share the most words, and among these the latest
    in world time. Without words, simply the latest."""

    _store: Store
    _surface: Surface
    _words: Sequence[str]
    _window: TimeSpan
    _author: str | None
    _limit: int
    _blocks: list[Block]

    def run(self) -> list[int]:
        """The `seq` of each entry, the best first."""
        tail = self._tail()
        planes = index.count_planes([self._lay_out(word) for word in self._words])
        # Among which entries to search: those that the reader may see, by the author and in the
        # window that were asked for.
        among = self._lay_out(index.PUBLIC_TERM)
        if self._surface.own is not None:
            among |= self._lay_out(index.private_term(self._surface.own))
        if self._author is not None:
            among &= self._lay_out(index.author_term(self._author))
        if self._window != ANY_TIME:
            among &= self._within()
        matches: list[tuple[int, int]] = []
        best = len(self._words)
        for shared in range(best, 0 if best else -1, -1):
            unindexed = [(instant, seq) for count, instant, seq in tail if count == shared]
            bits = index.bits_with_count(planes, shared, among)
            matches += self._latest(bits, unindexed, self._limit - len(matches))
            if len(matches) >= self._limit:
                break
        return [seq for _, seq in matches]

    def _lay_out(self, term: str) -> int:
        """The indexed entries that have a term, as one number."""
        return index.bitmap(self._store.postings(term), len(self._blocks))

    def _within(self) -> int:
        """The indexed entries in the window, as one number. Only blocks that lie partly in it are
        read."""
        bits = 0
        for block in self._blocks:
            start = block.number * index.BLOCK_ENTRIES
            if self._window.has_all(block):
                bits |= index.ALL_BITS << start
            elif not self._window.has_none(block):
                first = index.first_seq(block.number)
                for row in self._store.entries(range(first, first + index.BLOCK_ENTRIES)):
                    if self._window.has(row.instant):
                        bits |= 1 << row.seq - 1
        return bits

    def _tail(self) -> list[tuple[int, int, int]]:
        """The matching entries after the last full block, which are not indexed yet: for each the
        number of shared words, its instant and its `seq`."""
        matches = []
        for row in self._store.entries_after(index.first_seq(len(self._blocks)) - 1):
            if self._author not in (None, row.author_id) or not self._window.has(row.instant):
                continue
            shared = shared_words(row.text, self._words)
            if (shared or not self._words) and allows(self._surface, row.scope, row.visible_to):
                matches.append((shared, row.instant, row.seq))
        return matches

    def _latest(
        self, bits: int, unindexed: list[tuple[int, int]], limit: int
    ) -> list[tuple[int, int]]:
        """The latest of these entries by world time, then `seq`, the latest first.

        Blocks are read in the order of their latest instants, until no other block can hold an
        entry as late as those found so far. In a block whose entries are in the order of world
        time, the last ones suffice.
        """
        best = sorted(unindexed, reverse=True)[:limit]
        blocks = [
            (self._blocks[number], piece)
            for number, piece in index.by_block(bits, len(self._blocks))
        ]
        blocks.sort(key=lambda pair: (pair[0].last_instant, pair[0].number), reverse=True)
        for block, piece in blocks:
            if len(best) == limit and block.last_instant < best[-1][0]:
                break
            seqs = index.seqs_of(block.number, piece)
            rows = self._store.entries(seqs[:limit] if block.in_order else seqs)
            best = sorted([*best, *((row.instant, row.seq) for row in rows)], reverse=True)[:limit]
        return best

"""Reads pages in the order of world time, whatever order the entries were committed in.

A declared time may lie in the past, and then entries that are committed later come earlier in the
world. A reader who pages through the stream sees the order of world time across pages, and misses
nothing that is committed meanwhile: a chain of pages covers the entries that existed when it began,
in the order of world time; after them come those that were committed since.

    c:00000500                      the first 500 visible entries were delivered
    c:00000500-00001200-00000731    of those after the 500th up to the 1200th, all were delivered
                                    that are not later in world time than the 731st

Cursors of the second form are made only where the two orders differ. All numbers count entries that
the reader sees, so they reveal nothing about others.
"""

import re
from operator import attrgetter
from typing import Final, NamedTuple

from thorp.story.inverted_index import BLOCK_ENTRIES, first_seq
from thorp.story.knowledge import Surface, allows
from thorp.story.ledger import RealityLedger
from thorp.story.storage import EntryRow

_CURSOR: Final = re.compile(r"c:(\d{8,18})(?:-(\d{8,18})-(\d{8,18}))?\Z", re.ASCII)
_WORLD_TIME: Final = attrgetter("instant", "seq")
_ANY_INSTANT: Final = -(2**63)


class StreamPosition(NamedTuple):
    """How far a reader has come in the stream: the numbers of a cursor."""

    delivered: int
    until: int | None = None  # The last entry of a chain that is read in the order of world time.
    last: int | None = None  # The entry of that chain which was delivered last.

    @property
    def cursor(self) -> str:
        """The cursor with these numbers."""
        if self.until is None or self.last is None:
            return f"c:{self.delivered:08d}"
        return f"c:{self.delivered:08d}-{self.until:08d}-{self.last:08d}"


class OrderedPage(NamedTuple):
    """Entries in the order of world time, and how far a reader has come with them."""

    rows: list[EntryRow]
    place: StreamPosition


def read_cursor(cursor: str | None, visible: int) -> StreamPosition | None:
    """The position in a cursor; None if it cannot be one of a reader who sees this many entries."""
    match = None if cursor is None else _CURSOR.match(cursor)
    if match is None:
        return None
    numbers = [None if each is None else int(each) for each in match.groups()]
    delivered, until, last = numbers
    assert delivered is not None, "the pattern demands it"
    if until is None or last is None:
        return StreamPosition(delivered) if delivered <= visible else None
    return StreamPosition(delivered, until, last) if delivered < last <= until <= visible else None


def read_page(
    ledger: RealityLedger, surface: Surface, place: StreamPosition, limit: int
) -> OrderedPage:
    """The next page of a reader, of at most `limit` entries.

    Usually the two orders agree, and a page is simply the next entries. If some entry outside of
    the page may be earlier than one in it, a chain over everything visible now is begun.
    """
    if place.until is not None:
        page = _continued(ledger, surface, place, limit)
        if page.rows:
            return page
        place = page.place
    visible = ledger.visible_now(surface.own)
    committed = ledger.visible(surface.own, place.delivered, limit)
    after = StreamPosition(place.delivered + len(committed))
    rows = sorted(committed, key=_WORLD_TIME)
    if not rows or after.delivered >= visible:
        return OrderedPage(rows, after)
    last = committed[-1]
    if rows[-1] is last and ledger.has_none_earlier(last.seq, last.instant):
        return OrderedPage(rows, after)
    chain = StreamPosition(place.delivered, visible, place.delivered)
    page = _continued(ledger, surface, chain, limit, is_first=True)
    return OrderedPage(rows, after) if page.rows == rows else page


def _continued(
    ledger: RealityLedger,
    surface: Surface,
    chain: StreamPosition,
    limit: int,
    *,
    is_first: bool = False,
) -> OrderedPage:
    """The next page of a chain. At the end of the chain the page has no entries, and its place is
    after the chain."""
    assert chain.until is not None
    assert chain.last is not None
    low = _seq_at(ledger, surface, chain.delivered)
    high = _seq_at(ledger, surface, chain.until)
    last = None if is_first else _row_at(ledger, surface, chain.last)
    rows = _earliest(ledger, surface, (low, high), last, limit + 1)
    if len(rows) <= limit:
        return OrderedPage(rows, StreamPosition(chain.until))
    page = rows[:limit]
    return OrderedPage(page, chain._replace(last=_place_of(ledger, surface, page[-1].seq, chain)))


def _earliest(
    ledger: RealityLedger,
    surface: Surface,
    span: tuple[int, int],
    last: EntryRow | None,
    limit: int,
) -> list[EntryRow]:
    """The earliest entries of a span, in world time, that come after the entry `last`.

    Blocks are read in the order of their earliest instants, until no other block can hold an entry
    as early as those that were found.
    """
    low, high = span
    after = (_ANY_INSTANT, 0) if last is None else _WORLD_TIME(last)
    earliest: list[EntryRow] = []
    for least, first, end in sorted(_blocks(ledger, low, high, after[0])):
        if len(earliest) == limit and least > earliest[-1].instant:
            break
        rows = ledger.entries_between(max(first, low + 1), min(end, high))
        fitting = [
            row
            for row in rows
            if _WORLD_TIME(row) > after and allows(surface, row.scope, row.visible_to)
        ]
        earliest = sorted([*earliest, *fitting], key=_WORLD_TIME)[:limit]
    return earliest


def _blocks(ledger: RealityLedger, low: int, high: int, after: int) -> list[tuple[int, int, int]]:
    """The pieces of a span that may hold an entry at an instant or later: of each the earliest
    instant, the first entry and the last. Entries that are not in a full block yet are one piece,
    which may begin at any instant."""
    blocks = ledger.blocks()
    pieces = []
    for block in blocks:
        first = first_seq(block.number)
        end = first + BLOCK_ENTRIES - 1
        if end > low and first <= high and block.last_instant >= after:
            pieces.append((block.first_instant, first, end))
    rest = first_seq(len(blocks))
    if rest <= high:
        pieces.append((_ANY_INSTANT, rest, high))
    return pieces


def _row_at(ledger: RealityLedger, surface: Surface, place: int) -> EntryRow:
    [row] = ledger.visible(surface.own, place - 1, 1)
    return row


def _seq_at(ledger: RealityLedger, surface: Surface, place: int) -> int:
    return _row_at(ledger, surface, place).seq if place else 0


def _place_of(ledger: RealityLedger, surface: Surface, seq: int, chain: StreamPosition) -> int:
    """The place of an entry in a chain, by binary search: places follow the order of commits."""
    low = chain.delivered + 1
    high = chain.until or low
    while low < high:
        middle = (low + high) // 2
        if _seq_at(ledger, surface, middle) < seq:
            low = middle + 1
        else:
            high = middle
    return low

"""Pages in the order of world time, whatever order the entries were committed in.

A declared time may lie in the past, so that entries committed later come earlier in the world. A
reader who pages through the stream sees the order of world time across pages, and misses nothing
that is committed meanwhile: a chain of pages reads what there was when it began, in the order of
world time, and then goes on with what has come since.

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


class Place(NamedTuple):
    """How far a reader has come; the numbers of a cursor."""

    delivered: int
    until: int | None = None  # The last entry of a chain that is read in the order of world time.
    last: int | None = None  # The entry of that chain which was delivered last.

    @property
    def cursor(self) -> str:
        if self.until is None or self.last is None:
            return f"c:{self.delivered:08d}"
        return f"c:{self.delivered:08d}-{self.until:08d}-{self.last:08d}"


class OrderedPage(NamedTuple):
    """Entries in the order of world time, and how far a reader has come with them."""

    rows: list[EntryRow]
    place: Place


def read_cursor(cursor: str | None, visible: int) -> Place | None:
    """The place in a cursor; None if it makes no sense to a reader who sees this many entries."""
    match = None if cursor is None else _CURSOR.match(cursor)
    if match is None:
        return None
    numbers = [None if each is None else int(each) for each in match.groups()]
    delivered, until, last = numbers
    assert delivered is not None, "the pattern demands it"
    if until is None or last is None:
        return Place(delivered) if delivered <= visible else None
    return Place(delivered, until, last) if delivered < last <= until <= visible else None


def read_page(ledger: RealityLedger, surface: Surface, place: Place, limit: int) -> OrderedPage:
    """The next page of a reader, of at most `limit` entries."""
    if place.until is not None:
        page = _continued(ledger, surface, place, limit)
        if page.rows:
            return page
        place = page.place
    visible = ledger.visible_now(surface.own)
    committed = ledger.visible(surface.own, place.delivered, limit)
    after = Place(place.delivered + len(committed))
    rows = sorted(committed, key=_WORLD_TIME)
    if not rows or after.delivered >= visible:
        return OrderedPage(rows, after)
    last = committed[-1]
    if rows[-1] is last and ledger.has_none_earlier(last.seq, last.instant):
        return OrderedPage(rows, after)
    chain = Place(place.delivered, visible, place.delivered)
    page = _continued(ledger, surface, chain, limit, is_first=True)
    return OrderedPage(rows, after) if page.rows == rows else page


def _continued(
    ledger: RealityLedger, surface: Surface, chain: Place, limit: int, *, is_first: bool = False
) -> OrderedPage:
    """The next page of a chain; without entries, and past the chain, if it is at its end."""
    assert chain.until is not None
    assert chain.last is not None
    low = _seq_at(ledger, surface, chain.delivered)
    high = _seq_at(ledger, surface, chain.until)
    last = None if is_first else _row_at(ledger, surface, chain.last)
    rows = _earliest(ledger, surface, (low, high), last, limit + 1)
    if len(rows) <= limit:
        return OrderedPage(rows, Place(chain.until))
    page = rows[:limit]
    return OrderedPage(page, chain._replace(last=_place_of(ledger, surface, page[-1].seq, chain)))


def _earliest(
    ledger: RealityLedger,
    surface: Surface,
    span: tuple[int, int],
    last: EntryRow | None,
    limit: int,
) -> list[EntryRow]:
    """The earliest entries of a span that come after one in world time.

    Blocks are read from the one that begins earliest on, until no other can hold anything as early.
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
    """The pieces of a span that hold something as late as an instant: the earliest instant of each,
    its first entry and its last. What is not indexed yet is one piece, which may begin at any time.
    """
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


def _place_of(ledger: RealityLedger, surface: Surface, seq: int, chain: Place) -> int:
    """At which place of a chain an entry stands. Places follow the order of commits."""
    low = chain.delivered + 1
    high = chain.until or low
    while low < high:
        middle = (low + high) // 2
        if _seq_at(ledger, surface, middle) < seq:
            low = middle + 1
        else:
            high = middle
    return low

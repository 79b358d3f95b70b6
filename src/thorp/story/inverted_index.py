"""An inverted index in blocks, and the counting of shared words by whole-number arithmetic.

The ledger is cut into blocks of `BLOCK_ENTRIES`. When a block is full, each word of it gets one
row: which entries of the block have it. A row is a list of 2-byte places, or from `DENSE` places on
a bitmap. Who may see an entry and who wrote it are words too, spelled with a sign that no word has.

To search is to lay each word's rows end to end as one long number, bit n for entry n + 1, and to
add these numbers up bit by bit: plane k holds the k-th binary digit of how many words each entry
shares. A million entries are 125 KB a number, so a few dozen operations on them take about a
millisecond.
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from thorp.story.storage import EntryRow
from thorp.story.text import words_of

BLOCK_ENTRIES: Final = 1024
"""More would make fewer rows a word, and a longer tail to scan at each search."""
BLOCK_BYTES: Final = BLOCK_ENTRIES // 8
DENSE: Final = 32
"""From this many places on a bitmap is stored: it is faster to read, a list is shorter."""
_NO_BITS: Final = bytes(BLOCK_BYTES)
ALL_BITS: Final = (1 << BLOCK_ENTRIES) - 1  # Every entry of one block.
PUBLIC_TERM: Final = "@public"


def private_term(identity: str) -> str:
    """The index term of entries that list this identity."""
    return f"@to:{identity}"


def author_term(identity: str) -> str:
    """The index term of entries by this author."""
    return f"@by:{identity}"


def first_seq(block: int) -> int:
    """The `seq` of the first entry of a block."""
    return block * BLOCK_ENTRIES + 1


def terms_of(row: EntryRow) -> list[str]:
    """The index terms of an entry: its words, its readers and its author."""
    readers = row.visible_to or ()
    seen_by = [PUBLIC_TERM] if row.scope == "PUBLIC" else [private_term(each) for each in readers]
    return [*words_of(row.text), *seen_by, author_term(row.author_id)]


def block_postings(rows: Iterable[EntryRow]) -> dict[str, bytes]:
    """The rows of one full block, by term."""
    places: dict[str, list[int]] = {}
    for row in rows:
        place = (row.seq - 1) % BLOCK_ENTRIES
        for term in terms_of(row):
            places.setdefault(term, []).append(place)
    return {term: _encode(offsets) for term, offsets in places.items()}


def bitmap(rows: Iterable[tuple[int, bytes]], blocks: int) -> int:
    """The number whose bits are the entries that a term's rows name."""
    bits = bytearray(blocks * BLOCK_BYTES)
    for block, places in rows:
        start = block * BLOCK_BYTES
        if block >= blocks:
            continue
        if len(places) == BLOCK_BYTES:
            bits[start : start + BLOCK_BYTES] = places
        else:
            for place in struct.unpack(f"<{len(places) // 2}H", places):
                bits[start + (place >> 3)] |= 1 << (place & 7)
    return int.from_bytes(bits, "little")


def count_planes(numbers: Sequence[int]) -> list[int]:
    """The numbers added up bit by bit: plane k has the k-th binary digit of how many have that
    bit."""
    planes: list[int] = []
    for carry in numbers:
        for index, plane in enumerate(planes):
            if not carry:
                break
            planes[index] = plane ^ carry
            carry = plane & carry
        if carry:
            planes.append(carry)
    return planes


def bits_with_count(planes: Sequence[int], count: int, among: int) -> int:
    """The bits of `among` that are set in exactly `count` of the numbers."""
    if count >> len(planes):
        return 0
    for index, plane in enumerate(planes):
        among = among & plane if count >> index & 1 else among & ~plane
    return among


def by_block(bits: int, blocks: int) -> Iterator[tuple[int, int]]:
    """The blocks in which any bit is set, with the bits of each."""
    data = bits.to_bytes(blocks * BLOCK_BYTES, "little")
    for block in range(blocks):
        piece = data[block * BLOCK_BYTES : (block + 1) * BLOCK_BYTES]
        if piece != _NO_BITS:
            yield block, int.from_bytes(piece, "little")


def seqs_of(block: int, bits: int) -> list[int]:
    """The entries of a block whose bits are set, the latest first."""
    seqs = []
    while bits:
        place = bits.bit_length() - 1
        seqs.append(first_seq(block) + place)
        bits ^= 1 << place
    return seqs


def _encode(places: list[int]) -> bytes:
    if len(places) < DENSE:
        return struct.pack(f"<{len(places)}H", *places)
    bits = 0
    for place in places:
        bits |= 1 << place
    return bits.to_bytes(BLOCK_BYTES, "little")

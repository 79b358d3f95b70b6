"""An inverted index in blocks, and the counting of shared words by whole-number arithmetic.

The ledger is cut into blocks of `BLOCK_ENTRIES` entries. When a block is full, each word in it gets
one row, its *posting*: which entries of the block have the word. A posting is a list of places in
the block, 2 bytes each, or a bitmap if there are `DENSE_PLACES` of them or more. Readers and author
of an entry, its id and its bundle's id are indexed as words too, spelled with a sign that no word
has.

To search is to lay each word's postings end to end as one long number, bit n for entry n + 1, and
to add these numbers up bit by bit: plane k holds the k-th binary digit of how many of the words an
entry has. For a million entries a number is 125 KB long, so a few dozen operations on them take
about a millisecond.
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from thorp.story.storage import EntryRow
from thorp.story.text import words_of

BLOCK_ENTRIES: Final = 1024
"""With more, a word would have fewer postings, but the entries after the last full block, which
every search scans, would be more."""
BLOCK_BYTES: Final = BLOCK_ENTRIES // 8  # The size of a bitmap: a bit for each entry.
DENSE_PLACES: Final = 32
"""Number of places from which on a posting is stored as a bitmap of 128 bytes. A shorter list takes
at most 62 bytes; a bitmap is faster to read. The two are told apart by their length, so a list must
stay shorter than a bitmap."""
_NO_BITS: Final = bytes(BLOCK_BYTES)
ALL_BITS: Final = (1 << BLOCK_ENTRIES) - 1  # Every entry of one block.
PUBLIC_TERM: Final = "@public"


def private_term(identity: str) -> str:
    """The index term of entries that list this identity."""
    return f"@to:{identity}"


def author_term(identity: str) -> str:
    """The index term of entries by this author."""
    return f"@by:{identity}"


def id_term(entry_or_bundle_id: str) -> str:
    """The index term of the entry that has this id, or of the entries of the bundle that has it."""
    return f"@id:{entry_or_bundle_id}"


def first_seq(block: int) -> int:
    """The `seq` of the first entry of a block."""
    return block * BLOCK_ENTRIES + 1


def terms_of(row: EntryRow) -> list[str]:
    """The index terms of an entry: its words, its readers, its author and its ids."""
    readers = row.visible_to or ()
    reader_terms = [private_term(each) for each in readers]
    if row.scope == "PUBLIC":
        reader_terms = [PUBLIC_TERM]
    ids = [id_term(row.entry_id), id_term(row.bundle_id)]
    return [*words_of(row.text), *reader_terms, author_term(row.author_id), *ids]


def block_postings(rows: Iterable[EntryRow]) -> dict[str, bytes]:
    """The postings of one full block, by term."""
    places: dict[str, list[int]] = {}
    for row in rows:
        place = (row.seq - 1) % BLOCK_ENTRIES
        for term in terms_of(row):
            places.setdefault(term, []).append(place)
    return {term: _encode(offsets) for term, offsets in places.items()}


def bitmap(postings: Iterable[tuple[int, bytes]], blocks: int) -> int:
    """The number whose bits are the entries that have a term, from the term's postings by block.
    Postings of blocks after these, indexed meanwhile, do not count."""
    bits = bytearray(blocks * BLOCK_BYTES)
    for block, places in postings:
        start = block * BLOCK_BYTES
        if block >= blocks:
            continue
        if len(places) == BLOCK_BYTES:
            bits[start : start + BLOCK_BYTES] = places
        else:
            for place in _listed_places(places):
                bits[start + (place >> 3)] |= 1 << (place & 7)
    return int.from_bytes(bits, "little")


def seqs_in(block: int, places: bytes) -> list[int]:
    """The entries that a term's row names, in ledger order."""
    first = first_seq(block)
    if len(places) == BLOCK_BYTES:
        bits = f"{int.from_bytes(places, 'little'):0{BLOCK_ENTRIES}b}"
        return [first + place for place, bit in enumerate(reversed(bits)) if bit == "1"]
    return [first + place for place in _listed_places(places)]


def _listed_places(places: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(places) // 2}H", places)


def count_planes(numbers: Sequence[int]) -> list[int]:
    """Add numbers up bit by bit: bit n of plane k is the k-th binary digit of how many of the
    numbers have bit n set."""
    planes: list[int] = []
    # A ripple-carry adder over all entries at once: XOR is the sum of a digit, AND its carry.
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
    """The `seq` of each entry of a block whose bit is set, the latest first."""
    seqs = []
    while bits:
        place = bits.bit_length() - 1
        seqs.append(first_seq(block) + place)
        bits ^= 1 << place
    return seqs


def _encode(places: list[int]) -> bytes:
    """A posting: a list of places, or a bitmap."""
    if len(places) < DENSE_PLACES:
        return struct.pack(f"<{len(places)}H", *places)
    bits = 0
    for place in places:
        bits |= 1 << place
    return bits.to_bytes(BLOCK_BYTES, "little")

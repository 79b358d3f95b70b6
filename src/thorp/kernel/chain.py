"""A hash chain over records: each link covers its record and, through the link before, all earlier ones.

Whoever trusts one link can check everything up to it; no record can be changed, dropped, added or
moved without changing every later link.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

GENESIS = bytes(32)
"""The link before the first record."""


def link(previous: bytes, record: bytes) -> bytes:
    """The link of `record` behind `previous`. A link has a fixed length, so no two pairs run together."""
    return sha256(previous + record).digest()


def head(records: Iterable[bytes], start: bytes = GENESIS) -> bytes:
    """The last link over `records`."""
    for record in records:
        start = link(start, record)
    return start


def first_break(records: Iterable[bytes], links: Iterable[bytes], start: bytes = GENESIS) -> int | None:
    """The index of the first record whose stored link does not follow, or None when all do."""
    for index, (record, stored) in enumerate(zip(records, links, strict=True)):
        start = link(start, record)
        if start != stored:
            return index
    return None

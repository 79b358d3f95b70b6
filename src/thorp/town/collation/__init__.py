"""The order of ids: Unicode root collation as ICU 78 has it, whatever the locale of the machine.

The contracts' original sorts ids with its platform's collator and hashes the result, so equal
hashes need an equal order. Ids that collate as equal (composed and decomposed letters, ignored
characters, digits of other scripts) end in code-unit order, so that no order depends on how a list
came in.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from thorp.town.collation.root import sort_key as collation_key

__all__ = ["code_units", "collated", "collation_key"]

Item = TypeVar("Item")

# ASCII text in root collation needs three rules and no table. 1. Most control characters are
# ignored. 2. Every other character has one primary rank, an upper-case letter that of its
# lower-case one; ranks are compared left to right, and a proper prefix comes first. 3. Where all
# ranks agree, the first place that differs in case decides, lower case first.
_RISING = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"
_UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_IGNORED = bytes(code for code in range(1, 128) if chr(code) not in _RISING + _UPPER)
_RANKS = bytes.maketrans(
    (_RISING + _UPPER).encode(),
    bytes(1 + _RISING.index(letter) for letter in _RISING + _UPPER.lower()),
)
_CASES = bytes.maketrans(
    (_RISING + _UPPER).encode(), bytes(1 + (letter in _UPPER) for letter in _RISING + _UPPER)
)

SEPARATOR = "\0"
"""Joins texts that are translated together. Collation ignores it, so a text that contains it takes
the slower way, where it can be told from a join."""


def code_units(text: str) -> bytes:
    """A key that sorts as the UTF-16 code units of the text do, as JavaScript compares strings."""
    return text.encode("utf-16-be", "surrogatepass")


def collated(
    items: Sequence[Item],
    ids: Sequence[str],
    tie_break: Callable[[Item], Any] = lambda _: None,
    ranks: Sequence[str] | None = None,
) -> list[Item]:
    """Sort items by their ids, which are given beside them; `ranks` are the `ascii_ranks` of the
    ids, where the caller has them already.

    Ids that collate as equal are ordered by `tie_break`, then by code units. ValueError if two ids
    are the same.
    """
    if ranks is None:
        ranks = ascii_ranks(ids)
    # Ranks that all differ decide alone, which is nearly always so: no second level is looked at.
    if ranks is not None and len(set(ranks)) == len(items):
        return _by_keys(items, ranks)
    if len(set(ids)) < len(ids):
        raise ValueError("two equal ids")
    sort_key: Callable[[str], Any] = collation_key
    if all(text.isascii() for text in ids):
        sort_key = ascii_sort_key
    keys = [sort_key(text) for text in ids]
    if len(set(keys)) < len(keys):
        tied = zip(keys, items, ids, strict=True)
        keys = [(key, tie_break(item), code_units(text)) for key, item, text in tied]
    return _by_keys(items, keys)


def _by_keys(items: Sequence[Item], keys: Sequence[Any]) -> list[Item]:
    return [items[index] for index in sorted(range(len(items)), key=keys.__getitem__)]


def ascii_ranks(texts: Sequence[str]) -> list[str] | None:
    """The primary ranks of each text, as a string that sorts as they do; None unless all texts are
    ASCII, without NUL.

    All texts are joined, translated at once and split again: one call costs less than one each.
    """
    joined = SEPARATOR.join(texts)
    if not joined.isascii():
        return None
    ranks = joined.encode("ascii").translate(_RANKS, _IGNORED).decode("ascii").split(SEPARATOR)
    return ranks if len(ranks) == len(texts) else None


def ascii_sort_key(text: str) -> tuple[bytes, bytes]:
    """The key that sorts an ASCII text among others: its ranks, then its cases. Texts that collate
    as equal have equal keys."""
    kept = text.encode("ascii").translate(None, _IGNORED + b"\0")
    return kept.translate(_RANKS), kept.translate(_CASES)

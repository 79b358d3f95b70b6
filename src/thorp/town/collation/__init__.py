"""The order of ids: Unicode root collation as ICU 78 has it, whatever the locale of the machine.

The contracts' original sorts ids with its platform's collator and hashes the result, so equal hashes need
an equal order. Ids that collate as equal (composed and decomposed letters, ignored characters, digits of
other scripts) end in code-unit order, so that no order depends on how a list came in.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from thorp.town.collation import ascii as ascii_collation
from thorp.town.collation import root
from thorp.town.collation.root import sort_key as collation_key

Item = TypeVar("Item")


def code_units(text: str) -> bytes:
    """What sorts as the UTF-16 code units of the text do."""
    return text.encode("utf-16-be", "surrogatepass")


def collated(
    items: Sequence[Item], ids: Sequence[str], tie_break: Callable[[Item], Any] = lambda _: None
) -> list[Item]:
    """The items in the order of their ids, which are given beside them. Ids that collate as equal are told
    apart by `tie_break`, then by code units. ValueError if two ids are the same."""
    ranks = ascii_collation.primary_keys(ids)
    if ranks is not None:
        by_rank = dict(zip(ranks, items, strict=True))
        if len(by_rank) == len(items):
            return [by_rank[rank] for rank in sorted(by_rank)]
    if len(set(ids)) < len(ids):
        raise ValueError("two equal ids")
    sort_key: Callable[[str], Any] = root.sort_key
    if all(text.isascii() for text in ids):
        sort_key = ascii_collation.sort_key
    keys = [sort_key(text) for text in ids]
    if len(set(keys)) < len(keys):
        keys = [
            (key, tie_break(item), code_units(text)) for key, item, text in zip(keys, items, ids, strict=True)
        ]
    return [items[index] for index in sorted(range(len(items)), key=keys.__getitem__)]


__all__ = ["code_units", "collated", "collation_key"]

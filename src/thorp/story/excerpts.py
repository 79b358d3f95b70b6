"""Chooses the excerpts that a pack has room for, of scenes and of people in the same way."""

from collections.abc import Iterable

from thorp.story.contracts.packs import SEPARATOR
from thorp.story.storage import EntryRow


def latest_that_fit(
    pieces: Iterable[tuple[EntryRow, str]], chars: int
) -> list[tuple[EntryRow, str]]:
    """As many excerpts as fit into `chars` characters, oldest first; they are given the latest
    first, and no more of them are asked for than fit."""
    kept: list[tuple[EntryRow, str]] = []
    room = chars
    for row, text in pieces:
        if len(text) > room:
            break
        kept.append((row, text))
        room -= len(text) + len(SEPARATOR)
    return kept[::-1]

"""Chooses the excerpts that a pack has room for; scenes and capsules use it alike."""

from collections.abc import Iterable

from thorp.story.contracts.packs import SEPARATOR
from thorp.story.storage import EntryRow


def latest_that_fit(
    pieces: Iterable[tuple[EntryRow, str]], chars: int
) -> list[tuple[EntryRow, str]]:
    """As many of the latest excerpts as fit into `chars` characters, oldest first. `pieces` come
    latest first, and are not read further than needed."""
    kept: list[tuple[EntryRow, str]] = []
    room = chars
    for row, text in pieces:
        if len(text) > room:
            break
        kept.append((row, text))
        room -= len(text) + len(SEPARATOR)
    return kept[::-1]

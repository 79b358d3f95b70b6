"""Decides who may see an entry, by its metadata alone and never by its text.

A surface is what one reader may see: everything PUBLIC, and entries that are PRIVATE to that
reader. No surface has everything. Whatever is not clearly allowed is denied, and an unknown reader
is an error. The world has no identity of its own, so its surface has PUBLIC entries only.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from thorp.kernel.errors import IllegalError
from thorp.story.config import PUBLIC, StoryConfig


class Surface(msgspec.Struct, frozen=True):
    """What a reader may see."""

    own: str | None  # The identity whose private entries are part of it; None if there is none.

    @property
    def name(self) -> str:
        """The reader's name in an export."""
        return self.own or PUBLIC


EVERYBODY: Final = Surface(None)


class UnknownReader(IllegalError):
    """No reader has that name."""

    code = "unknown_reader"


def surface_of(reader: str | None, config: StoryConfig, *, is_person: bool) -> Surface:
    """The surface of an identity; None, and the world, have everybody's. Refuses an unknown
    reader."""
    if reader is None or reader in (PUBLIC, config.identity.world_actor):
        return EVERYBODY
    if is_person or reader in (config.identity.operator_id, config.identity.system_actor):
        return Surface(reader)
    raise UnknownReader("there is nobody of that name in this story")


def allows(surface: Surface, scope: str, visible_to: Sequence[str] | None) -> bool:
    """Whether an entry with this visibility is on a surface; `visible_to` is None if it cannot be
    read."""
    if visible_to is None:
        return False
    if scope == "PUBLIC":
        return not visible_to
    return scope == "PRIVATE" and surface.own is not None and surface.own in visible_to

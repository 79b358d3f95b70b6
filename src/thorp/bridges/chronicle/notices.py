"""A notice: something that happened in a world and matters, with its weight and its witnesses."""

from typing import Final

import msgspec

from thorp.bridges.chronicle.names import Phrase
from thorp.bridges.chronicle.wording import WORDS
from thorp.voxel.state.ground import Position

KINDS: Final = WORDS.kinds


class Notice(msgspec.Struct, frozen=True):
    tick: int
    day: int
    hour: int
    kind: str
    who: tuple[str, ...]
    """Ids of agents: whoever did it comes first."""
    where: Position | None
    witnesses: tuple[str, ...]
    """Ids of those who saw it, whoever it was about among them, in order of their numbers."""
    about: dict[str, Phrase]
    """The words of its sentence."""
    alike: str | None = None
    """Notices of a kind with the same text here may be told in one sentence."""

    @property
    def weight(self) -> int:
        return KINDS[self.kind].weight

    @property
    def public(self) -> bool:
        return KINDS[self.kind].public

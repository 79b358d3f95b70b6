"""Where a branch of a story left the story that it was copied from.

A branch is a story that was copied up to a beat and goes on by itself. Its own rows say so: a beat
without a request, which founds the branch, and a row of `story_branch`. If a world was forked with
it, the row has the fork point: the tick, and the names of both worlds.
"""

from typing import Annotated, Final, NamedTuple

import msgspec

from thorp.kernel.canonical import canonical_text
from thorp.kernel.errors import DamagedError

BRANCHES_LIMIT: Final = 1_000
"""Splits that one story has behind it: forks of forks. All of them are read when it is opened."""

_Name = Annotated[str, msgspec.Meta(max_length=128)]


class ForkPoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tick at which a world was forked, the digest of its state there, and what the world and
    its fork are called."""

    tick: Annotated[int, msgspec.Meta(ge=0, le=2**53)]
    digest: _Name
    world: _Name
    fork: _Name

    def to_text(self) -> str:
        """The text that is stored."""
        return canonical_text(msgspec.to_builtins(self))


class Branch(NamedTuple):
    """The beat that founds a branch, the last entry before it, the secret seed of the ids after it,
    and its fork point as stored; None if no world was forked with it."""

    beat: int
    seq: int
    secret: int
    text: str | None

    @property
    def fork_point(self) -> ForkPoint | None:
        """The fork point. Refuses as damaged what cannot be read."""
        if self.text is None:
            return None
        try:
            return msgspec.json.decode(self.text, type=ForkPoint)
        except msgspec.MsgspecError:
            raise DamagedError(
                f"story_branch {self.beat} has no fork point that can be read"
            ) from None

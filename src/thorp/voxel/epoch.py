"""Epochs: the versions, seeds, tuning and annexes under which a stretch of ticks was executed.

Journals and snapshots carry them, so that old files can be told from damaged ones.

`RULES` grows with every release under which the same inputs could lead to another state. A world that was
made under older rules goes on in a new epoch; its older epochs are replayed by the release named below.

Terms hold for an epoch. Other rules, other catalogs, one annex more or another tuning begin the next one, and
so does a fork.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from thorp.kernel.errors import InvalidError
from thorp.protocol.frame import PROTOCOL_VERSION
from thorp.voxel import extension
from thorp.voxel.catalog import Catalogs
from thorp.voxel.state.world import WorldState
from thorp.voxel.tuning import Tuning

FORMAT: Final = 2
"""Of the records in a journal and of the parts of a snapshot."""
RULES: Final = 1
RELEASES: Final = {1: "0.1.0"}
"""The first release with each version of the rules."""

# What every reader of JSON keeps exact.
SEED_LIMIT: Final = 2**53
Seed = Annotated[int, Meta(ge=-SEED_LIMIT, le=SEED_LIMIT)]


def named_release(rules: int) -> str:
    """The first release with these rules, as a user would name it."""
    release = RELEASES.get(rules)
    return f"thorp {release}" if release else "another release"


def check_format(header: object) -> None:
    """Refuse the header of a format that this release does not know, before its fields are looked at."""
    match header:
        case {"terms": {"format": int(found)}} if found != FORMAT:
            way = "open it with a later one" if found > FORMAT else "move it aside with --fresh"
            raise InvalidError(
                f"this world has format {found}, and this release reads {FORMAT}; {way}", code="version"
            )


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """The head of every journal segment and snapshot."""

    format: int = FORMAT
    protocol: str = PROTOCOL_VERSION
    rules: int
    catalogs: str
    """Digest of everything the rules could look up."""
    annexes: tuple[str, ...] = ()
    """The names of rules from outside that took part."""
    seed: Seed
    draw_seed: Seed
    tuning: Tuning
    epoch: Annotated[int, Meta(ge=1)] = 1
    epoch_tick: Annotated[int, Meta(ge=0)] = 0
    """The tick whose state the epoch began with."""
    reason: str = "founded"
    """Why the epoch began."""

    def next_epoch(self, world: WorldState, reason: str, *, tuning: Tuning | None = None) -> Terms:
        """The terms of a world that goes on from its tick under our rules, with its own tuning or another."""
        return Terms(
            rules=RULES,
            catalogs=world.catalogs.digest(),
            annexes=extension.names(world.annexes),
            seed=self.seed,
            draw_seed=self.draw_seed,
            tuning=tuning or world.tuning,
            epoch=self.epoch + 1,
            epoch_tick=world.tick,
            reason=reason,
        )

    def foreign(self, catalogs: Catalogs, annexes: Iterable[extension.Annex]) -> str | None:
        """Why these catalogs and our rules cannot execute what was executed under these terms.

        Refuses as `annex` if an annex is missing: then no rules can. One that took no part is left out
        when the ticks are executed.
        """
        extension.check(extension.names(annexes), self.annexes)
        if self.rules != RULES:
            return (
                f"it has rules {self.rules}, which {named_release(self.rules)} can replay; "
                f"these are rules {RULES}"
            )
        if self.catalogs != catalogs.digest():
            return "its catalogs are not those of this release"
        return None

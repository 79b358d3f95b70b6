"""What one must know to execute a stretch of ticks again: versions, seeds, tuning.

Terms hold for an epoch. Other rules, other catalogs or another tuning begin the next one, and so does a fork.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from thorp.kernel.errors import InvalidError
from thorp.protocol.frame import PROTOCOL_VERSION
from thorp.voxel.tuning import Tuning
from thorp.voxel.version import FORMAT, RELEASES, RULES

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
            raise InvalidError(
                f"this world has format {found}, and this release reads {FORMAT}; open it with a later one",
                code="version",
            )


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """The head of every journal segment and snapshot."""

    format: int = FORMAT
    protocol: str = PROTOCOL_VERSION
    rules: int
    catalogs: str
    """Digest of everything the rules could look up."""
    seed: Seed
    draw_seed: Seed
    tuning: Tuning
    epoch: Annotated[int, Meta(ge=1)] = 1
    epoch_tick: Annotated[int, Meta(ge=0)] = 0
    """The tick whose state the epoch began with."""
    reason: str = "founded"
    """Why the epoch began."""

    def next_epoch(self, tick: int, reason: str, *, catalogs: str, tuning: Tuning) -> Terms:
        """The terms of a world that goes on from this tick under our rules."""
        return Terms(
            rules=RULES,
            catalogs=catalogs,
            seed=self.seed,
            draw_seed=self.draw_seed,
            tuning=tuning,
            epoch=self.epoch + 1,
            epoch_tick=tick,
            reason=reason,
        )

    def foreign(self, catalogs: str) -> str | None:
        """Why this release, with these catalogs, cannot execute what was executed under these terms."""
        if self.rules != RULES:
            return (
                f"it has rules {self.rules}, which {named_release(self.rules)} can replay; "
                f"these are rules {RULES}"
            )
        if self.catalogs != catalogs:
            return "its catalogs are not those of this release"
        return None

"""A notice: something that happened in a world and matters, with its weight and its witnesses."""

from typing import Final, NamedTuple

import msgspec

from thorp.bridges.chronicle.names import Phrase
from thorp.voxel.state.ground import Position


class Kind(NamedTuple):
    weight: int
    """How much it matters, beside the others of its range."""
    public: bool = False
    """Everybody may know; else whoever saw it, and the operator."""
    minor: bool = False
    """Told only where there is little else to tell."""


KINDS: Final[dict[str, Kind]] = {
    "season": Kind(100),
    "city": Kind(98),
    "law active": Kind(95, public=True),
    "claim": Kind(90, public=True),
    "land ended": Kind(90, public=True),
    "guild": Kind(88),
    "death": Kind(86),
    "rescue": Kind(86),
    "org ended": Kind(80),
    "town executed": Kind(78, public=True),
    "town failed": Kind(76, public=True),
    "law rejected": Kind(74, public=True),
    "law proposed": Kind(72, public=True),
    "deed": Kind(70, public=True),
    "claim grown": Kind(68, public=True),
    "event begins": Kind(64),
    "law vote": Kind(56, public=True),
    "upkeep missed": Kind(82, public=True),
    "fine": Kind(54),
    "built": Kind(52),
    "harvest": Kind(48),
    "arrival": Kind(50),
    "contract failed": Kind(46),
    "contract kept": Kind(44),
    "goal": Kind(40),
    "event ends": Kind(36),
    "trade": Kind(30),
    "joined": Kind(32),
    "contract dropped": Kind(14, minor=True),
    "contract untaken": Kind(12, minor=True),
    "town refused": Kind(10, public=True, minor=True),
}


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

"""The tables of `catalogue.toml`: the events that can happen, the quests that can be asked for, the
projects that can be built, and names for townsfolk."""

from pkgutil import get_data
from typing import Final

import msgspec


class Card(msgspec.Struct, frozen=True):
    """An event of the nether: its name, what it does to the meters (per mille) and to the stocks
    (units)."""

    name: str
    text: str
    threat: int = 0
    scarcity: int = 0
    hope: int = 0
    dread: int = 0
    food: int = 0
    timber: int = 0
    iron: int = 0


class Need(msgspec.Struct, frozen=True):
    """What a quest can be about, with titles for it and what its reward adds to each stock. A
    success relieves the meter of the same name."""

    titles: tuple[str, ...]
    food: int = 0
    timber: int = 0
    iron: int = 0


class ProjectKind(msgspec.Struct, frozen=True):
    """A kind of project: names for it, steps to build it, and the meter it relieves when it
    stands."""

    names: tuple[str, ...]
    steps: int
    meter: str


class _Catalogue(msgspec.Struct):
    deck: tuple[Card, ...]
    first_names: tuple[str, ...]
    by_names: tuple[str, ...]
    trades: tuple[str, ...]
    needs: dict[str, Need]
    kinds: dict[str, ProjectKind]


_READ = msgspec.toml.decode(get_data(__name__, "catalogue.toml") or b"", type=_Catalogue)

DECK: Final = _READ.deck
FIRST_NAMES: Final = _READ.first_names
BY_NAMES: Final = _READ.by_names
TRADES: Final = _READ.trades
NEEDS: Final = _READ.needs
KINDS: Final = _READ.kinds

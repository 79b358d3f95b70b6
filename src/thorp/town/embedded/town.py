"""The state of a town: meters in per mille, stocks in units, and names. Integers only.

The state is a value. It is stored as the text that `encode` gives, and every change begins with a
fresh `decode`. A change that is refused or fails leaves no trace, because its copy is not stored.
"""

from typing import Final

import msgspec

from thorp.kernel.rng import KeyedDraws
from thorp.town.embedded import tuning

FULL: Final = 1000  # A whole meter, and a finished mission, in per mille.
LIST_LIMIT: Final = 100  # Most quests, and most projects, of one town: the bound of `snapshot.v1`.
NAME_LIMIT: Final = 200  # Longest id, title or name that a keeper may give: a board has to show it.


class Person(msgspec.Struct):
    """A townsperson of note."""

    name: str
    trade: str


class Quest(msgspec.Struct):
    """What somebody asks the town to do. `posted` is the day it was posted."""

    id: str
    title: str
    need: str
    complexity: int
    reward: int
    giver: str
    posted: int


class Mission(msgspec.Struct):
    """The quest that the mayor accepted. `progress` is per mille; it fails on the day `due`."""

    id: str
    title: str
    description: str
    need: str
    complexity: int
    reward: int
    progress: int
    due: int


class Project(msgspec.Struct):
    """Something to build in `steps` steps. `closed_until` is the day an accident's site opens
    again; `finished` the day it was completed, or null."""

    id: str
    name: str
    kind: str
    step: int
    steps: int
    closed_until: int
    finished: int | None


class Meters(msgspec.Struct):
    """How the town feels, in per mille."""

    threat: int
    scarcity: int
    hope: int
    dread: int

    def push(self, name: str, push: int) -> None:
        """Move a meter by a push, as `pushed` does."""
        setattr(self, name, pushed(getattr(self, name), push))

    def relieve(self, name: str, push: int) -> None:
        """Push a meter the way people like: hope up, the others down."""
        self.push(name, push if name == "hope" else -push)


class Stocks(msgspec.Struct):
    """What is in the stores, in units."""

    food: int
    timber: int
    iron: int


METERS: Final = Meters.__struct_fields__
STOCKS: Final = Stocks.__struct_fields__


class Today(msgspec.Struct):
    """What was done since dawn, because the second time does less."""

    talks: int = 0
    salvages: int = 0


class Town(msgspec.Struct):
    """The whole state of one town."""

    town_id: str
    day: int
    meters: Meters
    stocks: Stocks
    population: int
    folk: list[Person]
    mission: Mission | None
    quests: list[Quest]
    projects: list[Project]
    works: dict[str, int]  # What stands, by kind: how many, each weathering in its time.
    event: str | None
    event_day: int
    deck_place: int  # How many cards were drawn from the deck, over all its shuffles.
    next_quest: int
    next_project: int
    today: Today

    def store(self, stock: str, amount: int) -> None:
        """Add to a stock, or take from it. What does not fit is lost; a stock never falls below
        zero."""
        level = getattr(self.stocks, stock) + amount
        setattr(self.stocks, stock, max(0, min(level, tuning.STORE_LIMIT)))


class Happening(msgspec.Struct):
    """One thing that happened in a town: a kind for programs and a sentence for people."""

    kind: str
    text: str


Happened = dict[str, list[Happening]]  # What happened because of one input, by town.

_encode = msgspec.json.Encoder().encode
decode: Final = msgspec.json.Decoder(Town).decode
decode_happened: Final = msgspec.json.Decoder(Happened).decode


def encode(stored: Town | Happened) -> str:
    """The text that is stored. Equal values have equal texts."""
    return _encode(stored).decode()


class BrokenTown(Exception):
    """A rule left a town in an impossible state: a defect of the rules, never of the input."""


def check_town(town: Town) -> None:
    """Check the invariants of a town before it is stored."""
    levels = msgspec.structs.astuple(town.meters)
    stocks = msgspec.structs.astuple(town.stocks)
    if not all(0 <= level <= FULL for level in levels):
        raise BrokenTown(f"a meter left its range: {levels}")
    if min(stocks) < 0 or town.population < 0:
        raise BrokenTown(f"less than nothing: {stocks}, population {town.population}")
    for listed in (town.quests, town.projects):
        if len(listed) > LIST_LIMIT or len({each.id for each in listed}) != len(listed):
            raise BrokenTown("a list is too long, or has two of one id")


def free_id(prefix: str, number: int, taken: list[str]) -> str:
    """An id that is not taken: the prefix, and the first free number from `number` on."""
    while f"{prefix}-{number}" in taken:
        number += 1
    return f"{prefix}-{number}"


def pushed(level: int, push: int) -> int:
    """The level after a push up or down. A push moves a share of the way to the end of the meter,
    at least one step, so meters near an end move less."""
    if push > 0:
        return min(FULL, level + max(1, push * (FULL - level) // FULL))
    if push < 0:
        return max(0, level - max(1, -push * level // FULL))
    return level


class DayDraws:
    """The random draws of one town on one day. A draw depends on seed, day, town, purpose and index
    alone, so the order of draws does not matter."""

    def __init__(self, draws: KeyedDraws, town: Town) -> None:
        self._draws = draws
        self._day = town.day
        self._subject = town.town_id

    def below(self, bound: int, purpose: str, index: int = 0) -> int:
        """A number from 0 to below the bound."""
        return self._draws.below(
            bound, tick=self._day, subject=self._subject, purpose=purpose, index=index
        )

    def happens(self, per_mille: int, purpose: str) -> bool:
        """Whether something with this chance happens."""
        return self.below(FULL, purpose) < per_mille

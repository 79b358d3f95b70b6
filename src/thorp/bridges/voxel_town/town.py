"""What a town remembers that cannot be seen in the world: mission, works, orders and recent days.

A town is a city that owns land; its id is that of the organisation. Everything else about it is
looked up in the world when it is needed. The value is kept as text: every change begins with a
fresh `load` and ends with `store`.
"""

from typing import Final

import msgspec

from thorp.bridges.voxel_town import records
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World

# Days for which deaths, successes and failures count, today included.
RECENT_DAYS: Final = 5
# Entries kept of each: more than the caps of `pressure` count.
MOST_NOTED: Final = 16

# Suffixes to the town's id: the keys of its two rows.
STATE: Final = "/state"
SEAL: Final = "/seal"


class Mission(msgspec.Struct, omit_defaults=True):
    """The contract, or the event of the director, that the town took up."""

    id: str
    title: str
    description: str
    reward: int
    """The worth of what the agent who fulfils it gets, as trades are valued."""
    event: str = ""
    """The event's name in the catalog; empty if the mission is a contract."""


class CivicWork(msgspec.Struct, omit_defaults=True):
    """A blueprint that the town builds, and its place."""

    id: str
    name: str
    blueprint: str
    anchor: Position
    rotation: int = 0


class Order(msgspec.Struct, omit_defaults=True):
    """A contract that the town has posted."""

    contract: str
    work: str = ""
    """The work that it is for; empty if it asks for goods."""
    goods: dict[str, int] = {}


class Town(msgspec.Struct, omit_defaults=True):
    """The stored memory of one town."""

    id: str
    day: int = 0
    """Day of the last sealed snapshot; `hash` is that snapshot's hash."""
    hash: str = ""
    mission: Mission | None = None
    works: list[CivicWork] = []
    orders: list[Order] = []
    works_planned: int = 0
    """How many works it has ever planned, which gives the next one its number."""
    cheer: int = 0
    """Hope that talks have added, in per mille; it halves every day."""
    talks: int = 0
    """Talks held today; each cheers less than the one before."""
    commands: int = 0
    """Commands accepted today."""
    deaths: list[int] = []
    """Days on which someone died. (`successes`, `failures`: likewise.)"""
    successes: list[int] = []
    failures: list[int] = []


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Town).decode


def load(world: World, town_id: str) -> Town | None:
    """A fresh copy of the stored town; None if there is no such town."""
    text = records.read(world, town_id + STATE)
    return None if text is None else _decode(text)


def store(world: World, town: Town) -> None:
    """Write a changed town back into the world."""
    records.write(world, town.id + STATE, _encode(town).decode())


def forget(world: World, town_id: str) -> None:
    """Erase a town that has ended: its state and its snapshot."""
    records.erase(world, town_id + STATE)
    records.erase(world, town_id + SEAL)


def town_ids(world: World) -> list[str]:
    """The ids of all towns, in order."""
    return [key.removesuffix(STATE) for key in records.keys(world) if key.endswith(STATE)]


def today(world: World) -> int:
    """Days since the world began."""
    return world.tick // world.tuning.day_ticks


def note(days: list[int], day: int) -> None:
    """Add today to a list of days, and drop days that no longer count."""
    days.append(day)
    prune(days, day)


def prune(days: list[int], day: int) -> None:
    """Drop days before the last `RECENT_DAYS`, and all but the newest `MOST_NOTED`."""
    days[:] = [each for each in days if each > day - RECENT_DAYS][-MOST_NOTED:]

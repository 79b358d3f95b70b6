"""What a town remembers beyond what stands in the world: its mission, works, orders, and recent
days.

A town is a city that owns land; its id is that of the organisation. Everything else about it is
looked up in the world when it is wanted. The value is kept as text: every change begins with a
fresh `load` and ends with `store`.
"""

from typing import Final

import msgspec

from thorp.bridges.voxel_town import records
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World

# Days for which deaths, successes and failures count, today included.
RECENT_DAYS: Final = 5
# More of each in that time change nothing.
MOST_NOTED: Final = 16

# Behind the id, the keys of its two rows.
STATE: Final = "/state"
SEAL: Final = "/seal"


class Mission(msgspec.Struct, omit_defaults=True):
    """The contract, or the event of the director, that the town took up."""

    id: str
    title: str
    description: str
    reward: int
    """What the agent who fulfils it gets, valued as trades are."""
    event: str = ""
    """Of an event: its name in the catalog."""


class Work(msgspec.Struct, omit_defaults=True):
    """A blueprint to be built in a place."""

    id: str
    name: str
    blueprint: str
    anchor: Position
    rotation: int = 0


class Order(msgspec.Struct, omit_defaults=True):
    """A contract that the town has posted."""

    contract: str
    work: str = ""
    """The work it is for; else it asks for goods."""
    goods: dict[str, int] = {}


class Town(msgspec.Struct, omit_defaults=True):
    id: str
    day: int = 0
    """Of the seal, as is the hash."""
    hash: str = ""
    mission: Mission | None = None
    works: list[Work] = []
    orders: list[Order] = []
    works_planned: int = 0
    """All that ever were."""
    cheer: int = 0
    """Per mille of hope that talking has made; half of it is gone the next day."""
    talks: int = 0
    """Today."""
    commands: int = 0
    """That left a receipt today."""
    deaths: list[int] = []
    """The days of each, as of what follows."""
    successes: list[int] = []
    failures: list[int] = []


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Town).decode


def load(world: World, town_id: str) -> Town | None:
    text = records.read(world, town_id + STATE)
    return None if text is None else _decode(text)


def store(world: World, town: Town) -> None:
    records.write(world, town.id + STATE, _encode(town).decode())


def forget(world: World, town_id: str) -> None:
    records.erase(world, town_id + STATE)
    records.erase(world, town_id + SEAL)


def town_ids(world: World) -> list[str]:
    """The ids of all towns, in order."""
    return [key.removesuffix(STATE) for key in records.keys(world) if key.endswith(STATE)]


def today(world: World) -> int:
    """Days since the world began."""
    return world.tick // world.tuning.day_ticks


def note(days: list[int], day: int) -> None:
    """One more today; what is too old, or too much, no longer counts."""
    days.append(day)
    prune(days, day)


def prune(days: list[int], day: int) -> None:
    days[:] = [each for each in days if each > day - RECENT_DAYS][-MOST_NOTED:]

"""The last rift or raid that the director let happen, as governors hear of it."""

from __future__ import annotations

from typing import Final

from thorp.bridges.voxel_town import rows, town
from thorp.voxel.world import World

EVENTS: Final = {"BANDIT_CAMP": "bandit raid", "CRYSTAL_RIFT": "crystal rift"}

_KEY: Final = "nether"


def note(world: World, event: str) -> None:
    """An event has begun."""
    if event in EVENTS:
        rows.write(world, _KEY, f"{EVENTS[event]}, day {town.today(world)}")


def latest(world: World) -> str | None:
    return rows.read(world, _KEY)

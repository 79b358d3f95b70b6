"""Places in words: by whose totem, on whose land, on which side of it; else what grows there."""

from __future__ import annotations

from typing import Final

from thorp.bridges.chronicle.names import Names, Phrase, trusted
from thorp.voxel.society import land
from thorp.voxel.society.records import Claim
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World
from thorp.voxel.systems.indexes import index_of

BY_THE_TOTEM: Final = 8
"""Cells from a totem at which one is beside it."""

NEIGHBOURHOOD: Final = 4
"""Chunks around a place in which land gives it its name: an hour's walk is farther."""

_LANDSCAPE: Final = {"PLAINS": "in the plains", "FOREST": "in the forest", "DESERT": "in the desert"}


def place_of(world: World, names: Names, position: Position, but: str | None = None) -> Phrase:
    """Where something happened; `but` is a land that gives no name, because it is what happened."""
    x, _, z = position
    claim = land.at(world, x, z)
    if claim is not None and claim.id != but:
        owner = names.anyone(claim.owner)
        if max(abs(claim.anchor[0] - x), abs(claim.anchor[2] - z)) <= BY_THE_TOTEM:
            return Phrase(f"by the totem of {owner.text}", "by a totem")
        return Phrase(f"on the land of {owner.text}", "on claimed land")
    near = _nearest(world, x, z, but)
    if near is None:
        return trusted(_LANDSCAPE.get(world.ground.biome(x, z), "in the wilderness"))
    side = _side(x - near.anchor[0], z - near.anchor[2])
    return Phrase(f"{side} of the land of {names.anyone(near.owner).text}", f"{side} of claimed land")


def _nearest(world: World, x: int, z: int, but: str | None) -> Claim | None:
    """The land near by whose totem is nearest."""
    lands, cx, cz = index_of(world).land, x >> 4, z >> 4
    span = range(-NEIGHBOURHOOD, NEIGHBOURHOOD + 1)
    found = {
        claim.id: claim
        for dx in span
        for dz in span
        for claim in lands.get((cx + dx, cz + dz), ())
        if claim.id != but
    }
    away = [(abs(claim.anchor[0] - x) + abs(claim.anchor[2] - z), claim.id) for claim in found.values()]
    return found[min(away)[1]] if away else None


def _side(dx: int, dz: int) -> str:
    """The quarter of the sky in which something lies; z grows to the south."""
    north_south = "south" if dz > 0 else "north"
    east_west = "east" if dx > 0 else "west"
    if abs(dx) > 2 * abs(dz):
        return east_west
    return north_south if abs(dz) > 2 * abs(dx) else f"{north_south}-{east_west}"

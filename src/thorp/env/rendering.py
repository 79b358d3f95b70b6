"""Pictures of what agents see: a map from above around each of them, as text or as pixels.

A column of the map shows the first block at the height of the agent's head or below it. So a map is
of use under ground too: walls are walls, and the roof is left out. North is at the top.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thorp.env.arrays import ITEMS, KINDS
from thorp.voxel import default_catalogs
from thorp.voxel.state.agent import MAX_HP, MAX_HUNGER

CELL_PIXELS: Final = 8  # The side of a block in a picture: enough to see who stands on it.
GAP_PIXELS: Final = 2
MAPS_A_ROW: Final = 4
MAX_MAPS: Final = 16  # How many agents are drawn, the first ones: a screen shows no more.
SHADE: Final = 0.93  # How bright a block is, for each block that it lies below the agent's head.

# The arrays of an observation that are drawn.
DRAWN: Final = ("blocks", "self", "inventory", "near")

Observation = Mapping[str, NDArray[Any]]


class Look(NamedTuple):
    """How a block is drawn: as a character, and in the colour that the page gives its top."""

    character: str
    colour: int


LOOKS: Final = {
    "AIR": Look(" ", 0x14181C),
    "GRASS": Look(".", 0x7F9D56),
    "DIRT": Look(",", 0x8B6D4C),
    "SAND": Look(":", 0xDCC998),
    "STONE": Look("#", 0x9C9A93),
    "GRAVEL": Look("%", 0xA49B90),
    "WATER": Look("~", 0x5B93B5),
    "ICE": Look("=", 0xC9E0EA),
    "BEDROCK": Look("X", 0x4A4845),
    "COAL_ORE": Look("c", 0x63615E),
    "IRON_ORE": Look("i", 0xB59A84),
    "COPPER_ORE": Look("u", 0xB98561),
    "CRYSTAL_ORE": Look("y", 0xA58FC9),
    "LOG": Look("T", 0xA98A5C),
    "LEAVES": Look("l", 0x5F8748),
    "PLANK": Look("p", 0xC49A63),
    "BRICK": Look("b", 0xAE6552),
    "GLASS": Look("g", 0xD3E6EA),
    "METAL_PLATE": Look("m", 0xB5BCC2),
    "CHEST": Look("C", 0xA9752F),
    "FURNACE": Look("F", 0x77746F),
    "CRAFTING_BENCH": Look("B", 0xCFA56B),
    "BULLETIN_BOARD": Look("N", 0xB68C50),
    "CLAIM_TOTEM": Look("!", 0xD9B44A),
    "CONTRACT_TERMINAL": Look("$", 0x54707C),
    "CONVEYOR": Look(">", 0x5F636B),
    "BATTERY": Look("E", 0x6F9A62),
    "SENSOR": Look("?", 0x9CBCC4),
    "SWITCH": Look("/", 0xC3553F),
    "WIRE": Look("-", 0xB5482F),
    "TORCH": Look("'", 0xFFD27A),
    "SIGN": Look("S", 0xCAA870),
    "SAPLING": Look("s", 0x78A04E),
    "BERRY_BUSH": Look("o", 0x9C4A58),
    "BERRY_BUSH_BARE": Look("n", 0x7B8A4D),
    "TALL_GRASS": Look('"', 0x95B05F),
    "WHEAT_SPROUT": Look("w", 0xA9BD5C),
    "WHEAT_RIPE": Look("W", 0xE2C160),
    "WARREN": Look("R", 0x6D5238),
    "WARREN_EMPTY": Look("r", 0x7D6346),
}
SELF: Final = Look("@", 0xFFFFFF)
MARKS: Final = {"agents": Look("&", 0xE0483C), "items": Look("*", 0xFFE45C)}

_MARKED: Final = {KINDS.index(kind) + 1: look for kind, look in MARKS.items()}


def _palette() -> list[Look]:
    return [LOOKS[block.id] for block in default_catalogs().blocks]


def text(observations: Mapping[str, Observation]) -> str:
    """The maps as text, one under the other, each with a line about its agent above it; at the end
    a legend."""
    palette = _palette()
    parts = []
    used: set[int] = set()
    for name, observation in _first(observations):
        blocks, _ = _surface(observation["blocks"])
        used.update(np.unique(blocks).tolist())
        rows = [[palette[block].character for block in row] for row in blocks]
        for row, column, look in _marks(observation, len(rows) // 2):
            rows[row][column] = look.character
        parts.append("\n".join([_caption(name, observation), *("".join(row) for row in rows)]))
    names = [block.id for block in default_catalogs().blocks]
    legend = [
        f"{palette[block].character} {names[block]}"
        for block in sorted(used)
        if names[block] != "AIR"
    ]
    others = [f"{look.character} {kind}" for kind, look in MARKS.items()]
    parts.append("  ".join([f"{SELF.character} the agent", *others, *legend]))
    hidden = len(observations) - MAX_MAPS
    if hidden > 0:
        parts.append(f"and {hidden} more agents")
    return "\n\n".join(parts) + "\n"


def pixels(observations: Mapping[str, Observation]) -> NDArray[np.uint8]:
    """The maps as one picture, as [row, column, colour], with at most MAPS_A_ROW maps in a row."""
    colours = np.array([_rgb(look.colour) for look in _palette()], np.float32)
    maps = [_picture(observation, colours) for _, observation in _first(observations)]
    across = min(MAPS_A_ROW, len(maps))
    side = maps[0].shape[0] + GAP_PIXELS
    down = -(-len(maps) // across)
    canvas = np.zeros((down * side - GAP_PIXELS, across * side - GAP_PIXELS, 3), np.uint8)
    for number, picture in enumerate(maps):
        row, column = divmod(number, across)
        top = row * side
        left = column * side
        canvas[top : top + picture.shape[0], left : left + picture.shape[1]] = picture
    return canvas


def _first(observations: Mapping[str, Observation]) -> list[tuple[str, Observation]]:
    return list(observations.items())[:MAX_MAPS]


def _surface(cube: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The block that each column of a cube shows, and how far it lies below the agent's head."""
    head = min(cube.shape[0] // 2 + 1, cube.shape[0] - 1)
    layers = cube[head::-1]
    depth = (layers != 0).argmax(axis=0)
    surface = np.take_along_axis(layers, depth[np.newaxis], axis=0)[0]
    return surface, depth


def _marks(observation: Observation, radius: int) -> list[tuple[int, int, Look]]:
    """The marks on a map, in the order they are drawn: items, other agents, and the agent itself
    over all of them."""
    marks = []
    for kind, dx, _dy, dz, *_ in observation["near"].tolist():
        look = _MARKED.get(kind)
        if look is not None and max(abs(dx), abs(dz)) <= radius:
            marks.append((radius + dz, radius + dx, look))
    marks.sort(key=lambda mark: mark[2] is MARKS["agents"])
    return [*marks, (radius, radius, SELF)]


def _picture(observation: Observation, colours: NDArray[np.float32]) -> NDArray[np.uint8]:
    blocks, depth = _surface(observation["blocks"])
    shaded = colours[blocks] * (SHADE**depth)[..., np.newaxis]
    picture = shaded.astype(np.uint8).repeat(CELL_PIXELS, axis=0).repeat(CELL_PIXELS, axis=1)
    edge = CELL_PIXELS // 4
    for row, column, look in _marks(observation, len(blocks) // 2):
        top = row * CELL_PIXELS
        left = column * CELL_PIXELS
        inner = (
            slice(top + edge, top + CELL_PIXELS - edge),
            slice(left + edge, left + CELL_PIXELS - edge),
        )
        picture[inner] = _rgb(look.colour)
    return picture


def _caption(name: str, observation: Observation) -> str:
    body = observation["self"]
    health = f"hp {round(float(body[0]) * MAX_HP)}, hunger {round(float(body[1]) * MAX_HUNGER)}"
    counts = observation["inventory"]
    carried = ", ".join(f"{ITEMS[number]} {counts[number]}" for number in np.flatnonzero(counts))
    return f"{name}: {health}; {carried or 'nothing in its pocket'}"


def _rgb(colour: int) -> tuple[int, int, int]:
    return colour >> 16, colour >> 8 & 0xFF, colour & 0xFF

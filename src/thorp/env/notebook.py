"""How a world shows itself in a notebook: from above, with its agents, and a table of them.

It is plain HTML without a script, so a notebook that runs nothing of strangers shows it too. What
agents have said stands in it as text.
"""

import struct
import zlib
from base64 import b64encode
from html import escape
from typing import Final

import numpy as np
from numpy.typing import NDArray

from thorp.env.rendering import LOOKS
from thorp.voxel import World as VoxelWorld
from thorp.voxel.state.ground import CHUNK, HEIGHT

# How far the picture reaches from the first agent, in chunks, and how large a block is drawn.
AROUND_CHUNKS: Final = 2
CELL_PIXELS: Final = 4
MAX_ROWS: Final = 24
_SELF: Final = (255, 255, 255)
_COLUMNS: Final = ("agent", "name", "position", "health", "hunger")


def show(world: VoxelWorld) -> str:
    """The world as HTML."""
    agents = [agent for agent in world.agents if not agent.hidden]
    rows = "".join(
        "<tr>"
        + "".join(
            f"<td>{escape(str(value))}</td>"
            for value in (
                agent.id,
                agent.name,
                ", ".join(map(str, agent.position)),
                agent.hp,
                agent.hunger,
            )
        )
        + "</tr>"
        for agent in agents[:MAX_ROWS]
    )
    head = "".join(f"<th>{name}</th>" for name in _COLUMNS)
    more = f"<p>and {len(agents) - MAX_ROWS} more</p>" if len(agents) > MAX_ROWS else ""
    return (
        f"<p>tick {world.tick}, seed {world.seed}, {len(agents)} agents; "
        f"digest <code>{world.digest()[:16]}…</code></p>{_picture(world)}"
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}"
    )


def _picture(world: VoxelWorld) -> str:
    """The land around the first agent from above, as an image in the text."""
    first = next(iter(world.agents), None)
    if first is None:
        return ""
    left = (first.x >> 4) - AROUND_CHUNKS
    top = (first.z >> 4) - AROUND_CHUNKS
    side = 2 * AROUND_CHUNKS + 1
    looks = [LOOKS[block.id].colour for block in world.catalogs.blocks]
    colours = np.array([(look >> 16, look >> 8 & 255, look & 255) for look in looks], np.uint8)
    land = np.zeros((side * CHUNK, side * CHUNK, 3), np.uint8)
    for row in range(side):
        for column in range(side):
            cells = np.frombuffer(world.ground.look(left + column, top + row), np.uint8)
            cube = cells.reshape(HEIGHT, CHUNK, CHUNK)[::-1]
            highest = (cube != 0).argmax(axis=0)[np.newaxis]
            blocks = np.take_along_axis(cube, highest, axis=0)[0]
            land[row * CHUNK : (row + 1) * CHUNK, column * CHUNK : (column + 1) * CHUNK] = colours[
                blocks
            ]
    for agent in world.agents:
        x = agent.x - left * CHUNK
        z = agent.z - top * CHUNK
        if 0 <= x < land.shape[1] and 0 <= z < land.shape[0]:
            land[z, x] = _SELF
    pixels = land.repeat(CELL_PIXELS, axis=0).repeat(CELL_PIXELS, axis=1)
    source = b64encode(_png(pixels)).decode()
    return f'<img alt="the land from above; agents are white" src="data:image/png;base64,{source}">'


def _png(pixels: NDArray[np.uint8]) -> bytes:
    """A picture as PNG: eight bits a colour, every line unfiltered."""
    height, width, _ = pixels.shape
    lines = np.zeros((height, 1 + 3 * width), np.uint8)
    lines[:, 1:] = pixels.reshape(height, 3 * width)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes(), 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )

"""What the villagers tell each other: who is who, and where things are.

They have one notebook between them, as people have who meet every day. Nothing in it is secret, and nothing
in it lets anyone do what an agent alone could not: every entry was seen in an observation. The mayor writes
it into its own memory in the world, so that it outlives the process.
"""

from __future__ import annotations

import msgspec

from thorp.protocol.obs import Position

SITTING = "sitting"
"""In `done`: the day, not the tick, on which the council of the city sat last."""


class Notebook(msgspec.Struct):
    ids: dict[str, str] = {}
    """The agents' ids, by name."""
    homes: dict[str, Position] = {}
    """Where each of them came into the world."""
    plaza: Position | None = None
    """The middle of the village: the mayor's home."""
    things: dict[str, str] = {}
    """Ids of what everyone uses: `chest`, `terminal`, `board`, `land`, `city`."""
    taken: list[Position] = []
    """Blocks that somebody is after."""
    done: dict[str, int] = {}
    """What has happened for the whole village, and in which tick."""

    def place(self, dx: int, dz: int, dy: int = 0) -> Position:
        """A cell by its distance from the middle of the village."""
        x, y, z = self.plaza or (0, 0, 0)
        return x + dx, y + dy, z + dz


def write(notebook: Notebook) -> str:
    return msgspec.json.encode(notebook).decode()


def read(text: str) -> Notebook:
    return msgspec.json.decode(text, type=Notebook)

"""Chronicles the served world in the story beside it, outside the tick.

What an earlier server did not get to tell is recovered by a process of its own, because replaying
ticks here would take the interpreter from the live ones.
"""

from pathlib import Path
from typing import Final

from thorp.bridges import chronicle
from thorp.server.http.stories import Stories
from thorp.server.processes.replay import Replay
from thorp.store import RealDisk
from thorp.story.writer.moment import Writer
from thorp.voxel.service import WorldService

# For what still waits when the server ends; the rest is told after the next start.
CLOSE_SECONDS: Final = 1.0


class Chronicle:
    """Writes what happens in one world into the story of its data directory."""

    def __init__(self, data: Path, world: str, database: str | None = None) -> None:
        """The story is in the directory too, unless a database is named."""
        self._path = data / world
        self._writer = chronicle.ChronicleWriter()
        self._replay = Replay(("story", "chronicle", "--data", str(data)), database)
        self._chronicler: chronicle.Chronicler | None = None

    def stories(self, where: str | Path, writer: str | Writer) -> Stories:
        """The story at a place, with the writer that a chronicle needs."""
        return Stories(
            where, writer, chronicle.chronicle_config(), {chronicle.WRITER: self._writer}
        )

    async def begin(self, stories: Stories, service: WorldService) -> chronicle.Chronicler:
        """Create the story if there is none, and begin to write. Refuses as `no_chronicle`."""
        ledger = await stories.create()

        def begin() -> chronicle.Chronicler:
            telling = chronicle.Publisher(
                ledger, self._writer, chronicle.world_name(RealDisk(), self._path)
            )
            return chronicle.Chronicler(telling, service.world, self._replay)

        self._chronicler = await stories.read(begin)
        return self._chronicler

    def close(self) -> None:
        """Write what waits, for a moment, and stop. Blocks."""
        self._replay.stop()
        if self._chronicler is not None:
            self._chronicler.close(CLOSE_SECONDS)

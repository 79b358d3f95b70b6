"""Chronicles the served world in the story beside it, outside the tick.

Ticks that an earlier server had no time to chronicle are replayed by a process of its own, because
replaying them here would take the interpreter from the live ones.
"""

from pathlib import Path
from typing import Final

from thorp.bridges import chronicle
from thorp.server.http.stories import Stories
from thorp.server.processes.replay import Replay
from thorp.store import RealDisk
from thorp.story.writer.moment import Writer
from thorp.voxel import WorldService

# For entries that still wait when the server ends; the rest is written after the next start.
CLOSE_SECONDS: Final = 1.0


class Chronicle:
    """Writes what happens in one world into the story of its data directory."""

    def __init__(
        self, data: Path, world: str, database: str | None = None, *, open_book: bool = False
    ) -> None:
        """`data` also holds the story, unless `database` names another place. With an `open_book`
        everybody may read what is written from now on."""
        self._path = data / world
        self._writer = chronicle.ChronicleWriter()
        self._open_book = open_book
        options = ("--open-book",) if open_book else ()
        self._replay = Replay(("story", "chronicle", "--data", str(data), *options), database)
        self._chronicler: chronicle.Chronicler | None = None

    def stories(self, where: str | Path, writer: str | Writer) -> Stories:
        """The story at a place, with the writer that a chronicle needs."""
        return Stories(
            where,
            writer,
            chronicle.chronicle_config(),
            {chronicle.WRITER: self._writer},
            open_book=self._open_book,
        )

    async def begin(self, stories: Stories, service: WorldService) -> chronicle.Chronicler:
        """Create the story if there is none, and begin to write. Refuses as `no_chronicle` if the
        story allows none."""
        ledger = await stories.create()

        def begin() -> chronicle.Chronicler:
            publisher = chronicle.Publisher(
                ledger,
                self._writer,
                chronicle.world_name(RealDisk(), self._path),
                open_book=self._open_book,
            )
            return chronicle.Chronicler(publisher, service.world, self._replay)

        self._chronicler = await stories.read(begin)
        return self._chronicler

    def close(self) -> None:
        """Stop, after a moment for the entries that still wait. Blocks."""
        self._replay.stop()
        if self._chronicler is not None:
            self._chronicler.close(CLOSE_SECONDS)

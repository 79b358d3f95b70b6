"""Chronicles the served world in the story beside it, outside the tick.

What an earlier server did not get to tell is recovered by a process of its own, because replaying
ticks here would take the interpreter from the live ones.
"""

import os
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from thorp.bridges import chronicle
from thorp.kernel.errors import IllegalError
from thorp.server.child import child_command
from thorp.server.stories import Stories
from thorp.store import RealDisk
from thorp.story.writer.moment import Writer
from thorp.voxel.service import WorldService

DATABASE_VARIABLE: Final = "THORP_DATABASE"
"""The environment variable with the URL of the database of towns and story."""
# For what still waits when the server ends; the rest is told after the next start.
CLOSE_SECONDS: Final = 1.0
# Of a replay, above the server's own: what is past can wait, ticks cannot.
NICENESS: Final = 19


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


class Replay:
    """Runs a command that replays the journal up to a tick, one at a time, until it is stopped."""

    def __init__(self, command: Sequence[str], database: str | None = None) -> None:
        self._command = command
        # Not an argument: other users of this machine can read those.
        self._environment = {**os.environ, DATABASE_VARIABLE: database or ""}
        self._changing = threading.Lock()
        self._stopped = False
        self._process: subprocess.Popen[bytes] | None = None

    def __call__(self, until: int) -> None:
        with self._changing:
            if self._stopped:
                raise IllegalError("the server is stopping", code="stopping")
            self._process = process = subprocess.Popen(
                child_command("thorp", *self._command, "--until", str(until)),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=self._environment,
            )
            here = os.getpriority(os.PRIO_PROCESS, 0)
            os.setpriority(os.PRIO_PROCESS, process.pid, here + NICENESS)
        _, problems = process.communicate()
        if process.returncode:
            said = problems.decode("utf-8", "replace").strip()
            told = f"`thorp {' '.join(self._command[:2])}` ended with {process.returncode}: {said}"
            raise IllegalError(told, code="replay")

    def stop(self) -> None:
        with self._changing:
            self._stopped = True
            if self._process is not None and self._process.poll() is None:
                self._process.kill()

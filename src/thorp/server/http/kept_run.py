"""One run that a page may look at beside the server's own world: made by a process of its own at
low priority, and opened when somebody looks.

`python -m thorp.server.http.kept_run INTO` makes one; it reads the path of the world from its
standard input, and prints a refusal as JSON if there is one.
"""

import asyncio
import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

import msgspec

from thorp.children.lifetime import child_command
from thorp.kernel.canonical import Json, insertion_bytes
from thorp.kernel.errors import ThorpError, error_document
from thorp.observer import inspection
from thorp.observer.bootstrap import make_bootstrap
from thorp.observer.kept_run import KeptRun, keep_run, read_end, read_run
from thorp.protocol.observer import Bootstrap
from thorp.server.access.requests import Refused
from thorp.server.http.finished_tape import FinishedTape
from thorp.server.http.tape_view import TapeView
from thorp.server.sockets.resume_token import WORLD_ID
from thorp.store import RealDisk

NICENESS: Final = 19
MAX_PROBLEM_BYTES: Final = 4_000


class RunState(msgspec.Struct, kw_only=True):
    """Whether a run can be looked at, and which ticks it has."""

    id: str
    state: Literal["making", "ready", "refused"]
    why: str = ""
    """Why it is refused, or what it waits for."""
    first_tick: int = 0
    last_tick: int = 0
    whole: bool = False
    """Whether its tape is complete, as far as it can be."""


class OpenRun:
    """A run while somebody looks at it."""

    def __init__(self, directory: Path, about: KeptRun) -> None:
        self.about = about
        self.tape = FinishedTape(directory, about.name, read_end(directory))
        always = asyncio.Event()
        always.set()
        self.view = TapeView(self.tape, always)

    @property
    def bootstrap(self) -> Bootstrap:
        """What a page has to know before it shows the run."""
        return make_bootstrap(self.tape.world, WORLD_ID)

    def society(self, *, open_book: bool) -> inspection.Society:
        """What the people had agreed on after the last tick."""
        return inspection.society(self.tape.world, open_book=open_book)

    def close(self) -> None:
        """Close the tape."""
        self.tape.tape.close()


class Run:
    """A run, from the moment when it was asked for."""

    def __init__(self, name: str, world: Path, kept: Path) -> None:
        """The directory of its world, which is only read; and one of ours."""
        self.id = name
        self.world = world
        self._kept = kept
        self._making: asyncio.Task[None] | None = None
        self._is_whole = False
        self._refused = ""
        self._open: OpenRun | None = None
        self._opening = asyncio.Lock()

    def begin(self) -> None:
        """Have what is missing made, once."""
        if self._making is None:
            self._making = asyncio.create_task(self._make())

    def state(self) -> RunState:
        """How far it is."""
        if self._refused:
            return RunState(id=self.id, state="refused", why=self._refused)
        about = self._open.about if self._open is not None else read_run(self._kept)
        if about is None:
            why = "its ticks are being executed again from its journal"
            return RunState(id=self.id, state="making", why=why)
        return RunState(
            id=self.id,
            state="ready",
            first_tick=about.first_tick,
            last_tick=about.last_tick,
            whole=self._is_whole,
        )

    async def opened(self) -> OpenRun:
        """The run, opened; refused with 503 while its end is being made."""
        async with self._opening:
            if self._open is None:
                about = None if self._refused else await asyncio.to_thread(read_run, self._kept)
                if about is None:
                    state = self.state()
                    raise Refused(503, state.state, state.why)
                self._open = await asyncio.to_thread(OpenRun, self._kept, about)
            return self._open

    async def close(self) -> None:
        """Stop what is being made, and close what is open."""
        if self._making is not None:
            self._making.cancel()
            await asyncio.gather(self._making, return_exceptions=True)
        if self._open is not None:
            self._open.close()

    async def _make(self) -> None:
        await asyncio.to_thread(self._kept.mkdir, parents=True, exist_ok=True)
        self._refused = await run_child(
            "thorp.server.http.kept_run", (str(self._kept),), str(self.world)
        )
        self._is_whole = not self._refused


async def run_child(module: str, arguments: Sequence[str], text: str) -> str:
    """Run a module of ours in a process of its own at low priority, give it a text, and return why
    it refused; empty if it did not."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *child_command(module, *arguments), stdin=pipe, stdout=pipe, stderr=pipe
    )
    try:
        out, problems = await process.communicate(text.encode())
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0:
        said = problems[-MAX_PROBLEM_BYTES:].decode("utf-8", "replace").strip().splitlines()
        return f"the process that makes it ended with {process.returncode}: {''.join(said[-1:])}"
    output: dict[str, Json] = json.loads(out or b"{}")
    return problem_of(output)


def problem_of(output: dict[str, Json]) -> str:
    """The refusal in what a process has printed; empty if there is none."""
    error = output.get("error")
    if not isinstance(error, dict):
        return ""
    violations = error.get("violations")
    assert isinstance(violations, list)
    return "; ".join(str(each["message"]) for each in violations if isinstance(each, dict))


def main(into: str) -> None:
    """Keep the run whose world is named on standard input."""
    with suppress(OSError):
        os.nice(NICENESS)
    output: Json = {}
    try:
        keep_run(RealDisk(), Path(sys.stdin.read()), Path(into))
    except ThorpError as problem:
        output = error_document(problem)
    sys.stdout.buffer.write(insertion_bytes(output))


if __name__ == "__main__":
    main(*sys.argv[1:])

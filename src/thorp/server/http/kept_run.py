"""One run that a page may look at beside the server's own world: made by a process of its own at
low priority, opened when somebody looks, and followed while somebody does, if it goes on.

    what its directory shows            what happens, while somebody asks
    the same as before                  nothing
    further ticks                       what is missing is made, and its end moves on
    another world, or another history   it is made anew, and a line says so
    something that cannot be read       it is shown as it was, and a line says so

`python -m thorp.server.http.kept_run INTO [anew]` makes one; it reads the path of the world from
its standard input, prints a line when its end is there, and at last a refusal as JSON if there is
one.
"""

import asyncio
import json
import os
import sys
import time
from asyncio.subprocess import Process
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

import msgspec

from thorp.children.lifetime import child_command
from thorp.kernel.canonical import Json, insertion_bytes
from thorp.kernel.errors import ThorpError, error_document
from thorp.observer import inspection
from thorp.observer.annals import kept_buildings
from thorp.observer.bootstrap import make_bootstrap
from thorp.observer.kept_run import REPLACED, KeptRun, keep_run, read_end, read_run
from thorp.observer.tape import Tape
from thorp.protocol.observer import Bootstrap
from thorp.server.access.requests import Refused
from thorp.server.http.finished_tape import FinishedTape
from thorp.server.http.tape_view import TapeView
from thorp.server.sockets.resume_token import WORLD_ID
from thorp.store import RealDisk
from thorp.voxel.persistence.directory import JOURNAL

NICENESS: Final = 19
MAX_PROBLEM_BYTES: Final = 4_000
# How often a run that may go on is looked at, while somebody asks for it; and how long it rests
# after something was made, as a multiple of what that took.
FOLLOW_SECONDS: Final = 5.0
REST: Final = 4
# Pause before a run is tried again that was refused, if nothing of it has changed.
RETRY_SECONDS: Final = 30.0
ANEW: Final = "anew"


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
    world: str = ""
    """The name of its tape: another one if another run is shown by this id now."""
    notice: str = ""
    """What became of it since it was first shown, in one line; empty if it has gone on at most."""


class OpenRun:
    """A run while somebody looks at it."""

    def __init__(
        self, directory: Path, about: KeptRun, world: Path, tape: Tape | None = None
    ) -> None:
        """`world` is the directory of its world; `tape` the open one of the same run when it was
        shorter."""
        self.about = about
        self.tape = FinishedTape(
            Tape(directory, about.name) if tape is None else tape,
            about.tape_name,
            read_end(directory),
            begins=about.first_tick,
        )
        always = asyncio.Event()
        always.set()
        self.view = TapeView(self.tape, always)
        # What its own server has noted of it, and what the world itself knows.
        self.buildings = kept_buildings(world, about.last_tick)
        self.buildings.seed(self.tape.world)

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
        self._following: asyncio.Task[None] | None = None
        self._look_at = 0.0
        """When its directory is looked at again."""
        self._seen: Seen | None = None
        """Its directory when it was last made."""
        self._is_kept = False
        """Whether its end was made or examined since this server began."""
        self._is_whole = False
        self._refused = ""
        self._notice = ""
        self._open: OpenRun | None = None
        self._opening = asyncio.Lock()

    def begin(self) -> None:
        """Have what is missing made, unless it was looked at a moment ago."""
        is_busy = self._following is not None and not self._following.done()
        if not is_busy and time.monotonic() >= self._look_at:
            self._following = asyncio.create_task(self._follow())

    def state(self) -> RunState:
        """How far it is."""
        about = self._about()
        if about is None and self._refused:
            return RunState(id=self.id, state="refused", why=self._refused)
        if about is None:
            why = "its ticks are being executed again from its journal"
            return RunState(id=self.id, state="making", why=why, notice=self._notice)
        unfollowed = f"it cannot be followed: {self._refused}" if self._refused else ""
        return RunState(
            id=self.id,
            state="ready",
            first_tick=about.first_tick,
            last_tick=about.last_tick,
            whole=self._is_whole,
            world=about.tape_name,
            notice=unfollowed or self._notice,
        )

    async def opened(self) -> OpenRun:
        """The run, opened; refused with 503 while its end is being made."""
        async with self._opening:
            if self._open is None:
                about = await asyncio.to_thread(self._about)
                if about is None:
                    state = self.state()
                    raise Refused(503, state.state, state.why)
                self._open = await asyncio.to_thread(OpenRun, self._kept, about, self.world)
            return self._open

    async def close(self) -> None:
        """Stop what is being made, and close what is open."""
        if self._following is not None:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)
        await self._shut()

    def _about(self) -> KeptRun | None:
        """What is known of the run as it is shown; None if it cannot be shown yet."""
        if self._open is not None:
            return self._open.about
        return read_run(self._kept) if self._is_kept else None

    async def _shut(self) -> None:
        async with self._opening:
            if self._open is not None:
                self._open.close()
            self._open = None
            self._is_kept = False

    async def _follow(self) -> None:
        """Make what is missing, if the directory has changed since that was done last."""
        began = time.monotonic()
        seen = await asyncio.to_thread(_look, self.world)
        if seen != self._seen or self._refused:
            self._seen = seen
            await self._make()
        took = time.monotonic() - began
        pause = RETRY_SECONDS if self._refused else FOLLOW_SECONDS
        self._look_at = time.monotonic() + max(pause, REST * took)

    async def _make(self) -> None:
        await asyncio.to_thread(self._kept.mkdir, parents=True, exist_ok=True)
        # While it is open, nothing may take the tape away; and whoever looks shall be told.
        code, why = await self._run_process(*(() if self._is_kept else (ANEW,)))
        if code == REPLACED:
            self._notice = f"this run was replaced: {why}"
            await self._shut()
            code, why = await self._run_process(ANEW)
        self._refused = why
        self._is_whole = not why

    async def _take(self) -> None:
        """Show the run as it is kept now."""
        about = await asyncio.to_thread(read_run, self._kept)
        async with self._opening:
            if self._open is not None and about is not None and about != self._open.about:
                self._is_whole = False
                tape = self._open.tape.tape
                self._open = await asyncio.to_thread(OpenRun, self._kept, about, self.world, tape)
            self._is_kept = about is not None

    async def _run_process(self, *arguments: str) -> tuple[str, str]:
        """Run `main` in a process of its own; returns the code and the words of its refusal."""
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *child_command("thorp.server.http.kept_run", str(self._kept), *arguments),
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
        )
        try:
            return await self._hear(process)
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()

    async def _hear(self, process: Process) -> tuple[str, str]:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(str(self.world).encode())
        process.stdin.close()
        code = ""
        why = ""
        async for line in process.stdout:
            output: dict[str, Json] = json.loads(line)
            if "kept" in output:
                await self._take()
            why = problem_of(output)
            error = output.get("error")
            code = str(error["code"]) if isinstance(error, dict) else ""
        problems = await process.stderr.read(MAX_PROBLEM_BYTES)
        if await process.wait():
            said = problems.decode("utf-8", "replace").strip().splitlines()
            why = f"the process that makes it ended with {process.returncode}: {''.join(said[-1:])}"
        return code, why


Seen = list[tuple[str, int, int]]
"""The files of a world that say how far it is: names, lengths, and when they were written."""


def _look(world: Path) -> Seen:
    """How the journal of a world is now; empty if it cannot be looked at."""
    seen = []
    with suppress(OSError):
        for path in sorted(world.iterdir()):
            if JOURNAL.match(path.name):
                state = path.stat()
                seen.append((path.name, state.st_size, state.st_mtime_ns))
    return seen


def problem_of(output: dict[str, Json]) -> str:
    """The refusal in what a process has printed; empty if there is none."""
    error = output.get("error")
    if not isinstance(error, dict):
        return ""
    violations = error.get("violations")
    assert isinstance(violations, list)
    return "; ".join(str(each["message"]) for each in violations if isinstance(each, dict))


def main(into: str, anew: str = "") -> None:
    """Keep the run whose world is named on standard input."""
    with suppress(OSError):
        os.nice(NICENESS)

    def tell_kept() -> None:
        print(json.dumps({"kept": True}), flush=True)

    output: Json = {}
    try:
        path = Path(sys.stdin.read())
        keep_run(RealDisk(), path, Path(into), anew=anew == ANEW, kept=tell_kept)
    except ThorpError as problem:
        output = error_document(problem)
    sys.stdout.buffer.write(insertion_bytes(output) + b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

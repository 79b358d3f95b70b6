"""Shows the worlds of matches: a match of a voxel scenario can be watched in the page's 3D view,
with the time lane.

A match keeps no world, only its log. When somebody asks for the world it is made from the log, by a
process of its own at low priority, one at a time, and kept below `DATA/match-worlds` for the next
reader. That is a cache: the newest few are kept, and it may be deleted at any time.

`python -m thorp.server.http.match_worlds INTO` makes one; it reads the path of the log from its
standard input, and prints the outcome as JSON.
"""

import asyncio
import json
import os
import shutil
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from thorp.children.lifetime import child_command
from thorp.kernel.canonical import Json, insertion_bytes
from thorp.kernel.errors import ThorpError, error_document
from thorp.observer import inspection
from thorp.observer.bootstrap import make_bootstrap
from thorp.observer.match_world import MatchWorld, read_about, read_end, record
from thorp.observer.tape import Tape
from thorp.protocol.observer import Bootstrap
from thorp.server.access.requests import Refused
from thorp.server.http.finished_tape import FinishedTape
from thorp.server.http.tape_view import TapeView
from thorp.server.sockets.resume_token import WORLD_ID

FOLDER: Final = "match-worlds"
# Worlds that are kept on disk and, of these, ready in memory: some ten megabytes each.
KEPT: Final = 12
OPEN: Final = 3
# Nothing that is asked for by a page may keep a core busy for longer.
MAX_SECONDS: Final = 600.0
NICENESS: Final = 10


class MatchWorldState(msgspec.Struct):
    """Whether the world of a match can be watched, and from where on."""

    state: str
    """`ready`, `making` or `refused`."""
    why: str = ""
    begins_tick: int = 0
    last_tick: int = 0


class _OpenWorld:
    """The world of a match while somebody watches it."""

    def __init__(self, directory: Path, about: MatchWorld) -> None:
        self.unverified = about.unverified
        name = about.name
        self.source = FinishedTape(Tape(directory, name), name, read_end(directory))
        always = asyncio.Event()
        always.set()
        self.view = TapeView(self.source, always)

    @property
    def bootstrap(self) -> Bootstrap:
        return make_bootstrap(self.source.world, WORLD_ID)


class MatchWorlds:
    """The worlds of the matches of a data directory."""

    def __init__(self, data: Path) -> None:
        self._folder = data / FOLDER
        self._making: dict[str, asyncio.Task[None]] = {}
        self._refused: dict[str, str] = {}
        self._open: dict[str, _OpenWorld] = {}
        self._one_at_a_time = asyncio.Lock()

    def state(self, log: Path) -> MatchWorldState:
        """How far the world of a match is; begins to make it if nobody has."""
        name = _name(log)
        about = self._about(log)
        if about is not None:
            return MatchWorldState("ready", "", about.begins_tick, about.last_tick)
        if name in self._refused:
            return MatchWorldState("refused", self._refused[name])
        if name not in self._making:
            self._making[name] = asyncio.create_task(self._make(log, name))
        return MatchWorldState("making", "its world is being played again from the log")

    async def close(self) -> None:
        """End what is being made, and close what is open."""
        for task in self._making.values():
            task.cancel()
        await asyncio.gather(*self._making.values(), return_exceptions=True)
        for opened in self._open.values():
            opened.source.tape.close()

    async def view(self, log: Path) -> TapeView:
        """The tape of a match whose world is ready."""
        return (await self._opened(log)).view

    async def about(self, log: Path) -> tuple[str, int, str]:
        """The name of the world of a match, another one for every state of its log; the terrain's
        seed; and why the log is not verified, empty if it is."""
        opened = await self._opened(log)
        return opened.source.name, opened.source.world.seed, opened.unverified

    async def bootstrap(self, log: Path) -> Bootstrap:
        """What a page has to know before it shows the match."""
        return (await self._opened(log)).bootstrap

    async def society(self, log: Path) -> inspection.Society:
        """What the people had agreed on when the match ended."""
        return inspection.society((await self._opened(log)).source.world, open_book=True)

    def _about(self, log: Path) -> MatchWorld | None:
        """What is kept of this log as it is now."""
        about = read_about(self._folder / _name(log))
        state = log.stat()
        if about is None or about.log_bytes != state.st_size:
            return None
        return about if about.log_changed_ns == state.st_mtime_ns else None

    async def _opened(self, log: Path) -> _OpenWorld:
        about = self._about(log)
        if about is None:
            raise Refused(503, "making", "the world of this match is not ready; ask for it first")
        name = _name(log)
        async with self._one_at_a_time:
            opened = self._open.get(name)
            if opened is None or opened.source.name != about.name:
                directory = self._folder / name
                self._open[name] = await asyncio.to_thread(_OpenWorld, directory, about)
            while len(self._open) > OPEN:
                oldest = next(iter(self._open))
                self._open.pop(oldest).source.tape.close()
        return self._open[name]

    async def _make(self, log: Path, name: str) -> None:
        """Have a process make a world, and keep it under its name."""
        try:
            async with asyncio.timeout(MAX_SECONDS), self._one_at_a_time:
                problem = await self._made(log, name)
        except TimeoutError:
            problem = f"playing it again took longer than {MAX_SECONDS:.0f} s"
        finally:
            del self._making[name]
        if problem:
            self._refused[name] = problem

    async def _made(self, log: Path, name: str) -> str:
        directory = self._folder / name
        draft = self._folder / f".{name}"
        await asyncio.to_thread(_clear, self._folder, draft)
        outcome = await _run_process(str(log), str(draft))
        if "error" in outcome:
            shutil.rmtree(draft, ignore_errors=True)
            return str(outcome["error"]["violations"][0]["message"])
        shutil.rmtree(directory, ignore_errors=True)
        draft.rename(directory)
        return ""


def _name(log: Path) -> str:
    """The file name for the world of a log: a digest, since a path cannot be a file's name."""
    return sha256(str(log).encode()).hexdigest()[:32]


def _clear(folder: Path, draft: Path) -> None:
    """Make room for one more world: the oldest ones go."""
    folder.mkdir(parents=True, exist_ok=True)
    worlds = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime)
    for path in [*worlds[: max(0, len(worlds) - KEPT + 1)], draft]:
        shutil.rmtree(path, ignore_errors=True)
    draft.mkdir()


async def _run_process(log: str, *arguments: str) -> dict[str, Json]:
    """Run `main` in a process of its own, and return what it printed."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *child_command("thorp.server.http.match_worlds", *arguments),
        stdin=pipe,
        stdout=pipe,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        out, _ = await process.communicate(log.encode())
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0:
        why = f"the process that plays it again ended with {process.returncode}"
        return {"error": {"violations": [{"message": why}]}}
    output: dict[str, Json] = json.loads(out)
    return output


def main(into: str) -> None:
    """Make the world of the match whose log is named on standard input."""
    with suppress(OSError):
        os.nice(NICENESS)
    try:
        about = record(Path(sys.stdin.read()), Path(into))
        output: Json = {"made": msgspec.to_builtins(about)}
    except ThorpError as problem:
        output = error_document(problem)
    sys.stdout.buffer.write(insertion_bytes(output))


if __name__ == "__main__":
    main(*sys.argv[1:])

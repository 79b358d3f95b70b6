"""*What if*: forks the world at a tick twice, changes one thing in one fork, lets both live on for
some days, and shows the two beside each other.

An operator asks. The forks live in a process of its own at low priority, one question at a time,
below `DATA/what-if`; the world that is served is only read. A question that was cut short by the
end of the server goes on when it is asked again; one that was cancelled leaves nothing.

`python -m thorp.server.http.what_if` answers a question, which it reads from its standard input; it
prints its progress line by line, and at the end a refusal if there is one.
"""

import asyncio
import json
import os
import re
import shutil
import sys
import time
from asyncio.subprocess import Process
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final

import msgspec
from aiohttp import web
from msgspec import Meta

from thorp.children.lifetime import child_command
from thorp.kernel.canonical import Json, canonical_bytes, insertion_bytes
from thorp.kernel.errors import ThorpError, error_document
from thorp.kernel.identity import digest
from thorp.server.access.requests import Refused, json_response, read_json
from thorp.server.http.kept_run import problem_of
from thorp.server.http.runs import WORLD, RunRoutes
from thorp.server.http.stage import Stage
from thorp.society import Change, PairProgress, change_text, read_question, run_pair
from thorp.store import RealDisk, write_atomic
from thorp.village.change_offers import OFFERS
from thorp.voxel.persistence.directory import HEAD

FOLDER: Final = "what-if"
# Nothing that is asked for by a page may keep a core busy for longer: ten days take a minute or
# two on a free machine.
MAX_DAYS: Final = 10
MAX_SECONDS: Final = 3600.0
# Questions whose worlds are kept: some ten megabytes each. The oldest goes before the next begins.
KEPT: Final = 5
NICENESS: Final = 10
TELL_SECONDS: Final = 0.5
MAX_NOTE_BYTES: Final = 2**16
ARMS: Final = ("control", "changed")
_RUN: Final = re.compile(rf"{FOLDER}-([0-9a-f]{{12}})-({'|'.join(ARMS)})\Z", re.ASCII)
_NOTE: Final = re.compile(r"([0-9a-f]{12})\.json\Z", re.ASCII)


class Asked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question: what if this had been otherwise from this tick on?"""

    at_tick: Annotated[int, Meta(ge=1)]
    days: Annotated[int, Meta(ge=1, le=MAX_DAYS)] = 2
    change: Change


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """A question that was asked, and the runs that answer it."""

    id: str
    at_tick: int
    days: int
    change: str
    """The change in words."""
    asked: dict[str, Json]
    """The question, to be asked again."""
    finished: bool
    control: str
    """The run in which nothing was changed."""
    changed: str
    """The run with the change."""


class WhatIfState(msgspec.Struct, frozen=True, kw_only=True):
    """What is being found out, and what was."""

    running: str
    """The id of the question whose forks live; empty if none does."""
    progress: PairProgress | None
    problem: str
    """Why the last question has no answer; empty if it has one."""
    max_days: int = MAX_DAYS
    answers: list[Answer]
    """The newest first."""


class WhatIf:
    """The handlers of *what if*."""

    def __init__(self, data: Path, stage: Stage, runs: RunRoutes) -> None:
        self._data = data
        self._folder = data / FOLDER
        self._stage = stage
        self._runs = runs
        self._running = ""
        self._task: asyncio.Task[None] | None = None
        self._progress: PairProgress | None = None
        self._problem = ""
        runs.find_pair = self.find_run

    def find_run(self, name: str) -> tuple[Path, Path] | None:
        """Where a run lies that answers a question, or will when it has lived to its end; None if
        there is none of that name."""
        match = _RUN.match(name)
        if match is None:
            return None
        arm = self._folder / match[1] / match[2]
        if match[1] == self._running:
            return (arm / WORLD, arm) if (arm / WORLD / HEAD).exists() else None
        answer = self._read(match[1])
        return (arm / WORLD, arm) if answer is not None and answer.finished else None

    async def state(self, request: web.Request) -> web.Response:
        """What is being found out, how far it is, and what was found out before."""
        return json_response(await asyncio.to_thread(self._state))

    async def offers(self, request: web.Request) -> web.Response:
        """What can be changed: the kinds of changes, their fields, and what each takes."""
        return json_response(OFFERS, compress=True)

    async def ask(self, request: web.Request) -> web.Response:
        """Ask what would have happened with one thing changed. Answers at once; the state tells
        how far it is."""
        asked = await self._read_question(request)
        if self._task is not None and not self._task.done():
            raise Refused(409, "busy", "another question is being answered; wait, or cancel it")
        tick = self._stage.require_live().service.world.tick
        if asked.at_tick >= tick:
            raise Refused(400, "range", f"at_tick is a tick that is over: from 1 to {tick - 1}")
        plain: dict[str, Json] = msgspec.to_builtins(asked)
        id = digest(canonical_bytes(plain))[:12]
        known = await asyncio.to_thread(self._read, id)
        self._problem = ""
        if known is None or not known.finished:
            await self._make_room(id)
            note = _answer(id, asked, plain, finished=False)
            await asyncio.to_thread(self._write, note)
            self._running = id
            self._task = asyncio.create_task(self._find_out(note, plain))
        return json_response(await asyncio.to_thread(self._state))

    async def cancel(self, request: web.Request) -> web.Response:
        """Give up the question that is being answered, and remove what it has made."""
        id = self._running
        if not id or self._task is None:
            raise Refused(409, "idle", "no question is being answered")
        await self._stop()
        await self._remove(id)
        return json_response(await asyncio.to_thread(self._state))

    async def close(self) -> None:
        """Stop what is being found out. Its worlds stay, and go on when it is asked again."""
        await self._stop()

    async def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _read_question(self, request: web.Request) -> Asked:
        try:
            return msgspec.convert(await read_json(request), Asked)
        except msgspec.ValidationError as problem:
            raise Refused(400, "question", str(problem).replace("`", "")) from None

    def _state(self) -> WhatIfState:
        answers = [answer for id in self._ids() if (answer := self._read(id)) is not None]
        return WhatIfState(
            running=self._running,
            progress=self._progress,
            problem=self._problem,
            answers=answers,
        )

    def _ids(self) -> list[str]:
        """The ids of all questions that were asked, the newest first."""
        try:
            notes = [path for path in self._folder.iterdir() if _NOTE.match(path.name)]
            notes.sort(key=lambda path: path.stat().st_mtime_ns, reverse=True)
        except OSError:
            return []
        return [path.stem for path in notes]

    def _read(self, id: str) -> Answer | None:
        """What was noted of a question; None if nothing was, or not by us."""
        try:
            with (self._folder / f"{id}.json").open("rb") as file:
                answer = msgspec.json.decode(file.read(MAX_NOTE_BYTES), type=Answer)
        except (OSError, msgspec.MsgspecError):
            return None
        return answer if answer.id == id else None

    def _write(self, answer: Answer) -> None:
        disk = RealDisk()
        disk.make_directories(self._folder)
        text = msgspec.json.encode(answer)
        write_atomic(disk, self._folder / f"{answer.id}.json", text, replace=True)

    async def _make_room(self, wanted: str) -> None:
        """Remove the oldest questions, so that there is room for one more."""
        others = [id for id in await asyncio.to_thread(self._ids) if id != wanted]
        for id in others[KEPT - 1 :]:
            await self._remove(id)

    async def _remove(self, id: str) -> None:
        await self._runs.forget(*(f"{FOLDER}-{id}-{arm}" for arm in ARMS))
        (self._folder / f"{id}.json").unlink(missing_ok=True)
        await asyncio.to_thread(shutil.rmtree, self._folder / id, ignore_errors=True)

    async def _find_out(self, note: Answer, question: dict[str, Json]) -> None:
        """Have a process answer a question, and note that it has."""
        into = self._folder / note.id
        task = {"source": str(self._data), "into": str(into), "question": question}
        try:
            async with asyncio.timeout(MAX_SECONDS):
                self._problem = await self._run_process(json.dumps(task))
            if not self._problem:
                finished = msgspec.structs.replace(note, finished=True)
                await asyncio.to_thread(self._write, finished)
        except TimeoutError:
            self._problem = f"it took longer than {MAX_SECONDS:.0f} s; ask for fewer days"
        finally:
            self._running = ""
            self._progress = None
        if self._problem:
            await self._remove(note.id)

    async def _run_process(self, task: str) -> str:
        """Run `main` in a process of its own; returns why it refused."""
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *child_command("thorp.server.http.what_if"),
            stdin=pipe,
            stdout=pipe,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            return await self._follow(process, task)
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()

    async def _follow(self, process: Process, task: str) -> str:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(task.encode())
        process.stdin.close()
        problem = "the process that finds it out has ended without an answer"
        async for line in process.stdout:
            output: dict[str, Json] = json.loads(line)
            if "error" in output or "finished" in output:
                problem = problem_of(output)
            else:
                self._progress = msgspec.convert(output, PairProgress)
        await process.wait()
        return problem


def _answer(id: str, asked: Asked, plain: dict[str, Json], *, finished: bool) -> Answer:
    control, changed = (f"{FOLDER}-{id}-{arm}" for arm in ARMS)
    return Answer(
        id=id,
        at_tick=asked.at_tick,
        days=asked.days,
        change=change_text(asked.change),
        asked=plain,
        finished=finished,
        control=control,
        changed=changed,
    )


def main() -> None:
    """Answer the question on standard input."""
    with suppress(OSError):
        os.nice(NICENESS)
    task = json.loads(sys.stdin.read())
    told_at = -TELL_SECONDS

    def tell(progress: PairProgress) -> None:
        nonlocal told_at
        if time.monotonic() - told_at >= TELL_SECONDS:
            told_at = time.monotonic()
            print(json.dumps(msgspec.to_builtins(progress)), flush=True)

    output: Json = {"finished": True}
    try:
        question = read_question(task["question"])
        run_pair(Path(task["source"]), question, Path(task["into"]), show=tell)
    except ThorpError as problem:
        output = error_document(problem)
    sys.stdout.buffer.write(insertion_bytes(output) + b"\n")


if __name__ == "__main__":
    main()

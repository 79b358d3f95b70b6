"""Verifies the towns, the story and the matches of a data directory, on demand and one at a time.

A verification keeps a core busy until it is done, so it runs beside the tick in a process of its
own: `python -m thorp.server.http.verification WHAT [TIP]` prints the outcome as JSON. It reads the
place to verify from its standard input: a URL may hold a password, and others can read arguments.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
from aiohttp import web

from thorp.arena.service import verify_file
from thorp.arena.tournament.run import LOGS
from thorp.arena.tournament.verify import verify_log
from thorp.children.lifetime import child_command
from thorp.kernel.canonical import Json, insertion_bytes
from thorp.kernel.chain import read_tip
from thorp.kernel.errors import ThorpError, Violation, error_document, error_of
from thorp.server.access.requests import Refused
from thorp.store import RealDisk
from thorp.story import Ledger, open_ledger, rebuild
from thorp.town.service import EmbeddedTown


def verify_story(ledger: Ledger, *, again: bool, tip: str | None = None) -> dict[str, Json]:
    """The report on a story; with `again`, also whether a replay comes to the same end."""
    report: dict[str, Json] = msgspec.to_builtins(ledger.verify(tip))
    if again and report["difference"] is None:
        with tempfile.TemporaryDirectory() as name, rebuild(ledger, Path(name)) as played:
            if played.tip() != ledger.tip():
                report["difference"] = (
                    "the story, played again from its inputs, comes to another end"
                )
    return report


def _towns(where: str | Path, tip: str | None) -> Json:
    with EmbeddedTown(where, create=False) as world:
        return msgspec.to_builtins(world.verify(tip))


def _story(where: str | Path, tip: str | None, *, again: bool = False) -> Json:
    with open_ledger(where, create=False) as ledger:
        return verify_story(ledger, again=again, tip=tip)


def _match(log: str | Path, tip: str | None) -> Json:
    path = Path(log)
    if path.parent.name != LOGS:
        return msgspec.to_builtins(verify_file(path, tip))
    return msgspec.to_builtins(verify_log(RealDisk(), path))


VERIFICATIONS: Final[dict[str, Callable[[str | Path, str | None], Json]]] = {
    "towns": _towns,
    "story": _story,
    "match": _match,
    "story-again": partial(_story, again=True),
}


def main(verification: str, tip: str | None = None) -> None:
    """Run one verification of the place named on standard input, and print the outcome."""
    try:
        output: Json = {"found": VERIFICATIONS[verification](sys.stdin.read(), tip)}
    except ThorpError as problem:
        output = error_document(problem)
    sys.stdout.buffer.write(insertion_bytes(output))


class Verifier:
    """Runs verifications of one directory or database, each in a process of its own."""

    def __init__(self, where: str | Path) -> None:
        self._where = where
        self._running = asyncio.Lock()

    async def verify(
        self, verification: str, tip: str | None = None, *, of: Path | None = None
    ) -> Json:
        """Run one of `VERIFICATIONS`, for the whole place or for a file in it. Refused while
        another one runs, or if `tip` is not a hash."""
        noted = read_tip(tip)
        if self._running.locked():
            raise Refused(503, "busy", "something is being verified already; try again later")
        async with self._running:
            output = await _run_process(
                str(of or self._where), verification, *([noted] if noted else [])
            )
        if "error" in output:
            error = output["error"]
            raise error_of(
                error["kind"], error["code"], [Violation(**each) for each in error["violations"]]
            )
        return output["found"]


VERIFIER: Final = web.AppKey("verifier", Verifier)


async def _run_process(place: str, *arguments: str) -> dict[str, Json]:
    """Run `main` in a process of its own, and return what it printed."""
    command = child_command("thorp.server.http.verification", *arguments)
    pipe = asyncio.subprocess.PIPE
    nowhere = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        *command, stdin=pipe, stdout=pipe, stderr=nowhere
    )
    try:
        out, _ = await process.communicate(place.encode())
    finally:
        if process.returncode is None:  # the server ends, and its verifications with it
            process.kill()
            await process.wait()
    if process.returncode != 0:
        raise Refused(500, "unproved", f"the process that verifies ended with {process.returncode}")
    output: dict[str, Json] = json.loads(out)
    return output


if __name__ == "__main__":
    main(*sys.argv[1:])

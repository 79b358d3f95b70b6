"""Proofs on demand, one at a time, beside the tick and never in its process."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from thorp.kernel.canonical import Json
from thorp.kernel.chain import read_tip
from thorp.kernel.errors import InvalidError
from thorp.server.requests import Refused, refused_by


class Proving:
    """Has proofs of one data directory made."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._alone = asyncio.Lock()

    async def prove(self, what: str, tip: str | None = None) -> Json:
        """One of `thorp.server.proof.PROOFS`. Refused while another is being made, or if `tip` is none."""
        try:
            noted = read_tip(tip)
        except InvalidError as problem:
            raise refused_by(problem) from None
        if self._alone.locked():
            raise Refused(503, "busy", "something is being verified already; try again later")
        async with self._alone:
            told = await _told_by_process(what, str(self._data), *([noted] if noted else []))
        if "error" in told:
            error = told["error"]
            details = {"path": error["path"], "violations": error["violations"]}
            raise Refused(409, error["code"], details)
        return told["found"]


async def _told_by_process(*arguments: str) -> dict[str, Json]:
    pipe, nowhere = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "thorp.server.proof", *arguments, stdin=nowhere, stdout=pipe, stderr=nowhere
    )
    try:
        out, _ = await process.communicate()
    finally:
        if process.returncode is None:  # the server ends, and its proofs with it
            process.kill()
            await process.wait()
    if process.returncode != 0:
        raise Refused(500, "unproved", f"the process that verifies ended with {process.returncode}")
    told: dict[str, Json] = json.loads(out)
    return told

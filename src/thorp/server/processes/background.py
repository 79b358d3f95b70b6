"""Runs a command of ours beside the world: in a process of its own, at low priority, which ends
when nobody waits for it any more."""

import asyncio
import os
from contextlib import suppress
from typing import Final, NamedTuple

from thorp.children.lifetime import child_command

NICENESS: Final = 10
MAX_PROBLEM_BYTES: Final = 4_000
"""The end of what a command said is kept: its last line says why it failed."""


class Ended(NamedTuple):
    """How a command ended."""

    is_done: bool
    output: bytes
    problem: str
    """Why it failed, in its own words; empty if it said nothing."""


async def run_in_background(*words: str) -> Ended:
    """Run `thorp` with these words. Whoever stops waiting ends it."""
    process = await asyncio.create_subprocess_exec(
        *child_command("thorp", *words),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    with suppress(OSError):  # it has ended already, or the system does not let us
        os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
    try:
        output, said = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    problem = said[-MAX_PROBLEM_BYTES:].decode("utf-8", "replace").strip()
    return Ended(process.returncode == 0, output, problem.rpartition("thorp: ")[2])

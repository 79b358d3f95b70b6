"""What watching costs: `python bench/viewers.py [--viewers 200] [--ticks 300]`.

A world with 24 agents that walk all the time is shown to real sockets in another process, which
take compressed messages as browsers do, and of which one never reads. Printed: what showing a tick
takes of CPU time in the thread that ticks, without viewers and with them: before agents get their
OBS, and after that.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any, cast

import aiohttp
from calibration import REFERENCE_MS, calibration_ms
from tape import crowd, live

from thorp.server.access.principals import Principals
from thorp.server.access.tokens import Role, Tokens
from thorp.server.host import listening
from thorp.server.http.server import Server
from thorp.server.sockets.connection_limiter import ConnectionLimiter
from thorp.server.sockets.spectators import MAX_VIEWERS, Spectators

AGENTS = 24
PATH = "/admin/v1/observer/ws"
WISH = {"type": "SUBSCRIBE", "protocol_version": "0.1", "chunk_radius": 6, "max_chunks": 1024}


async def watch(port: int, viewers: int) -> None:
    """The viewers' process. One of them never reads."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http:

        async def one(reads: bool) -> None:
            async with http.ws_connect(f"http://127.0.0.1:{port}{PATH}", compress=15) as socket:
                await socket.send_json(WISH)
                if not reads:
                    await asyncio.sleep(3600)
                async for _ in socket:
                    pass

        await asyncio.gather(*(one(number > 0) for number in range(viewers)))


class Live:
    """As much of a running world as the observer's socket needs."""

    def __init__(self, spectators: Spectators) -> None:
        self.spectators = spectators


async def measure(viewers: int, ticks: int) -> None:
    world, choice = crowd(AGENTS), random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        server = Server(data, Principals(Tokens(data), loopback=Role.ADMIN))
        spectators = Spectators(world, MAX_VIEWERS)
        server.stage.begin(cast(Any, Live(spectators)))
        async with listening(server, "127.0.0.1", 0, ConnectionLimiter()) as port:
            for watched in (0, viewers, 0, viewers):
                process = None
                if watched:
                    command = [
                        sys.executable,
                        __file__,
                        "--watch",
                        str(port),
                        "--viewers",
                        str(watched),
                    ]
                    process = subprocess.Popen(command)
                    while len(spectators) < watched:
                        await asyncio.sleep(0.05)
                before: list[float] = []
                after: list[float] = []
                for tick in range(ticks):
                    live(world, choice)
                    began = time.thread_time()
                    spectators.compose(())
                    composed = time.thread_time()
                    await asyncio.sleep(0.02)  # as long as a disk takes
                    released = time.thread_time()
                    spectators.release()
                    if tick > ticks // 3:  # chunks are there
                        before.append(1000 * (composed - began))
                        after.append(1000 * (time.thread_time() - released))
                    await asyncio.sleep(0.03)
                for what, spent in (("before", sorted(before)), ("after", sorted(after))):
                    late = spent[len(spent) * 99 // 100]
                    print(
                        f"{watched} viewers, {what} OBS: {median(spent):.2f} ms a tick, p99 "
                        f"{late:.2f} ms"
                    )
                if process is not None:
                    process.kill()
                    process.wait()
                    while len(spectators):
                        await asyncio.sleep(0.05)
        await spectators.stop(1001, "done")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--viewers", type=int, default=200)
    parser.add_argument("--ticks", type=int, default=300)
    parser.add_argument("--watch", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.watch:
        asyncio.run(watch(options.watch, options.viewers))
        return
    print(f"this machine: {calibration_ms():.1f} ms (reference {REFERENCE_MS} ms)")
    asyncio.run(measure(options.viewers, options.ticks))


if __name__ == "__main__":
    main()

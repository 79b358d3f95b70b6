"""`thorp openenv`: worlds for learners, by the wire of OpenEnv."""

import asyncio
import signal
from typing import Annotated

import typer

from thorp.cli.options import SEED_LIMIT


def openenv(
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8000,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    steps: Annotated[int, typer.Option(min=1, max=SEED_LIMIT, help="An episode has at most N steps.")] = 500,
) -> None:
    """Serve worlds to learners by the wire of OpenEnv 0.10, one a session, until Ctrl-C."""
    asyncio.run(_serve(host, port, steps))


async def _serve(host: str, port: int, steps: int) -> None:
    from aiohttp import web  # here, so that other commands need not load it

    from thorp.adapters.openenv import OpenEnv

    runner = web.AppRunner(OpenEnv(steps).app(), access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    try:
        await web.TCPSite(runner, host, port).start()
        print(f"thorp: worlds at http://{host}:{runner.addresses[0][1]}", flush=True)
        await stop.wait()
    finally:
        await runner.cleanup()

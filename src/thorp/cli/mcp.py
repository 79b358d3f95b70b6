"""`thorp mcp`: connects an assistant to a world over standard input and output. `thorp openenv`:
serves worlds to learners."""

import asyncio
import os
import signal
import sys
import threading
from contextlib import closing, suppress
from typing import Annotated, Final

import msgspec

from thorp.cli.commands import option
from thorp.cli.location import TokenOption, find_token
from thorp.cli.options import SEED_LIMIT, DataOption

MAX_REQUESTS: Final = 32  # Requests under way at once; beyond it nothing is read.
# How long requests are still answered after the input has ended; our parent waits for 2 s.
END_SECONDS: Final = 1.0


def mcp(
    url: Annotated[str, option("The server's address.")] = "ws://127.0.0.1:8080/v1/ws",
    data: DataOption = None,
    token: TokenOption = None,
) -> None:
    """Let an assistant live in a world: the Model Context Protocol on standard input and output.

    Ends when its input does. Assistants start it themselves: see docs/mcp.md.
    """
    asyncio.run(_serve(url, find_token(url, token, data), token))


async def _serve(url: str, token: str | None, given: str | None) -> None:
    """Serve until the input ends. The story is read only with a token that was given, never with
    the admin token of the data directory."""
    from thorp.integrations.mcp import MAX_MESSAGE_BYTES, Endpoint, Line
    from thorp.integrations.mcp_toolbox import Caller, Gate, Toolbox

    tools = Toolbox(Gate(url, token))
    line = Line(Endpoint(tools), Caller(given))
    tasks: set[asyncio.Task[None]] = set()
    free = asyncio.Semaphore(MAX_REQUESTS)

    async def answer(text: bytes) -> None:
        try:
            reply = await line.answer(text)
            if reply is not None:
                sys.stdout.buffer.write(msgspec.json.encode(reply) + b"\n")
                sys.stdout.buffer.flush()
        finally:
            free.release()

    lines: asyncio.Queue[bytes] = asyncio.Queue(1)
    loop = asyncio.get_running_loop()
    main = asyncio.current_task()
    assert main is not None
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, main.cancel)
    threading.Thread(target=_read_lines, args=(loop, lines, MAX_MESSAGE_BYTES), daemon=True).start()
    try:
        while text := await lines.get():
            await free.acquire()
            task = asyncio.create_task(answer(text))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        if tasks:
            await asyncio.wait(tasks, timeout=END_SECONDS)
    except asyncio.CancelledError:
        pass
    finally:
        for task in tasks:
            task.cancel()
        await tools.close()


def _read_lines(loop: asyncio.AbstractEventLoop, lines: asyncio.Queue[bytes], limit: int) -> None:
    """Hand over the lines of standard input, one at a time, and an empty one at its end.

    A thread of its own reads pipes and files alike, and does not keep the process from ending. A
    line that is too long is cut just above the limit, so that it is still refused.
    """

    def hand_over(line: bytes) -> None:
        with closing(lines.put(line)) as put:  # closed here if the loop has ended without awaiting
            asyncio.run_coroutine_threadsafe(put, loop).result()

    kept = b""
    more = b"\n"
    with suppress(RuntimeError, OSError):  # the loop has ended
        while more:
            more = os.read(0, 65536)
            *whole, kept = (kept + more).split(b"\n")
            kept = kept[: limit + 1]
            for line in [*whole, kept] if not more else whole:
                if line.strip():
                    hand_over(line)
        hand_over(b"")


def openenv(
    port: Annotated[int, option("The port; 0 takes a free one.", min=0, max=65535)] = 8000,
    host: Annotated[str, option("The address to listen on.")] = "127.0.0.1",
    steps: Annotated[int, option("An episode has at most N steps.", min=1, max=SEED_LIMIT)] = 500,
    allow_host: Annotated[
        list[str] | None,
        option(
            "A host name by which learners reach it; may be given again. Addresses need none.",
            "NAME",
        ),
    ] = None,
    tasks: Annotated[
        bool, option("Graded tasks only: a reset that names none takes one by its seed.")
    ] = False,
) -> None:
    """Serve worlds and tasks to learners by the wire of OpenEnv 0.10, until Ctrl-C."""
    asyncio.run(_serve_worlds(host, port, steps, allow_host or [], only_tasks=tasks))


async def _serve_worlds(
    host: str, port: int, steps: int, names: list[str], *, only_tasks: bool
) -> None:
    from aiohttp import web  # here, so that other commands need not load it

    from thorp.integrations.openenv import OpenEnv
    from thorp.server.access.principals import guard_names
    from thorp.server.sockets.listener import listen

    app = OpenEnv(steps, only_tasks=only_tasks).app(guard_names([host, *names]))
    runner = web.AppRunner(app, access_log=None, auto_decompress=False, shutdown_timeout=1.0)
    await runner.setup()
    assert runner.server is not None
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    try:
        with closing(await listen(runner.server, host, port)) as listener:
            print(f"thorp: worlds at http://{host}:{listener.port}", flush=True)
            await stop.wait()
    finally:
        await runner.cleanup()

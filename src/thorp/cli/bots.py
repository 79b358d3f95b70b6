"""`thorp bots`: run bots in a world."""

import asyncio
import signal
import sys
from collections.abc import Coroutine
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import typer

from thorp.cli.agent_bots import AgentOptions, BudgetOptions
from thorp.cli.location import TokenOption, find_token
from thorp.cli.options import DataOption
from thorp.kernel.errors import InvalidError

# One process cannot read more observations in time.
MAX_BOTS = 2_000


def bots(
    agents: AgentOptions,
    budget: BudgetOptions,
    count: Annotated[int, typer.Option(min=1, max=MAX_BOTS, help="How many bots.")] = 3,
    url: Annotated[str, typer.Option(help="The server's address.")] = "ws://127.0.0.1:8080/v1/ws",
    kind: Annotated[
        Literal["wanderer", "lumberjack", "farmer"] | None,
        typer.Option(help="The kind of all of them; by default each kind in turn."),
    ] = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="How long; by default until Ctrl-C.")] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Leave their bodies in the world at the end.")] = False,
    village: Annotated[
        bool,
        typer.Option(
            "--village",
            hidden=True,
            help="Be the demo village instead: a line of JSON on standard input has the tokens, by name.",
        ),
    ] = False,
    attached: Annotated[
        bool, typer.Option("--attached", hidden=True, help="End when standard input does, too.")
    ] = False,
    trace: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Append what they see, do and are told, as JSON lines."),
    ] = None,
    data: DataOption = None,
    token: TokenOption = None,
) -> None:
    """Run bots in a world until Ctrl-C: they wander, fell trees, build huts and farm.

    With --agent, language models or programs of yours live there instead, and at the end it is told what they
    did and spent. At the end their bodies are removed from the world.

    Example: thorp bots --agent model:qwen3:8b --count 5 --goal "Build a hut" --max-calls 200 --record run1
    """
    from thorp.client.bots import BOTS, run_bots  # here, so that other commands need not load the kit

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's & leaves it ignored
    token = find_token(url, token, data)
    if village:
        from thorp.cli.villagers import run_village

        tokens = msgspec.json.decode(sys.stdin.buffer.readline(), type=dict[str, str])
        people = run_village(url, tokens, access_token=token, say=_complain)
        asyncio.run(_for_a_while(people, seconds, attached=attached))
        return
    if agents.agent is not None:
        from thorp.cli import agent_bots

        if kind is not None:
            raise InvalidError("give --kind or --agent, not both", code="usage")
        run_for = partial(_for_a_while, seconds=seconds, attached=attached)
        with nullcontext() if trace is None else trace.open("a", encoding="utf-8") as out:
            where = {"url": url, "access_token": token, "keep": keep, "trace": out}
            agent_bots.run(agents, budget, count, run_for, stay=seconds is not None, **where)
        return
    kinds = tuple(BOTS) if kind is None else (kind,)
    with nullcontext() if trace is None else trace.open("a", encoding="utf-8") as out:
        crew = run_bots(url, count, kinds, access_token=token, keep=keep, trace=out, say=_say)
        asyncio.run(_for_a_while(crew, seconds, attached=attached))


async def _for_a_while(crew: Coroutine[None, None, None], seconds: float | None, *, attached: bool) -> None:
    """Let them live until they are done, the time is over, or whoever started us is gone."""
    try:
        async with asyncio.timeout(seconds) as limit:
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGTERM, _end, limit)
            watching = asyncio.create_task(_end_with_input(limit)) if attached else None
            try:
                await crew
            finally:
                if watching is not None:
                    watching.cancel()
    except TimeoutError:
        return


def _end(limit: asyncio.Timeout) -> None:
    """End now. Told twice, by a group's signal and by the server, it ends once."""
    with suppress(RuntimeError):
        limit.reschedule(asyncio.get_running_loop().time())


async def _end_with_input(limit: asyncio.Timeout) -> None:
    loop, told = asyncio.get_running_loop(), asyncio.StreamReader()
    pipe, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(told), sys.stdin)
    try:
        while await told.read(1024):
            pass
        _end(limit)
    finally:
        pipe.close()


def _say(text: str) -> None:
    print(text, flush=True)


def _complain(text: str) -> None:
    print(f"thorp: {text}", file=sys.stderr, flush=True)

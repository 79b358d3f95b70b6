"""How long a crew of bots or agents lives in a world, and when it leaves."""

import asyncio
import signal
import sys
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, NamedTuple, TextIO


class Visit(NamedTuple):
    """Where a crew lives, and when it leaves."""

    url: str
    access_token: str | None
    trace: TextIO | None
    seconds: float | None
    keep: bool  # Their bodies stay in the world at the end.
    attached: bool  # Standard input is the process that started us; they leave when it ends.

    def connection(self) -> dict[str, Any]:
        """The options of `run_agents` that say how a crew is connected."""
        return {"access_token": self.access_token, "keep": self.keep, "trace": self.trace}

    def run(self, lives: Coroutine[None, None, None]) -> None:
        """Let the crew live until it is done or the visit is over."""
        asyncio.run(live_for_a_while(lives, self.seconds, attached=self.attached))

    @property
    def stays(self) -> bool:
        """Whether agents that are done idle until the time is over."""
        return self.seconds is not None


async def live_for_a_while(
    crew: Coroutine[None, None, None], seconds: float | None, *, attached: bool
) -> None:
    """Let a crew live until it is done, the time is over, SIGTERM comes, or, if `attached`, the
    process that started us has ended."""
    try:
        async with asyncio.timeout(seconds) as limit:
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, _end, limit)
            watching = asyncio.create_task(_end_with_input(limit)) if attached else None
            try:
                await crew
            finally:
                if watching is not None:
                    watching.cancel()
    except TimeoutError:
        return


def _end(limit: asyncio.Timeout) -> None:
    """End now. A second call does nothing: a process group's signal and the server may both ask."""
    with suppress(RuntimeError):
        limit.reschedule(asyncio.get_running_loop().time())


async def _end_with_input(limit: asyncio.Timeout) -> None:
    """End when standard input does: then the process that holds its other end is gone."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    pipe, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    try:
        while await reader.read(1024):
            pass
        _end(limit)
    finally:
        pipe.close()


def complain(text: str) -> None:
    """Say something on standard error: standard output is for answers."""
    print(f"thorp: {text}", file=sys.stderr, flush=True)

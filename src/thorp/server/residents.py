"""The processes of those who live in a served world: bots, villagers and minds."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import msgspec

from thorp import village
from thorp.children.lifetime import child_command
from thorp.server.http.live_world import LiveWorld
from thorp.server.live.mind_log import MOST_REPORT_BYTES
from thorp.server.processes.lockfile import url_of
from thorp.server.processes.supervision import MINDS, VILLAGERS, Supervised
from thorp.server.settings import Settings
from thorp.village.minds import NAMES
from thorp.village.minds import bodies as mind_bodies

# How often in a row the process of the minds is started again: a model that cannot be served will
# not be on the next day.
MOST_MIND_RESTARTS: Final = 3


def supervised_residents(
    settings: Settings, live: LiveWorld, port: int, access: str
) -> list[Supervised]:
    """The processes of those who are to live in the world: bots, villagers and minds."""
    start = partial(_start_bots, settings, port, access)
    residents = []
    if settings.bots:
        residents.append(Supervised("bots", partial(start, "--count", str(settings.bots))))
    if settings.village:
        residents.append(
            Supervised(
                VILLAGERS, lambda: start("--village", first_line=issue_villager_tokens(live))
            )
        )
    if settings.minds:
        residents.append(_supervised_minds(settings, live, start))
    return residents


def _supervised_minds(
    settings: Settings, live: LiveWorld, start: Callable[..., Awaitable[asyncio.subprocess.Process]]
) -> Supervised:
    """The process of the minds, which the village can do without."""

    async def begin() -> asyncio.subprocess.Process:
        numbers = mind_bodies(live.service.world)
        names = NAMES[: settings.minds]
        tokens = {name: live.agents.issue_body_token(numbers.get(name, 0)) for name in names}
        options = ["--minds", "--mind-model", settings.mind_model]
        process = await start(*options, first_line=msgspec.json.encode(tokens), answers=True)
        assert process.stdout is not None, "it was asked for"
        reading = asyncio.create_task(live.minds.follow(process.stdout))
        live.minds.reading = reading
        return process

    return Supervised(MINDS, begin, optional=True, most_restarts=MOST_MIND_RESTARTS)


def issue_villager_tokens(live: LiveWorld) -> bytes:
    """New resume tokens for the villagers' bodies, by name: the old ones ended with the process
    that had them."""
    numbers = village.bodies(live.service.world)
    tokens = {name: live.agents.issue_body_token(numbers.get(name, 0)) for name in village.ROSTER}
    return msgspec.json.encode(tokens)


async def _start_bots(
    settings: Settings,
    port: int,
    access: str,
    *options: str,
    first_line: bytes = b"",
    answers: bool = False,
) -> asyncio.subprocess.Process:
    """Start bots in a process of their own, which ends with this one. It is given `options`, and
    `first_line` on its standard input; with `answers` its standard output can be read."""
    url = url_of(settings.host, port).replace("http", "ws", 1) + "/v1/ws"
    pipe = asyncio.subprocess.PIPE
    nowhere = asyncio.subprocess.DEVNULL
    command = child_command("thorp", "bots", *options, "--attached", "--url", url)
    # Other users of this machine can read the command line of a process, but not its environment.
    environment = {**os.environ, "THORP_TOKEN": access}
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=pipe,
        stdout=pipe if answers else nowhere,
        limit=MOST_REPORT_BYTES,
        env=environment,
    )
    assert process.stdin is not None
    process.stdin.write(first_line + b"\n")  # no other process can read it there
    return process

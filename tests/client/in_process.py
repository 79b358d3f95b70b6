"""A world in lockstep without sockets, in which agents of the kit live.

Programs that call `thorp.client.connect` run as they are written: only the connection is another
one. The frames are those of a served world, byte by byte; a tick is executed when every agent has
sent its ACT. So a program does the same in every run, and as fast as the world can be executed.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from types import SimpleNamespace
from typing import Any, cast
from unittest import mock

from thorp.client.connection import AnyMessage, Broken, _read, agent_url
from thorp.client.errors import Unreachable
from thorp.protocol import Hello
from thorp.protocol.act import read_act
from thorp.protocol.handshake import LOCKSTEP
from thorp.server.sockets.connection import AgentConnection, Greeting
from thorp.voxel.inputs import Acted, AnyInput, Attach, Detach, Join
from thorp.voxel.observation.compose import compose
from thorp.voxel.observation.session import Session
from thorp.voxel.state.world import World
from thorp.voxel.tick import step

Tick = Callable[[Sequence[AnyInput]], object]
"""Executes the next tick of a world with these inputs, and maybe with some of others."""


class OutOfTime(AssertionError):
    """The agents took more ticks than they may."""


class Line:
    """An agent's end of the connection, as `thorp.client.connection.Connection` is one."""

    def __init__(self, hub: Hub, url: str, hello: Hello) -> None:
        self.url = agent_url(url)
        self.greeted = asyncio.Event()
        self.hello = hello
        self.frames: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.session: Session | None = None
        self.moves: list[Acted] = []
        self.moved_tick = -1
        self._hub = hub

    async def messages(self) -> AsyncIterator[AnyMessage | Broken]:
        self._hub.enter(self)
        self.greeted.set()
        while (frame := await self.frames.get()) is not None:
            message = _read(frame)
            assert message is not None
            yield message
        raise Unreachable("the world has ended")

    async def send(self, text: bytes) -> bool:
        act = read_act(text)
        assert self.session is not None
        self.moves.append(Acted(self.session.number, act, self.session.seen(act.tick)))
        self.moved_tick = act.tick
        self._hub.stirred.set()
        return True

    async def close(self) -> None:
        self._hub.leave(self)


class Hub:
    """A world, and the lines of those who live in it. `most_ticks` is when it ends for them."""

    def __init__(self, world: World, *, tick: Tick | None = None, most_ticks: int = 20_000) -> None:
        self.world = world
        self.last_tick = world.tick + most_ticks
        self.stirred = asyncio.Event()
        self.problem: Exception | None = None
        self._tick = tick or (lambda inputs: step(world, inputs))
        self._greeting = Greeting(world, LOCKSTEP)
        self._tokens: dict[str, int] = {}
        self._waiting: list[Line] = []
        self._lines: list[Line] = []
        self._leaving: list[int] = []
        self._running: asyncio.Task[None] | None = None

    def enter(self, line: Line) -> None:
        self._waiting.append(line)
        self.stirred.set()
        if self._running is None or self._running.done():
            self.stirred = asyncio.Event()
            self.stirred.set()
            self._running = asyncio.create_task(self._run())

    def leave(self, line: Line) -> None:
        if line in self._lines:
            self._lines.remove(line)
            assert line.session is not None
            self._leaving.append(line.session.number)
        self.stirred.set()

    async def _run(self) -> None:
        while self._lines or self._waiting:
            if all(line.moved_tick >= self.world.tick for line in self._lines):
                try:
                    self._step()
                except Exception as problem:
                    self.problem = problem
                    for line in (*self._lines, *self._waiting):
                        line.frames.put_nowait(None)
                    return
            else:
                self.stirred.clear()
                await self.stirred.wait()

    def _step(self) -> None:
        if self.world.tick >= self.last_tick:
            raise OutOfTime(f"tick {self.world.tick}")
        inputs: list[AnyInput] = [Detach(number) for number in self._leaving]
        tokens = [f"resume_{self.world.tick}_{number}" for number in range(len(self._waiting))]
        numbers = [self._tokens.get(line.hello.token, 0) for line in self._waiting]
        for line, token, number in zip(self._waiting, tokens, numbers, strict=True):
            hashed = sha256(token.encode()).hexdigest()
            name = line.hello.agent_name
            inputs.append(Attach(number, hashed, True) if number else Join(name, hashed))
        for line in self._lines:
            inputs += line.moves
            line.moves = []
        self._leaving.clear()
        self._tick(inputs)
        joined = iter(self.world.scratch.joined)
        for line, token, number in zip(self._waiting, tokens, numbers, strict=True):
            self._seat(line, token, number or next(joined), is_resumed=bool(number))
        self._waiting.clear()
        compose(self.world, [line.session for line in self._lines if line.session is not None])
        for line in self._lines:
            assert line.session is not None
            while (frame := line.session.take()) is not None:
                line.frames.put_nowait(frame)

    def _seat(self, line: Line, token: str, number: int, *, is_resumed: bool) -> None:
        agent = self.world.agents[number]
        self._tokens[token] = number
        newcomer = SimpleNamespace(
            token=token, resumed=is_resumed, presented_hash=line.hello.token.encode()
        )
        for frame in _texts(self._greeting.frames(cast(AgentConnection, newcomer), agent.id)):
            line.frames.put_nowait(frame)
        delta = line.hello.capabilities.delta_voxels
        line.session = Session(number, delta=delta, cursor=agent.seen)
        self._lines.append(line)


def _texts(frames: bytes) -> Iterator[bytes]:
    """The messages in frames as a server writes them."""
    while frames:
        size = frames[1]
        head = 2
        if size == 126:
            (size,) = struct.unpack_from("!H", frames, 2)
            head = 4
        elif size == 127:
            (size,) = struct.unpack_from("!Q", frames, 2)
            head = 10
        yield frames[head : head + size]
        frames = frames[head + size :]


@contextmanager
def in_process(hub: Hub) -> Iterator[Hub]:
    """Let `thorp.client.connect` lead into this world, whatever the address."""

    def line(http: Any, url: str, hello: Hello, **options: Any) -> Line:
        return Line(hub, url, hello)

    with mock.patch("thorp.client.Connection", line):
        try:
            yield hub
        finally:
            problem = hub.problem
    if problem is not None:
        raise problem

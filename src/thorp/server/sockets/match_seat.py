"""Seats an agent of `/v1/ws` in a voxel match: `python -m thorp.server.sockets.match_seat SCENARIO
COMMAND…`.

The runner has a process that speaks its line protocol; the agent's program has a served world in
lockstep, as described in `docs/agents.md`. An ACT that answers one of the last three observations
counts, and the first that answers the newest one is the move; older and unreadable ones are refused
in the events of the next OBS. When the program ends, this process ends with the same exit code or
signal.
"""

import asyncio
import os
import secrets
import sys
from collections import deque
from contextlib import suppress
from typing import Any, Final

import msgspec
from aiohttp import WSCloseCode, web

from thorp.arena.external.protocol import PROTOCOL
from thorp.arena.registry import make_scenario
from thorp.bridges.voxel_match import BESIDE_OBS, VoxelMatch
from thorp.kernel.canonical import Json
from thorp.protocol import codes
from thorp.protocol.act import ActError, read_act
from thorp.protocol.handshake import LOCKSTEP
from thorp.protocol.websocket import text_frame
from thorp.server.sockets.agents import RETIRED, TAKEN_OVER, expect_hello, type_of
from thorp.server.sockets.connection import AgentConnection, Greeting
from thorp.server.sockets.frames import CLOSE_SECONDS, Inbox
from thorp.server.sockets.limited_protocol import open_socket
from thorp.server.sockets.tick_inbox import ACTS_PER_TICK
from thorp.voxel import create_world, read_tuning

URL_VARIABLE: Final = "THORP_URL"
# Set and empty, it lets the agent kit keep no resume token: each match has a body of its own.
STATE_VARIABLE: Final = "THORP_STATE"
VALID_TURNS: Final = 3
"""As in a served world, where an ACT is valid for three ticks."""
LINE_BYTES_LIMIT: Final = 2**24
"""The largest observation of the largest view, with room."""


class MatchSeat:
    """One seat of a match: an agent to the runner, and a world to the program that plays it."""

    def __init__(self, scenario: VoxelMatch, command: list[str]) -> None:
        # Not the seed of the match: a program that knew it could compute what lies ahead.
        self._greeting = Greeting(create_world(0, tuning=read_tuning(scenario.tuning)), LOCKSTEP)
        self._command = command
        self._secret = secrets.token_urlsafe(9)
        self._holder: AgentConnection | None = None
        self._welcomed: AgentConnection | None = None
        self._vacant = asyncio.Event()
        self._ready = False
        self._turn = 0
        """The turn that waits for its move, or 0."""
        self._obs: dict[str, Json] = {}
        self._ticks: deque[int] = deque(maxlen=VALID_TURNS)
        self._asked: dict[str, list[Json]] = _nothing()
        self._acts = 0
        self._wrong = list[Json]()

    async def play(self, lines: asyncio.StreamReader) -> None:
        """Answer the runner until it says `end`, or is gone."""
        app = web.Application()
        app.router.add_get(f"/{self._secret}/v1/ws", self._serve)
        server = web.AppRunner(app, access_log=None, auto_decompress=False)
        await server.setup()
        await web.TCPSite(server, "127.0.0.1", 0).start()
        url = f"ws://127.0.0.1:{server.addresses[0][1]}/{self._secret}/v1/ws"
        program: asyncio.Task[None] | None = None
        while line := await lines.readline():
            message = msgspec.json.decode(line)
            if message["type"] == "init":
                program = asyncio.create_task(self._run(url))
            elif message["type"] == "act":
                self._begin_turn(message["turn"], message["observation"])
            else:
                break
        if self._holder is not None:
            await self._holder.close(WSCloseCode.GOING_AWAY, "the match is over")
        if program is not None:
            program.cancel()

    async def _run(self, url: str) -> None:
        """Start the program, and end as it does, once what it sent last has been read."""
        command = [part.replace("{url}", url) for part in self._command]
        environment = dict(os.environ)
        program = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=2,
            env=environment | {URL_VARIABLE: url, STATE_VARIABLE: ""},
        )
        try:
            code = await program.wait()
        except asyncio.CancelledError:
            with suppress(ProcessLookupError):
                program.terminate()
            raise
        with suppress(TimeoutError):
            await asyncio.wait_for(self._vacant.wait(), CLOSE_SECONDS)
        if code < 0:
            os.kill(os.getpid(), -code)
        os._exit(code)

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        """Read what a connection sends while it holds the seat: until it ends, or another one
        comes."""
        socket, transport = await open_socket(request)
        inbox = Inbox(socket)
        hello = None if transport is None else await expect_hello(socket, transport, inbox)
        if hello is None or transport is None:
            return socket
        newcomer = AgentConnection(socket, transport, inbox, hello, "", unlimited=True)
        newcomer.token = self._secret
        newcomer.resumed = True
        before, self._holder = self._holder, newcomer
        self._vacant.clear()
        if not self._ready:
            self._ready = True
            answer({"type": "ready", "protocol": PROTOCOL})
        if before is not None:
            await before.close(TAKEN_OVER, "taken over by another connection")
        self._show()
        try:
            while (frame := await inbox.next()) is not None and self._holder is newcomer:
                await self._take(frame, newcomer)
                await asyncio.sleep(inbox.charge(len(frame)))
        finally:
            if self._holder is newcomer:
                self._holder = None
                self._vacant.set()
        return socket

    def _begin_turn(self, turn: int, observation: dict[str, Json]) -> None:
        """Show the runner's observation to the program, with the refusals that came up since."""
        obs = {name: value for name, value in observation.items() if name not in BESIDE_OBS}
        self._turn = turn
        self._obs = {**obs, "events": [*obs["events"], *self._wrong]}
        self._wrong.clear()
        self._ticks.append(obs["tick"])
        self._show()

    def _show(self) -> None:
        """Send the OBS of the turn under way to the holder of the seat."""
        if self._holder is None or not self._turn:
            return
        if self._holder is not self._welcomed:
            self._welcomed = self._holder
            self._holder.transport.write(self._greeting.frames(self._holder, self._obs["agent_id"]))
        self._holder.transport.write(text_frame(msgspec.json.encode(self._obs)))

    async def _take(self, frame: bytes, sender: AgentConnection) -> None:
        """Note what a frame asks for; if it is the move of the turn under way, tell the runner."""
        if self._acts >= ACTS_PER_TICK:
            return
        try:
            act = read_act(frame)
            parts = _decode_parts(frame)
        except (ActError, msgspec.DecodeError, RecursionError, UnicodeDecodeError) as problem:
            if type_of(frame) == "RETIRE":
                await sender.close(RETIRED, "retired")
            elif type_of(frame) in ("ACT", None):
                self._refuse(codes.BAD_REQUEST, str(problem))
            return
        if act.tick not in self._ticks:
            message = f"tick {act.tick} is none of the last {VALID_TURNS} that you were shown"
            self._refuse(codes.STALE, message)
            return
        self._acts += 1
        for part, wanted in self._asked.items():
            wanted += getattr(parts, part) or []
        if self._turn and act.tick == self._ticks[-1]:
            answer({"type": "action", "turn": self._turn, "action": self._asked})
            self._asked = _nothing()
            self._acts = 0
            self._turn = 0

    def _refuse(self, code: str, message: str) -> None:
        """Have the next OBS say that an ACT was refused. Refusals beyond the limit are not
        reported."""
        if len(self._wrong) < ACTS_PER_TICK:
            result = {
                "type": "ACTION_RESULT",
                "ref": "ACT",
                "ok": False,
                "code": code,
                "message": message,
            }
            self._wrong.append({"t": self._ticks[-1] if self._ticks else 0, **result})


class _Parts(msgspec.Struct):
    """The parts of an ACT that ask the world for something, as they were sent: the scenario judges
    them."""

    cancel: list[Any] | None = None
    instants: list[Any] | None = None
    tasks: list[Any] | None = None


_decode_parts = msgspec.json.Decoder(_Parts).decode


def _nothing() -> dict[str, list[Json]]:
    return {part: [] for part in _Parts.__struct_fields__}


def answer(message: dict[str, Json]) -> None:
    """Send the runner a line."""
    sys.stdout.buffer.write(msgspec.json.encode(message) + b"\n")
    sys.stdout.buffer.flush()


async def main(name: str, *command: str) -> None:
    """Play one seat of a match, as the lines on standard input say."""
    scenario = make_scenario(name, {})
    if not isinstance(scenario, VoxelMatch):
        why = f"agents of /v1/ws play voxel-survival and voxel-village, not {name}"
        answer({"type": "refused", "message": why})
        return
    seat = MatchSeat(scenario, list(command))
    lines = asyncio.StreamReader(LINE_BYTES_LIMIT)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    answer({"type": "loaded"})
    await seat.play(lines)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

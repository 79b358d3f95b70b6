"""What a peer sends on a socket, frame by frame, and what reading it costs."""

from __future__ import annotations

import asyncio
from time import monotonic

from aiohttp import WSMsgType, web

from thorp.server.allowance import IGNORED_COST_BYTES, Allowance
from thorp.server.frames import answer_ping
from thorp.server.lane import Lane, Taker


class Inbox:
    def __init__(self, socket: web.WebSocketResponse, lane: Lane | None = None) -> None:
        self._socket = socket
        self._lane = lane or Lane(between_frames=False)
        self._allowance = Allowance(monotonic())
        self.heard_at = monotonic()
        """When the peer last sent anything, a PONG included."""

    async def next(self, taker: Taker | None = None) -> bytes | None:
        """The next text or binary frame that no taker took; None when the socket is gone.

        Pings are answered, and cost.
        """
        while True:
            self._lane.open(taker)
            try:
                message = await self._socket.receive()
            finally:
                self._lane.close()
            self.heard_at = monotonic()
            match message.type:
                case WSMsgType.TEXT | WSMsgType.BINARY:
                    frame: bytes = message.data
                    return frame
                case WSMsgType.PING:
                    await answer_ping(self._socket, message.data)
                case WSMsgType.PONG:
                    pass
                case _:
                    return None
            await asyncio.sleep(self.charge(IGNORED_COST_BYTES))

    def affords(self, cost_bytes: int) -> bool:
        """Whether reading this much needs no pause."""
        return not self._allowance.is_spent(cost_bytes)

    def charge(self, cost_bytes: int) -> float:
        """Count what reading cost; return for how many seconds there is nothing left to spend."""
        return self._allowance.spend(monotonic(), cost_bytes)

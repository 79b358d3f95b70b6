"""Requests to extensions of a live world: each waits for the next tick, and until that tick is
durable.

    ask → input of the next tick → answered in it → durable → the answer is returned

A client may disconnect meanwhile; its request is executed all the same. When the ticking ends,
requests that still wait are refused; asking again tells whether they were executed.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Sequence
from typing import Final, TypeVar

from thorp.server.access.requests import Refused
from thorp.voxel.inputs import Request

# A few councils at once; others may try again.
MAX_WAITING: Final = 64
# Of all requests in a tick; its records have room for twice that beside everything that agents
# send.
BYTES_A_TICK: Final = 2 * 2**20
# Longer than any tick. In lockstep time may stand still, and nobody waits for ever.
ANSWER_SECONDS: Final = 30.0

T = TypeVar("T")


async def in_time(answer: Awaitable[T]) -> T:
    """An answer that comes when its tick is durable. Refused with 503 if that takes too long."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            return await answer
    except TimeoutError:
        raise Refused(503, "no_tick", "the world has not ticked; ask the same again") from None


class RequestQueue:
    """The requests that wait for one world."""

    def __init__(self) -> None:
        self.waiting: deque[tuple[Request, asyncio.Future[str]]] = deque()
        self._asked: list[asyncio.Future[str]] = []
        self._answered: list[tuple[asyncio.Future[str], str]] = []
        self._stopped: str | None = None

    async def ask(self, request: Request) -> str:
        """The answer, when it is durable. Refused with 503 if there will be none."""
        if self._stopped is not None:
            raise Refused(503, "stopped", self._stopped)
        if len(self.waiting) >= MAX_WAITING:
            raise Refused(503, "busy", "too many requests are waiting; come again")
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.waiting.append((request, answer))
        return await in_time(answer)

    def freeze(self) -> list[Request]:
        """The inputs of the next tick."""
        inputs: list[Request] = []
        left = BYTES_A_TICK
        while self.waiting and (not inputs or len(self.waiting[0][0].text.encode()) <= left):
            request, answer = self.waiting.popleft()
            left -= len(request.text.encode())
            inputs.append(request)
            self._asked.append(answer)
        return inputs

    def settle(self, answers: Sequence[str]) -> None:
        """The tick is executed: keep its answers until it is durable."""
        if self._asked:  # else they are answers to others, whose leader is followed
            self._answered = list(zip(self._asked, answers, strict=True))
            self._asked = []

    def release(self) -> None:
        """The tick is durable: return its answers."""
        for waiting, answer in self._answered:
            if not waiting.done():
                waiting.set_result(answer)
        self._answered = []

    def stop(self, reason: str) -> None:
        """There will be no more ticks."""
        self._stopped = reason
        waiting = [answer for _, answer in self.waiting]
        answered = [answer for answer, _ in self._answered]
        for answer in (*waiting, *self._asked, *answered):
            if not answer.done():
                answer.set_exception(Refused(503, "stopped", reason))
        self.waiting.clear()
        self._asked = []
        self._answered = []

"""Requests to extensions of a live world: each waits for the next tick, and until that tick is durable.

    ask → input of the next tick → answered in it → durable → the answer is returned

A client may disconnect meanwhile; its request is executed all the same. When the ticking ends, requests that
still wait are refused; asking again tells whether they were executed.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Final

from thorp.server.requests import Refused
from thorp.voxel.inputs import Request

# A few councils at once; others may try again.
MAX_WAITING: Final = 64
# Of all requests in a tick; its records have room for twice that beside everything that agents send.
BYTES_A_TICK: Final = 2 * 2**20
# Longer than any tick. In lockstep time may stand still, and nobody shall wait for ever.
ANSWER_SECONDS: Final = 30.0


class RequestQueue:
    """The requests that wait for one world."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[Request, asyncio.Future[str]]] = deque()
        self._asked: list[asyncio.Future[str]] = []
        self._answered: list[tuple[asyncio.Future[str], str]] = []
        self._stopped: str | None = None

    @property
    def waiting(self) -> int:
        """How many requests wait for the next tick."""
        return len(self._waiting)

    async def ask(self, request: Request) -> str:
        """The answer, when it is durable. Refused with 503 if there will be none."""
        if self._stopped is not None:
            raise Refused(503, "stopped", self._stopped)
        if len(self._waiting) >= MAX_WAITING:
            raise Refused(503, "busy", "too many requests are waiting; come again")
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiting.append((request, answer))
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await answer
        except TimeoutError:
            raise Refused(503, "no_tick", "the world has not ticked; ask the same again") from None

    def freeze(self) -> list[Request]:
        """The inputs of the next tick."""
        inputs: list[Request] = []
        left = BYTES_A_TICK
        while self._waiting and (not inputs or len(self._waiting[0][0].text.encode()) <= left):
            request, answer = self._waiting.popleft()
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
        waiting = [
            *(answer for _, answer in self._waiting),
            *self._asked,
            *(answer for answer, _ in self._answered),
        ]
        for answer in waiting:
            if not answer.done():
                answer.set_exception(Refused(503, "stopped", reason))
        self._waiting.clear()
        self._asked, self._answered = [], []

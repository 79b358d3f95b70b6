"""Queues requests to extensions of a live world: each becomes an input of the next tick, and is
answered when that tick is durable.

    ask → input of the next tick → answered in it → durable → the answer is returned

A client may disconnect meanwhile; its request is executed all the same. When the ticking ends,
requests that still wait are refused; a client that asks again learns whether they were executed.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Sequence
from typing import Final, TypeVar

from thorp.server.access.requests import Refused
from thorp.voxel import ExtensionRequest

# A few councils at once; others may try again.
MAX_WAITING: Final = 64
# For all requests in a tick together; its records have room for twice that beside everything that
# agents send.
BYTES_A_TICK: Final = 2 * 2**20
# Longer than any tick takes. In lockstep time may stand still, and nobody should wait for ever.
ANSWER_SECONDS: Final = 30.0

T = TypeVar("T")


async def in_time(answer: Awaitable[T]) -> T:
    """Wait for an answer that comes when its tick is durable. Refused with 503 if that takes too
    long."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            return await answer
    except TimeoutError:
        raise Refused(503, "no_tick", "the world has not ticked; ask the same again") from None


class RequestQueue:
    """The requests that wait for one world. They pass through the same phases of a tick as agents'
    inputs; see `server.sockets.agents`."""

    def __init__(self) -> None:
        self.waiting: deque[tuple[ExtensionRequest, asyncio.Future[str]]] = deque()
        """Requests that no tick has taken yet, and where their answers go."""
        self._asked: list[asyncio.Future[str]] = []
        """Where the answers of the tick under way go, in the order of its requests."""
        self._answered: list[tuple[asyncio.Future[str], str]] = []
        """Answers of a tick that is not durable yet."""
        self._stopped: str | None = None

    async def ask(self, request: ExtensionRequest) -> str:
        """The answer, when it is durable. Refused with 503 if there will be none."""
        if self._stopped is not None:
            raise Refused(503, "stopped", self._stopped)
        if len(self.waiting) >= MAX_WAITING:
            raise Refused(503, "busy", "too many requests are waiting; come again")
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.waiting.append((request, answer))
        return await in_time(answer)

    def freeze(self) -> list[ExtensionRequest]:
        """Take the inputs of the next tick: at least one, and then as many as there is room for."""
        inputs: list[ExtensionRequest] = []
        left = BYTES_A_TICK
        while self.waiting and (not inputs or len(self.waiting[0][0].text.encode()) <= left):
            request, answer = self.waiting.popleft()
            left -= len(request.text.encode())
            inputs.append(request)
            self._asked.append(answer)
        return inputs

    def settle(self, answers: Sequence[str]) -> None:
        """Keep the answers of the executed tick until it is durable."""
        if self._asked:  # else a followed world: the answers are to requests at its leader
            self._answered = list(zip(self._asked, answers, strict=True))
            self._asked = []

    def release(self) -> None:
        """Return the answers of the tick: it is durable."""
        for waiting, answer in self._answered:
            if not waiting.done():
                waiting.set_result(answer)
        self._answered = []

    def stop(self, reason: str) -> None:
        """Refuse all requests, now and later: there will be no more ticks."""
        self._stopped = reason
        waiting = [answer for _, answer in self.waiting]
        answered = [answer for answer, _ in self._answered]
        for answer in (*waiting, *self._asked, *answered):
            if not answer.done():
                answer.set_exception(Refused(503, "stopped", reason))
        self.waiting.clear()
        self._asked = []
        self._answered = []

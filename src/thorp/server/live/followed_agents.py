"""Stands in for agents and clock where a world is followed. The inputs of a tick are those of the
leader's next record. The tick begins when the leader's digest after it is known: the next record
has it, or a leader that does not tick is asked for it.

A thread reads the leader's journal, one segment after the other, and hands over batch by batch.
While the leader cannot be reached the last tick stays on view; it is asked again after a pause that
doubles each time.
"""

import asyncio
import logging
import threading
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, suppress
from datetime import UTC, datetime
from typing import Final

from thorp.kernel.errors import UnavailableError, UnknownError
from thorp.server.live.clocks import Clock
from thorp.server.sockets.agents import Agents
from thorp.server.sockets.tick_inbox import TickInbox
from thorp.voxel.replica import (
    Batch,
    Leader,
    Replica,
    digest_after,
    next_position,
    read_batches,
)

FIRST_PAUSE_SECONDS: Final = 0.5
LONGEST_PAUSE_SECONDS: Final = 30.0
# Between two requests that were answered.
REQUEST_PAUSE_SECONDS: Final = 0.05
# Batches that may wait to be executed: some seconds of a world that is being caught up with.
MAX_WAITING: Final = 32
# Bytes that may wait, so that a leader with the longest batches does not fill the memory.
MAX_WAITING_BYTES: Final = 16 * 2**20
# Batches that may wait however long they are: the next one, and the one with the digest after it.
LEAST_WAITING: Final = 2
# A leader from which nothing came for this long is asked for the digest after its last tick.
STILL_SECONDS: Final = 0.5
# What garbage and terrain may take while no record waits.
SPARE_SECONDS: Final = 0.05

Connect = Callable[[], AbstractContextManager[Leader]]
"""Makes a connection to the leader, for one thread."""

_log = logging.getLogger(__name__)


class FollowedAgents(Agents, Clock):
    """The agents of a world that is played elsewhere, and its clock. Nobody joins here."""

    name = "leader"
    optional = False
    restarts = 0

    def __init__(self, replica: Replica, connect: Connect) -> None:
        super().__init__(replica.world, inbox=TickInbox())
        self.trouble: str | None = None
        """Says since when the leader has not answered, if it does not."""
        self._replica = replica
        self._connect = connect
        self._segment, self._offset = replica.position
        self._waiting: deque[Batch | Exception] = deque()
        self._room = threading.Condition()
        """Guards the two counts below, which the reading thread raises and the tick lowers;
        notified when a batch was taken. `_waiting` itself belongs to the event loop."""
        self._waiting_count = 0
        self._waiting_bytes = 0
        self._ended = threading.Event()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, name="thorp leader", daemon=True).start()

    def end(self) -> None:
        """Read no more."""
        self._ended.set()

    # The clock

    def spare_seconds(self) -> float:
        return 0.0 if self._waiting else SPARE_SECONDS

    async def wait(self, stop: asyncio.Event) -> None:
        """Return when the inputs of the next tick are there. Raises what the reading thread could
        not recover from."""
        await asyncio.sleep(0)
        inputs = None
        while inputs is None and not stop.is_set():
            if not self._waiting:
                self.changed.clear()
                await self.changed.wait()
                continue
            batch = self._waiting_batch(0)
            tick = getattr(batch.content, "tick", None)
            digest = "" if tick is None else await self._digest_after(tick)
            if digest is not None:
                self._waiting.popleft()
                self._make_room(batch)
                inputs = self._replica.take(batch, digest)
        self._inbox.entries = inputs or []

    def _make_room(self, batch: Batch) -> None:
        with self._room:
            self._waiting_count -= 1
            self._waiting_bytes -= batch.size
            self._room.notify()

    def _waiting_batch(self, place: int) -> Batch:
        """The batch at this place of the queue; raises the error that stands there instead."""
        item = self._waiting[place]
        if isinstance(item, Exception):
            raise item
        return item

    async def _digest_after(self, tick: int) -> str | None:
        """The leader's digest after the next tick; None if it is not known yet."""
        if len(self._waiting) > 1:
            return self._replica.digest_before(self._waiting_batch(1))
        self.changed.clear()
        try:
            async with asyncio.timeout(STILL_SECONDS):
                await self.changed.wait()
        except TimeoutError:
            if self.trouble is None:
                with suppress(UnavailableError):
                    return await asyncio.to_thread(self._ask_digest, tick)
        return None

    def _ask_digest(self, tick: int) -> str | None:
        with self._connect() as leader:
            return digest_after(self._replica, leader, tick)

    # In the thread that reads

    def _read(self) -> None:
        """Read the leader's journal until the end, or until something is wrong for good."""
        pause = FIRST_PAUSE_SECONDS
        while not self._ended.is_set():
            try:
                with self._connect() as leader:
                    while not self._ended.wait(REQUEST_PAUSE_SECONDS):
                        self._read_on(leader)
                        pause = FIRST_PAUSE_SECONDS
            except UnavailableError as problem:
                self._miss(problem)
                self._ended.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
            except Exception as problem:
                self._hand_over(problem)
                return

    def _read_on(self, leader: Leader) -> None:
        """Hand over the batches of a segment, as far as the leader sends it."""
        self._segment, self._offset = next_position(
            self._replica, leader, self._segment, self._offset
        )
        self.trouble = None
        with suppress(UnknownError), closing(leader.read(self._segment, self._offset)) as pieces:
            for batch in read_batches(pieces, self._segment):
                if not self._hand_over(batch):
                    return
                self._offset += batch.size

    def _miss(self, problem: UnavailableError) -> None:
        """Note that the leader does not answer, and log it the first time."""
        if self.trouble is None:
            self.restarts += 1
            self.trouble = (
                f"the leader has not answered since {datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
            )
            _log.warning("%s: %s", self.trouble, problem)

    def _hand_over(self, item: Batch | Exception) -> bool:
        """Give a batch or an error to the tick, once there is room; return whether to go on."""
        with self._room:
            while self._is_full():
                self._room.wait(FIRST_PAUSE_SECONDS)
                if self._ended.is_set():
                    return False
            self._waiting_count += 1
            self._waiting_bytes += item.size if isinstance(item, Batch) else 0
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._receive, item)
        return not self._ended.is_set()

    def _is_full(self) -> bool:
        is_large = self._waiting_bytes > MAX_WAITING_BYTES and self._waiting_count >= LEAST_WAITING
        return is_large or self._waiting_count >= MAX_WAITING

    def _receive(self, item: Batch | Exception) -> None:
        """In the event loop: queue what the thread has read, and wake the clock."""
        self._waiting.append(item)
        self.changed.set()

"""A session is one reader of a world: what it was sent, what waits for it, what it lost. It is not
state.

A frame is queued when its tick is done, and counts as delivered when it is really sent (`take`).
The queue is bounded and the newest win: what falls out gives its events back, so that a slow reader
loses frames and no results. A DELTA frame is good only on top of the one before it, so it falls out
together with that one.

Events: those of the agent's own actions ride in the frame of the tick they happened in, and come
last; others fill the frame up, the oldest first. Results that a lost frame held ride in the next
one. A reader that stayed away longer than the ring remembers is told how many it missed.
"""

from collections import deque
from typing import Final, NamedTuple

from numpy import uint8
from numpy.typing import NDArray

from thorp.voxel.state.agent import Event, EventLog
from thorp.voxel.state.ground import Position

DEFAULT_QUEUE: Final = 8
MAX_QUEUE: Final = 64
# 64 frames of the usual size are a tenth of this; large ones wait in smaller numbers.
MAX_QUEUED_BYTES: Final = 4 * 2**20
# Readers that keep only the end of the list keep this many.
EVENTS_PER_FRAME: Final = 20
# How many sent frames are remembered, to know what an ACT's author had seen.
SENT_REMEMBERED: Final = 64

Cube = NDArray[uint8]


class Frame(NamedTuple):
    """An OBS that waits to be sent, and what must be delivered again if it is dropped."""

    tick: int
    text: bytes
    events: list[int]
    delta: bool
    memory: bytes
    lost: int = 0  # How many events it said were lost.


class Session:
    """What one connection has been sent, and what is queued for it. It is not state."""

    def __init__(
        self, number: int, *, delta: bool = False, max_queue: int = 0, cursor: int = 0
    ) -> None:
        self.number = number
        self.delta = delta
        self.max_queue = min(max_queue, MAX_QUEUE) if max_queue > 0 else DEFAULT_QUEUE
        self.dropped = 0  # Frames that fell out of the queue.
        self._queue: deque[Frame] = deque()
        self._first = cursor
        self._cursor = (
            cursor  # Below it every event is queued or delivered, and so are those in `_ahead`.
        )
        self._ahead: set[int] = set()
        self._sent: deque[tuple[int, int]] = deque(maxlen=SENT_REMEMBERED)
        self._memory = b""
        self._lost = 0  # Events that fell out of the ring before the reader was told of them.
        self._owed: set[int] = set()  # Results that a lost frame held; they ride in the next one.
        self.at: Position | None = (
            None  # Where the cached view was seen from, after `edits` changes.
        )
        self.edits = -1
        self.cube: Cube | None = None
        self.rle = b""
        self.base: Cube | None = (
            None  # The cube of the last frame queued or sent, if none was lost since.
        )
        self.base_at: Position | None = None

    def __len__(self) -> int:
        return len(self._queue)

    def is_behind(self, event_log: EventLog) -> bool:
        """Whether something has happened that no frame has told yet."""
        return self._cursor < event_log.next

    def select(self, event_log: EventLog, tick: int) -> tuple[list[Event], int]:
        """The events for the frame of this tick, as they are shown, and how many it says were
        lost."""
        if self._cursor == event_log.next and not self._lost:
            return [], 0
        fallen = event_log.first - self._cursor
        if fallen > 0:
            self._lost += fallen - sum(number < event_log.first for number in self._ahead)
            self._cursor = event_log.first
            self._ahead = {number for number in self._ahead if number >= self._cursor}
        own: list[Event] = []
        others: list[Event] = []
        for event in event_log.since(self._cursor):
            if event.number not in self._ahead:
                urgent = event.own and (event.tick == tick or event.number in self._owed)
                (own if urgent else others).append(event)
        lost = (
            0 if any(frame.lost for frame in self._queue) else self._lost
        )  # one tells; others wait for it
        del others[max(0, EVENTS_PER_FRAME - len(own) - bool(lost)) :]
        return others + own, lost

    def carry(self, memory: bytes) -> bytes:
        """The memory to show in the next frame: what was loaded now, or what a lost frame held."""
        return memory or self._memory

    def push(self, frame: Frame) -> None:
        """Queue a frame; let the oldest fall out if there are too many."""
        if self._queue:
            self.make_room()
        self._queue.append(frame)
        self._memory = b""
        self._lost -= frame.lost
        self._owed.clear()
        self._ahead.update(frame.events)
        while self._cursor in self._ahead:
            self._ahead.remove(self._cursor)
            self._cursor += 1

    def room(self) -> bool:
        """Whether the next frame will make none fall out."""
        waiting = len(self._queue)
        if waiting < 2:
            return waiting < self.max_queue
        return (
            waiting < self.max_queue
            and sum(len(frame.text) for frame in self._queue) < MAX_QUEUED_BYTES
        )

    def make_room(self) -> None:
        """Let frames fall out until one more fits; before composing, so that their events come
        back."""
        while not self.room():
            self._lose(self._queue.popleft())
            while self._queue and self._queue[0].delta:  # which builds on the one before
                self._lose(self._queue.popleft())
            if not self._queue:
                self.base = self.base_at = None

    def take(self) -> bytes | None:
        """The next frame, which is sent now."""
        if not self._queue:
            return None
        frame = self._queue.popleft()
        cursor = self._cursor
        for queued in self._queue:
            cursor = min(cursor, *queued.events) if queued.events else cursor
        self._sent.append((frame.tick, cursor))
        return frame.text

    def seen(self, tick: int) -> int:
        """Everything below this number had been sent when the frame of that tick was."""
        return next((cursor for sent_tick, cursor in reversed(self._sent) if sent_tick <= tick), 0)

    @property
    def cursor(self) -> int:
        """Where another session of the same agent goes on if this one was cut off. What was sent
        lately may never have arrived, so only the oldest frame that is remembered counts as read.
        """
        return self._sent[0][1] if len(self._sent) == SENT_REMEMBERED else self._first

    def _lose(self, frame: Frame) -> None:
        self.dropped += 1
        self._memory = frame.memory or self._memory
        self._lost += frame.lost
        self._owed.update(frame.events)
        if frame.events:
            first = min(frame.events)
            if first < self._cursor:
                self._ahead.update(range(first, self._cursor))
                self._cursor = first
            self._ahead.difference_update(frame.events)

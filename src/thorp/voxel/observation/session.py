"""A session is one reader of a world: which frames it was sent, which wait for it, which it lost.
It is not state.

A frame is queued when its tick is done, and counts as delivered when it is really sent (`take`).
The queue is bounded, and the oldest frames are dropped. A dropped frame gives its events back, so a
slow reader loses frames but no results. A DELTA frame is valid only on top of the one before it, so
it is dropped together with that one.

Results of the agent's own actions are in the frame of the tick they happened in, at the end of its
events; other events fill the frame up, the oldest first. Results that a lost frame held are in the
next one. A reader that stayed away longer than the event log reaches back is told how many events
it missed.
"""

from collections import deque
from typing import Final

import msgspec
from numpy import uint8
from numpy.typing import NDArray

from thorp.voxel.state.agent import Event, EventLog
from thorp.voxel.state.ground import Position

DEFAULT_QUEUE: Final = 8
MAX_QUEUE: Final = 64
# Ten times what 64 frames of the usual size have; fewer large ones may wait.
MAX_QUEUED_BYTES: Final = 4 * 2**20
# Clients that keep only the end of a frame's events keep this many.
EVENTS_PER_FRAME: Final = 20
# How many sent frames are remembered, to know which events the author of an ACT had seen.
SENT_REMEMBERED: Final = 64

Cube = NDArray[uint8]


class Frame(msgspec.Struct, frozen=True, gc=False):
    """An OBS that waits to be sent, and what must be delivered again if it is dropped.

    One is made for every reader in every tick, so it is a struct, which the garbage collector need
    not track: making a named tuple from named fields takes six times as long.
    """

    tick: int
    text: bytes
    events: list[int]
    delta: bool
    memory: bytes
    lost: int = 0  # How many events it said were lost.


class Session:
    """The frames of one connection, sent and queued, and which events they have delivered."""

    def __init__(
        self, number: int, *, delta: bool = False, max_queue: int = 0, cursor: int = 0
    ) -> None:
        self.number = number
        self.delta = delta
        self.max_queue = min(max_queue, MAX_QUEUE) if max_queue > 0 else DEFAULT_QUEUE
        self.dropped = 0  # How many frames were dropped from the queue.
        self._queue: deque[Frame] = deque()
        self._first = cursor
        # All events with lower numbers are queued or delivered, and so are those in `_ahead`.
        self._cursor = cursor
        self._ahead: set[int] = set()
        self._sent: deque[tuple[int, int]] = deque(maxlen=SENT_REMEMBERED)
        self._memory = b""
        # How many events left the event log before they were delivered, and were not reported.
        self._lost = 0
        self._owed: set[int] = set()  # Results that a lost frame held; the next one has them.
        # The cached view: where it was seen from, and how many edits the ground had then.
        self.at: Position | None = None
        self.edits = -1
        self.cube: Cube | None = None
        self.rle = b""
        # The cube of the last frame that was queued or sent, if none was lost since: a DELTA
        # builds on it.
        self.base: Cube | None = None
        self.base_at: Position | None = None

    def __len__(self) -> int:
        return len(self._queue)

    def is_behind(self, event_log: EventLog) -> bool:
        """Whether there are events that no frame has delivered yet."""
        return self._cursor < event_log.next

    def select(self, event_log: EventLog, tick: int) -> tuple[list[Event], int]:
        """The events for the frame of this tick, in the order in which it lists them, and how many
        it reports as lost."""
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
        # One frame in the queue reports lost events; later ones wait until it was sent.
        lost = 0 if any(frame.lost for frame in self._queue) else self._lost
        del others[max(0, EVENTS_PER_FRAME - len(own) - bool(lost)) :]
        return others + own, lost

    def carry(self, memory: bytes) -> bytes:
        """The notes for the next frame: those loaded in this tick, or those of a lost frame."""
        return memory or self._memory

    def push(self, frame: Frame) -> None:
        """Queue a frame, and drop the oldest if there are too many."""
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
        """Whether one more frame fits without dropping another."""
        waiting = len(self._queue)
        if waiting < 2:
            return waiting < self.max_queue
        return (
            waiting < self.max_queue
            and sum(len(frame.text) for frame in self._queue) < MAX_QUEUED_BYTES
        )

    def make_room(self) -> None:
        """Drop frames until one more fits. Must be called before a frame is composed, so that it
        can have the events of the dropped ones."""
        while not self.room():
            self._lose(self._queue.popleft())
            while self._queue and self._queue[0].delta:  # it builds on the one before
                self._lose(self._queue.popleft())
            if not self._queue:
                self.base = self.base_at = None

    def take(self) -> bytes | None:
        """The next frame; it counts as sent from now on."""
        if not self._queue:
            return None
        frame = self._queue.popleft()
        cursor = self._cursor
        for queued in self._queue:
            cursor = min(cursor, *queued.events) if queued.events else cursor
        self._sent.append((frame.tick, cursor))
        return frame.text

    def seen(self, tick: int) -> int:
        """The first event that had not been sent with the frame of a tick, or before."""
        return next((cursor for sent_tick, cursor in reversed(self._sent) if sent_tick <= tick), 0)

    @property
    def cursor(self) -> int:
        """The event from which another session of the same agent goes on if this one was cut off.
        Frames that were sent lately may never have arrived, so only what came before the oldest
        remembered frame counts as read."""
        return self._sent[0][1] if len(self._sent) == SENT_REMEMBERED else self._first

    def _lose(self, frame: Frame) -> None:
        """Take back everything that a dropped frame would have delivered."""
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

"""An agent's event log: its newest thousand events (fewer if they are long), numbered, read or unread.

Reading does not change the world: sessions remember how far they have delivered, so that watching
changes nothing. An event is kept as the JSON text that goes out, beside what delivery must know of it.
"""

from hashlib import sha256
from typing import Final

import msgspec

from thorp.voxel.state.table import Natural

# What an agent can miss: a day away in a busy town. An event has some 100 bytes.
RING_EVENTS: Final = 1_000
# Some events are long, a full board has 40 kB: one agent's long events must not fill the memory.
RING_BYTES: Final = 256 * 1024


class Event(msgspec.Struct, frozen=True, array_like=True, gc=False):
    number: int
    tick: int
    own: bool
    """A result of this agent's own action, which rides in the very tick it happened in."""
    text: bytes


class EventLog(msgspec.Struct):
    """Events `next - len(events)` to `next - 1`."""

    events: list[Event] = []
    next: Natural = 0
    head: bytes = b""
    """A hash over every event there ever was, so that a digest need not look at them."""
    size: int = 0
    """Bytes of all the texts."""

    def append(self, tick: int, own: bool, text: bytes) -> None:
        self.events.append(Event(self.next, tick, own, text))
        self.next += 1
        self.head = sha256(self.head + text).digest()
        self.size += len(text)
        if len(self.events) > 2 * RING_EVENTS or self.size > 2 * RING_BYTES:
            self.keep(self.events)

    def keep(self, events: list[Event]) -> None:
        """Have the newest of these, as many as there is room for."""
        kept = events[-RING_EVENTS:]  # a new list: a snapshot may still read the old one
        size = sum([len(event.text) for event in kept])
        spare = 0
        if size > 2 * RING_BYTES:
            while size > RING_BYTES and spare < len(kept) - 1:
                size -= len(kept[spare].text)
                spare += 1
        self.events, self.size = kept[spare:], size

    @property
    def first(self) -> int:
        """The number of the oldest event that is kept."""
        return max(0, self.next - RING_EVENTS, self.next - len(self.events))

    def since(self, number: int) -> list[Event]:
        """Kept events from this number on, oldest first."""
        wanted = self.next - max(number, self.first)
        return self.events[len(self.events) - wanted :] if wanted > 0 else []

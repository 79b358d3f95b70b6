"""The bytes of one file on a breakable disk: what readers see, what is durable, and what lies between.

Between the two is a list of changes since the last sync: pieces of writes, split where pages end, and
changes of length. A crash lets each of them, on its own, reach the disk, get lost, or (a piece) reach
it in part, in any order; it may also leave the file as long as it was going to be, with zeros where
nothing has arrived.
"""

from __future__ import annotations

from random import Random

_Change = tuple[int, bytes | None]
"""A piece at an offset, or with None a new length."""

# How likely each change survives. A crash picks one, so that "everything" and "nothing" are as common
# as anything between them.
SURVIVAL = (0.0, 0.3, 0.6, 0.9, 1.0)
TEARING = 0.2
ZERO_TAIL = 0.1


class Pages:
    def __init__(self, piece_bytes: int) -> None:
        self.cache = bytearray()
        self.durable = bytearray()
        self._piece_bytes = piece_bytes
        self._changes: list[_Change] = []

    def write(self, offset: int, data: bytes) -> None:
        _apply(self.cache, (offset, data))
        size = self._piece_bytes
        start = 0
        while start < len(data):
            stop = min(len(data), start + size - (offset + start) % size)
            self._changes.append((offset + start, data[start:stop]))
            start = stop

    def resize(self, size: int) -> None:
        change = (size, None)
        _apply(self.cache, change)
        self._changes.append(change)

    def sync(self) -> None:
        for change in self._changes:
            _apply(self.durable, change)
        self._changes.clear()

    def fail_sync(self, random: Random) -> None:
        """Write back what happens to be written, and forget the rest as if it had been.

        Readers go on seeing the forgotten bytes, or, when memory was short, what the disk has.
        """
        self._settle(random)
        if random.random() < 0.5:
            self.cache[:] = self.durable

    def crash(self, random: Random) -> None:
        """Lose the memory: from now on there is only what reached the disk."""
        self._settle(random)
        self.cache[:] = self.durable

    def _settle(self, random: Random) -> None:
        survival = random.choice(SURVIVAL)
        arrived = []
        for offset, piece in self._changes:
            if random.random() >= survival:
                continue
            if piece and random.random() < TEARING:
                piece = piece[: random.randrange(len(piece))]
            arrived.append((offset, piece))
        random.shuffle(arrived)
        for change in arrived:
            _apply(self.durable, change)
        if self._changes and random.random() < ZERO_TAIL:
            _apply(self.durable, (max(len(self.cache), len(self.durable)), None))
        self._changes.clear()


def _apply(content: bytearray, change: _Change) -> None:
    offset, piece = change
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    if piece is None:
        del content[offset:]
    else:
        content[offset : offset + len(piece)] = piece

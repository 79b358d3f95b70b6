"""Frames that are taken the moment they are read.

Nearly every ACT comes whole, in one read. To put it into a queue and to wake a task costs more than to read
it. So who listens may leave a taker, which gets such frames at once. All else goes the usual way: pings,
pieces, whatever the taker leaves. What goes that way closes the lane until who listens has dealt with it and
asks for more, so no frame overtakes another.

The lane sees every byte of a connection from its first frame on, and so knows where each frame begins. That
is how a frame without a mask is found, wherever the reads are cut.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

Taker = Callable[[bytes], bool]
"""Gets what is in a frame; tells whether it took it."""

# In the first byte: whether a message ends here. And the two of a text or binary message in one frame.
_LAST: Final = 0x80
_WHOLE: Final = (0x81, 0x82)
# In the second: whether there is a mask, and the length, or how many bytes of length follow.
_MASKED: Final = 0x80
_LENGTH: Final = 0x7F
_LENGTH_BYTES: Final = {126: 2, 127: 8}
_MASK_BYTES: Final = 4


class Lane:
    """The way of the bytes that one client sends, from the first byte of its first frame on."""

    __slots__ = ("_cut_head", "_fragmented", "_taker", "_to_come", "unmasked")

    def __init__(self) -> None:
        self._taker: Taker | None = None
        self._to_come = 0
        """How much of the frame under way is still to come."""
        self._cut_head = b""
        """What there is of a head whose rest is still to come."""
        self._fragmented = False
        """Whether a message came in several frames: from then on all frames go the usual way."""
        self.unmasked = False
        """Whether a frame came without a mask, which clients must not send: the connection has failed."""

    def open(self, taker: Taker | None) -> None:
        if not (self._to_come or self._cut_head or self._fragmented):
            self._taker = taker

    def close(self) -> None:
        self._taker = None

    def take(self, data: bytes) -> bytes:
        """Give the taker what it takes; return what is left, which `follow` must see next."""
        at = 0
        while self._taker is not None and at < len(data):
            span = _span(data, at)
            if span is None or not self._takes(data, at, *span):
                self._taker = None
            else:
                at = span[1]
        return data[at:]

    def _takes(self, data: bytes, at: int, begin: int, end: int) -> bool:
        if data[at] not in _WHOLE or data[at + 1] < _MASKED or end > len(data) or self._taker is None:
            return False
        return self._taker(_unmasked(data[begin:end], data[begin - _MASK_BYTES : begin]))

    def follow(self, data: bytes) -> None:
        """Keep count of frames that go the usual way."""
        if self._to_come >= len(data):
            self._to_come -= len(data)
            return
        data = self._cut_head + data[self._to_come :]
        at, size = 0, len(data)
        while at < size:
            span = _span(data, at)
            if at + 1 < size and data[at + 1] < _MASKED:
                self.unmasked = True
                return
            if span is None:
                break
            self._fragmented |= not data[at] & _LAST
            at = span[1]
        self._cut_head = data[at:]
        self._to_come = max(0, at - size)


def _span(data: bytes, at: int) -> tuple[int, int] | None:
    """Where the content of the frame that begins here begins and ends; None if its head is cut off."""
    begin = at + 2
    if begin > len(data):
        return None
    size = data[at + 1] & _LENGTH
    if size in _LENGTH_BYTES:
        begin += _LENGTH_BYTES[size]
        if begin > len(data):
            return None
        size = int.from_bytes(data[at + 2 : begin], "big")
    if data[at + 1] >= _MASKED:
        begin += _MASK_BYTES
    return begin, begin + size


def _unmasked(content: bytes, mask: bytes) -> bytes:
    size = len(content)
    whole_mask = (mask * (size // _MASK_BYTES + 1))[:size]
    return (int.from_bytes(content, "big") ^ int.from_bytes(whole_mask, "big")).to_bytes(size, "big")

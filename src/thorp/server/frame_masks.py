"""Finds frames without a mask, which a WebSocket client must not send, in the bytes of one connection.

aiohttp takes such frames, so the bytes are followed from head to head before it gets them.
"""

from typing import Final

# In the second byte of a frame: whether it has a mask, and its length, or how many bytes of length follow.
_MASKED: Final = 0x80
_LENGTH: Final = 0x7F
_LENGTH_BYTES: Final = {126: 2, 127: 8}
_MASK_BYTES: Final = 4


class MaskCheck:
    """Follows the frames of one connection, from the first byte of its first frame on."""

    __slots__ = ("_cut_head", "_to_come")

    def __init__(self) -> None:
        self._to_come = 0
        """How many bytes of the frame under way are still to come."""
        self._cut_head = b""
        """The beginning of a head whose rest is still to come."""

    def passes(self, data: bytes) -> bool:
        """Whether every head in these bytes, which follow on the last ones, has a mask."""
        if self._to_come >= len(data):
            self._to_come -= len(data)
            return True
        data = self._cut_head + data[self._to_come :]
        at, size = 0, len(data)
        while at < size:
            if at + 1 < size and data[at + 1] < _MASKED:
                return False
            end = _end(data, at)
            if end is None:
                break
            at = end
        self._cut_head = data[at:]
        self._to_come = max(0, at - size)
        return True


def _end(data: bytes, at: int) -> int | None:
    """Where the masked frame that begins here ends; None if its head is cut off."""
    begin = at + 2
    if begin > len(data):
        return None
    size = data[at + 1] & _LENGTH
    if size in _LENGTH_BYTES:
        begin += _LENGTH_BYTES[size]
        if begin > len(data):
            return None
        size = int.from_bytes(data[at + 2 : begin], "big")
    return begin + _MASK_BYTES + size

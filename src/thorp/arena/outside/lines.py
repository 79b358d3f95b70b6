"""Lines out of a stream of bytes, each no longer than the limit.

The tail of a line that was too long is dropped up to its end, so that the next line is read as one.
"""

from __future__ import annotations

from thorp.arena.action import ACTION_BYTES_LIMIT
from thorp.kernel.errors import LimitError

LINE_BYTES_LIMIT = ACTION_BYTES_LIMIT + 1024
"""The longest line: the largest action the log takes, and the message around it."""


class Lines:
    """Takes bytes as they come; gives whole lines without their line feed. Blank ones do not count."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._searched = 0
        self._dropping = False

    def feed(self, data: bytes) -> None:
        self._buffer += data

    def take(self) -> bytes | None:
        """The next line, None when it has not all come. Raises LimitError once for a line too long."""
        while True:
            end = self._buffer.find(b"\n", self._searched)
            if end < 0:
                self._refuse_endless()
                return None
            line = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            self._searched = 0
            if self._dropping:
                self._dropping = False
            elif end > LINE_BYTES_LIMIT:
                raise _too_long()
            elif line.strip():
                return line

    def _refuse_endless(self) -> None:
        self._searched = len(self._buffer)
        if self._dropping or self._searched > LINE_BYTES_LIMIT:
            known, self._dropping = self._dropping, True
            self._buffer.clear()
            self._searched = 0
            if not known:
                raise _too_long()


def _too_long() -> LimitError:
    return LimitError(f"the line is larger than {LINE_BYTES_LIMIT} bytes", code="line_size")

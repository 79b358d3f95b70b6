"""Writes messages as WebSocket frames, plain and compressed (RFC 6455, RFC 7692); no I/O."""

import struct
import zlib
from typing import Final

DEFLATE_BITS: Final = 15
"""The window of permessage-deflate unless a reader asks for a smaller one."""
TEXT: Final = 0x81
"""The first byte of a text frame that is a whole message."""
_DEFLATED: Final = 0x40


def text_frame(text: bytes, first: int = TEXT) -> bytes:
    """A message as one text frame, unmasked as a server's frames are."""
    size = len(text)
    if size < 126:
        return struct.pack("!BB", first, size) + text
    if size < 65_536:
        return struct.pack("!BBH", first, 126, size) + text
    return struct.pack("!BBQ", first, 127, size) + text


def deflated_frame(text: bytes) -> bytes:
    """A message as one compressed frame, for readers that agreed to permessage-deflate. It does not
    refer to earlier messages."""
    return DeflatedStream(1).frame(text, whole=False)


class DeflatedStream:
    """Compresses messages so that each refers to those before it. A reader must have got every
    message since the last whole one."""

    def __init__(self, level: int = 6) -> None:
        self._packer = zlib.compressobj(level, zlib.DEFLATED, -DEFLATE_BITS)

    def frame(self, text: bytes, *, whole: bool) -> bytes:
        """The next message as one frame; a whole one does not refer to earlier messages."""
        packed = self._packer.flush(zlib.Z_FULL_FLUSH) if whole else b""
        packed += self._packer.compress(text) + self._packer.flush(zlib.Z_SYNC_FLUSH)
        # RFC 7692 has the sender remove the four bytes with which a sync flush ends.
        return text_frame(packed[:-4], TEXT | _DEFLATED)

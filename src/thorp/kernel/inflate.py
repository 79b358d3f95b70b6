"""Unpacks zlib and gzip data within a limit.

A few bytes can unpack to a thousand times as many, so the caller says how many are allowed. A
longer stream is refused before more than that is held in memory.
"""

import zlib
from typing import Final

from thorp.kernel.errors import DamagedError

ZLIB: Final = zlib.MAX_WBITS
GZIP: Final = zlib.MAX_WBITS + 16


def inflate(packed: bytes, most: int, form: int = ZLIB) -> bytes:
    """Unpack one whole stream of at most `most` bytes. A longer one, a part of a stream, or
    anything else is a DamagedError."""
    stream = zlib.decompressobj(form)
    try:
        content = stream.decompress(packed, most + 1)
    except zlib.error as problem:
        raise DamagedError(f"compressed data cannot be read: {problem}") from None
    if len(content) > most:
        raise DamagedError(f"compressed data unpack to more than {most} bytes")
    if not stream.eof or stream.unused_data:
        raise DamagedError("compressed data do not end where their stream does")
    return content

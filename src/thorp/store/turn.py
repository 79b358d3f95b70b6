"""One process at a time in a directory whose small files several processes change."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from thorp.kernel.errors import IllegalError

# How long one waits for one's turn in a directory. Whoever has it writes one small file.
TURN_SECONDS: Final = 10.0
# Shorter than such a write, so that somebody who writes again and again leaves a gap to others.
ASK_AGAIN_SECONDS: Final = 0.001


@contextmanager
def alone_in(directory: Path) -> Iterator[None]:
    """Let one process at a time change the small files of a data directory: its lockfile, its
    tokens.

    The lock goes with the process that has it. Raises IllegalError if somebody has it for too long.
    """
    descriptor = os.open(directory, os.O_RDONLY | os.O_CLOEXEC)
    try:
        until = time.monotonic() + TURN_SECONDS
        while not _try_lock(descriptor):
            if time.monotonic() > until:
                reason = (
                    f"another process has been changing it for {TURN_SECONDS:.0f} s; stop that one"
                )
                raise IllegalError(f"{directory}: {reason}, then try again", code="locked")
            time.sleep(ASK_AGAIN_SECONDS)
        yield
    finally:
        os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True

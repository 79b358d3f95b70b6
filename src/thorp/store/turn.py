"""Lets one process at a time change the small files of a directory."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from thorp.kernel.errors import IllegalError

# How long a process waits for its turn. The one whose turn it is writes one small file.
TURN_SECONDS: Final = 10.0
# Shorter than such a write: between two writes of a busy process others find a gap.
ASK_AGAIN_SECONDS: Final = 0.001


@contextmanager
def alone_in(directory: Path) -> Iterator[None]:
    """Be the only process that changes the small files of a data directory: its lockfile, its
    tokens.

    The lock is released when the process ends. Raises IllegalError if another has it for too long.
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

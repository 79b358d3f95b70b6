"""Runs branches of this process: each call in a fork of its own, which has everything that the
process has at that moment, and changes nothing of it.

A fork copies what cannot be copied otherwise, such as a village with its villagers' plans, within
milliseconds: memory is shared until somebody writes to it. It needs a process without other
threads, since those do not exist in the fork, whatever locks they held.
"""

import os
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from thorp.kernel.errors import IllegalError, UnavailableError

MAX_ALIVE: Final = 8
"""By default so many forks live at once. Each has what it changes for itself."""
_DONE: Final = b"+"
_FAILED: Final = b"-"


class _Fork(NamedTuple):
    """A running fork, and the end of the pipe from which its result comes."""

    pid: int
    pipe: int


def can_fork() -> bool:
    """Whether this process can be forked now."""
    return hasattr(os, "fork") and threading.active_count() == 1


def run_forked(calls: Sequence[Callable[[], bytes]], alive: int = MAX_ALIVE) -> Iterator[bytes]:
    """Call each in a fork of this process; yield what they return, in order. At most `alive` of
    them live at once, and all have ended when the iterator has."""
    if not can_fork():
        raise IllegalError(
            "this process has other threads, or its system has no forks: replay instead",
            code="no_fork",
        )
    waiting = deque(calls)
    running: deque[_Fork] = deque()
    try:
        while waiting or running:
            while waiting and len(running) < max(alive, 1):
                running.append(_begin(waiting.popleft()))
            yield _take(running.popleft())
    finally:
        for fork in running:
            os.close(fork.pipe)
            with suppress(ProcessLookupError):
                os.kill(fork.pid, signal.SIGKILL)
            os.waitpid(fork.pid, 0)


def _begin(call: Callable[[], bytes]) -> _Fork:
    # What is buffered now would be written by both.
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):
            stream.flush()
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # The interpreter counts the idle threads of numerical libraries, which fork safely.
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        _serve(call, reading, writing)
    os.close(writing)
    return _Fork(pid, reading)


def _serve(call: Callable[[], bytes], reading: int, writing: int) -> None:
    """Be the fork: write the result and end, without what the process does at its own end."""
    code = 1
    try:
        os.close(reading)
        try:
            result = _DONE + call()
        except BaseException as failure:
            result = _FAILED + f"{type(failure).__name__}: {failure}".encode("utf-8", "replace")
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(result)
        code = 0
    finally:
        os._exit(code)


def _take(fork: _Fork) -> bytes:
    """The result of a fork, once it has ended."""
    try:
        with os.fdopen(fork.pipe, "rb") as pipe:
            result = pipe.read()
    finally:
        os.waitpid(fork.pid, 0)
    if result.startswith(_DONE):
        return result[1:]
    reason = result[1:].decode("utf-8", "replace") or "its process has ended"
    raise UnavailableError(f"a branch has failed: {reason}", code="branch")

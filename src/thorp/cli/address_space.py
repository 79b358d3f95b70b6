"""Checks that this process may have enough address space (`ulimit -v`), and says what to do if not.

A world reserves its ground at once, and every library and thread reserves some more, used or not.
With too little, whichever comes last fails, each in its own way. So a server checks first.
"""

import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from thorp.kernel.errors import IllegalError

# A world of the usual size and its server take 700 MB, of which the ground is 390.
LEAST_BYTES: Final = 2**30
_KILOBYTE: Final = 1024  # The unit of `ulimit -v`.
_NO_THREAD: Final = "can't start new thread"

ADVICE: Final = f"raise `ulimit -v` to {LEAST_BYTES // _KILOBYTE} or more"


def limit_bytes() -> int | None:
    """The limit on this process's address space; None without one."""
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if soft == resource.RLIM_INFINITY else soft


def is_too_small() -> bool:
    """Whether the limit is below what a server needs to open its world."""
    limit = limit_bytes()
    return limit is not None and limit < LEAST_BYTES


def check_address_space() -> None:
    """Refuse to start a server that would run out of address space before it is open."""
    if is_too_small():
        message = (
            f"this process may have {describe_limit()}, and a server needs {LEAST_BYTES >> 20} MiB"
        )
        raise IllegalError(f"{message}; {ADVICE}", code="memory")


def describe_limit() -> str:
    """The limit in words, as in `512 MiB of address space`."""
    limit = limit_bytes()
    return "any address space" if limit is None else f"{limit >> 20} MiB of address space"


@contextmanager
def out_of_memory_in_one_line() -> Iterator[None]:
    """End a command that runs out of memory with a line, and exit code 2."""
    try:
        yield
    except (MemoryError, ImportError, RuntimeError) as problem:
        if not _is_of_memory(problem):
            raise
        advice = "free some" if limit_bytes() is None else ADVICE
        print(
            f"thorp: there is too little memory for this, with {describe_limit()}; {advice}",
            file=sys.stderr,
        )
        sys.exit(2)


def _is_of_memory(problem: Exception) -> bool:
    """Whether something failed for want of memory. A library that cannot be mapped raises an
    ImportError."""
    if isinstance(problem, ImportError):
        return is_too_small()
    return isinstance(problem, MemoryError) or _NO_THREAD in str(problem)

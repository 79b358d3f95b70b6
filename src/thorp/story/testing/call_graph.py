"""The call graph of the engines, as it is observed: who calls whom while something runs.

Each engine is a module or a package. Whoever calls is the nearest engine further out on the stack, so that
what stands between engines (values, contracts, wiring) does not hide a call.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

ENGINES: Final = {
    "thorp.story.ledger": 0,
    "thorp.story.invocation": 1,
    "thorp.story.beat": 2,
    "thorp.story.clock": 3,
    "thorp.story.knowledge": 4,
    "thorp.story.scene": 5,
    "thorp.story.capsules": 6,
    "thorp.story.tools": 7,
    "thorp.story.retrieval": 8,
    "thorp.story.writer": 9,
    "thorp.story.acceptance": 10,
    "thorp.story.tables": 11,
    "thorp.story.projection": 12,
}
ALLOWED: Final = {
    0: {11},
    1: {0, 2},
    2: {0, 3, 5, 9, 10, 12},
    3: {11},
    4: set(),
    5: {6, 8, 9},
    6: {8, 9},
    7: {5, 6, 8},
    8: {4, 11},
    9: {7},
    10: {0},
    11: set(),
    12: {0, 3, 4},
}
"""Whom each engine may call. Retrieval may ask knowledge, which is a pure function."""


def engine_of(frame: FrameType) -> int | None:
    name = frame.f_globals.get("__name__", "")
    while name:
        if name in ENGINES:
            return ENGINES[name]
        name = name.rpartition(".")[0]
    return None


@contextmanager
def observed(edges: set[tuple[int, int]]) -> Iterator[None]:
    """Add every call between engines to a set, in all threads that start meanwhile and in this one."""

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        if event != "call":
            return
        called = engine_of(frame)
        if called is None:
            return
        outer = frame.f_back
        while outer is not None:
            caller = engine_of(outer)
            if caller is not None:
                if caller != called:
                    edges.add((caller, called))
                return
            outer = outer.f_back

    before, before_here = threading.getprofile(), sys.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield
    finally:
        threading.setprofile(before)
        sys.setprofile(before_here)

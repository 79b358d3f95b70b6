"""How much one connection may make us read: so many bytes a second, and a moment's worth at once.

A frame that is good for nothing costs as much as IGNORED_COST_BYTES, so that no flood of small ones can
keep the server busy. Whoever has used up its allowance is not read for a while; its own system then holds
it back. Nothing is lost by that.
"""

from __future__ import annotations

from typing import Final

# Reading a megabyte of bad JSON takes some 5 ms, so that one connection costs at most a fiftieth of a core.
BYTES_PER_SECOND: Final = 4 * 2**20
# One frame of the largest size is always let through.
BURST_BYTES: Final = 4 * 2**20
# A hundred useless frames a second.
IGNORED_COST_BYTES: Final = BYTES_PER_SECOND // 100
# What a second of taking bytes apart into frames costs: a fiftieth of a core for that, too.
PARSING_COST_BYTES: Final = 50 * BYTES_PER_SECOND


class Allowance:
    __slots__ = ("_left", "_seen")

    def __init__(self, now: float) -> None:
        self._left = float(BURST_BYTES)
        self._seen = now

    def spend(self, now: float, cost_bytes: int) -> float:
        """Take this much; return how many seconds to wait before the next."""
        gained = (now - self._seen) * BYTES_PER_SECOND
        self._seen = now
        self._left = min(BURST_BYTES, self._left + gained) - cost_bytes
        return -self._left / BYTES_PER_SECOND if self._left < 0 else 0.0

    def is_spent(self, cost_bytes: int) -> bool:
        """Whether there was less than this when something was last taken."""
        return self._left < cost_bytes

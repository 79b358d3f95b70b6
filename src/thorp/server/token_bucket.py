"""How much one connection may make us read: so many bytes a second, and a moment's worth at once.

A frame that is good for nothing costs as much as IGNORED_COST_BYTES, so that no flood of small ones can
keep the server busy. Whoever has used up its allowance is not read for a while; its own system then holds
it back. Nothing is lost by that.
"""

from __future__ import annotations

import ipaddress
from typing import Final

# Reading a megabyte of bad JSON takes some 5 ms, so that one connection costs at most a fiftieth of a core.
BYTES_PER_SECOND: Final = 4 * 2**20
# One frame of the largest size is always let through.
BURST_BYTES: Final = 4 * 2**20
# A hundred useless frames a second.
IGNORED_COST_BYTES: Final = BYTES_PER_SECOND // 100
# What a second of taking bytes apart into frames costs: a fiftieth of a core for that, too.
PARSING_COST_BYTES: Final = 50 * BYTES_PER_SECOND


class TokenBucket:
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


# A class or a crew of bots comes in at once. One address that goes on at this rate for as long as the body of
# a guest stays, five minutes, has 1,564 of 2,500 places.
NEW_BODIES_AT_ONCE: Final = 64
NEW_BODIES_PER_SECOND: Final = 5
# Addresses that are remembered; beyond it those are forgotten that may take their whole burst again.
MAX_ADDRESSES: Final = 10_000


class JoinLimiter:
    """How many new bodies each address may have: token buckets, kept as the times at which they are full."""

    def __init__(self) -> None:
        self._full_at: dict[str, float] = {}

    def admits(self, address: str | None, now: float) -> bool:
        """Count one more, if it is not one too many. Without an address there is no limit."""
        if address is None:
            return True
        network = _network(address)
        full_at = max(now, self._full_at.get(network, now)) + 1 / NEW_BODIES_PER_SECOND
        if full_at - now > NEW_BODIES_AT_ONCE / NEW_BODIES_PER_SECOND + 1e-9:
            return False
        if len(self._full_at) >= MAX_ADDRESSES:
            self._full_at = {each: at for each, at in self._full_at.items() if at > now}
        self._full_at[network] = full_at
        return True


def _network(address: str) -> str:
    """The address, or of one in IPv6 the /64 that it lies in: each household has 2**64 of them."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    mapped = getattr(ip, "ipv4_mapped", None) or ip
    return str(ipaddress.ip_network((mapped, 64), strict=False)) if mapped.version == 6 else str(mapped)

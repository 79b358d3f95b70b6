"""Token buckets: how many bytes a second one connection is read, and how many bodies one address may add.

A frame without effect costs IGNORED_COST_BYTES, so that a flood of small ones cannot keep the server busy. A
connection whose bucket is empty is not read for a while, so its own system holds it back. Nothing is lost.
"""

import ipaddress
from typing import Final

# Reading a megabyte of bad JSON takes about 5 ms, so one connection costs at most a fiftieth of a core.
BYTES_PER_SECOND: Final = 4 * 2**20
# A frame of the largest size always passes.
BURST_BYTES: Final = 4 * 2**20
# A hundred useless frames a second.
IGNORED_COST_BYTES: Final = BYTES_PER_SECOND // 100
# The price of a second of parsing frames, so that this costs at most a fiftieth of a core, too.
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


# A class or a crew of bots joins at once. An address that keeps this rate for the five minutes that a guest's
# body stays has 1,564 of 2,500 places.
NEW_BODIES_AT_ONCE: Final = 64
NEW_BODIES_PER_SECOND: Final = 5
# Remembered addresses; beyond it those with a full bucket are forgotten.
MAX_ADDRESSES: Final = 10_000


class JoinLimiter:
    """Limits new bodies by address: token buckets, kept as the times at which they are full."""

    def __init__(self) -> None:
        self._full_at: dict[str, float] = {}

    def admits(self, address: str | None, now: float) -> bool:
        """Count one more body, if it is not one too many. None as address has no limit."""
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
    """The address, or the /64 of an IPv6 address, because a household has that many."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    mapped = getattr(ip, "ipv4_mapped", None) or ip
    return str(ipaddress.ip_network((mapped, 64), strict=False)) if mapped.version == 6 else str(mapped)

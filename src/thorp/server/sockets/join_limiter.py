"""How many new bodies an address may have made."""

from typing import Final

from thorp.server.access.networks import network_of

# A class or a crew of bots joins at once. An address that keeps this rate for the five minutes that
# a guest's body stays has 1,564 of 2,500 places.
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
        network = network_of(address)
        full_at = max(now, self._full_at.get(network, now)) + 1 / NEW_BODIES_PER_SECOND
        if full_at - now > NEW_BODIES_AT_ONCE / NEW_BODIES_PER_SECOND + 1e-9:
            return False
        if len(self._full_at) >= MAX_ADDRESSES:
            self._full_at = {each: at for each, at in self._full_at.items() if at > now}
        self._full_at[network] = full_at
        return True

"""Limits how many new bodies are made for one address."""

from typing import Final

from thorp.server.access.networks import network_of

# A class or a crew of bots joins at once. An address that joins as fast as it may for the five
# minutes that a guest's body stays holds 1,564 of 2,500 places.
NEW_BODIES_AT_ONCE: Final = 64
NEW_BODIES_PER_SECOND: Final = 5
# Addresses that are remembered; above this, those with a full bucket are forgotten.
MAX_ADDRESSES: Final = 10_000


class JoinLimiter:
    """A token bucket for each address, kept as the time at which it will be full again: that is
    one number, and a bucket that is full needs none."""

    def __init__(self) -> None:
        self._full_at: dict[str, float] = {}

    def admits(self, address: str | None, now: float) -> bool:
        """Count one more body, if it is not one too many. An address of None has no limit."""
        if address is None:
            return True
        network = network_of(address)
        full_at = max(now, self._full_at.get(network, now)) + 1 / NEW_BODIES_PER_SECOND
        # The last term allows for rounding: exactly NEW_BODIES_AT_ONCE at one moment pass.
        if full_at - now > NEW_BODIES_AT_ONCE / NEW_BODIES_PER_SECOND + 1e-9:
            return False
        if len(self._full_at) >= MAX_ADDRESSES:
            self._full_at = {each: at for each, at in self._full_at.items() if at > now}
        self._full_at[network] = full_at
        return True

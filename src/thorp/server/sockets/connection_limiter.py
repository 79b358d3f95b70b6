"""Limits how many connections are open at once, in all and by address. One too many is refused
before anything of it is read."""

from collections import Counter
from typing import Final

import msgspec

from thorp.server.access.networks import is_loopback

# Enough for a household or an office behind one address. This machine itself is exempt.
CONNECTIONS_PER_ADDRESS: Final = 64
# Each costs a file descriptor and at most some 200 kB of buffers.
MAX_CONNECTIONS: Final = 8_192


class ConnectionLimiter:
    """Counts open connections by address."""

    def __init__(
        self, *, per_address: int = CONNECTIONS_PER_ADDRESS, exempt_loopback: bool = True
    ) -> None:
        self.open = 0
        self._per_address = per_address
        self._exempt_loopback = exempt_loopback
        self._by_address: Counter[str] = Counter()

    def enter(self, address: str) -> bytes | None:
        """Count a connection; return the refusal if it is one too many."""
        self.open += 1
        here = self._by_address[address] = self._by_address[address] + 1
        if self.open > MAX_CONNECTIONS:
            return _refusal(
                "503 Service Unavailable", "busy", "too many connections; try again later"
            )
        if here > self._per_address and not (self._exempt_loopback and is_loopback(address)):
            reason = f"{self._per_address} connections from one address; close some"
            return _refusal("429 Too Many Requests", "too_many_connections", reason)
        return None

    def leave(self, address: str) -> None:
        """Count a connection that has ended, whether it was refused or not."""
        self.open -= 1
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]


def _refusal(status: str, error: str, details: str) -> bytes:
    """A whole HTTP response: no parser has seen this connection."""
    body = msgspec.json.encode({"error": error, "details": details})
    head = (
        f"HTTP/1.1 {status}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Connection: close",
    )
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body

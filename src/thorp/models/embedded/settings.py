"""How a model is run: what may be chosen about the child, and the bounds of each choice."""

from pathlib import Path
from typing import Final

import msgspec

from thorp.kernel.errors import InvalidError

# On a machine that also ticks a world, a second thread makes a small model slower: both wait for
# each other after each layer.
THREADS: Final = 1
MAX_THREADS: Final = 256
CONTEXT_TOKENS: Final = 4_096
"""For each conversation. Small: a choice among options takes 400 tokens, a talk with simple tools
3,000, and the cache of a context is reserved whole."""
LEAST_CONTEXT_TOKENS: Final = 256
MAX_CONTEXT_TOKENS: Final = 1 << 20
MAX_SLOTS: Final = 64
NICENESS: Final = 10
"""Added to the niceness of the parent: a reply of a model may come a little later, a tick may
not."""
MAX_NICENESS: Final = 19
LOAD_SECONDS: Final = 300.0
"""How long loading may take: some gigabytes from a slow disk."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How a model is run. `port` 0 takes a free one; `key` None draws a new one. The context is
    that of each of `slots` conversations, which are computed side by side."""

    adapter: Path | None = None
    adapter_scale: float = 1.0
    context_tokens: int = CONTEXT_TOKENS
    slots: int = 1
    threads: int = THREADS
    niceness: int = NICENESS
    port: int = 0
    key: str | None = None
    load_seconds: float = LOAD_SECONDS

    def check(self) -> None:
        """Refuse what no child could be run with."""
        bounds = (
            ("threads", self.threads, 1, MAX_THREADS),
            ("context", self.context_tokens, LEAST_CONTEXT_TOKENS, MAX_CONTEXT_TOKENS),
            ("slots", self.slots, 1, MAX_SLOTS),
            ("niceness", self.niceness, 0, MAX_NICENESS),
            ("port", self.port, 0, 65_535),
        )
        for name, value, least, most in bounds:
            if not least <= value <= most:
                raise InvalidError(f"{name} is {least} to {most}, not {value}", code="usage")
        if self.adapter is not None and not self.adapter.is_file():
            raise InvalidError(f"{self.adapter}: no such adapter", code="model_adapter")

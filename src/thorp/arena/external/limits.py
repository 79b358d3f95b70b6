"""Time limits of external agents, and which limits are acceptable.

A turn ends at its own limit or when the match's time is used up, whichever comes first. Only the time in
which the runner waits for this seat counts, not its start-up. Messages name the limits as configured, never
measured times.
"""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager

from thorp.arena.contract import Limits
from thorp.arena.external.protocol import AgentFailure
from thorp.kernel.errors import InvalidError

START_SECONDS = 30.0
"""How long an agent may take until it is ready. Separate from the turn limit: an interpreter and its
libraries load for seconds even for an agent that then answers in milliseconds."""

SECONDS_LIMIT = 86_400.0  # The longest limit: one day. An endless limit would not be one.


def check_limits(limits: Limits) -> None:
    """Refuse limits that are not positive, or not finite."""
    for name in ("turn_seconds", "match_seconds"):
        seconds = getattr(limits, name)
        if not (math.isfinite(seconds) and 0 < seconds <= SECONDS_LIMIT):
            raise InvalidError(f"{name} must be above 0 and at most {SECONDS_LIMIT:g}", code="limits")
    for name, least in (("memory_mib", 1), ("model_calls", 0), ("model_tokens", 0)):
        if getattr(limits, name) < least:
            raise InvalidError(f"{name} must be at least {least}", code="limits")


class TimeBudget:
    """The time one seat has left. `awaited` names what the runner waits for in messages: action, reply."""

    def __init__(self, limits: Limits, awaited: str) -> None:
        self._turn_seconds = limits.turn_seconds
        self._match_seconds = limits.match_seconds
        self._left = limits.match_seconds
        self._awaited = awaited

    @property
    def used_up(self) -> bool:
        return self._left <= 0

    @contextmanager
    def turn(self) -> Iterator[float]:
        """Time one turn; yields its deadline on the monotonic clock. Turns a TimeoutError into an
        AgentFailure."""
        if self.used_up:
            raise self._exhausted()
        started = time.monotonic()
        try:
            yield started + min(self._turn_seconds, self._left)
        except TimeoutError:
            if self._left <= self._turn_seconds:
                self._left = 0
                raise self._exhausted() from None
            raise AgentFailure(f"no {self._awaited} within {self._turn_seconds:g} s") from None
        finally:
            self._left -= time.monotonic() - started

    def _exhausted(self) -> AgentFailure:
        return AgentFailure(f"the match limit of {self._match_seconds:g} s is used up")

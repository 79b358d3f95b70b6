"""The next version of the rules, for tests of what happens when a world meets it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from thorp.town.embedded import tuning

NEXT = tuning.RULES_VERSION + 1
NEXT_NUMBERS = {
    "RULES_VERSION": NEXT,
    "TALK_HOPE": {"morale-boost": 300, "casual": 200},
    # More than a new town has: what could be built under the old rules is blocked under these.
    "STEP_TIMBER": 1000,
    "EVENT_CHANCE": 900,
}


@contextmanager
def rules(version: int = NEXT) -> Iterator[None]:
    """Let the rules be a later version, with other numbers, for as long as a `with` lasts."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**NEXT_NUMBERS, "RULES_VERSION": version}.items():
            patch.setattr(tuning, name, value)
        yield

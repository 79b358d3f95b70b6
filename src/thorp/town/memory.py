"""What a governor remembers of its last decision, so that it does not repeat itself for ever.

The caller keeps it; nothing is stored here. A candidate of the remembered type (and target, where one is
remembered) loses a tenth of priority for each repetition, and never falls below 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from thorp.kernel.errors import ROOT
from thorp.kernel.numbers import as_double
from thorp.town.document_shape import Number, OrNull, Others, Record, Text
from thorp.town.plain_json import plain_text
from thorp.town.violations import Findings

PENALTY = 0.1
"""What each repetition costs."""

_SHAPE = Record(
    required={},
    optional={
        "lastType": OrNull(Text(may_be_empty=True)),
        "lastTarget": OrNull(Text(may_be_empty=True)),
        "repeatCount": OrNull(Number()),
    },
    others=Others.IGNORED,
)


class Memory(NamedTuple):
    last_type: str = ""
    last_target: str = ""
    repeats: float = 1

    def penalty(self, action_type: str, target: str) -> float:
        """What a candidate loses for having been chosen before."""
        if not self.last_type or action_type != self.last_type:
            return 0
        if self.last_target and target != self.last_target:
            return 0
        return PENALTY * self.repeats


NO_MEMORY = Memory()


def read_memory(value: object, found: Findings, path: str = ROOT) -> Memory:
    """The memory a caller handed in. A count that is absent, null or below one is one repetition."""
    if value is None:
        return NO_MEMORY
    before = len(found)
    _SHAPE.check(value, path, found)
    if len(found) > before or not isinstance(value, Mapping):
        return NO_MEMORY
    return Memory(
        plain_text(value.get("lastType") or ""),
        plain_text(value.get("lastTarget") or ""),
        max(1, as_double(value.get("repeatCount") or 1)),
    )

"""Who sits at the table: how many seats a scenario has, and one id for each.

A scenario says how many seats it takes in its class attribute `seats = (fewest, most)`, with None for
"any number". The command line can then refuse a match before it starts; `init` refuses it in any case.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from thorp.kernel.errors import InvalidError

Seats: TypeAlias = tuple[int, int | None]
"""The fewest and the most seats of a scenario; None where there is no upper bound."""


def take_seats(scenario: str, agent_ids: Sequence[str], seats: Seats) -> tuple[str, ...]:
    """The ids in seating order. Refuses too few, too many, and two seats under one id."""
    fewest, most = seats
    count = len(agent_ids)
    if count < fewest or (most is not None and count > most):
        raise InvalidError(f"{scenario} is for {_range(fewest, most)}, not {count}", code="seats")
    if len(set(agent_ids)) < count:
        raise InvalidError(f"{scenario} needs a different id for every seat", code="seats")
    return tuple(agent_ids)


def _range(fewest: int, most: int | None) -> str:
    if most is None:
        return f"{fewest} or more seats"
    return f"exactly {fewest} seats" if fewest == most else f"{fewest} to {most} seats"

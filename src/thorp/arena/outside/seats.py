"""Seats from the command line: `[ID=]SPEC`, in seating order.

What stands before the first `=` is an id only if it holds no `:` and no `/`, so that commands and
addresses may hold equals signs of their own. A seat without an id is called KIND-N, N from 1 among the
seats of its kind that have no id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from thorp.arena.outside.spec import parse_spec
from thorp.arena.task import Seat
from thorp.kernel.errors import InvalidError


def parse_seats(texts: Sequence[str]) -> tuple[Seat, ...]:
    """The seats that the texts describe. Refuses none at all, empty or repeated ids, and malformed specs."""
    if not texts:
        raise InvalidError("a match needs an agent; give --agent [ID=]SPEC at least once", code="no_agents")
    unnamed: Counter[str] = Counter()
    seats: dict[str, Seat] = {}
    for text in texts:
        id, spec = _split(text)
        kind = parse_spec(spec).kind
        if id is None:
            unnamed[kind] += 1
            id = f"{kind}-{unnamed[kind]}"
        if id in seats:
            raise InvalidError(f"two agents are called {id!r}; name one with ID=SPEC", code="duplicate_agent")
        seats[id] = Seat(id, spec)
    return tuple(seats.values())


def _split(text: str) -> tuple[str | None, str]:
    id, equals, spec = text.partition("=")
    if not equals or ":" in id or "/" in id:
        return None, text
    if not id.strip() or not id.isprintable():
        raise InvalidError(
            f"the agent id {id!r} is empty or unprintable; write ID=SPEC, or SPEC alone", code="agent_id"
        )
    return id, spec

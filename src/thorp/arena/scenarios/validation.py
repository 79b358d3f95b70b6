"""Checks that scenarios share: their parameters, the fields of actions, and the number of seats.

A scenario checks its parameters when it is built, so that a wrong one is refused before the match.
The seats are checked by the command line, and in any case by `init`. An agent may send any JSON
value as an action: the field readers return None for every value that is not of the wanted kind, so
that a scenario has one case to refuse.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias, TypeVar

from thorp.arena.contract import Adjudication
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError

_SHOWN = 40

T = TypeVar("T")
Seats: TypeAlias = tuple[int, int | None]
"""The fewest and the most seats of a scenario; None if there is no upper limit."""


def integer_parameter(name: str, value: object, low: int, high: int) -> int:
    """Return the value if it is an integer from low to high; 10.0 counts as 10, True does not count
    as 1."""
    if type(value) is float and value.is_integer():
        value = int(value)
    if type(value) is not int or not low <= value <= high:
        raise InvalidError(
            f"{name} must be a whole number from {low} to {high}, not {repr(value)[:_SHOWN]}",
            code="parameter",
        )
    return value


def choice_parameter(name: str, value: object, choices: Sequence[str]) -> str:
    """Return the value if it is one of the choices."""
    if not isinstance(value, str) or value not in choices:
        allowed = " or ".join(f'"{choice}"' for choice in choices)
        raise InvalidError(
            f"{name} must be {allowed}, not {repr(value)[:_SHOWN]}", code="parameter"
        )
    return value


def integer_field(action: Json, name: str) -> int | None:
    """Return the integer under `name`, else None. 3.0 is 3, as in JSON; true is not 1, and "3" is
    not 3."""
    value = action.get(name) if type(action) is dict else None
    if type(value) is float and value.is_integer():
        return int(value)
    return value if type(value) is int else None


def choice_field(action: Json, name: str, words: Mapping[str, T]) -> T | None:
    """Return the meaning of the word under `name`, if it is one of the words; else None."""
    value = action.get(name) if type(action) is dict else None
    return words.get(value) if type(value) is str else None


def refused(state: object, reason: str) -> Adjudication:
    """The verdict on an action against the rules: the state stays as it is, and the agent gets the
    reason."""
    return Adjudication(False, {"error": reason}, state)


def take_seats(scenario: str, agent_ids: Sequence[str], seats: Seats) -> tuple[str, ...]:
    """Return the ids in seating order. Refuses too few or too many seats, and an id that comes
    twice."""
    fewest, most = seats
    count = len(agent_ids)
    if count < fewest or (most is not None and count > most):
        bounds = f"{fewest} or more" if most is None else f"{fewest} to {most}"
        wanted = f"exactly {fewest}" if fewest == most else bounds
        raise InvalidError(f"{scenario} is for {wanted} seats, not {count}", code="seats")
    if len(set(agent_ids)) < count:
        raise InvalidError(f"{scenario} needs a different id for every seat", code="seats")
    return tuple(agent_ids)

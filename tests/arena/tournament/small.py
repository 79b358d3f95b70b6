"""Small tournaments, made-up outcomes, and directories as values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from thorp.arena.contract import Seat
from thorp.arena.tournament import Outcome, Plan, make_plan

FIELD = (Seat("alice", "random"), Seat("bob", "baseline"), Seat("carol", "random"))


def small_plan(**changes: Any) -> Plan:
    """Number guess between three, six matches; `changes` go to `make_plan`."""
    return make_plan("number-guess", changes.pop("entrants", FIELD), **{"max_turns": 20, **changes})


def outcome(key: str, *scores: tuple[str, float | None], **changes: Any) -> Outcome:
    """What came of a match between the named; a score of None aborts it."""
    seats = tuple(id for id, _ in scores)
    nobody = (0,) * len(seats)
    aborted = any(score is None for _, score in scores)
    values = {
        "key": key,
        "seed": 1,
        "seats": seats,
        "scores": None if aborted else tuple(score for _, score in scores),
        "reason": "error" if aborted else "completed",
        "error": "ValueError" if aborted else None,
        "turns": 3,
        "valid": nobody,
        "invalid": nobody,
        "errors": nobody,
        "log": "0" * 64,
        "beside": {},
        **changes,
    }
    return Outcome(**values)


def tree(path: Path) -> dict[str, bytes]:
    """Every file below a directory, by its name from there."""
    return {
        str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()
    }

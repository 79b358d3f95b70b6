"""How an action ended, in words: the hint of the world, or else the advice of the kit."""

from __future__ import annotations

import pytest

from thorp.protocol.outcome import ADVICE, outcome_of

REFUSED = {"type": "ACTION_RESULT", "ok": False, "code": "E_BLOCKED", "message": "too far"}
DONE = {"type": "ACTION_RESULT", "ok": True, "message": "ok"}


def test_without_a_hint_there_is_advice() -> None:
    assert str(outcome_of(REFUSED)) == f"refused, E_BLOCKED: too far. {ADVICE['E_BLOCKED']}"


@pytest.mark.parametrize(
    ("hint", "ending"),
    [
        ("3 cells away, reach 2", "Hint: 3 cells away, reach 2."),
        ("did you mean SAY?", "Hint: did you mean SAY?"),
        ("step aside.", "Hint: step aside."),
    ],
)
def test_a_hint_stands_in_the_place_of_advice(hint: str, ending: str) -> None:
    outcome = outcome_of({**REFUSED, "hint": hint})
    assert outcome.hint == hint
    assert str(outcome) == f"refused, E_BLOCKED: too far. {ending}"


def test_what_succeeded_may_have_a_hint_too() -> None:
    assert str(outcome_of(DONE)) == "done: ok"
    assert str(outcome_of({**DONE, "hint": "cut"})) == "done: ok. Hint: cut."
    assert str(outcome_of({"type": "TASK_DONE"})) == "done"

"""A call that might not fit is not made."""

from __future__ import annotations

import pytest

from thorp.kernel.errors import LimitError
from thorp.models import Budget, BudgetError


def test_calls() -> None:
    budget = Budget(calls=2, tokens=100)
    budget.reserve(10)
    budget.reserve(10)
    with pytest.raises(BudgetError, match="the budget of 2 model calls is used up"):
        budget.reserve(10)
    assert (budget.calls_left, budget.tokens_left) == (0, 80)


def test_tokens_are_set_aside_and_then_settled() -> None:
    budget = Budget(calls=9, tokens=100)
    budget.reserve(60)
    budget.settle(60, 25)
    budget.reserve(75)
    with pytest.raises(BudgetError, match="the budget of 100 tokens does not cover another call"):
        budget.reserve(1)
    assert budget.calls_left == 7


def test_an_overshoot_stops_the_next_call() -> None:
    budget = Budget(calls=9, tokens=100)
    budget.reserve(10)
    budget.settle(10, 130)
    with pytest.raises(LimitError):
        budget.reserve(0)

"""A budget of calls and tokens, enforced by us and not by the provider.

Before a call its estimated prompt and its longest reply are set aside; a call that might not fit is
refused and never made. Afterwards the provider's own count replaces the estimate. Since an estimate can
be low, one call may overshoot by the difference; the next is then refused.
"""

from __future__ import annotations

from thorp.kernel.errors import LimitError


class BudgetError(LimitError):
    """The call was not made: it might not have fitted."""

    code = "budget"


class Budget:
    """What may still be spent. A call counts when it is made, whatever comes of it."""

    def __init__(self, *, calls: int, tokens: int) -> None:
        self._calls = calls
        self._tokens = tokens
        self.calls_left = calls
        self.tokens_left = tokens

    def reserve(self, tokens: int) -> None:
        """Set aside one call and this many tokens, or refuse and change nothing."""
        if self.calls_left <= 0:
            raise BudgetError(f"the budget of {self._calls} model calls is used up")
        if tokens > self.tokens_left:
            raise BudgetError(f"the budget of {self._tokens} tokens does not cover another call")
        self.calls_left -= 1
        self.tokens_left -= tokens

    def settle(self, reserved: int, used: int) -> None:
        """Replace what was set aside by what was used."""
        self.tokens_left += reserved - used

"""Limits on the calls, tokens and money that models may cost, for each agent and for the whole run.

Before a call its prompt and its longest possible reply are reserved in both accounts; a call that
might not fit into one of them is not made. Afterwards the real use replaces the reservation. Money
is in the currency of the price file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from thorp.kernel.errors import InvalidError
from thorp.models import BudgetError

PRICES_BYTES_LIMIT: Final = 1 << 20  # Room for some ten thousand models.

_MILLION: Final = 1_000_000


class TokenPrice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The price of a million tokens, of prompts and of replies."""

    input: float
    output: float

    def __post_init__(self) -> None:
        if not (0 <= self.input < _MILLION and 0 <= self.output < _MILLION):
            raise ValueError(f"a price is at least 0 and below {_MILLION}")

    def of(self, tokens_in: int, tokens_out: int) -> float:
        return (tokens_in * self.input + tokens_out * self.output) / _MILLION


def read_price(path: Path, model: str) -> TokenPrice:
    """The price of a model in a file `{"NAME": {"input": 0.15, "output": 0.6}}`."""
    try:
        with path.open("rb") as file:
            prices = msgspec.json.decode(file.read(PRICES_BYTES_LIMIT), type=dict[str, TokenPrice])
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise InvalidError(
            f'{path}: {problem}; write {{"{model}": {{"input": 0.15, "output": 0.6}}}}',
            code="prices",
        ) from None
    if model not in prices:
        raise InvalidError(
            f"{path}: no price for {model}; it has: {', '.join(prices) or 'none'}", code="prices"
        )
    return prices[model]


class Allowance(msgspec.Struct, frozen=True):
    """Limits of spending; None means no limit."""

    calls: int | None = None
    tokens: int | None = None
    money: float | None = None


class Spent(msgspec.Struct):
    """Spending so far. `estimated` counts calls whose tokens had to be estimated, because the
    endpoint gave no count that makes sense."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    money: float = 0.0
    estimated: int = 0


class Account:
    """The spending of one agent, or of a run; an agent's account counts in its run's too, which is
    `whole`."""

    def __init__(
        self, limits: Allowance, price: TokenPrice | None = None, whole: Account | None = None
    ) -> None:
        if limits.money is not None and price is None:
            raise InvalidError("a limit of money needs prices; give --prices FILE", code="prices")
        self.spent = Spent()
        self._limits = limits
        self._price = price or TokenPrice(0, 0)
        self._whole = whole

    def reserve(self, tokens_in: int, tokens_out: int) -> None:
        """Count a call of up to this many tokens here and in the run's account, or refuse it and
        change nothing."""
        limits = self._limits
        spent = self.spent
        whose = "the run's" if self._whole is None else "the agent's"
        tokens = spent.tokens_in + spent.tokens_out + tokens_in + tokens_out
        if limits.calls is not None and spent.calls >= limits.calls:
            raise BudgetError(f"{whose} budget of {limits.calls} model calls is used up")
        if limits.tokens is not None and tokens > limits.tokens:
            raise BudgetError(
                f"{whose} budget of {limits.tokens} tokens does not cover another call"
            )
        if (
            limits.money is not None
            and spent.money + self._price.of(tokens_in, tokens_out) > limits.money
        ):
            raise BudgetError(
                f"{whose} budget of {limits.money:g} in money does not cover another call"
            )
        if self._whole is not None:
            self._whole.reserve(tokens_in, tokens_out)
        spent.calls += 1
        self._count(tokens_in, tokens_out)

    def settle(self, reserved: tuple[int, int], used: tuple[int, int], *, estimated: bool) -> None:
        """Replace the reservation of a call by its use. Both are tokens of prompt and reply."""
        if self._whole is not None:
            self._whole.settle(reserved, used, estimated=estimated)
        self._count(used[0] - reserved[0], used[1] - reserved[1])
        self.spent.estimated += estimated

    def _count(self, tokens_in: int, tokens_out: int) -> None:
        self.spent.tokens_in += tokens_in
        self.spent.tokens_out += tokens_out
        self.spent.money += self._price.of(tokens_in, tokens_out)

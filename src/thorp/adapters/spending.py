"""What models may cost: limits on calls, tokens and money, for each agent and for the whole run.

Before a call its prompt and its longest reply are set aside in both accounts; a call that might not fit into
one of them is not made. Afterwards what was used takes their place. Counts that had to be estimated are
marked. Money is in the currency of the price file, whose prices are for a million tokens.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from thorp.kernel.errors import InvalidError
from thorp.models import BudgetError

PRICES_BYTES_LIMIT: Final = 1 << 20
"""A price list, not a data set."""

_MILLION: Final = 1_000_000


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a million tokens cost, of a prompt and of a reply."""

    input: float
    output: float

    def __post_init__(self) -> None:
        if not (0 <= self.input < _MILLION and 0 <= self.output < _MILLION):
            raise ValueError(f"a price is at least 0 and below {_MILLION}")


def read_price(path: Path, model: str) -> Price:
    """The price of a model in a file `{"NAME": {"input": 0.15, "output": 0.6}}`."""
    try:
        with path.open("rb") as file:
            prices = msgspec.json.decode(file.read(PRICES_BYTES_LIMIT), type=dict[str, Price])
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise InvalidError(
            f'{path}: {problem}; write {{"{model}": {{"input": 0.15, "output": 0.6}}}}', code="prices"
        ) from None
    if model not in prices:
        raise InvalidError(
            f"{path}: no price for {model}; it has: {', '.join(prices) or 'none'}", code="prices"
        )
    return prices[model]


class Limits(msgspec.Struct, frozen=True):
    """What may be spent; None is as much as it takes."""

    calls: int | None = None
    tokens: int | None = None
    money: float | None = None


class Spent(msgspec.Struct):
    """What was spent. `estimated` calls gave no count of tokens that makes sense."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    money: float = 0.0
    estimated: int = 0


class Account:
    """One agent's spending, or a run's; what an agent spends counts in its run's account, too."""

    def __init__(self, limits: Limits, price: Price | None = None, whole: Account | None = None) -> None:
        if limits.money is not None and price is None:
            raise InvalidError("a limit of money needs prices; give --prices FILE", code="prices")
        self.spent = Spent()
        self._limits = limits
        self._price = price
        self._whole = whole
        self._reserved_tokens = 0
        self._reserved_money = 0.0

    def reserve(self, tokens_in: int, tokens_out: int) -> None:
        """Set a call aside here and in the run's account, or refuse and change nothing."""
        self._check(tokens_in, tokens_out)
        if self._whole is not None:
            self._whole.reserve(tokens_in, tokens_out)
        self.spent.calls += 1
        self._hold(tokens_in, tokens_out, 1)

    def settle(self, reserved: tuple[int, int], used: tuple[int, int], *, estimated: bool = False) -> None:
        """Replace what was set aside by what was used."""
        if self._whole is not None:
            self._whole.settle(reserved, used, estimated=estimated)
        self._hold(*reserved, -1)
        self.spent.tokens_in += used[0]
        self.spent.tokens_out += used[1]
        self.spent.money += self._cost(*used)
        self.spent.estimated += estimated

    def _check(self, tokens_in: int, tokens_out: int) -> None:
        limits, spent = self._limits, self.spent
        of = "the agent's" if self._whole is not None else "the run's"
        tokens = spent.tokens_in + spent.tokens_out + self._reserved_tokens + tokens_in + tokens_out
        money = spent.money + self._reserved_money + self._cost(tokens_in, tokens_out)
        if limits.calls is not None and spent.calls >= limits.calls:
            raise BudgetError(f"{of} budget of {limits.calls} model calls is used up")
        if limits.tokens is not None and tokens > limits.tokens:
            raise BudgetError(f"{of} budget of {limits.tokens} tokens does not cover another call")
        if limits.money is not None and money > limits.money:
            raise BudgetError(f"{of} budget of {limits.money:g} in money does not cover another call")

    def _hold(self, tokens_in: int, tokens_out: int, sign: int) -> None:
        self._reserved_tokens += sign * (tokens_in + tokens_out)
        self._reserved_money += sign * self._cost(tokens_in, tokens_out)

    def _cost(self, tokens_in: int, tokens_out: int) -> float:
        price = self._price
        return (tokens_in * price.input + tokens_out * price.output) / _MILLION if price else 0.0

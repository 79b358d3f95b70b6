"""What differs from row to row of a task: numbers and names that the seed decides.

    numbers = { price = [2, 4], goods = ["COAL", "IRON_INGOT"], budget = "price*3" }

draws a price from 2 to 4 and one of the goods, and computes the budget. Prompts name them in
braces, and so may texts of parameters; in goals and parameters `"$price"` stands for the number,
and `"$digest:price"` for the digest of an answer that names it. Without them the acts that solve
one row would solve them all.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError
from thorp.kernel.identity import seed_from
from thorp.kernel.rng import Mulberry32, bounded
from thorp.tasks.goal import answer_digest

SIGN: Final = "$"
DIGEST: Final = "$digest:"
PARAM: Final = "numbers"
_NAMED: Final = re.compile(r"\{([a-z_]+)\}")
_SUM: Final = re.compile(r"(?P<name>[a-z_]+)(?P<sign>[*+-])(?P<by>[a-z_]+|[0-9]{1,6})")

# How deep numbers may refer to each other: anything deeper is a circle.
MAX_STEPS: Final = 8

Number = int | str


def draw_numbers(wanted: Mapping[str, Any], seed: int) -> dict[str, Number]:
    """The numbers of a row. Each follows from its own name and the seed, whatever else there
    is."""
    return {name: _number(name, wanted, seed, 0) for name in sorted(wanted)}


def _number(name: str, wanted: Mapping[str, Any], seed: int, depth: int) -> Number:
    choice = wanted.get(name)
    chance = Mulberry32(seed_from(f"{PARAM}/{name}", seed)).random
    match choice:
        case [int(low), int(high)] if low <= high:
            return int(bounded(chance(), low, high))
        case [str(), *_] if all(isinstance(each, str) for each in choice):
            drawn: str = choice[int(bounded(chance(), 0, len(choice) - 1))]
            return drawn
        case str() if depth < MAX_STEPS and (parts := _SUM.fullmatch(choice)) is not None:
            left = _number(parts["name"], wanted, seed, depth + 1)
            by = parts["by"]
            right = int(by) if by.isdigit() else _number(by, wanted, seed, depth + 1)
            if isinstance(left, int) and isinstance(right, int):
                return _compute(left, parts["sign"], right)
    raise InvalidError(
        f"{name} is [low, high], a list of names, or such as price*3 of another number",
        code="params",
        path=f"$.params.{PARAM}.{name}",
    )


def _compute(left: int, sign: str, right: int) -> int:
    if sign == "*":
        return left * right
    return left + right if sign == "+" else left - right


def fill(tree: Json, numbers: Mapping[str, Number]) -> Json:
    """The same tree with the row's numbers in their places, among names as among values."""
    if isinstance(tree, str):
        return _fill_text(tree, numbers)
    if isinstance(tree, list | tuple):
        return [fill(each, numbers) for each in tree]
    if isinstance(tree, dict):
        return {str(fill(name, numbers)): fill(value, numbers) for name, value in tree.items()}
    return tree


def _fill_text(text: str, numbers: Mapping[str, Number]) -> Number:
    if text.startswith(DIGEST):
        return answer_digest(str(_look_up(text.removeprefix(DIGEST), numbers)))
    if text.startswith(SIGN):
        return _look_up(text.removeprefix(SIGN), numbers)
    return _NAMED.sub(lambda named: str(_look_up(named[1], numbers)), text)


def _look_up(name: str, numbers: Mapping[str, Number]) -> Number:
    number = numbers.get(name)
    if number is None:
        names = ", ".join(numbers) or "none"
        raise InvalidError(f"no number is called {name}; there are {names}", code="goal")
    return number

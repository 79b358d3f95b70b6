"""Values as the contracts' original would hold them after reading them from JSON.

Every number is a double there, and a string is a row of UTF-16 code units. So an integer beyond 2^53 loses
its last digits, `5.0` and `5` are one number, and two surrogates that make a pair are one character.
"""

from collections.abc import Mapping

from thorp.kernel.canonical import Json
from thorp.kernel.numbers import SAFE_INTEGER, as_double, whole

TINY = 1e-4
"""Below this a number may be written with an exponent."""


def plain_text(text: str) -> str:
    """The string, of type `str` itself, with surrogate pairs joined."""
    if text.isascii():
        return str.__str__(text)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def plain_number(number: float) -> float:
    """The double nearest to a finite number; an `int` where that is exact."""
    return whole(as_double(number))


def spelled(number: float) -> float:
    """The same number, in the type that msgspec writes as the original would: an `int` if it is whole.
    ValueError if no type does, because the text may need an exponent or has too many digits."""
    if number > SAFE_INTEGER or 0 < number < TINY:
        raise ValueError("a number of unusual size")
    return int(number) if type(number) is float and number.is_integer() else number


def plain_value(value: Json) -> Json:
    """A copy of a JSON value, in Python's own types, that shares nothing with it."""
    if isinstance(value, str):
        return plain_text(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return plain_number(value)
    if isinstance(value, Mapping):
        return {plain_text(key): plain_value(content) for key, content in value.items()}
    return [plain_value(content) for content in value]

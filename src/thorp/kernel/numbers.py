"""ECMAScript numbers: the text of a double, and its reduction to 32 bits.

The contracts were written for JavaScript, where every number is an IEEE double. Hashes and logs
follow that reading, so a Python integer that a double cannot hold is rounded as JavaScript would.
"""

import math

SAFE_INTEGER = 2**53  # Integers up to this magnitude are exact in a double.
LEAST_SAFE_INTEGER = -SAFE_INTEGER

# JavaScript writes numbers from 1e-6 to below 1e21 without an exponent.
_PLAIN_FROM_POINT = -6
_PLAIN_TO_POINT = 21


def number_text(value: float) -> str:
    """The shortest text that reads back as `value`, in JavaScript's layout. `value` is finite."""
    if isinstance(value, int) and LEAST_SAFE_INTEGER <= value <= SAFE_INTEGER:
        return int.__repr__(value)
    double = float(value)
    if double == 0:
        return "0"
    sign = "-" if double < 0 else ""
    mantissa, _, exponent = float.__repr__(abs(double)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    return sign + _layout(digits.rstrip("0"), point)


def _layout(digits: str, point: int) -> str:
    """The text of digits without outer zeros, whose decimal point is `point` places after their
    start."""
    count = len(digits)
    if count <= point <= _PLAIN_TO_POINT:
        return digits + "0" * (point - count)
    if 0 < point <= _PLAIN_TO_POINT:
        return f"{digits[:point]}.{digits[point:]}"
    if _PLAIN_FROM_POINT < point <= 0:
        return f"0.{'0' * -point}{digits}"
    power = point - 1
    mark = f"{digits[0]}.{digits[1:]}" if count > 1 else digits
    return f"{mark}e{'+' if power >= 0 else '-'}{abs(power)}"


def as_double(value: float) -> float:
    """The double that JavaScript would hold for `value`; infinite for an integer beyond its
    range."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def to_uint32(value: float) -> int:
    """The number modulo 2^32 with its fraction dropped toward zero; zero when it is not finite."""
    double = as_double(value)
    return int(double) & 0xFFFFFFFF if math.isfinite(double) else 0


def floor(value: float) -> float:
    """The floor as a double, which unlike `math.floor` leaves infinities and NaN as they are."""
    return float(math.floor(value)) if math.isfinite(value) else value


def whole(value: float) -> float:
    """The same number, as an `int` where that is exact: whole numbers are then cheap to write and
    to compare."""
    return int(value) if abs(value) <= SAFE_INTEGER and value == int(value) else value


def as_number(value: float) -> float:
    """The number that JavaScript would hold for `value`, as an `int` where that is exact."""
    if type(value) is int and LEAST_SAFE_INTEGER <= value <= SAFE_INTEGER:
        return value
    return whole(as_double(value))


def plus(left: float, right: float) -> float:
    """The sum as a double, as an `int` where that is exact."""
    total = left + right
    if type(total) is int and LEAST_SAFE_INTEGER <= total <= SAFE_INTEGER:
        return total  # integers this small add up the same in Python and in JavaScript
    return whole(as_double(left) + as_double(right))

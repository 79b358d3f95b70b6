"""The statistics of a comparison: paired differences, their intervals, and several of them at once.

Two societies with the same seed begin alike, so what is looked at is the difference within each
pair. Its mean has a t interval; its test is the paired t test; Holm's correction holds the chance
of even one false difference among all that are looked at together.

Sums are exact and results are rounded, so that the same figures give the same bytes wherever they
are computed.
"""

from collections.abc import Sequence
from math import exp, fsum, lgamma, log, sqrt
from typing import Final

import msgspec

CONFIDENCE: Final = 0.95
"""The confidence of every interval."""
ALPHA: Final = 0.05
"""How likely one false difference may be, among all that are tested together."""
LEAST_PAIRS: Final = 2
"""With fewer, nothing can be said about chance."""
DIGITS: Final = 6
"""Digits that matter in every result."""
_NOISE: Final = 1e-12
_SMALL: Final = 1e-300
_PRECISION: Final = 1e-14
_MAX_STEPS: Final = 500
_MAX_HALVINGS: Final = 200


class PairedDifference(msgspec.Struct, frozen=True, kw_only=True):
    """The difference between two conditions, over pairs."""

    pairs: int
    mean: float
    low: float | None
    """The ends of the interval; None with a single pair."""
    high: float | None
    spread: float | None
    """The standard deviation of the differences: how far a single pair goes apart."""
    effect: float | None
    """The mean in standard deviations of the differences; None if these do not vary."""
    p: float | None
    """How often chance alone would give at least as much, if there were no difference."""


def paired_difference(base: Sequence[float], other: Sequence[float]) -> PairedDifference:
    """How much higher the others are than the first, pair by pair."""
    differences = [_difference(x, y) for x, y in zip(base, other, strict=True)]
    count = len(differences)
    mean = fsum(differences) / count
    if count < LEAST_PAIRS:
        return PairedDifference(
            pairs=count, mean=rounded(mean), low=None, high=None, spread=None, effect=None, p=None
        )
    deviation = sqrt(fsum((each - mean) ** 2 for each in differences) / (count - 1))
    if deviation <= abs(mean) * _NOISE:
        return _constant(mean, count)
    error = deviation / sqrt(count)
    reach = t_quantile((1 + CONFIDENCE) / 2, count - 1) * error
    return PairedDifference(
        pairs=count,
        mean=rounded(mean),
        low=rounded(mean - reach),
        high=rounded(mean + reach),
        spread=rounded(deviation),
        effect=rounded(mean / deviation),
        p=rounded(two_sided_p(mean / error, count - 1)),
    )


def _difference(x: float, y: float) -> float:
    """How much higher the second is; 0 if they differ only by rounding."""
    return 0.0 if abs(y - x) <= _NOISE * max(abs(x), abs(y)) else y - x


def _constant(mean: float, count: int) -> PairedDifference:
    """Every pair differs by the same. Where a t test would be certain, the test is that of signs:
    how often as many fair coins fall alike."""
    value = rounded(mean)
    p = 1.0 if value == 0 else rounded(2.0 ** (1 - count))
    return PairedDifference(
        pairs=count, mean=value, low=value, high=value, spread=0.0, effect=None, p=p
    )


def holm(values: Sequence[float]) -> list[float]:
    """Holm's correction: each p as if it were the only one that was looked at."""
    adjusted = [0.0] * len(values)
    least = 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=lambda place: values[place])):
        least = max(least, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = rounded(least)
    return adjusted


def mean(values: Sequence[float]) -> float:
    """The mean of at least one value."""
    return fsum(values) / len(values)


def rounded(value: float) -> float:
    """A result with the digits that matter; never a negative zero."""
    return float(f"{value:.{DIGITS}g}") + 0.0


def two_sided_p(t: float, freedom: int) -> float:
    """How often a value of Student's t distribution is at least as far from 0."""
    return _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


def t_quantile(share: float, freedom: int) -> float:
    """The value of Student's t distribution that a share of 0.5 or more lies below."""
    low = 0.0
    high = 1.0
    while 1 - two_sided_p(high, freedom) / 2 < share:
        high *= 2
    for _ in range(_MAX_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if 1 - two_sided_p(middle, freedom) / 2 < share:
            low = middle
        else:
            high = middle
    return high


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularized incomplete beta function, by its continued fraction."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    # The fraction converges quickly below this point; beyond it the other side does.
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x))
    return front * _fraction(a, b, x) / a


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    c = 1.0
    d = _inverse(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _MAX_STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = _inverse(1 + even * d)
        c = _away_from_zero(1 + even / c)
        value *= d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = _inverse(1 + odd * d)
        c = _away_from_zero(1 + odd / c)
        step = d * c
        value *= step
        if abs(step - 1) < _PRECISION:
            break
    return value


def _inverse(value: float) -> float:
    return 1 / _away_from_zero(value)


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _SMALL else _SMALL

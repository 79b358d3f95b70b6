"""Arithmetic with the same result to the last bit on every machine.

IEEE 754 fixes addition, subtraction, multiplication, division and square roots, but neither `exp`
nor the order in which a library sums. So the exponential is a series here, matrices are eliminated
row by row with element-wise operations (a linear algebra library chooses its order by processor),
and sums are exact (`math.fsum`) or run from the first value to the last (`numpy.bincount`).
"""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

_LARGEST: Final = 700.0  # exp of this is still finite.
_LOG2_E: Final = 1.4426950408889634
# ln 2 in two parts: multiples of the first are exact, so that the remainder keeps all its digits.
_LN2_HIGH: Final = 0.693145751953125
_LN2_LOW: Final = 1.42860682030941723212e-6
_TERMS: Final = 14  # Of the series; the next one is below 1e-18 for remainders up to 0.35.


def exp(values: Floats) -> Floats:
    """The exponential of each value, which is first cut to the range in which that is finite."""
    bounded = np.clip(values, -_LARGEST, _LARGEST)
    powers = np.rint(bounded * _LOG2_E)
    rest = (bounded - powers * _LN2_HIGH) - powers * _LN2_LOW
    series = np.ones_like(rest)
    for term in range(_TERMS, 0, -1):
        series = 1.0 + rest * series / term
    scaled: Floats = np.ldexp(series, powers.astype(np.int32))
    return scaled


def logistic(values: Floats) -> Floats:
    """1 / (1 + exp(-x)) of each value: the probability whose log odds it is."""
    probabilities: Floats = 1.0 / (1.0 + exp(-values))
    return probabilities


def inverse(matrix: Floats) -> Floats:
    """The inverse of a symmetric, positive definite matrix, by Gauss and Jordan without pivoting,
    which such a matrix does not need."""
    result = matrix.copy()
    for k in range(len(result)):
        pivot = result[k, k]
        row = result[k] / pivot
        column = result[:, k].copy()
        result -= column[:, None] * row[None, :]
        result[k] = row
        result[:, k] = -column / pivot
        result[k, k] = 1.0 / pivot
    return result


def total(weights: Floats, groups: Integers, count: int) -> Floats:
    """The sum of the weights in each of `count` groups, added in the order in which they stand."""
    return np.bincount(groups, weights=weights, minlength=count).astype(np.float64)

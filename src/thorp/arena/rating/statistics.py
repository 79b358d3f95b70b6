"""Means with intervals, by operations whose result is the same to the last bit everywhere."""

import math
from collections.abc import Sequence
from typing import Final

Z_95: Final = 1.959963984540054
"""95 % of a normal distribution are within this many standard deviations."""

_T_95: Final = (
    *(12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281),
    *(2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860),
    *(2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423),
)
"""Student's t for 95 %, two-sided, by degrees of freedom from 1."""


def t_95(freedom: int) -> float:
    """Student's t for these degrees of freedom."""
    if freedom <= len(_T_95):
        return _T_95[freedom - 1]
    # The first terms of Cornish and Fisher: beyond the table exact to four digits. Products, since
    # powers of floats are the C library's.
    z = Z_95
    z3 = z * z * z
    z5 = z3 * z * z
    return z + (z3 + z) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom * freedom)


def mean(values: Sequence[float]) -> float:
    """The mean, from an exact sum."""
    return math.fsum(values) / len(values)


def half_width(deviations: Sequence[float]) -> float | None:
    """Half the width of the 95 % interval of a mean, from each observation's deviation; None for
    fewer than two."""
    count = len(deviations)
    if count < 2:
        return None
    middle = mean(deviations)
    squares = math.fsum((each - middle) * (each - middle) for each in deviations)
    return t_95(count - 1) * math.sqrt(squares / (count - 1) / count)

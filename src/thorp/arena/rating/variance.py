"""Where the outcomes of duels come from: who plays, where they sit, and luck.

The outcome of a duel is 1, 0.5 or 0. Around one half its squares are divided: *skill* is what stays
the same whenever the same two meet, however they sit; *seat* is what changes when they exchange
seats; *luck* is the rest: what changes from deal to deal with the same two in the same seats. Parts
of small samples are without bias: the squares within n duels of a kind count n / (n-1) times, and a
kind that was played once says nothing about luck and is left out.

Each game weighs alike. All sums are of whole numbers.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from thorp.arena.rating.results import Duels


class Shares(NamedTuple):
    """The shares of skill, seat and luck, which sum to 1."""

    skill: float
    seat: float
    luck: float


def divide_variance(duels: Duels) -> Shares | None:
    """Divide the variance of duels between different agents; None if no two agents met twice in the
    same seats."""
    count = len(duels.agents)
    others = duels.first != duels.second
    pair = duels.game * (count * count) + duels.of_pairs()
    seats = duels.seats + 1
    kind = (pair * seats + duels.first_seat + 1) * seats + duels.second_seat + 1
    kinds, cell = np.unique(kind[others], return_inverse=True)
    # In halves, from -1 to 1.
    halves = (2 * duels.outcome[others]).astype(np.int64) - 1
    played = np.bincount(cell, minlength=len(kinds)).tolist()
    sums = np.bincount(cell, weights=halves, minlength=len(kinds)).astype(np.int64).tolist()
    squares = np.bincount(cell, weights=halves * halves, minlength=len(kinds)).astype(np.int64)
    games: dict[int, dict[int, list[tuple[int, int, int]]]] = {}
    for number, *row in zip(kinds.tolist(), played, sums, squares.tolist(), strict=True):
        pair_number = number // (seats * seats)
        game = games.setdefault(pair_number // (count * count), {})
        if row[0] > 1:
            game.setdefault(pair_number, []).append((row[0], row[1], row[2]))
    parts = [_of_game(list(pairs.values())) for pairs in games.values()]
    shares = [each for each in parts if each is not None]
    if not shares:
        return None
    luck = sum((each[1] for each in shares), Fraction()) / len(shares)
    skill = sum((each[0] for each in shares), Fraction()) / len(shares)
    return Shares(float(skill), float(1 - skill - luck), float(luck))


def _of_game(pairs: list[list[tuple[int, int, int]]]) -> tuple[Fraction, Fraction] | None:
    """The shares of skill and luck in one game; None if nothing was decided or nobody met twice."""
    whole = sum(squares for kinds in pairs for _, _, squares in kinds)
    if not whole:
        return None
    luck = Fraction()
    skill = Fraction()
    for kinds in pairs:
        played = sum(number for number, _, _ in kinds)
        noise = Fraction()
        means = Fraction()
        for number, total, squares in kinds:
            within = (squares - Fraction(total * total, number)) / (number - 1)
            luck += number * within
            noise += within / number
            means += Fraction(total, number)
        # The square of the mean over both seatings, less what noise adds to it.
        seatings = len(kinds)
        mean = means / seatings
        skill += played * max(Fraction(), mean * mean - noise / (seatings * seatings))
    luck_share = min(Fraction(1), luck / whole)
    return min(1 - luck_share, skill / whole), luck_share

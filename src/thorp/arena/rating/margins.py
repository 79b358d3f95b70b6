"""By how much each agent beats each other: whole numbers, in thousandths, and antisymmetric.

A margin is the mean over the games in which two agents met, of the share of duels won less the
share lost. Both seatings weigh alike, however often each was played. A pair that never met is lost
by the one who has met fewer of the others: a missing fixture counts as the worst. If both have met
as many, it is even.
"""

from typing import Final, NamedTuple

import numpy as np

from thorp.arena.rating.arithmetic import Integers
from thorp.arena.rating.results import Duels

WHOLE: Final = 1000  # The margin of who wins every duel.


class Margins(NamedTuple):
    """`won[i][j]` is the margin of i over j; `sure_wins[i][j]` says whether a sign test at 95 %
    shows that i beats j; `met[i]` is how many others i has met."""

    won: list[list[int]]
    sure_wins: list[list[bool]]
    met: list[int]


def make_margins(duels: Duels) -> Margins:
    """The margins of all pairs, over all games."""
    count = len(duels.agents)
    others = duels.first != duels.second
    order = (duels.first_seat <= duels.second_seat).astype(np.int64)
    pair = duels.game * (count * count) + duels.of_pairs()
    key = (pair * 2 + order)[others]
    halves = (2 * duels.outcome[others]).astype(np.int64)
    cells, cell = np.unique(key, return_inverse=True)
    played = np.bincount(cell, minlength=len(cells))
    # Sums of small whole numbers are exact in a double.
    halves_won = np.bincount(cell, weights=halves, minlength=len(cells)).astype(np.int64)
    of_pair: dict[int, list[tuple[int, int]]] = {}
    for number, games, won in zip(
        cells.tolist(), played.tolist(), halves_won.tolist(), strict=True
    ):
        of_pair.setdefault(number // 2, []).append((won - games, games))
    of_games: dict[tuple[int, int], list[list[tuple[int, int]]]] = {}
    for number, seatings in sorted(of_pair.items()):
        first, second = divmod(number % (count * count), count)
        of_games.setdefault((first, second), []).append(seatings)
    return _antisymmetric(count, of_games)


def _antisymmetric(
    count: int, of_games: dict[tuple[int, int], list[list[tuple[int, int]]]]
) -> Margins:
    won = [[0] * count for _ in range(count)]
    sure_wins = [[False] * count for _ in range(count)]
    met = [0] * count
    for (first, second), games in of_games.items():
        met[first] += 1
        met[second] += 1
        margin = _mean([_mean([_share(*seating) for seating in seatings]) for seatings in games])
        won[first][second] = margin
        won[second][first] = -margin
        ahead = sum(difference for seatings in games for difference, _ in seatings)
        played = sum(number for seatings in games for _, number in seatings)
        # The sign test's normal approximation: 1.96 squared is 3.8416.
        if 10_000 * ahead * ahead > 38_416 * played:
            sure_wins[first][second] = ahead > 0
            sure_wins[second][first] = ahead < 0
    for first in range(count):
        for second in range(first):
            if (second, first) not in of_games and met[first] != met[second]:
                loser, winner = (first, second) if met[first] < met[second] else (second, first)
                won[winner][loser] = WHOLE
                won[loser][winner] = -WHOLE
    return Margins(won, sure_wins, met)


def _share(difference: int, played: int) -> int:
    """Duels won less those lost, in thousandths of those played; rounded towards zero, so that the
    other side's share is exactly the opposite."""
    return _divide(WHOLE * difference, played)


def _mean(values: list[int]) -> int:
    return _divide(sum(values), len(values))


def _divide(value: int, by: int) -> int:
    return value // by if value >= 0 else -(-value // by)


def as_array(margins: Margins) -> Integers:
    """The margins as an array, for looking at all of them at once."""
    return np.array(margins.won, dtype=np.int64).reshape(len(margins.won), len(margins.won))

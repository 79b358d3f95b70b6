"""Bradley-Terry: one number for each agent, such that differences say who wins how often.

    log odds that i beats j  =  rating of i - rating of j + advantage of i's seat - that of j's seat

A draw is half a win for each. Each number has one virtual draw against 0 as its prior, which keeps
it finite where somebody always wins. Games weigh alike: the duels of a game together weigh as much
as those of any other, namely the harmonic mean of what the games have.

**Intervals** are those of the sandwich estimator, clustered by deal: the two seatings of a fixture
share their luck and count as one observation. Where everybody behaves the same again and again the
sandwich is too narrow (an unbeaten agent has no residuals), so an interval is never narrower than
the one that the model itself gives. Of a single deal nothing can be said, and there is no interval.

Ratings are shown on the scale of Elo: 400 points are odds of ten to one, and the average is 1500.
"""

import math
from typing import Final, NamedTuple

import numpy as np

from thorp.arena.rating.arithmetic import Floats, Integers, inverse, logistic, total
from thorp.arena.rating.results import Duels
from thorp.arena.rating.statistics import t_95

POINTS: Final = 173.71779276130073  # Points of one unit of log odds: 400 / ln 10.
AVERAGE: Final = 1500.0
PRIOR_WEIGHT: Final = 1.0  # In duels: the virtual draw of each parameter.
MAX_STEPS: Final = 100  # Newton's method needs about 8; the bound is against surprises.
LONGEST_STEP: Final = 2.0  # In log odds; longer ones can overshoot far from the solution.
CLOSE_ENOUGH: Final = 1e-11


class Rating(NamedTuple):
    """A rating in points and the bounds of its interval, which are None for less than two deals;
    and in how many deals the agent has duels."""

    value: float
    low: float | None
    high: float | None
    deals: int


class _Cells(NamedTuple):
    """Duels that the model cannot tell apart, counted together: their game, their four parameters,
    the weight of the duels and the weight of those that were won."""

    game: Integers
    parameters: Integers
    weight: Floats
    won: Floats


_SIGNS: Final = np.array([1.0, -1.0, 1.0, -1.0])
"""Of the four parameters of a duel: first agent, second, seat of the first, seat of the second."""


class Model:
    """Duels counted together, from which ratings are fitted."""

    def __init__(self, duels: Duels) -> None:
        self._duels = duels
        self._count = len(duels.agents)
        self._size = self._count + duels.seats
        self._parameters = _parameters(duels, self._size)
        self._cells = _cells(duels, self._parameters, self._size)

    def rate(self) -> list[Rating]:
        """The rating of every agent, in the order of `duels.agents`."""
        scale = _scale_of_games(self._cells, len(self._duels.games))
        cells = _scaled(self._cells, scale)
        return self._with_intervals(scale, cells, _fit(cells, self._size))

    def rate_with_copy(self, copied: int) -> list[float]:
        """The ratings, without intervals, if a copy of this agent had played the same matches with
        the same results: its duels with others then count twice."""
        first, second = self._cells.parameters[:2]
        twice = np.where((first == copied) != (second == copied), 2.0, 1.0)
        cells = self._cells._replace(weight=self._cells.weight * twice, won=self._cells.won * twice)
        scaled = _scaled(cells, _scale_of_games(cells, len(self._duels.games)))
        values = _fit(scaled, self._size)[: self._count].tolist()
        middle = math.fsum([*values, values[copied]]) / (self._count + 1)
        return [_points(value - middle) for value in values]

    def _with_intervals(self, scale: Floats, cells: _Cells, values: Floats) -> list[Rating]:
        duels = self._duels
        count = self._count
        expected = logistic(_log_odds(self._parameters, values))
        curvature = _curvature(cells, logistic(_log_odds(cells.parameters, values)), values)
        spread = inverse(curvature)
        weights = duels.weight * scale[duels.game]
        residuals = weights * (duels.outcome - expected)
        # What the model itself expects of the residuals' squares, if all duels were independent.
        modelled = weights * weights * expected * (1.0 - expected)
        correction = duels.deals / max(1, duels.deals - 1)
        middle = math.fsum(values[:count].tolist()) / max(1, count)
        middle_row = _apply(spread, (np.arange(len(values)) < count) / max(1, count))
        ratings = []
        for agent in range(count):
            # A rating is over the average of all, whose own uncertainty therefore does not count.
            padded = np.append(spread[agent] - middle_row, 0.0)
            first, second, first_seat, second_seat = (padded[each] for each in self._parameters)
            influence = (first - second) + (first_seat - second_seat)
            by_deal = total(influence * residuals, duels.deal, duels.deals)
            sandwich = correction * math.fsum((by_deal * by_deal).tolist())
            model = math.fsum((influence * influence * modelled).tolist())
            deals = _count_deals(duels, agent)
            value = _points(float(values[agent]) - middle)
            if deals < 2:
                ratings.append(Rating(value, None, None, deals))
                continue
            reach = POINTS * t_95(deals - 1) * math.sqrt(max(sandwich, model))
            ratings.append(Rating(value, value - reach, value + reach, deals))
        return ratings


def rate(duels: Duels) -> list[Rating]:
    """The rating of every agent, in the order of `duels.agents`."""
    return Model(duels).rate()


def _count_deals(duels: Duels, agent: int) -> int:
    """In how many deals an agent has a duel with another."""
    mine = (duels.first == agent) != (duels.second == agent)
    return len(np.unique(duels.deal[mine]))


def _scale_of_games(cells: _Cells, games: int) -> Floats:
    """What each game's duels count, such that all games weigh alike."""
    weights = total(cells.weight, cells.game, games)
    played = weights[weights > 0].tolist()
    each = len(played) / math.fsum(1 / weight for weight in played) if played else 0.0
    scale: Floats = each / np.where(weights > 0, weights, 1.0)
    return scale


def _scaled(cells: _Cells, scale: Floats) -> _Cells:
    factor = scale[cells.game]
    return cells._replace(weight=cells.weight * factor, won=cells.won * factor)


def _parameters(duels: Duels, size: int) -> Integers:
    """The numbers of the four parameters of each duel; `size` stands for none."""
    count = len(duels.agents)
    seats = [
        np.where(seat < 0, size, seat + count) for seat in (duels.first_seat, duels.second_seat)
    ]
    return np.stack([duels.first, duels.second, *seats])


def _cells(duels: Duels, parameters: Integers, size: int) -> _Cells:
    key = duels.game
    for row in parameters:
        key = key * (size + 1) + row
    _, first, cell = np.unique(key, return_index=True, return_inverse=True)
    return _Cells(
        duels.game[first],
        parameters[:, first],
        total(duels.weight, cell, len(first)),
        total(duels.weight * duels.outcome, cell, len(first)),
    )


def _fit(cells: _Cells, size: int) -> Floats:
    """The parameters of greatest likelihood, by Newton's method."""
    values = np.zeros(size)
    for _ in range(MAX_STEPS):
        expected = logistic(_log_odds(cells.parameters, values))
        gradient = _spread(cells.parameters, cells.won - cells.weight * expected, size)
        gradient += PRIOR_WEIGHT * (0.5 - logistic(values))
        step = _apply(inverse(_curvature(cells, expected, values)), gradient)
        longest = float(np.max(np.abs(step), initial=0.0))
        if longest > LONGEST_STEP:
            step = step * (LONGEST_STEP / longest)
        values = values + step
        if longest < CLOSE_ENOUGH:
            break
    return values


def _log_odds(parameters: Integers, values: Floats) -> Floats:
    padded = np.append(values, 0.0)
    first, second, first_seat, second_seat = (padded[row] for row in parameters)
    odds: Floats = (first - second) + (first_seat - second_seat)
    return odds


def _spread(parameters: Integers, amounts: Floats, size: int) -> Floats:
    """Add each amount to its four parameters, with their signs."""
    signed = (_SIGNS[:, None] * amounts[None, :]).ravel()
    return total(signed, parameters.ravel(), size + 1)[:size]


def _curvature(cells: _Cells, expected: Floats, values: Floats) -> Floats:
    """The negative second derivatives of the log likelihood, the prior's included."""
    size = len(values)
    spread = cells.weight * expected * (1.0 - expected)
    where = cells.parameters[:, None, :] * (size + 1) + cells.parameters[None, :, :]
    amounts = (_SIGNS[:, None] * _SIGNS[None, :])[:, :, None] * spread[None, None, :]
    summed = total(amounts.ravel(), where.ravel(), (size + 1) ** 2)
    matrix = summed.reshape(size + 1, size + 1)[:size, :size].copy()
    own = logistic(values)
    matrix[np.diag_indices(size)] += PRIOR_WEIGHT * own * (1.0 - own)
    return matrix


def _apply(matrix: Floats, vector: Floats) -> Floats:
    """The product of a symmetric matrix and a vector, summed from the first row to the last."""
    product = np.zeros(len(vector))
    for row, amount in zip(matrix, vector.tolist(), strict=True):
        product += row * amount
    return product


def _points(log_odds: float) -> float:
    return AVERAGE + POINTS * log_odds

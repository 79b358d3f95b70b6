"""A rank that copies cannot move: agents in tiers, by maximal lotteries.

A *maximal lottery* over agents is one that no agent beats on average: an optimal strategy of the
game in which each of two players names an agent, and the margin between them is paid. The first
tier is the *essential set* (Dutta and Laslier 1999): all agents that some maximal lottery uses. The
second tier is the essential set of the rest, and so on. Where somebody beats all others, the first
tier is that agent alone; where three beat each other in a circle, it is the three of them.

A copy of an agent can only share the agent's part of a lottery. So whoever enters copies moves
nobody's tier, while every other rating rises or falls with the company (Bradley-Terry, Elo and
points all do).

Margins are whole numbers, and everything here is computed exactly, with whole numbers: the simplex
method of Edmonds, whose divisions leave no remainder. Bland's rule keeps it from going in circles.
"""

from collections.abc import Sequence
from typing import Final

MAX_CIRCLE: Final = 40
"""The largest circle in which lotteries are sought: it takes half a second of exact arithmetic, and
the time grows with the sixth power. A larger circle is a tier as it is, which copies cannot move
either."""

Matrix = Sequence[Sequence[int]]


def make_tiers(margins: Matrix, agents: Sequence[int] | None = None) -> list[list[int]]:
    """The agents (numbers of rows) in tiers, the best first."""
    left = list(range(len(margins)) if agents is None else agents)
    tiers = []
    while left:
        best = essential_set(margins, left)
        tiers.append(best)
        left = [agent for agent in left if agent not in best]
    return tiers


def essential_set(margins: Matrix, agents: Sequence[int]) -> list[int]:
    """Those agents that some maximal lottery over these agents uses."""
    circle = _dominating(margins, agents)
    if len(circle) == 1 or len(circle) > MAX_CIRCLE:
        return circle
    solver = _Simplex([[margins[agent][other] for other in circle] for agent in circle])
    return [agent for place, agent in enumerate(circle) if solver.can_use(place)]


def _dominating(margins: Matrix, agents: Sequence[int]) -> list[int]:
    """The smallest group whose members beat everybody outside it. No maximal lottery uses anybody
    else, so the search may begin here."""
    losses = {agent: [other for other in agents if margins[other][agent] >= 0] for agent in agents}
    start = min(agents, key=lambda agent: (len(losses[agent]), agent))
    group = {start}
    waiting = [start]
    while waiting:
        for other in losses[waiting.pop()]:
            if other not in group:
                group.add(other)
                waiting.append(other)
    return [agent for agent in agents if agent in group]


class _Simplex:
    """The optimal lotteries of an antisymmetric matrix of whole numbers.

    With c added to every entry the game is worth c to who names the row, and x maximises sum(x)
    subject to (M + c) x <= 1 and x >= 0; the lottery is x / sum(x). The tableau holds each basic
    variable's row over the other variables, times a common denominator. Variables 0 to n-1 are x,
    and n to 2n-1 the slacks.
    """

    def __init__(self, matrix: list[list[int]]) -> None:
        count = len(matrix)
        raised = 1 + max(abs(entry) for row in matrix for entry in row)
        self._count = count
        self._rows = [[entry + raised for entry in row] + [1] for row in matrix]
        self._rows.append([-1] * count + [0])  # the objective
        self._basic = list(range(count, 2 * count))
        self._others = list(range(count))
        self._denominator = 1
        self._used: set[int] = set()
        while (column := self._improving()) is not None:
            self._pivot(column)
        self._note_used()

    def can_use(self, agent: int) -> bool:
        """Whether some optimal lottery gives this agent a part."""
        if agent in self._used:
            return True
        if agent in self._others:
            column = self._others.index(agent)
            if self._rows[-1][column] != 0:
                return False
            self._move(column)
        while agent not in self._used:
            row = self._rows[self._basic.index(agent)]
            raising = [
                (variable, column)
                for column, variable in enumerate(self._others)
                if row[column] < 0 and self._rows[-1][column] == 0
            ]
            if not raising:
                return False
            self._move(min(raising)[1])
        return True

    def _move(self, column: int) -> None:
        """Go on to another optimal lottery, and note whom it uses."""
        self._pivot(column)
        self._note_used()

    def _improving(self) -> int | None:
        """The column of the first variable (by number: Bland's rule) that raises the objective."""
        objective = self._rows[-1]
        improving = [
            (variable, column)
            for column, variable in enumerate(self._others)
            if objective[column] < 0
        ]
        return min(improving)[1] if improving else None

    def _pivot(self, column: int) -> None:
        """Exchange the variable of a column with the basic one that reaches zero first."""
        leaving = -1
        for number, row in enumerate(self._rows[:-1]):
            if row[column] <= 0:
                continue
            if leaving < 0:
                leaving = number
                continue
            best = self._rows[leaving]
            difference = row[-1] * best[column] - best[-1] * row[column]
            tied_earlier = difference == 0 and self._basic[number] < self._basic[leaving]
            if difference < 0 or tied_earlier:
                leaving = number
        assert leaving >= 0, "lotteries are bounded, so every variable has a row that stops it"
        self._exchange(leaving, column)

    def _exchange(self, leaving: int, column: int) -> None:
        pivot_row = self._rows[leaving]
        pivot = pivot_row[column]
        old = self._denominator
        for number, row in enumerate(self._rows):
            if number == leaving:
                continue
            factor = row[column]
            self._rows[number] = [
                (pivot * entry - factor * other) // old
                for entry, other in zip(row, pivot_row, strict=True)
            ]
            self._rows[number][column] = -factor
        pivot_row[column] = old
        self._denominator = pivot
        entering = self._others[column]
        self._others[column] = self._basic[leaving]
        self._basic[leaving] = entering

    def _note_used(self) -> None:
        for variable, row in zip(self._basic, self._rows[:-1], strict=True):
            if variable < self._count and row[-1] > 0:
                self._used.add(variable)

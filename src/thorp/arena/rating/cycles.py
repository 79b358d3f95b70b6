"""Circles: three agents of which each beats the next, so that no number can rank them rightly."""

from typing import Final, NamedTuple

import numpy as np

from thorp.arena.rating.margins import Margins, as_array

MAX_NAMED: Final = 10  # The strongest circles are named; the share says how many more there are.


class Cycle(NamedTuple):
    """Three agents, each of which beats the next and the last the first; `margin` is the least of
    the three margins, in thousandths."""

    agents: tuple[int, int, int]
    margin: int


class Cycles(NamedTuple):
    """The strongest circles that tests show, and the share of all triples that are circles by their
    margins, shown or not."""

    named: list[Cycle]
    share: float


def find_cycles(margins: Margins) -> Cycles:
    """Find the circles of three. Only those are named in which a sign test shows all three wins."""
    won = as_array(margins)
    count = len(won)
    beats = won > 0
    sure_wins = np.array(margins.sure_wins, dtype=bool).reshape(count, count)
    circles = 0
    named = []
    for first in range(count):
        # Each circle is found once, from its agent with the smallest number.
        later = np.arange(count) > first
        ways = beats[first][:, None] & beats & beats[:, first][None, :]
        ways &= later[:, None] & later[None, :]
        circles += int(np.count_nonzero(ways))
        sure = sure_wins[first][:, None] & sure_wins & sure_wins[:, first][None, :] & ways
        for second, third in zip(*(places.tolist() for places in np.nonzero(sure)), strict=True):
            margin = min(
                margins.won[first][second], margins.won[second][third], margins.won[third][first]
            )
            named.append(Cycle((first, second, third), margin))
    named.sort(key=lambda cycle: (-cycle.margin, cycle.agents))
    triples = count * (count - 1) * (count - 2) // 6
    return Cycles(named[:MAX_NAMED], circles / triples if triples else 0.0)

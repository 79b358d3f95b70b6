"""Results to rate, and the duels in them as arrays.

A result is one match: its game, its *deal* (everything that chance decided; matches of one deal are
not independent), who sat where, and the scores. Every two seats of a match have a duel, which the
higher score wins. At a table of n each duel weighs 1/(n-1), so that a match weighs the same for
each of its players, however many they are.

Everything is sorted first, by content, so whatever is computed depends on the set of results and
not on the order in which they came.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final, NamedTuple

import msgspec
import numpy as np

from thorp.arena.rating.arithmetic import Floats, Integers

NO_SEAT: Final = -1  # The duel is between scores of two matches, or the last seat of a game.


class Result(msgspec.Struct, frozen=True):
    """One match: its game, its deal, the agents by seat and their scores."""

    game: str
    deal: str
    agents: tuple[str, ...]
    scores: tuple[float, ...]


class Duels(NamedTuple):
    """Every duel, a row each, in canonical order: numbers of game, deal and agents, numbers of
    their seats' advantages, the outcome for the first (1, 0.5 or 0), and the weight."""

    agents: tuple[str, ...]
    games: tuple[str, ...]
    deals: int
    seats: int
    game: Integers
    deal: Integers
    first: Integers
    second: Integers
    first_seat: Integers
    second_seat: Integers
    outcome: Floats
    weight: Floats

    def of_pairs(self) -> Integers:
        """The number of each duel's pair: first * agents + second."""
        return self.first * len(self.agents) + self.second


def code_units(id: str) -> bytes:
    """Sort key of ids: their UTF-16 code units, the same in every locale."""
    return id.encode("utf-16-be", "surrogatepass")


def make_duels(
    results: Iterable[Result], agents: Sequence[str] = (), shared: frozenset[str] = frozenset()
) -> Duels:
    """List the duels of results. `agents` are listed even if they have none.

    In the games named by `shared` nobody plays against anybody: there, agents have a duel for each
    deal, between their mean scores on it.
    """
    results = list(results)
    ids = sorted({*agents, *(id for result in results for id in result.agents)}, key=code_units)
    games = sorted({result.game for result in results}, key=code_units)
    deals = sorted({(result.game, result.deal) for result in results})
    number = {id: place for place, id in enumerate(ids)}
    game_number = {game: place for place, game in enumerate(games)}
    deal_number = {deal: place for place, deal in enumerate(deals)}
    first_seat = _seat_numbers(results, games, shared)
    rows: list[tuple[float, ...]] = []
    common: dict[tuple[str, str], dict[str, list[float]]] = {}
    for result in results:
        if result.game in shared:
            scores = common.setdefault((result.game, result.deal), {})
            for id, score in zip(result.agents, result.scores, strict=True):
                scores.setdefault(id, []).append(score)
            continue
        seats = len(result.agents)
        base, last = first_seat[result.game]
        head = (game_number[result.game], deal_number[result.game, result.deal])
        for left, right in combinations(range(seats), 2):
            sides = [
                (number[result.agents[place]], base + place if place < last else NO_SEAT)
                for place in (left, right)
            ]
            outcome = _outcome(result.scores[left], result.scores[right])
            rows.append(_row(head, sides, outcome, 1 / (seats - 1)))
    for (game, deal), scores in common.items():
        head = (game_number[game], deal_number[game, deal])
        means = [(number[id], _exact_mean(own)) for id, own in scores.items()]
        for (left, score), (right, other_score) in combinations(means, 2):
            sides = [(left, NO_SEAT), (right, NO_SEAT)]
            rows.append(_row(head, sides, _outcome(score, other_score), 1 / (len(means) - 1)))
    table = np.array(sorted(rows), dtype=np.float64).reshape(len(rows), 8)
    columns = [table[:, place].astype(np.int64) for place in range(6)]
    return Duels(
        agents=tuple(ids),
        games=tuple(games),
        deals=len(deals),
        seats=sum(last for _, last in first_seat.values()),
        game=columns[0],
        deal=columns[1],
        first=columns[2],
        second=columns[3],
        first_seat=columns[4],
        second_seat=columns[5],
        outcome=np.ascontiguousarray(table[:, 6]),
        weight=np.ascontiguousarray(table[:, 7]),
    )


def _seat_numbers(
    results: Sequence[Result], games: Sequence[str], shared: frozenset[str]
) -> dict[str, tuple[int, int]]:
    """The number of each game's first seat, and of its last seat within the game. The last has no
    advantage of its own: advantages are over it."""
    largest = dict.fromkeys(games, 1)
    for result in results:
        if result.game not in shared:
            largest[result.game] = max(largest[result.game], len(result.agents))
    numbers: dict[str, tuple[int, int]] = {}
    base = 0
    for game in games:
        numbers[game] = (base, largest[game] - 1)
        base += largest[game] - 1
    return numbers


def _row(
    head: tuple[int, int], sides: list[tuple[int, int]], outcome: float, weight: float
) -> tuple[float, ...]:
    """A duel, seen from the agent that comes first by id."""
    if sides[0] > sides[1]:
        sides.reverse()
        outcome = 1 - outcome
    (first, first_seat), (second, second_seat) = sides
    return (*head, first, second, first_seat, second_seat, outcome, weight)


def _outcome(score: float, other: float) -> float:
    return 0.5 if score == other else float(score > other)


def _exact_mean(scores: Sequence[float]) -> float:
    return math.fsum(scores) / len(scores)

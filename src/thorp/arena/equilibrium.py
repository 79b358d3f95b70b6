"""Kuhn and Leduc poker solved: the whole tree of a deal, and what a strategy is worth in it.

A *spot* is what a place knows when it is to move: its card, the board, and the moves so far, as a
short text such as `QK crr/c`. A strategy gives, for each spot, a chance for each legal move. The
shipped strategies (`EQUILIBRIA`) were computed by `scripts/solve_poker.py`; how far they are from
an equilibrium, their *exploitability*, follows from them alone and is computed here again: what the
best answers to them would win together, a deal, averaged over both places.

Chances are shipped as whole numbers out of UNIT, so that a bot draws from them exactly.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import permutations
from pkgutil import get_data
from typing import Final, TypeAlias

import msgspec

from thorp.arena.scenarios.kuhn_poker import CARDS, KuhnPosition
from thorp.arena.scenarios.kuhn_poker import MOVES as KUHN_MOVES
from thorp.arena.scenarios.leduc_poker import MOVES as LEDUC_MOVES
from thorp.arena.scenarios.leduc_poker import RANKS, LeducPosition
from thorp.kernel.canonical import Json

UNIT: Final = 1_000_000
REACHED: Final = 1e-4
"""Spots that come about less often are left to the rounding of chances to millionths."""
VALUES: Final = {"kuhn-poker": -1 / 18, "leduc-poker": -0.0856}
"""What a deal is worth to place 0 when both play an equilibrium; Leduc's to four places."""

Strategy: TypeAlias = Mapping[str, Sequence[float]]

EQUILIBRIA: Final[dict[str, dict[str, list[int]]]] = json.loads(
    get_data("thorp.arena", "equilibria.json") or b"{}"
)
"""The shipped strategies: by game and spot, the weight of each legal move out of UNIT."""


class Node(msgspec.Struct, frozen=True):
    """A position with everything dealt. `place` is None at an end, where `gain` is what place 0
    has won; else `children` follow the legal moves in their order."""

    place: int | None
    spot: str
    children: tuple[int, ...]
    gain: int


class Tree(msgspec.Struct, frozen=True):
    """All deals of a game. Children stand behind their parents; `roots` has the chance of each
    deal."""

    nodes: tuple[Node, ...]
    roots: tuple[tuple[int, float], ...]
    moves: dict[str, tuple[str, ...]]
    """The legal moves in each spot."""


class Spot(msgspec.Struct, frozen=True):
    """What each move in a spot wins against the shipped equilibrium, if the best moves follow.

    `reached` is whether that equilibrium brings the spot about at least REACHED of the time, for a
    player who goes there; if not, the values are 0 and nothing is said of a move there.
    """

    values: dict[str, float]
    reached: bool

    def lost(self, move: str) -> float:
        """How much less this move is worth than the best, in chips."""
        return max(self.values.values()) - self.values[move]

    def lost_at_random(self) -> float:
        """The same for a move drawn evenly from all legal ones."""
        return sum(self.lost(move) for move in self.values) / len(self.values)


def spot_of(view: Mapping[str, Json]) -> str:
    """The spot that an observation of one of these games shows."""
    rounds = view["moves"] if view["moves"] and type(view["moves"][0]) is list else [view["moves"]]
    letters = "/".join("".join(word[0] for word in words) for words in rounds)
    return f"{view['card']}{view.get('board') or ''} {letters}"


@cache
def tree(game: str) -> Tree:
    """The tree of one deal of `kuhn-poker` or `leduc-poker`."""
    return _build(_kuhn_deals() if game == "kuhn-poker" else _leduc_deals(), _LETTERS[game])


@cache
def spots(game: str) -> dict[str, Spot]:
    """Every spot of a game, with the values of its moves against the shipped equilibrium."""
    equilibrium = normalised(EQUILIBRIA[game])
    return {
        **_spots_of(tree(game), equilibrium, 0),
        **_spots_of(tree(game), equilibrium, 1),
    }


def normalised(weights: Mapping[str, Sequence[int]]) -> dict[str, list[float]]:
    """Weights out of UNIT as chances."""
    return {spot: [weight / UNIT for weight in each] for spot, each in weights.items()}


def value(game: str, first: Strategy, second: Strategy) -> float:
    """What place 0 wins a deal with strategy `first` against `second`."""
    deals = tree(game)
    worth = [0.0] * len(deals.nodes)
    for index in range(len(deals.nodes) - 1, -1, -1):
        node = deals.nodes[index]
        if node.place is None:
            worth[index] = node.gain
            continue
        chances = (first, second)[node.place][node.spot]
        worth[index] = sum(
            chance * worth[child] for chance, child in zip(chances, node.children, strict=True)
        )
    return sum(chance * worth[root] for root, chance in deals.roots)


def exploitability(game: str, strategy: Strategy) -> float:
    """What the best answers to a strategy, played in both places, win on average a deal."""
    deals = tree(game)
    answers = [_BestAnswer(deals, strategy, place).value() for place in (0, 1)]
    return sum(answers) / 2


def uniform(game: str) -> dict[str, list[float]]:
    """The strategy that draws every move evenly."""
    moves = tree(game).moves
    return {spot: [1 / len(legal)] * len(legal) for spot, legal in moves.items()}


# Building


_LETTERS: Final = {"kuhn-poker": KUHN_MOVES, "leduc-poker": LEDUC_MOVES}
_Position: TypeAlias = KuhnPosition | LeducPosition


def _kuhn_deals() -> list[tuple[_Position, float]]:
    hands = list(permutations(range(len(CARDS)), 2))
    return [(KuhnPosition(hand), 1 / len(hands)) for hand in hands]


def _leduc_deals() -> list[tuple[_Position, float]]:
    """Deals by rank. Suits make no difference, so each stands for several deals of cards."""
    pack = [rank for rank in range(len(RANKS)) for _ in range(2)]
    counts: dict[tuple[int, ...], int] = {}
    for cards in permutations(pack, 3):
        counts[cards] = counts.get(cards, 0) + 1
    total = sum(counts.values())
    return [
        (LeducPosition((cards[0], cards[1]), cards[2]), count / total)
        for cards, count in counts.items()
    ]


def _build(deals: Sequence[tuple[_Position, float]], letters: Mapping[str, str]) -> Tree:
    nodes: list[Node] = []
    moves: dict[str, tuple[str, ...]] = {}

    def add(position: _Position) -> int:
        index = len(nodes)
        place = position.mover
        if place is None:
            nodes.append(Node(None, "", (), position.returns()[0]))
            return index
        view = position.view(place)
        spot = spot_of(view)
        moves[spot] = tuple(view["legal"])
        nodes.append(Node(place, spot, (), 0))  # its place in the list comes before its children's
        children = tuple(add(position.after(letters[word])) for word in view["legal"])
        nodes[index] = Node(place, spot, children, 0)
        return index

    roots = tuple((add(position), chance) for position, chance in deals)
    return Tree(tuple(nodes), roots, moves)


# Values


def _reaches(deals: Tree, strategy: Strategy, place: int) -> list[float]:
    """How likely chance and the other place bring each node about, if `place` goes there."""
    reach = [0.0] * len(deals.nodes)
    for root, chance in deals.roots:
        reach[root] = chance
    for index, node in enumerate(deals.nodes):
        chances = [1.0] * len(node.children) if node.place in (None, place) else strategy[node.spot]
        for chance, child in zip(chances, node.children, strict=True):
            reach[child] = reach[index] * chance
    return reach


class _BestAnswer:
    """The best answer of a place to a strategy, and what nodes are worth under it."""

    def __init__(self, deals: Tree, strategy: Strategy, place: int) -> None:
        self.members: dict[str, list[int]] = {}
        self.reach = _reaches(deals, strategy, place)
        self._deals = deals
        self._place = place
        self._sign = 1 if place == 0 else -1
        self._choices: dict[str, int] = {}
        self._weights: dict[int, float] = {}
        for index, node in enumerate(deals.nodes):
            if node.place == place:
                self.members.setdefault(node.spot, []).append(index)

    def value(self) -> float:
        """What it wins a deal."""
        return sum(self._weigh(root) for root, _chance in self._deals.roots)

    def move_values(self, spot: str) -> list[float]:
        """What each move in a spot is worth if the best answer follows, times the spot's reach."""
        nodes = [self._deals.nodes[index] for index in self.members[spot]]
        moves = range(len(nodes[0].children))
        return [sum(self._weigh(node.children[move]) for node in nodes) for move in moves]

    def _weigh(self, index: int) -> float:
        """What a node is worth, times its reach."""
        if index not in self._weights:
            node = self._deals.nodes[index]
            if node.place is None:
                weight = self._sign * node.gain * self.reach[index]
            elif node.place == self._place:
                weight = self._weigh(node.children[self._choose(node.spot)])
            else:
                weight = sum(self._weigh(child) for child in node.children)
            self._weights[index] = weight
        return self._weights[index]

    def _choose(self, spot: str) -> int:
        """The best move in a spot, which must be one for all nodes that it may be."""
        if spot not in self._choices:
            values = self.move_values(spot)
            self._choices[spot] = values.index(max(values))
        return self._choices[spot]


def _spots_of(deals: Tree, strategy: Strategy, place: int) -> dict[str, Spot]:
    """The spots of a place, by its best answer to a strategy."""
    answer = _BestAnswer(deals, strategy, place)
    spots = {}
    for spot, members in answer.members.items():
        weight = sum(answer.reach[index] for index in members)
        reached = weight >= REACHED
        values = [value / weight if reached else 0.0 for value in answer.move_values(spot)]
        spots[spot] = Spot(dict(zip(deals.moves[spot], values, strict=True)), reached)
    return spots

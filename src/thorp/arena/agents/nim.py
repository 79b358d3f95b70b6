"""Bots for nim, from blind to perfect."""

from thorp.arena.contract import AgentContext, SimpleAgent
from thorp.arena.scenarios.nim import NimPosition, is_won
from thorp.kernel.canonical import Json
from thorp.kernel.rng import bounded


class _HeapBot(SimpleAgent):
    """The base of these bots: reads the heaps, and makes a choice of a move an action."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        position = NimPosition(heaps=tuple(observation["heaps"]), misere=observation["misere"])
        heap, take = self.choose(position, position.moves(), ctx)
        return {"heap": heap, "take": take}

    def choose(
        self, position: NimPosition, moves: list[tuple[int, int]], ctx: AgentContext
    ) -> tuple[int, int]:
        """The move to make, one of the legal ones."""
        raise NotImplementedError


class RandomHeaps(_HeapBot):
    """Makes any legal move."""

    def choose(
        self, position: NimPosition, moves: list[tuple[int, int]], ctx: AgentContext
    ) -> tuple[int, int]:
        return moves[int(bounded(ctx.rng(), 0, len(moves) - 1))]


class EndgameHeaps(RandomHeaps):
    """Plays at random until at most two heaps are left, and perfectly from there."""

    def choose(
        self, position: NimPosition, moves: list[tuple[int, int]], ctx: AgentContext
    ) -> tuple[int, int]:
        if sum(1 for objects in position.heaps if objects) > 2:
            return super().choose(position, moves, ctx)
        return winning_move(position) or moves[0]


class PerfectHeaps(_HeapBot):
    """Wins every won position, and in a lost one makes the smallest move there is."""

    def choose(
        self, position: NimPosition, moves: list[tuple[int, int]], ctx: AgentContext
    ) -> tuple[int, int]:
        return winning_move(position) or moves[0]


def winning_move(position: NimPosition) -> tuple[int, int] | None:
    """The first move that leaves a lost position to the other; None if there is none."""
    for heap, take in position.moves():
        if not is_won(position.after(heap, take).heaps, position.misere):
            return heap, take
    return None

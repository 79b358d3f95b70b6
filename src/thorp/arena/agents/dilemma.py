"""Bots for the iterated prisoner's dilemma: the classic strategies.

Most of them remember one round: their chance of cooperating depends on the last moves of both. They
are rows of a table: the chance in the first round, and after each of the four outcomes CC, CD, DC
and DD, own move first. None keeps state: the histories are in the observation. A chance of 0 or 1
uses no random number.
"""

from collections.abc import Mapping
from typing import ClassVar

from thorp.arena.contract import AgentContext, SimpleAgent
from thorp.arena.scenarios.dilemma import DEFECT
from thorp.kernel.canonical import Json


class _Strategy(SimpleAgent):
    """The base of all bots: turns a chance of cooperating into a move."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        chance = self.chance(observation)
        cooperates = chance == 1 or (chance > 0 and ctx.rng() < chance)
        return {"move": "cooperate" if cooperates else "defect"}

    def chance(self, observation: Json) -> float:
        """How likely it is to cooperate now, from 0 to 1."""
        raise NotImplementedError


class _OneRoundMemory(_Strategy):
    """A row of the table: the chance in the first round, and by the outcome of the last one."""

    first: ClassVar[float]
    after: ClassVar[Mapping[str, float]]

    def chance(self, observation: Json) -> float:
        outcome = observation["you"]["moves"][-1:] + observation["opponent"]["moves"][-1:]
        return self.after[outcome] if outcome else self.first


def _row(name: str, about: str, *, first: float, after: tuple[float, ...]) -> type[_OneRoundMemory]:
    """The class of a row: its chance in the first round, and after CC, CD, DC and DD."""
    chances = dict(zip(("CC", "CD", "DC", "DD"), after, strict=True))
    fields = {"__doc__": about, "__module__": __name__, "first": first, "after": chances}
    return type(name, (_OneRoundMemory,), fields)


Cooperator = _row("Cooperator", "Always cooperates.", first=1, after=(1, 1, 1, 1))
Defector = _row("Defector", "Always defects.", first=0, after=(0, 0, 0, 0))
CoinFlipper = _row(
    "CoinFlipper", "Cooperates half of the time.", first=0.5, after=(0.5, 0.5, 0.5, 0.5)
)
Alternator = _row(
    "Alternator",
    "Cooperates and defects in turn, cooperating first.",
    first=1,
    after=(0, 0, 1, 1),
)
TitForTat = _row(
    "TitForTat",
    "Cooperates first, then does what the other did last.",
    first=1,
    after=(1, 0, 1, 0),
)
SuspiciousTitForTat = _row(
    "SuspiciousTitForTat",
    "Defects first, then does what the other did last.",
    first=0,
    after=(1, 0, 1, 0),
)
GenerousTitForTat = _row(
    "GenerousTitForTat",
    "Tit for tat that forgives one defection in three, the most that it can afford.",
    first=1,
    after=(1, 1 / 3, 1, 1 / 3),
)
Joss = _row(
    "Joss",
    "Tit for tat that sneaks in a defection one time in ten.",
    first=0.9,
    after=(0.9, 0, 0.9, 0),
)
Pavlov = _row(
    "Pavlov",
    "Win-stay, lose-shift: keeps its move if the other cooperated, else changes it; cooperates "
    "first.",
    first=1,
    after=(1, 0, 0, 1),
)


class TitForTwoTats(_Strategy):
    """Defects only after two defections in a row."""

    def chance(self, observation: Json) -> float:
        return 0 if observation["opponent"]["moves"].endswith(2 * DEFECT) else 1


class Grudger(_Strategy):
    """Cooperates until the other defects once, then defects for ever. Also known as grim
    trigger."""

    def chance(self, observation: Json) -> float:
        return 0 if DEFECT in observation["opponent"]["moves"] else 1

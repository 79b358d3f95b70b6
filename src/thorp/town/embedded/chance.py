"""The draws of one town on one day: each a function of seed, day, town and purpose, and of nothing else."""

from __future__ import annotations

from thorp.kernel.rng import KeyedDraws
from thorp.town.embedded.town import FULL, Town


class Chance:
    """The draws of one town on one day."""

    def __init__(self, draws: KeyedDraws, town: Town) -> None:
        self._draws = draws
        self._day = town.day
        self._subject = town.town_id

    def below(self, bound: int, purpose: str, index: int = 0) -> int:
        return self._draws.below(bound, tick=self._day, subject=self._subject, purpose=purpose, index=index)

    def happens(self, per_mille: int, purpose: str) -> bool:
        return self.below(FULL, purpose) < per_mille

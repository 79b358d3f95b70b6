"""What villagers think, sentence by sentence: how many different ones a day, and how many people
think the same at one moment."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

ASLEEP: Final = "Asleep"
"""How the thought of somebody begins who sleeps."""


class ThoughtLog:
    """The newest thought of everyone, and the figures of a day."""

    def __init__(self) -> None:
        self._newest: dict[int, str] = {}
        self._today: dict[str, None] = {}
        self.most_alike = 0
        """The most people who were awake and thought the same at one moment."""

    def begin_day(self) -> None:
        """Count anew; who goes on thinking the same thinks it again."""
        self._today = {}
        self.most_alike = 0

    def take(self, number: int, thought: str) -> None:
        """Somebody has another thought."""
        self._newest[number] = thought

    def sample(self, people: Iterable[int]) -> None:
        """Look at what everybody thinks at this moment."""
        thoughts = [self._newest[number] for number in people if number in self._newest]
        self._today |= dict.fromkeys(thoughts)
        awake = Counter(thought for thought in thoughts if not thought.startswith(ASLEEP))
        self.most_alike = max(self.most_alike, *awake.values(), 0)

    @property
    def distinct(self) -> int:
        """How many different sentences were thought today."""
        return len(self._today)

"""What happened to the learner of a world's task: its trades and deaths, as goals count them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Self

from thorp.kernel.canonical import Json


class LearnerRecord:
    """The goods that an agent got and gave by trade, and how often it was downed."""

    def __init__(self, id: str) -> None:
        self._id = id
        self.got: Counter[str] = Counter()
        self.gave: Counter[str] = Counter()
        self.gave_to: dict[str, Counter[str]] = {}
        self.deaths = 0

    def note(self, events: Iterable[Mapping[str, Any]]) -> None:
        """Count what public events of one tick say about the agent."""
        for event in events:
            if event["kind"] == "DOWNED" and event.get("agent") == self._id:
                self.deaths += 1
            elif event["kind"] == "TRADE":
                self._note_trade(event)

    def _note_trade(self, event: Mapping[str, Any]) -> None:
        """Whoever accepts gives what was requested, and gets what was offered."""
        offered: dict[str, int] = dict(event["offer"])
        requested: dict[str, int] = dict(event["request"])
        if event["actor"] == self._id:
            self._count_trade(event["with"], got=offered, gave=requested)
        elif event["with"] == self._id:
            self._count_trade(event["actor"], got=requested, gave=offered)

    def _count_trade(self, who: str, got: Mapping[str, int], gave: Mapping[str, int]) -> None:
        self.got.update(got)
        self.gave.update(gave)
        self.gave_to.setdefault(who, Counter()).update(gave)

    def to_json(self) -> list[Json]:
        """The goods and the deaths, as a digest covers them."""
        return [
            [list(each) for each in sorted(self.got.items())],
            [list(each) for each in sorted(self.gave.items())],
            self.deaths,
        ]

    def gifts_to_json(self) -> list[Json]:
        """Who got what from the agent, as a digest covers it where others live."""
        return [
            [who, [list(each) for each in sorted(goods.items())]]
            for who, goods in sorted(self.gave_to.items())
        ]

    def copy(self) -> Self:
        """A record that goes on apart from this one."""
        copy = type(self)(self._id)
        copy.got = Counter(self.got)
        copy.gave = Counter(self.gave)
        copy.gave_to = {who: Counter(goods) for who, goods in self.gave_to.items()}
        copy.deaths = self.deaths
        return copy

"""What a stranger would point at: the moments of a day that make a village worth watching.

`docs/village.md` lists the kinds. Each counts at most once in `APART_TICKS`, so that a busy builder
does not hide an idle afternoon. Trades and mining go on all day and never count.
"""

from collections.abc import Collection, Mapping
from typing import Any, Final

APART_TICKS: Final = 900
"""Three minutes at the usual rate."""
ANSWER_TICKS: Final = 100
"""A question that is open for longer was not answered."""
# Kinds of highlights by the key of `data` with which villagers mark what they say.
_SPOKEN: Final = {
    "quarrel": "quarrel",
    "election": "vote",
    "vote": "vote",
    "feast": "feast",
    "event": "event",
}
# Kinds by the public event alone.
_PLAIN: Final = {
    "BUILT": "building",
    "VOTE": "vote",
    "JOIN": "arrival",
    "JOIN_ORG": "arrival",
    "DOWNED": "fall",
}
# Goals of the director's events that are more than routine.
_DEEDS: Final = ("OPEN_RUINS", "LOOT_BANDITS", "EXPO_BUILD", "FAIR_BUILD", "PROPOSE_LAW")
KINDS: Final = (
    *("building", "question", "contract kept", "contract broken", "quarrel", "vote"),
    *("arrival", "feast", "event", "fall"),
)


class Highlights:
    """Counts the highlights of a day, and the longest time of daylight without any."""

    def __init__(self) -> None:
        self._last: dict[str, int] = {}
        """When each kind counted last."""
        self._questions: dict[str, int] = {}
        """When somebody was asked something, by the id of who was asked."""
        self._quiet = 0
        """Ticks of daylight since the last highlight, also from one day to the next."""
        self.count = 0
        self.longest_lull = 0

    def begin_day(self) -> None:
        """Count anew, but remember what was a moment ago."""
        self.count = 0
        self.longest_lull = self._quiet

    def take(self, event: Mapping[str, Any], tick: int, people: Mapping[str, str]) -> None:
        """Take a public event in. `people` are the ids of the villagers, by name."""
        for kind in self._kinds(event, tick, people):
            if tick >= self._last.get(kind, -APART_TICKS) + APART_TICKS:
                self._last[kind] = tick
                self._quiet = 0
                self.count += 1

    def end_tick(self, *, is_day: bool) -> None:
        """Another tick has passed."""
        self._quiet += is_day
        self.longest_lull = max(self.longest_lull, self._quiet)

    def _kinds(
        self, event: Mapping[str, Any], tick: int, people: Mapping[str, str]
    ) -> Collection[str]:
        kind = str(event["kind"])
        if kind in _PLAIN:
            return (_PLAIN[kind],)
        if kind == "CHAT":
            return self._spoken(event, tick, people)
        if kind == "CONTRACT" and event["state"] == "COMPLETED":
            return ("contract kept",)
        if kind == "CONTRACT" and event["state"] == "FAILED" and event["acceptor"]:
            return () if event.get("blameless") else ("contract broken",)
        if kind == "REACHED_GOAL" and event["goal"] in _DEEDS:
            return ("event",)
        return ()

    def _spoken(
        self, event: Mapping[str, Any], tick: int, people: Mapping[str, str]
    ) -> Collection[str]:
        """A saying counts if a villager marked it, or if it answers what somebody asked it."""
        speaker = str(event["from"])
        text = str(event["text"])
        kinds = set[str]()
        if tick < self._questions.pop(speaker, -ANSWER_TICKS) + ANSWER_TICKS:
            kinds.add("question")
        if text.endswith("?"):
            asked = [number for name, number in people.items() if name in text]
            self._questions |= dict.fromkeys(asked, tick)
        data = event.get("data")
        if isinstance(data, Mapping) and speaker in people.values():
            kinds |= {_SPOKEN[key] for key in data if key in _SPOKEN}
        return sorted(kinds)

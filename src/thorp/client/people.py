"""The people an agent has met: names from what they say, places from what is in sight.

The world shows ids. Names are learned from others: somebody says "I am Jory, ...", or names people
in the `data` of its words. A name stays with the first who bears it, so that nobody who comes later
can be mistaken for another.
"""

import re
from typing import Any, Final, NamedTuple

from thorp.protocol.obs import Event, Obs, Position

MAX_PEOPLE: Final = 1_000
"""Most people whose name is kept, and most whose place is; whoever was met longest ago is forgotten
first."""
MAX_NAME_LENGTH: Final = 64
_INTRODUCTION: Final = re.compile(r"\bI am ([^\W\d_][\w'-]*)(?=[,.!;]|$)")
_AGENT_ID: Final = re.compile(r"A\d{1,12}", re.ASCII)


class Person(NamedTuple):
    """Somebody in the world, and where it was when it was in sight."""

    id: str
    name: str
    """Empty if it was never said."""
    pos: Position | None
    """Where it was last seen; None if it never was."""
    seen_tick: int | None


class People:
    """People whose names were heard, and people who were in sight."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}
        """By name."""
        self._seen: dict[str, tuple[Position, int]] = {}

    def look(self, obs: Obs) -> None:
        """See who is there."""
        for entity in obs.entities:
            if entity.type == "AGENT":
                self._seen.pop(entity.id, None)
                self._seen[entity.id] = (entity.pos, obs.tick)
        _drop_oldest(self._seen)

    def take(self, event: Event) -> None:
        """Hear who somebody is."""
        if event.get("type") != "CHAT":
            return
        introduction = _INTRODUCTION.search(str(event.get("text", "")))
        if introduction is not None:
            self._name(introduction[1], event.get("from"))
        data = event.get("data")
        people = data.get("people") if isinstance(data, dict) else None
        if isinstance(people, dict):
            for name, agent_id in people.items():
                self._name(name, agent_id)

    def find(self, who: str) -> Person | None:
        """Somebody by name or id; None if nothing is known of it."""
        agent_id = self._ids.get(who, who)
        if agent_id == who and who not in self._seen and who not in self._ids.values():
            return None
        name = next((name for name, named in self._ids.items() if named == agent_id), "")
        pos, tick = self._seen.get(agent_id, (None, None))
        return Person(id=agent_id, name=name, pos=pos, seen_tick=tick)

    def forget(self) -> None:
        """The body is another one, maybe in another world."""
        self._ids.clear()
        self._seen.clear()

    def _name(self, name: str, agent_id: object) -> None:
        is_sound = isinstance(agent_id, str) and _AGENT_ID.fullmatch(agent_id)
        if is_sound and 0 < len(name) <= MAX_NAME_LENGTH:
            self._ids.setdefault(name, str(agent_id))
            _drop_oldest(self._ids)


def _drop_oldest(entries: dict[str, Any]) -> None:
    while len(entries) > MAX_PEOPLE:
        del entries[next(iter(entries))]

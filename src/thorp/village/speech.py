"""What villagers say beside their work: sayings with `data` for programs, spaced out as people
speak."""

from collections.abc import Mapping
from typing import Any, Final

from thorp.protocol.obs import Event
from thorp.village.villager import Action, Villager

BREATH_TICKS: Final = 30
"""Between two sayings of one villager. The market takes two of them in 50 ticks."""


def can_speak(me: Villager) -> bool:
    """Whether enough time has passed since it said something beside its work."""
    return me.tick >= me.spoke_tick + BREATH_TICKS


def saying(
    me: Villager, text: str, data: Mapping[str, Any] | None = None, channel: str = "MARKET"
) -> list[Action]:
    """Say something in public, beside whatever it is at."""
    me.spoke_tick = me.tick
    action: Action = {"type": "SAY", "channel": channel, "text": text}
    return [action if data is None else action | {"data": dict(data)}]


def whispering(me: Villager, to: str, text: str, data: Mapping[str, Any]) -> list[Action]:
    """Say something to one agent alone."""
    me.spoke_tick = me.tick
    return [{"type": "WHISPER", "to": to, "text": text, "data": dict(data)}]


def marked(me: Villager, event: Event, key: str) -> tuple[str, Mapping[str, Any]] | None:
    """Who of the villagers says something that is marked with a key, and the object under it."""
    if event["type"] != "CHAT" or event["channel"] == "WHISPER":
        return None
    data = event.get("data")
    speaker = me.knowledge.name_of(event["from"])
    if speaker is None and event["from"] == me.obs.agent_id:
        speaker = me.name
    mark = data.get(key) if isinstance(data, Mapping) else None
    return (speaker, mark) if speaker is not None and isinstance(mark, Mapping) else None


def name_in(me: Villager, mark: Mapping[str, Any], key: str) -> str | None:
    """The villager whose id is in a mark."""
    agent_id = mark.get(key)
    if not isinstance(agent_id, str):
        return None
    return me.name if agent_id == me.obs.agent_id else me.knowledge.name_of(agent_id)


def id_of(me: Villager, name: str) -> str:
    """The id of a villager."""
    return me.obs.agent_id if name == me.name else me.knowledge.ids.get(name, "")

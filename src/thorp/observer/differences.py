"""Tells in sentences what differs between two runs: "here Bram sold the iron; there he kept it".

Only what spectators may see is compared: the public events and the weather on the tapes of both,
from the tick where they part. Events are grouped by who did what. A group that happened as often in
both is no difference, at whatever hour it did. Else it begins with the first event that the other
run lacks: a sentence leads there.
"""

import functools
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from thorp.bridges.chronicle import wording
from thorp.kernel.errors import DamagedError
from thorp.kernel.inflate import GZIP, inflate
from thorp.observer.difference_words import LEFT_OUT, TELLINGS, Telling
from thorp.observer.tape import MAX_SEGMENT_BYTES
from thorp.observer.tape_recorder import SEGMENT_TICKS
from thorp.observer.words import ACHIEVED
from thorp.protocol.frame import clip
from thorp.town.profile import ROLES
from thorp.town.proposal import ACTIONS
from thorp.voxel.load import default_catalogs

# How far two runs are compared: ten days. Later on they have little in common.
MAX_TICKS: Final = 60_000
# Sentences in one answer, and of one kind.
MAX_SENTENCES: Final = 40
MAX_OF_A_KIND: Final = 6
# Groups that are remembered of each run: a person of a village makes a dozen a day.
MAX_GROUPS: Final = 20_000
WORD_BYTES: Final = 120
WEATHERS: Final = {"STORM": "a storm", "COLD": "a cold spell"}


class Difference(msgspec.Struct, frozen=True):
    """One thing that happened in one of two runs, or oftener in one."""

    tick: int
    """Where it begins."""
    side: str
    """The run in which to look: `here` or `there`."""
    kind: str
    who: str
    """Who did it; empty if nobody did."""
    text: str


class Group(NamedTuple):
    """Events that are the same for a comparison: who did what."""

    kind: str
    who: str
    what: tuple[str, ...]


class _Body(msgspec.Struct):
    id: str
    name: str


class _Public(msgspec.Struct):
    """What is read of a segment."""

    n: int
    agents: list[_Body]
    events: list[tuple[int, list[dict[str, Any]]]]
    weather: list[tuple[int, str]]
    society: list[tuple[int, dict[str, dict[str, msgspec.Raw]]]]


class _Named(msgspec.Struct):
    name: str


_decode = msgspec.json.Decoder(_Public).decode
_decode_named = msgspec.json.Decoder(_Named | None).decode


class RunEvents:
    """The groups of one run, segment by segment."""

    def __init__(self, after: int) -> None:
        """What happened up to the tick `after` is shared, and left out."""
        self.ticks: dict[Group, list[int]] = defaultdict(list)
        self._after = after
        self._names: dict[str, str] = {}
        self._weather = ""

    def take(self, packed: bytes, last: int) -> None:
        """Take in the next segment, up to a tick. Raises DamagedError if it is not one."""
        try:
            segment = _decode(inflate(packed, MAX_SEGMENT_BYTES, GZIP))
        except msgspec.MsgspecError as problem:
            raise DamagedError(f"a segment of the tape cannot be read: {problem}") from None
        self._take_names(segment)
        start = segment.n * SEGMENT_TICKS
        for offset, weather in segment.weather:
            if self._weather and weather != self._weather and weather in WEATHERS:
                self._note({"kind": "WEATHER", "weather": weather}, start + offset, last)
            self._weather = weather
        for offset, happenings in segment.events:
            for happening in happenings:
                self._note(happening, start + offset, last)

    def _take_names(self, segment: _Public) -> None:
        for body in segment.agents:
            self._names[body.id] = clip(body.name, WORD_BYTES)
        for _, records in segment.society:
            for key, record in records.get("organisations", {}).items():
                named = _decode_named(record)
                if named is not None:
                    self._names[key] = clip(named.name, WORD_BYTES)

    def _note(self, happening: dict[str, Any], tick: int, last: int) -> None:
        if not self._after < tick <= last:
            return
        kind = kind_of(happening)
        telling = TELLINGS.get(kind)
        if telling is None:
            return
        group = self._group(kind, telling, happening)
        if group in self.ticks or len(self.ticks) < MAX_GROUPS:
            self.ticks[group].append(tick)

    def _group(self, kind: str, telling: Telling, happening: Mapping[str, Any]) -> Group:
        words = {name: self._word(name, happening) for name in telling.what}
        who = self._word(telling.who, happening) if telling.who else ""
        return Group(kind, who, tuple(words.values()))

    def _word(self, name: str, happening: Mapping[str, Any]) -> str:
        """A word of an event, as a sentence has it."""
        if name in _MADE:
            return _MADE[name](happening)
        value = str(happening.get(name, ""))
        known = self._names.get(value)
        return clip(value, WORD_BYTES) if known is None else known


def kind_of(happening: Mapping[str, Any]) -> str:
    """The kind of a public event, with its variant if that has words of its own."""
    kind = str(happening.get("kind"))
    variant = happening.get("state") or happening.get("status")
    if kind == "TOWN_RESULT":
        variant = None if variant == "executed" else "refused"
    if kind == "LEAVE" and happening.get("retired"):
        variant = "retired"
    if kind == "WORLD_EVENT":
        variant = None if happening.get("on") else "off"
    long = f"{kind}.{variant}"
    return long if variant and (long in TELLINGS or long in LEFT_OUT) else kind


def _quoted(happening: Mapping[str, Any]) -> str:
    return f"“{clip(str(happening.get('title', '')), WORD_BYTES)}”"


def _building(happening: Mapping[str, Any]) -> str:
    plan = str(happening.get("blueprint_id"))
    known = wording.WORDS.buildings.get(plan)
    return wording.amount(plan, 1) if known is None else known[0]


def _ware(happening: Mapping[str, Any]) -> str:
    offer = happening.get("offer") or []
    return wording.several(str(offer[0][0])) if offer else "something"


def _order(happening: Mapping[str, Any]) -> str:
    command = str(happening.get("command", ""))
    for action_type, action in ACTIONS.items():
        if command.startswith(f"{action.verb} "):
            aims = wording.WORDS.orders[action_type]
            return aims.get(command.rsplit(" ", 1)[-1]) or aims[""]
    return f"“{clip(command, WORD_BYTES)}”"


def _office(happening: Mapping[str, Any]) -> str:
    actor = str(happening.get("actor", "")).lower()
    return f"The {next((role for role in ROLES if role in actor), 'council')}"


def _event(happening: Mapping[str, Any]) -> str:
    event = str(happening.get("event_id", ""))
    about = _catalogs().events.get(event)
    return clip(event, WORD_BYTES) if about is None else about.title


def _item(happening: Mapping[str, Any]) -> str:
    return wording.several(str(happening.get("item", "")))


def _weather(happening: Mapping[str, Any]) -> str:
    return WEATHERS.get(str(happening.get("weather")), "another weather")


def _achieved(happening: Mapping[str, Any]) -> str:
    return ACHIEVED.get(str(happening.get("achievement")), "did something new")


@functools.cache
def _catalogs() -> Any:
    return default_catalogs()


# Words that are made of an event, and do not stand in it.
_MADE: Final[dict[str, Callable[[Mapping[str, Any]], str]]] = {
    "title": _quoted,
    "building": _building,
    "ware": _ware,
    "item": _item,
    "order": _order,
    "office": _office,
    "event": _event,
    "weather": _weather,
    "achieved": _achieved,
}


def compare(here: RunEvents, there: RunEvents) -> list[Difference]:
    """What differs, the weightiest first, and the earliest of equals."""
    found = [
        difference
        for group in here.ticks.keys() | there.ticks.keys()
        if (difference := _difference(group, here.ticks.get(group, []), there.ticks.get(group, [])))
    ]
    found.sort(key=lambda each: (-TELLINGS[each.kind].weight, each.tick, each.text))
    left = Counter(dict.fromkeys(TELLINGS, MAX_OF_A_KIND))
    kept = []
    for difference in found:
        if left[difference.kind]:
            left[difference.kind] -= 1
            kept.append(difference)
    return kept[:MAX_SENTENCES]


def _difference(group: Group, here: list[int], there: list[int]) -> Difference | None:
    if len(here) == len(there):
        return None
    is_here = len(here) > len(there)
    more, less = (here, there) if is_here else (there, here)
    tick = more[len(less)]
    text = _sentence(group, len(more), len(less), is_here=is_here)
    return Difference(
        tick=tick,
        side="here" if is_here else "there",
        kind=group.kind,
        who=group.who,
        text=text,
    )


def _sentence(group: Group, more: int, less: int, *, is_here: bool) -> str:
    """What is told of a group that one run has oftener than the other."""
    telling = TELLINGS[group.kind]
    words = {**dict(zip(telling.what, group.what, strict=True)), "who": group.who or "nobody"}
    words["it"] = "them" if _is_plural(words.get("ware", "")) else "it"
    did = _filled(telling.did, words)
    did = f"{group.who} {did}" if group.who else did
    instead = _filled(telling.instead, words)
    one, other = ("Here", "there") if is_here else ("There", "here")
    if less:
        return f"{one} {did} {_times(more)}; {other} {_times(less)}."
    return f"{one} {did}{'' if more == 1 else f' {_times(more)}'}; {other} {instead}."


def _is_plural(ware: str) -> bool:
    return ware.endswith("s") and not ware.endswith("ss")


def _filled(template: str, words: Mapping[str, str]) -> str:
    """A template with its places filled in. Words that people chose are never read as a
    template."""
    return template.format_map(words)


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")

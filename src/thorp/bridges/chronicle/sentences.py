"""Makes sentences of the chronicle from notices of one kind. A number chooses between the templates
of a kind, so the same notices always give the same sentence.

A clause is what a sentence says after its hour: `Odile founded the city of Thorp`. Words in braces
come from a notice. If several notices share a sentence, `crowd` is everybody who did it, `others`
those they did it with, `laws`, `whats` and `commands` what it was about, `count` how often it
happened. `place`, `because` and `sky` are left out unless they are the same for all. Of
[words|between|brackets] one is chosen. All templates are in `words.json`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Final, NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from thorp.bridges.chronicle import wording
from thorp.bridges.chronicle.names import Phrase
from thorp.bridges.chronicle.wording import WORDS
from thorp.voxel import Position

KINDS: Final = WORDS.kinds

_NAMED_FIRST: Final = tuple(
    f"{{{name}}}"
    for name in ("who", "org", "owner", "crowd", "poster", "giver", "taker", "other", "town")
)
_BRACKETS: Final = re.compile(r"\[([^\]]*)\]")
STRIDE: Final = 61
"""A prime, so that every template is used before one repeats, and neighbouring numbers differ."""

COUNTED: Final = {"arrival": "who", "joined": "who", "law vote": "law"}
"""Kinds whose sentences count what they list, and the word that is counted: number and list must
agree."""

_LISTS: Final = {"crowd": "who", "laws": "law", "poster": "poster"}
"""Lists of people and laws. Whoever is not named is counted: "and three others"."""
_THINGS: Final = {"whats": "what", "things": "thing"}
"""Lists of things, which end with "and more"."""

COMMONEST: Final = 10
"""How many of the commonest forms count as formula."""

_HOUR: Final = re.compile(wording.hour_pattern(), re.IGNORECASE)
_NUMBER: Final = re.compile(
    rf"\b(?:{wording.number_pattern()}|[0-9][0-9,]*(?:st|nd|rd|th)?)\b", re.IGNORECASE
)
_TITLE: Final = re.compile("“[^”]*”")
_NAMES: Final = re.compile(r"N(?:(?:, | and )N)+(?: and # others)?")
_END: Final = re.compile(r"(?<=[.!?])\s+(?=\S)")


class Notice(msgspec.Struct, frozen=True):
    """Something that happened in a world and matters, with its weight and its witnesses."""

    tick: int
    day: int
    hour: int
    kind: str
    who: tuple[str, ...]
    """Ids of agents, the one that did it first."""
    where: Position | None
    witnesses: tuple[str, ...]
    """Ids of those who saw it, including those in `who`, in order of their numbers."""
    about: dict[str, Phrase]
    """The words of its sentence."""
    alike: str | None = None
    """Notices of a kind with the same text here may be told in one sentence."""
    event: str = ""
    """The id of the event that it was made from, like `E1200.2`."""
    digest: str = ""
    """The SHA-256 of that event."""
    more: int = 0
    """How many others like it were counted and not kept."""

    @property
    def weight(self) -> int:
        return KINDS[self.kind].weight

    @property
    def public(self) -> bool:
        return KINDS[self.kind].public


class Groupable(Protocol):
    """A notice, or the draft of one: several of them may share a sentence."""

    @property
    def kind(self) -> str: ...

    @property
    def alike(self) -> str | None: ...


SUMMED: Final = ("built", "contract kept", "trade")
"""Routine kinds: all notices of one of these in a range become one sentence."""

COUNTED_AS: Final = {"rescue": "trade"}
"""Kinds with a sentence of their own that are one of another, summed kind as well: whoever counts
the trades of an afternoon counts the bread that saved somebody."""


def group_of(one: Groupable) -> tuple[str, str | None]:
    """The key that notices of one sentence share, or by which those beyond a limit are counted."""
    kind = COUNTED_AS.get(one.kind, one.kind)
    return kind, None if kind in SUMMED else one.alike


def with_more(
    notices: Sequence[Notice], beyond: Mapping[tuple[str, str | None], int]
) -> list[Notice]:
    """The same notices; the first that shares a sentence with others counts those that are not
    kept. Others, which share no sentence, are left out without a trace."""
    left = dict(beyond)
    counted = []
    for notice in notices:
        can_share = notice.alike is not None or notice.kind in SUMMED
        more = left.pop(group_of(notice), 0) if can_share else 0
        counted.append(replace(notice, more=notice.more + more) if more else notice)
    return counted


class Clause(NamedTuple):
    """An event in words, once as it stands within a sentence and once as it opens one."""

    text: str
    sentence: str  # The same as the beginning of a sentence.


def clause(notices: Sequence[Notice], choice: int, *, bare: bool = False) -> Clause:
    """The clause for notices that share a sentence; `bare` leaves out all words that agents
    chose."""
    ways = _ways(notices[0])
    notices = _one_a_name(notices, bare=bare)
    templates = ways.one
    if len(notices) > 1:
        is_mixed = any(notice.alike != notices[0].alike for notice in notices)
        templates = (is_mixed and ways.mixed) or ways.many or ways.one
    spelled_out = _spelled_out(templates)
    template = spelled_out[choice * STRIDE % len(spelled_out)]
    text = _tidy(template.format_map(_words(notices, bare=bare)))
    return Clause(text, text if _begins_with_a_name(template, text) else text[0].upper() + text[1:])


def _one_a_name(notices: Sequence[Notice], *, bare: bool) -> Sequence[Notice]:
    """The first notice for each name that is counted: one who arrives twice is one newcomer."""
    word = COUNTED.get(notices[0].kind)
    if word is None:
        return notices
    named: dict[str, Notice] = {}
    for notice in notices:
        said = notice.about[word]
        name = said.bare if bare else said.text
        first = named.get(name)
        if first is None:
            named[name] = notice
        elif notice.more:
            named[name] = replace(first, more=first.more + notice.more)
    return list(named.values())


@cache
def _spelled_out(templates: tuple[str, ...]) -> list[str]:
    """The templates with every combination of their choices in brackets."""
    return ["".join(parts) for template in templates for parts in product(*_options(template))]


def _options(template: str) -> list[list[str]]:
    pieces = _BRACKETS.split(template)  # the odd ones stood between brackets
    return [piece.split("|") if number % 2 else [piece] for number, piece in enumerate(pieces)]


def _ways(notice: Notice) -> wording.Ways:
    if notice.kind == "goal":
        return WORDS.goals[notice.about["goal"].text]
    if notice.kind in ("event begins", "event ends"):
        begins = notice.kind == "event begins"
        event = notice.about["event"].text
        other = "{called} began {place}" if begins else "{called} was over"
        return wording.Ways(((WORDS.beginnings if begins else WORDS.endings).get(event, other),))
    return WORDS.ways[notice.kind]


def _words(notices: Sequence[Notice], *, bare: bool) -> dict[str, str]:
    first = notices[0].about
    words = {
        "because": "",
        "tally": "",
        "promise": "",
    }  # Empty unless the notice has them.
    words |= {name: said.bare if bare else said.text for name, said in first.items()}
    if len(notices) == 1:
        return words
    columns = {
        name: list(
            dict.fromkeys(
                notice.about[name].bare if bare else notice.about[name].text for notice in notices
            )
        )
        for name in first
    }
    more = sum(notice.more for notice in notices)
    is_counted = notices[0].kind in COUNTED
    for listed, name in _LISTS.items():
        # Who is counted is one of a kind; the others may have done it before.
        unknown = more if is_counted or not more else None
        words[listed] = wording.joined_names(columns.get(name, []), unknown)
    for listed, name in _THINGS.items():
        words[listed] = wording.joined_things(columns.get(name, []))
    words["were"] = "were" if len(columns.get("who", ())) > 1 else "was"
    words["count"] = wording.number_in_words(len(notices) + more)
    others = [name for name in columns.get("other", []) if name not in columns["who"]]
    words["others"] = wording.joined_names(others, None if more else 0) or "each other"
    if "ware" in first:
        words["ware"] = _commonest(notice.about["ware"].text for notice in notices)
    words["wrought"] = (
        columns["wrought"][0] if len(columns.get("wrought", ())) == 1 else "delivered"
    )
    words["commands"] = wording.joined_words(columns.get("command", []))
    for shared in ("place", "because", "sky"):
        words[shared] = columns[shared][0] if len(columns.get(shared, ())) == 1 else ""
    words.setdefault("ware", "goods")
    if "thing" in first:
        words["deliveries"] = _deliveries(notices, words, bare=bare)
    return words


def _commonest(words: Iterable[str]) -> str:
    """The most frequent word; among equals, the first."""
    return Counter(words).most_common(1)[0][0]


def _deliveries(notices: Sequence[Notice], words: Mapping[str, str], *, bare: bool) -> str:
    """Who delivered what. A few are listed one by one: `Agnes brought eight coal and Sibyl
    five`."""
    pairs = {
        tuple(
            said.bare if bare else said.text
            for said in (notice.about["who"], notice.about["thing"])
        )
        for notice in notices
    }
    people = {who for who, _ in pairs}
    is_cut = any(notice.more for notice in notices)
    if is_cut or len(people) < len(notices) or len(notices) > wording.NAMES_LIMIT:
        return f"{words['crowd']} {words['wrought']} {words['things']}"
    (who, thing), *others = [(notice.about["who"], notice.about["thing"]) for notice in notices]
    said = [
        f"{_said(who, bare=bare)} {words['wrought']} {_said(thing, bare=bare)}",
        *(f"{_said(who, bare=bare)} {_said(thing, bare=bare)}" for who, thing in others),
    ]
    return wording.joined_words(said)


def _said(phrase: Phrase, *, bare: bool) -> str:
    return phrase.bare if bare else phrase.text


def _begins_with_a_name(template: str, text: str) -> bool:
    """Whether a clause begins with a name, whose case must not be changed."""
    is_noun = text.startswith(("a ", "an ", "the ", "land ", "nobody "))
    return template.startswith(_NAMED_FIRST) and not is_noun


def _tidy(text: str) -> str:
    """Remove the spaces and commas that empty words leave."""
    line = " ".join(text.split())
    for mark in ",;:":
        line = line.replace(f" {mark}", mark)
    return line.removeprefix(", ")


# How much of a chronicle is formula. Two sentences have one form if they differ only in names,
# numbers, titles and the hour they open or end with.


def forms(text: str, names: Iterable[str]) -> list[str]:
    """The form of each sentence of a paragraph. `names` are those of agents and organisations."""
    plain = _TITLE.sub("T", text)
    alternatives = "|".join(re.escape(name) for name in sorted(set(names), key=len, reverse=True))
    if alternatives:
        plain = re.sub(rf"\b(?:{alternatives})\b(?: \([A-Z]+[0-9]+\))?", "N", plain)
    plain = _NUMBER.sub("#", _HOUR.sub("", plain))
    return [
        _NAMES.sub("N", " ".join(sentence.split())).lower()
        for sentence in _END.split(plain)
        if sentence.strip()
    ]


def formula(counts: Counter[str]) -> float:
    """The share of sentences that have one of the commonest forms, from the count of each form."""
    return sum(count for _, count in counts.most_common(COMMONEST)) / max(1, counts.total())

"""Reads what a sentence of a chronicle claims: its hour, who did it, what, where and how often.

A sentence that the built-in writer could have written is read by the writer's own templates, turned
round. Other prose is understood less well: who opens the sentence, whose land it mentions, and
which buildings it takes for granted. A sentence that cannot be read claims nothing, so it
contradicts nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from thorp.bridges.chronicle.check.deeds import building_words
from thorp.bridges.chronicle.check.facts import WorldFacts, called
from thorp.bridges.chronicle.wording import HOURS, WORDS, TickRange, number_in_words, ordinal

SENTENCE_CHARS: Final = 600
"""A longer sentence is not read: matching it could take long, and the writer's are shorter."""
DAYS_LIMIT: Final = 10_000
"""Days of a world whose ordinals are looked up: years of play."""

PERSON: Final = r"(?:\x02\d+\x03|A\d{1,9}|[A-Z][\w.'-]*(?: [A-Z][\w.'-]*){0,3})"
"""A known name, which stands as its number between two marks; an id; or what looks like a name."""
_ANY: Final = r"[^;:\x02\x03]+?"
_COUNTED: Final = r"(?: and (?:[\w-]+ )?others)?"
_PEOPLE: Final = rf"{PERSON}(?:, {PERSON})*(?: and {PERSON})?{_COUNTED}"
_PLACE: Final = (
    r"(?:in the (?:plains|forest|desert|wilderness)"
    r"|(?:on|(?:north|south)(?:-east|-west)? of|(?:east|west) of)(?: the land of"
    rf" {PERSON}| claimed land| {PERSON})|in {PERSON})"
)
_SLOTS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("who", "other", "giver", "taker", "poster", "org", "owner", "town"), PERSON),
    **dict.fromkeys(("crowd", "others", "candidates"), _PEOPLE),
    "judge": rf"(?:{PERSON}|the judge)",
    "law": r"(?:the law (?:“[^”]*”|without a name)|a law(?: about [\w ]+)?)",
    "laws": r"(?:the law|a law|two laws)?.+?",
    "count": r"[\w,-]+",
    "paces": r"[\w,-]+",
    "season": r"[\w-]+",
    "place": _PLACE,
    "sense": r".+?",
    "because": r"(?:,| after| under| from| in the water|:).*?",
    "tally": r" (?:by|with|because).*?",
    "promise": r", with the promise .*?",
    "sky": r"(?:under a clear sky|while a storm blew|in the frost)",
    "deliveries": r".+?",
    "command": r".+?",
    "commands": r".+?",
}
_OFFICE: Final = r"the [a-z]+"
_OFFICES: Final = rf"{_OFFICE}(?:, {_OFFICE})*(?: and (?:{_OFFICE}|[\w-]+ others))?"
_OPTIONAL: Final = ("place", "because", "tally", "promise", "sky")
"""Parts that may be empty, with the space or the comma beside them."""
_PIECES: Final = re.compile(r"\{(\w+)\}|\[([^\]]*)\]")
_OTHERS: Final = re.compile(r"^(.*?)(?:,? and (?:([\w-]+) )?(others))?\Z")
_NAMED: Final = re.compile(PERSON)
_LIST: Final = re.compile(r", | and ")
_OF_LAND: Final = re.compile(rf"\bland of ({PERSON})|({PERSON})'s land\b")
_OPENS: Final = re.compile(rf"\A({_PEOPLE}) [a-z]")
_UNSURE: Final = re.compile(
    r"\b(?:no|not|never|nobody|would|will|may|might|could|wanted|wished|hoped|planned|asked"
    r"|proposed|promised|waited|ordered|told|contract|begin|began|plan)\b"
)
"""Words of sentences that do not say that a building stands."""


class Hour(NamedTuple):
    """The hours of a day that a sentence names."""

    text: str
    day: int
    first: int
    last: int

    def ticks(self, day_ticks: int) -> TickRange:
        """The ticks of these hours."""
        begin = (self.day - 1) * day_ticks
        return TickRange(
            begin + -(-self.first * day_ticks // HOURS),
            begin + -(-(self.last + 1) * day_ticks // HOURS) - 1,
        )


class Named(NamedTuple):
    """A name in a sentence, and the ids of all that bear it; none if the world knows nobody."""

    text: str
    ids: frozenset[str]


class Claim(NamedTuple):
    """What a sentence says, by one reading of it."""

    kind: str
    """The kind of deed; empty for prose of others."""
    text: str
    """The sentence, without its hour."""
    hours: tuple[Hour, ...]
    """Each hour that the words may mean; one of them is meant. Empty if none is named."""
    names: dict[str, list[Named]]
    """Those who have a part in it, by the part."""
    words: dict[str, str]
    """What else it says, by the part of the sentence."""
    counted: int | None = None
    """How many people its list has, with those that it only counts."""
    many: bool = False
    """Whether it is about several deeds at once."""


class _Template(NamedTuple):
    kind: str
    pattern: re.Pattern[str]
    fixed: dict[str, str]
    """What the template itself says, such as which event began."""
    many: bool


class Reader:
    """Reads the sentences of one page, with the names that its world knows."""

    def __init__(self, facts: WorldFacts) -> None:
        self._facts = facts
        self._tokens: list[str] = []
        ids_of: dict[str, set[str]] = {}
        for text, identity in _names(facts):
            ids_of.setdefault(text, set()).add(identity)
        self._ids = {text: frozenset(ids) for text, ids in ids_of.items()}
        longest = sorted(self._ids, key=len, reverse=True)
        any_name = "|".join(map(re.escape, longest))
        self._name = re.compile(rf"(?<![\w“-])(?:{any_name})(?![\w-])") if longest else None

    def read(self, text: str, opening: tuple[Hour, ...] = ()) -> list[Claim]:
        """The readings of a sentence; `opening` is the hour with which its paragraph begins."""
        if len(text) > SENTENCE_CHARS:
            return []
        plain, own = split_hour(text.strip().removesuffix("."))
        hours = own or opening
        marked = self._marked(plain)
        claims = [
            self._claim(template, match, plain, hours)
            for template in _templates()
            if (match := template.pattern.fullmatch(marked)) is not None
        ]
        return claims or [self._prose(marked, plain, hours)]

    def _marked(self, text: str) -> str:
        """A sentence with a number in place of each name that the world knows. Titles, which stand
        between quotation marks, are left alone."""
        self._tokens = []
        if self._name is None:
            return text

        def mark(match: re.Match[str]) -> str:
            self._tokens.append(match[0])
            return f"\x02{len(self._tokens) - 1}\x03"

        parts = re.split("(“[^”]*”)", text.replace("\x02", "").replace("\x03", ""))
        return "".join(
            part if number % 2 else self._name.sub(mark, part) for number, part in enumerate(parts)
        )

    def _unmarked(self, text: str) -> str:
        return re.sub(r"\x02(\d+)\x03", lambda match: self._tokens[int(match[1])], text)

    def _named(self, marked: str) -> Named:
        text = self._unmarked(marked)
        return Named(text, self._ids.get(text, frozenset()))

    def _claim(
        self, template: _Template, match: re.Match[str], plain: str, hours: tuple[Hour, ...]
    ) -> Claim:
        names: dict[str, list[Named]] = {}
        words = dict(template.fixed)
        counted: int | None = None
        for part, said in match.groupdict().items():
            if said is None:
                continue
            if part in _PEOPLE_PARTS:
                people, more = _listed(said)
                names[part] = [self._named(each) for each in people]
                if part == "crowd" and template.kind != "goal":
                    counted = None if more is None else len(people) + more
            else:
                text = self._unmarked(said).strip()
                opens = match.start(part) == 0  # then its first letter is a capital
                words[part] = text[:1].lower() + text[1:] if opens else text
                if part == "place":
                    names[part] = [self._named(each) for each in re.findall("\x02\\d+\x03", said)]
        return Claim(
            kind=template.kind,
            text=plain,
            hours=hours,
            names=names,
            words=words,
            counted=counted,
            many=template.many,
        )

    def _prose(self, marked: str, plain: str, hours: tuple[Hour, ...]) -> Claim:
        """The claim of a sentence that fits no template, as far as it can be read."""
        names: dict[str, list[Named]] = {}
        opens = _OPENS.match(marked)
        if opens is not None:
            people, _ = _listed(opens[1])
            names["crowd"] = [each for each in map(self._named, people) if each.ids]
        outside = re.sub("“[^”]*”", "", marked)
        owners = [first or second for first, second in _OF_LAND.findall(outside)]
        names["owner"] = [self._named(each) for each in owners]
        sure = not _UNSURE.search(outside)
        buildings = _buildings_in(outside) if sure else []
        words = {"stands": buildings[0]} if buildings else {}
        return Claim(kind="", text=plain, hours=hours, names=names, words=words)


_PEOPLE_PARTS: Final = (
    *("who", "other", "giver", "taker", "poster", "org", "owner", "town"),
    *("crowd", "others", "candidates", "judge"),
)


def split_hour(text: str) -> tuple[str, tuple[Hour, ...]]:
    """A sentence without the hour that it opens or ends with, and what that hour may be."""
    for pattern, first, last in _hours():
        match = pattern.search(text)
        if match is not None:
            day = _days().get(match["day"].lower())
            if day is not None:
                rest = text[match.end() :] if match.start() == 0 else text[: match.start()]
                return rest.strip(), (Hour(match[0].strip(" ,"), day, first, last),)
    return text, ()


@cache
def _hours() -> list[tuple[re.Pattern[str], int, int]]:
    hours = []
    for phrase in WORDS.hours:
        words = re.escape(phrase.text.rstrip(",")).replace(r"\{day\}", r"(?P<day>[\w-]+)")
        hours.append((re.compile(rf"\A{words},? ?", re.IGNORECASE), phrase.first, phrase.last))
        hours.append((re.compile(rf" {words},?\Z", re.IGNORECASE), phrase.first, phrase.last))
    return sorted(hours, key=lambda each: -len(each[0].pattern))


@cache
def _days() -> dict[str, int]:
    return {ordinal(day): day for day in range(1, DAYS_LIMIT)}


@cache
def _buildings() -> list[tuple[re.Pattern[str], str]]:
    buildings = []
    for plan in WORDS.buildings:
        noun = building_words(plan)[0].removeprefix("a ").removeprefix("an ").removeprefix("the ")
        buildings.append((re.compile(rf"\b(?:the|in|at|by|beside|behind) (?:the )?{noun}\b"), plan))
    return buildings


def _buildings_in(text: str) -> list[str]:
    """The plans of the buildings that a sentence takes for granted: *in the hall*."""
    return [plan for pattern, plan in _buildings() if pattern.search(text)]


def _listed(said: str) -> tuple[list[str], int | None]:
    """The names in a list, and how many others it counts; None if it does not say how many."""
    match = _OTHERS.match(said)
    if match is None:
        return [], None
    more = 0 if match[3] is None else number_of(match[2] or "")
    return [each for each in _NAMED.findall(match[1]) if each], more


def number_of(text: str) -> int | None:
    """The number that a word or digits stand for; None if they are not a number."""
    return _numbers().get(text.lower().replace(",", ""))


@cache
def _numbers() -> dict[str, int]:
    return {
        **{str(number): number for number in range(10_000)},
        **{number_in_words(number): number for number in range(100)},
        "none": 0,
        "a": 1,
        "an": 1,
    }


def _names(facts: WorldFacts) -> Iterator[tuple[str, str]]:
    """Every text that may stand for somebody, with the id."""
    for body in facts.bodies.values():
        yield from _spellings(body.id, body.name, body.id)
    for org_id, name in facts.orgs.items():
        kind = getattr(facts.world.orgs.get(org_id), "kind", "")
        yield from _spellings(org_id, name, f"the {kind.lower()} {org_id}")


def _spellings(identity: str, name: str, bare: str) -> Iterator[tuple[str, str]]:
    yield bare, identity
    own = called(name)
    if own is not None:
        yield own, identity
        yield f"{own} ({identity})", identity


# The templates, turned round


@cache
def _templates() -> list[_Template]:
    return [*_all_templates()]


def _all_templates() -> Iterator[_Template]:
    for kind, ways in WORDS.ways.items():
        for template in ways.one:
            yield _turned(kind, template)
        for template in (*ways.many, *ways.mixed):
            yield _turned(kind, template, many=True)
    for goal, ways in WORDS.goals.items():
        for template in (*ways.one, *ways.many):
            yield _turned("goal", template, {"goal": goal})
    for kind, table in (("event begins", WORDS.beginnings), ("event ends", WORDS.endings)):
        for event, template in table.items():
            yield _turned(kind, template, {"event": event})


def _turned(
    kind: str, template: str, fixed: dict[str, str] | None = None, *, many: bool = False
) -> _Template:
    """A template as a pattern for the sentences that are made from it."""
    slots = dict(_SLOTS)
    if kind.startswith("town"):
        slots |= {"who": _OFFICE, "crowd": _OFFICES}
    if kind == "org ended":
        slots |= {"org": rf"(?:{PERSON}|a company)"}
    if kind in ("contract kept", "contract failed", "contract dropped", "contract untaken"):
        slots |= {"poster": PERSON}
    pattern = _pattern(template, slots)
    return _Template(kind, re.compile(pattern), fixed or {}, many)


def _pattern(template: str, slots: Mapping[str, str]) -> str:
    pattern = ""
    end = 0
    for piece in _PIECES.finditer(template):
        pattern += _literal(template[end : piece.start()], at_start=not pattern)
        end = piece.end()
        if piece[2] is not None:
            pattern += f"(?:{'|'.join(_pattern(each, slots) for each in piece[2].split('|'))})"
            continue
        name = piece[1]
        slot = f"(?P<{name}>{slots.get(name, _ANY)})"
        if name not in _OPTIONAL:
            pattern += slot
        elif pattern.endswith("\\ "):
            pattern = f"{pattern[:-2]}(?:\\ {slot})?"
        elif template[end : end + 2] == ", " and not pattern:
            capital = slot.replace("(?:in the", "(?:[Ii]n the")
            pattern += f"(?:{_capital(capital)}, )?"
            end += 2
        else:
            pattern += f"{slot}?"
    return pattern + _literal(template[end:], at_start=not pattern)


def _literal(text: str, *, at_start: bool) -> str:
    escaped = re.escape(text)
    if at_start and text[:1].isalpha():
        return f"[{text[0].lower()}{text[0].upper()}]{re.escape(text[1:])}"
    return escaped


def _capital(slot: str) -> str:
    """A place that may open a sentence."""
    return (
        slot.replace("in {", "[Ii]n {")
        .replace(f"|in {PERSON}", f"|[Ii]n {PERSON}")
        .replace("(?:on|(?:north|south)", "(?:[Oo]n|(?:[Nn]orth|[Ss]outh)")
        .replace("(?:east|west) of", "(?:[Ee]ast|[Ww]est) of")
    )


def fold(texts: Iterable[str]) -> str:
    """Some texts for a finding."""
    return ", ".join(dict.fromkeys(filter(None, texts)))

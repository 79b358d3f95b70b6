"""Sentences of the chronicle, from notices of one kind. Which of several ways is taken is told by a number.

A clause is what a sentence says behind its hour: `Odile founded the city of Thorp`. The words in braces are
those of a notice; where several notices are told at once, `crowd` are all who did it, `others` those they did
it with, `laws`, `whats` and `commands` what it was about, `count` how often it happened, and `place` where,
if that was one place. Of [words|between|brackets] one is taken.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from typing import Final, NamedTuple

from thorp.bridges.chronicle.hours import hour_pattern
from thorp.bridges.chronicle.notices import Notice
from thorp.bridges.chronicle.wording import joined_names, joined_words, number_in_words, number_pattern


class Ways(NamedTuple):
    """How one notice is told, and how several."""

    one: tuple[str, ...]
    many: tuple[str, ...] = ()
    mixed: tuple[str, ...] = ()
    """Several that are not alike; if there are none, `many` tells those too."""


WAYS: Final[dict[str, Ways]] = {
    "city": Ways(
        (
            "{who} founded the city of {org} {place}",
            "the city of {org} was founded {place}, and {who} was the first of its citizens",
        )
    ),
    "guild": Ways(
        (
            "{who} founded the guild {org} {place}",
            "{who} called a guild into being {place}, and named it {org}",
        )
    ),
    "joined": Ways(
        (
            "{who} became [one of|a member of|sworn to] {org}",
            "{org} took {who} in[| and gave a place at its table|, as it does with whoever means well]",
        ),
        (
            "{crowd} joined {org}[| on one day|, one after the other]",
            "{org} grew by {count}: {crowd}[| came to it]",
        ),
    ),
    "org ended": Ways(("{who} was the last to leave {org}, and with that it ended",)),
    "claim": Ways(
        (
            "{who} set up a totem {place} and claimed the land for {paces} paces around it",
            "{who} claimed land {place}: {paces} paces to every side of a totem",
        )
    ),
    "claim grown": Ways(("{who} had the land of {owner} grow to {paces} paces around its totem",)),
    "deed": Ways(
        (
            "{who} made over the land {place} to {owner}",
            "the land that {who} held {place} passed to {owner}",
        )
    ),
    "land ended": Ways(
        (
            "the totem of {owner} fell {place}, and the land around it is nobody's again",
            "{owner} lost the land {place}, for its totem was taken down",
        )
    ),
    "law proposed": Ways(
        (
            "{who} proposed {law} for the land of {owner}: {sense}",
            "{law} was laid before {owner} by {who}: {sense}",
        )
    ),
    "law vote": Ways(
        ("{law} came to the vote on the land of {owner}", "the people of {owner} began to vote on {law}"),
        (
            "{count} laws came to the vote on the land of {owner}: {laws}",
            "there was voting on the land of {owner}, on {laws}",
        ),
    ),
    "law active": Ways(
        (
            "{law} came into force on the land of {owner}; from now on {sense}",
            "{owner} adopted {law}: {sense}",
        )
    ),
    "law rejected": Ways(
        ("{law} was rejected by {owner}", "{law}, which {who} had proposed, found no majority in {owner}")
    ),
    "built": Ways(
        (
            "{who} [finished|completed|was done with|put the last hand to] {what} {place}",
            "{what} [was finished|stood at last|was ready] {place}, the work of {who}",
            "{who} laid the last [block|course] of {what} {place}",
            "{place} [rose|stood|was to be seen from then on] {what}, which {who} had [built|raised|set up]",
        ),
        (
            "{crowd} [finished|completed|raised|put up] {count} {many} {place}",
            "{count} {many} [were finished|went up|were ready] {place}, by {crowd}",
            "{place} [rose|stood|were built] {count} {many}, the work of {crowd}",
        ),
        (
            "{crowd} [finished|completed|raised|put up] {whats} {place}",
            "there was building {place}: {crowd} [finished|completed|raised] {whats}",
            "{whats} [were finished|went up|were ready] {place}, by {crowd}",
        ),
    ),
    "trade": Ways(
        (
            "{who} [took|bought|got|had] {offer} from {other} for {request} {place}",
            "{who} [gave|paid|handed] {other} {request} for {offer} {place}",
            "{other} sold {who} {offer} {place}, for {request}",
            "{other} let {who} have {offer} {place}[, and took|, against|, in return for] {request}",
        ),
        (
            "{crowd} [traded|dealt|did business] {place} with {others}[|, not only in {ware}]",
            "{crowd} struck {count} bargains {place}, with {others}[|; {ware} went over too]",
            "[there was trading|goods changed hands|there was haggling] {place}: {crowd} with {others}",
            "{count} bargains were [struck|made|closed] {place}, [among others for|one of them for] {ware}",
            "{ware} [changed hands|found a buyer|went from hand to hand] {place}, and [much|more] besides",
            "{crowd} [stocked up|went shopping|filled the pockets] {place}, [with {others}|at the stalls]",
        ),
    ),
    "rescue": Ways(
        (
            "{giver} came to {taker}, who was close to death, with {food} {place}",
            "{taker} was starving {place} when {giver} brought {food}",
        )
    ),
    "death": Ways(
        (
            "{who} fell {place}, and woke at home with less than before",
            "{who} could bear no more {place}, and had to begin again",
        ),
        ("{crowd} fell {place}, and woke at home with less than before",),
    ),
    "contract kept": Ways(
        (
            "{who} {wrought} {thing} for {poster}[, and was paid|, as agreed|]",
            "{poster} paid {who}, who had {wrought} {thing}",
            "{who} kept a promise to {poster}: {thing}",
            "{thing}, for which {poster} had [asked|put up a contract], came from {who}",
        ),
        (
            "{crowd} {wrought} {things} for {poster}[, and were paid|, as agreed|]",
            "{poster} paid {crowd}, who had {wrought} {things}",
            "{count} [promises|contracts] were kept, by {crowd}; it was about {things}",
            "{crowd} earned [their reward|a living] with {things}, which {poster} had asked for",
        ),
    ),
    "contract failed": Ways(
        (
            "{who} did not {work} {thing} in time, and lost the pledge to {poster}",
            "{poster} waited for {thing} in vain: {who} had promised it",
        ),
        (
            "{crowd} did not {work} {things} in time, and lost their pledges to {poster}",
            "{poster} waited in vain for {things}, which {crowd} had promised",
        ),
    ),
    "contract dropped": Ways(
        ("{who} got back the pledge to {work} what {poster} had asked for, for it was no longer to be done",),
        ("{crowd} got back their pledges to {work} what {poster} had asked for",),
    ),
    "contract untaken": Ways(
        (
            "nobody would {work} what {poster} had asked for",
            "what {poster} had asked for [found no taker|was left undone]",
        ),
        ("nobody would {work} the {count} things that {poster} had asked for",),
    ),
    "season": Ways(
        ("the {season} season began: the land was made anew, and all woke on it with empty hands",)
    ),
    "town executed": Ways(
        (
            "{who} of {town} had the town {command}, and it was done",
            "{town} set out to {command}, as {who} had ordered",
            "at the [word|bidding|wish] of {who} {town} [set about|began] it: to {command}",
        ),
        (
            "{crowd} of {town} had the town {commands}[, and it was done|]",
            "the council of {town} [sat|met|came together], and {crowd} had it {commands}",
            "{town} [set out|got ready] to {commands}, for so {crowd} [had ordered|wanted it|had decided]",
        ),
    ),
    "town failed": Ways(
        ("{who} of {town} ordered it to {command}, and it came to nothing, for {reason}",),
        ("{crowd} of {town} ordered it to {commands}, and it came to nothing",),
    ),
    "arrival": Ways(
        (
            "{who} [came|walked] into the country {place}[| and looked around|, a stranger still]",
            "a newcomer [woke|appeared|stood] {place}, who is called {who}",
        ),
        (
            "{count} newcomers [came|woke|appeared] {place}: {crowd}",
            "{crowd} [came|walked] into the country {place}, strangers still",
        ),
    ),
    "harvest": Ways(
        (
            "{who} [reaped|brought in|cut] the first ripe wheat of the hour {place}, {sky}",
            "the wheat [was ripe|stood high] {place}, and {who} [reaped|cut] it {sky}",
        ),
        (
            "{crowd} [reaped|brought in|cut] wheat {place} {sky}[|, sheaf after sheaf|, all there was]",
            "it was harvest {place}: {crowd} [cut|reaped|brought in] the wheat {sky}",
            "the wheat [was ripe|stood high|was golden] {place}, and {crowd} [reaped|cut] it {sky}",
        ),
    ),
    "upkeep missed": Ways(
        (
            "{owner} could not pay for the land[, and all saw it|, for the stores were empty]; {warning}",
            "the upkeep of the land of {owner} [was not paid|stayed unpaid|was missed]; {warning}",
        ),
    ),
    "fine": Ways(
        (
            "{who} broke something {place}, and had to pay {owner} {price}",
            "{who} and {owner} fell out over a broken block {place}: it cost {who} {price}",
        ),
        (
            "{crowd} broke things {place}, and had to pay {owner} for it",
            "there was a quarrel {place} over broken blocks, for which {crowd} paid {owner}",
        ),
    ),
    "town refused": Ways(
        (
            "{who} would have had {town} {command}; but {reason}",
            "{town} did not {command}, though {who} had ordered it: {reason}",
        ),
        ("{crowd} would have had {town} {commands}; but it was not to be",),
    ),
}

BEGINNINGS: Final[dict[str, str]] = {
    "BANDIT_CAMP": "bandits walled in a camp {place}, with a chest in its midst",
    "BLIGHT_ZONE": "a blight came over the soil {place}, and nothing there gave strength any more",
    "BLUEPRINT_FAIR": "a fair of plans was opened {place}, for whoever builds",
    "BUILDER_EXPO": "the builders' exhibition was opened {place}",
    "CIVIC_VOTE": "the days of the vote began, with a board {place}",
    "COLD_SNAP": "a great cold came over the land",
    "CRYSTAL_RIFT": "deep in the ground {place} a rift opened, and crystals lay bare in it",
    "DEEP_VEIN": "deep in the ground {place} a vein of copper and iron showed",
    "FLOOD_WARNING": "the water rose {place}, and a board warned of it",
    "MARKET_WEEK": "a market week began, with its board {place}",
    "RUINS_GATE": "the gate to old ruins stood open {place}",
    "STORM_FRONT": "a storm came over the land",
}
ENDINGS: Final[dict[str, str]] = {
    "BANDIT_CAMP": "the bandits broke up their camp",
    "BLIGHT_ZONE": "the blight was over, and the soil {place} healed",
    "BLUEPRINT_FAIR": "the fair of plans closed",
    "BUILDER_EXPO": "the builders' exhibition closed",
    "CIVIC_VOTE": "the days of the vote were over",
    "COLD_SNAP": "the great cold let go of the land",
    "CRYSTAL_RIFT": "the rift {place} closed again",
    "DEEP_VEIN": "the deep vein {place} gave out",
    "FLOOD_WARNING": "the water {place} went back",
    "MARKET_WEEK": "the market week was over",
    "RUINS_GATE": "the gate to the ruins {place} fell shut",
    "STORM_FRONT": "the storm blew itself out",
}
GOALS: Final[dict[str, Ways]] = {
    "LOOT_BANDITS": Ways(("{who} opened the bandits' chest",), ("{crowd} got at the bandits' chest",)),
    "MINE_CRYSTAL": Ways(
        ("{who} broke crystal out of the rift",), ("{crowd} broke crystal out of the rift",)
    ),
    "MINE_VEIN": Ways(("{who} dug ore out of the deep vein",), ("{crowd} dug ore out of the deep vein",)),
    "OPEN_RUINS": Ways(("{who} opened the chest in the ruins",), ("{crowd} opened the chest in the ruins",)),
    "VOTE": Ways(("{who} cast a vote",), ("{crowd} cast their votes",)),
}
"""What agents did in an event that is told by no other notice."""

_NAMED_FIRST: Final = tuple(
    f"{{{name}}}" for name in ("who", "org", "owner", "crowd", "poster", "giver", "taker", "other", "town")
)


_BRACKETS: Final = re.compile(r"\[([^\]]*)\]")
STRIDE: Final = 61
"""A prime, so that all ways are taken before one comes again, and neighbours are not alike."""


class Clause(NamedTuple):
    text: str
    sentence: str
    """The same where it begins a sentence."""


def clause(notices: Sequence[Notice], choice: int, *, bare: bool = False) -> Clause:
    """Notices of one kind that may be told in one sentence, so told; `bare` without anybody's own words."""
    ways = _ways(notices[0])
    templates = ways.one
    if len(notices) > 1:
        is_mixed = any(one.alike != notices[0].alike for one in notices)
        templates = (is_mixed and ways.mixed) or ways.many or ways.one
    spelled_out = _spelled_out(templates)
    template = spelled_out[choice * STRIDE % len(spelled_out)]
    text = _tidy(template.format_map(_words(notices, bare=bare)))
    return Clause(text, text if _begins_with_a_name(template, text) else text[0].upper() + text[1:])


@cache
def _spelled_out(templates: tuple[str, ...]) -> list[str]:
    """The templates with every choice between brackets made in every way."""
    return ["".join(parts) for template in templates for parts in product(*_options(template))]


def _options(template: str) -> list[list[str]]:
    pieces = _BRACKETS.split(template)  # the odd ones stood between brackets
    return [piece.split("|") if number % 2 else [piece] for number, piece in enumerate(pieces)]


def _ways(notice: Notice) -> Ways:
    if notice.kind == "goal":
        return GOALS[notice.about["goal"].text]
    if notice.kind in ("event begins", "event ends"):
        begins = notice.kind == "event begins"
        event = notice.about["event"].text
        other = "{called} began {place}" if begins else "{called} was over"
        return Ways(((BEGINNINGS if begins else ENDINGS).get(event, other),))
    return WAYS[notice.kind]


def _words(notices: Sequence[Notice], *, bare: bool) -> dict[str, str]:
    first = notices[0].about
    words = {name: said.bare if bare else said.text for name, said in first.items()}
    if len(notices) == 1:
        return words
    columns = {
        name: list(dict.fromkeys(one.about[name].bare if bare else one.about[name].text for one in notices))
        for name in first
    }
    words["count"] = number_in_words(len(notices))
    words["crowd"] = joined_names(columns.get("who", []))
    others = [name for name in columns.get("other", []) if name not in columns["who"]]
    words["others"] = joined_names(others) or "each other"
    words["laws"] = joined_names(columns.get("law", []))
    words["whats"] = joined_names(columns.get("what", []))
    words["ware"] = columns["offer"][len(notices) % len(columns["offer"])] if "offer" in columns else ""
    words["poster"] = joined_names(columns.get("poster", []))
    words["things"] = joined_names(columns.get("thing", []))
    words["wrought"] = columns["wrought"][0] if len(columns.get("wrought", ())) == 1 else "delivered"
    words["commands"] = joined_words(columns.get("command", []))
    words["place"] = columns["place"][0] if len(columns.get("place", ())) == 1 else ""
    return words


def _begins_with_a_name(template: str, text: str) -> bool:
    """Whether a sentence begins with a name, which stays as its bearer writes it."""
    return template.startswith(_NAMED_FIRST) and not text.startswith(
        ("a ", "an ", "the ", "land ", "nobody ")
    )


def _tidy(text: str) -> str:
    """Close the gaps that empty words leave."""
    line = " ".join(text.split())
    for mark in ",;:":
        line = line.replace(f" {mark}", mark)
    return line


# How much of a chronicle is formula. Two sentences have one form if they differ only in names, numbers,
# titles and the hour they open or end with.

COMMONEST: Final = 10
"""The forms whose share of all sentences is the formula."""

_HOUR: Final = re.compile(hour_pattern(), re.IGNORECASE)
_NUMBER: Final = re.compile(rf"\b(?:{number_pattern()}|[0-9][0-9,]*(?:st|nd|rd|th)?)\b", re.IGNORECASE)
_TITLE: Final = re.compile("“[^”]*”")
_NAMES: Final = re.compile(r"N(?:(?:, | and )N)+(?: and # others)?")
_END: Final = re.compile(r"(?<=[.!?])\s+(?=\S)")


def forms(text: str, names: Iterable[str]) -> list[str]:
    """The form of each sentence of a paragraph. `names` are those of agents and organisations."""
    plain = _TITLE.sub("T", text)
    alternatives = "|".join(re.escape(name) for name in sorted(set(names), key=len, reverse=True))
    if alternatives:
        plain = re.sub(rf"\b(?:{alternatives})\b(?: \([A-Z]+[0-9]+\))?", "N", plain)
    plain = _NUMBER.sub("#", _HOUR.sub("", plain))
    return [_NAMES.sub("N", " ".join(one.split())).lower() for one in _END.split(plain) if one.strip()]


def formula(told: Counter[str]) -> float:
    """The share of sentences in the commonest forms; 0 where nothing was told."""
    return sum(count for _, count in told.most_common(COMMONEST)) / max(1, told.total())

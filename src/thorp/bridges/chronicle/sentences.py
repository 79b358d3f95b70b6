"""Sentences of the chronicle, from notices of one kind. Which of several ways is taken is told by a number.

A clause is what a sentence says behind its hour: `Odile founded the city of Thorp`. The words in braces are
those of a notice; where several notices are told at once, `crowd` are all who did it, `others` those they did
it with, `laws` and `commands` what it was about, `count` how often it happened, and `place` where, if that
was one place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from thorp.bridges.chronicle.notices import Notice
from thorp.bridges.chronicle.wording import joined_names, joined_words, number_in_words


class Ways(NamedTuple):
    """How one notice is told, and how several."""

    one: tuple[str, ...]
    many: tuple[str, ...] = ()


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
        ("{who} became one of {org}", "{org} took {who} in"),
        ("{crowd} joined {org}", "{org} grew by {count}: {crowd}"),
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
        ("{law} came to the vote on the land of {owner}",),
        ("{count} laws came to the vote on the land of {owner}: {laws}",),
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
            "{who} finished {what} {place}",
            "{what} was finished {place}, the work of {who}",
            "{who} laid the last block of {what} {place}",
        ),
        ("{crowd} finished {count} {many} {place}", "{count} {many} were finished {place}, by {crowd}"),
    ),
    "trade": Ways(
        (
            "{who} took {offer} from {other} for {request} {place}",
            "{who} gave {other} {request} for {offer} {place}",
            "{other} sold {who} {offer} {place}, for {request}",
        ),
        (
            "{who} traded {place} with {others}",
            "{who} struck {count} bargains {place}, with {others}",
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
            "{who} {wrought} what {poster} had asked for, and was paid",
            "{poster} paid {who}, who had {wrought} what was asked for",
        ),
        (
            "{crowd} {wrought} what {poster} had asked for, and were paid",
            "{poster} paid {crowd} for what they had {wrought}",
        ),
    ),
    "contract failed": Ways(
        ("{who} did not {work} in time what {poster} had been promised, and lost the pledge",),
        ("{crowd} did not {work} in time what {poster} had been promised, and lost their pledges",),
    ),
    "contract dropped": Ways(
        ("{who} got back the pledge to {work} what {poster} had asked for, for it was no longer to be done",),
        ("{crowd} got back their pledges to {work} what {poster} had asked for",),
    ),
    "contract untaken": Ways(
        ("nobody would {work} what {poster} had asked for",),
        ("nobody would {work} the {count} things that {poster} had asked for",),
    ),
    "season": Ways(
        ("the {season} season began: the land was made anew, and all woke on it with empty hands",)
    ),
    "town executed": Ways(
        (
            "{who} of {town} had the town {command}, and it was done",
            "{town} set out to {command}, as {who} had ordered",
        ),
        ("{who} of {town} had the town {commands}, and it was done",),
    ),
    "town failed": Ways(
        ("{who} of {town} ordered it to {command}, and it came to nothing, for {reason}",),
        ("{who} of {town} ordered it to {commands}, and it came to nothing",),
    ),
    "town refused": Ways(
        (
            "{who} would have had {town} {command}; but {reason}",
            "{town} did not {command}, though {who} had ordered it: {reason}",
        ),
        ("{who} would have had {town} {commands}; but it was not to be",),
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


class Clause(NamedTuple):
    text: str
    sentence: str
    """The same where it begins a sentence."""


def clause(notices: Sequence[Notice], choice: int, *, bare: bool = False) -> Clause:
    """Notices of one kind that may be told in one sentence, so told; `bare` without anybody's own words."""
    ways = _ways(notices[0])
    templates = ways.many if len(notices) > 1 and ways.many else ways.one
    template = templates[choice % len(templates)]
    text = _tidy(template.format_map(_words(notices, bare=bare)))
    return Clause(text, text if _begins_with_a_name(template, text) else text[0].upper() + text[1:])


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
    words["others"] = joined_names(columns.get("other", []))
    words["laws"] = joined_names(columns.get("law", []))
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

"""Reads what somebody says to a villager: which question it is, and about whom or what.

A question is known by its words, not by its form. Each topic has *cues*: words that speak for it
when they come in this order, whatever stands between them, and how much they weigh. Words joined
by `_` stand side by side. The topic with
the most weight is meant, and of two with the same weight the one that stands first in the table.
So "Where is the store?", "I cannot find the shop" and "which way to the market" are one question,
and so are phrasings that nobody thought of.

    read_question("Jory, got any bread left?", people)   SELL, about BREAD

A text that neither addresses anybody nor asks anything has no topic. This module knows neither
villagers nor worlds.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import Enum
from typing import Final, NamedTuple

MAX_WORDS: Final = 60
"""Words of a text that are read: a question is shorter, and texts come from strangers."""


class Topic(Enum):
    """What a question is about."""

    WHERE = "where something or somebody is"
    ELSEWHERE = "where something is for which it has no name"
    COMPASS = "which way is north"
    SELL = "what is sold, and for how much"
    WANT = "what is bought"
    WORK = "what there is to do"
    JOIN = "how to become a citizen"
    WHO = "who somebody is"
    LIKES = "whom it likes and whom it does not"
    WISH = "what it wants for itself"
    ELECTION = "who is elected, and when"
    DOING = "what somebody is doing"
    TODAY = "what somebody has done today"
    HOME = "where somebody lives"
    FEELING = "how somebody is"
    NEWS = "what has happened"
    TIME = "what time it is"
    TOWN = "what this place is"
    BUILDERS = "who built something"
    RICHES = "who has how much"
    DANGER = "what there is to fear"
    CONTRACT = "what a contract is"
    PROGRAM = "whether it is a person or a program"
    THANKS = "thanks"
    GREETING = "a greeting"
    PARTING = "a farewell"


class Question(NamedTuple):
    """A question that was understood."""

    topic: Topic
    place: str = ""
    """What it is about, if that is a place that everyone uses: `store`."""
    person: str = ""
    """The name of the person it is about, or "" for the one who is asked."""
    item: str = ""
    """The item it is about: `BREAD`."""


Cue = tuple[int, tuple[str, ...]]
"""A weight, and words in their order."""


def _cues(**weights: str) -> tuple[Cue, ...]:
    """Cues by their weights: `w3="where, which way"`."""
    return tuple(
        (int(name[1:]), tuple(cue.split()))
        for name, cues in weights.items()
        for cue in cues.split(",")
    )


# Words stand here as they are read: small, without a plural's s, contractions written out.
CUES: Final[dict[Topic, tuple[Cue, ...]]] = {
    Topic.WHERE: _cues(
        w5="where, which way, how far, looking for, direction, whereabout, location, coordinate",
        w4="way to, lost way, cannot find, can find, not find, get to, guide me, take me, lead me,"
        "point me",
        w3="find, seen, locate, position, reach the, lost",
        w7="where work, where miner",
    ),
    Topic.ELSEWHERE: (),
    Topic.COMPASS: _cues(
        w7="way north, way south, way east, way west, where north, where south, where east,"
        "where west, compass",
    ),
    Topic.SELL: _cues(
        w5="sell, selling, for sale, price, how much, got any, buy from, to spare, in stock",
        w4="buy, purchase, cost, ware, stock, spare, what offer, have any, any left, sold,"
        "what you_got",
        w2="trade, deal, you have, what good, charge, shop for, get some",
    ),
    Topic.WANT: _cues(
        w6="you buy, you buying, you need, store need, store want, you want, you short, buy here,"
        "you_take, take my, sell_you, trade_you",
        w5="lack, short of, wanted, running low, run out, bring you, missing, pay for",
        w2="need, want",
    ),
    Topic.WORK: _cues(
        w8="where find work, where get work, where find job, where get job,"
        "make_money, get_rich, become_rich",
        w6="work, job, task, earn, errand, employment, hire, hiring, contract, quest, what_now,"
        "what_next, just_woke, just_woken, just_arrived, just_came, new_here",
        w5="to do here, there to do, something to do, can do, i_help, be useful, need hand,"
        "need help, me to do, i to do",
        w4="useful, help out, lend hand, bored, chore, begin, get started, start, should do,"
        "pay_me, that_pay, which_pay",
        w3="help, paid, money",
    ),
    Topic.JOIN: _cues(
        w6="citizen, citizenship, resident, member, settle, plot, move_here, i live_here,"
        "stay_here, one_of_you, become, about_land, want_land, need_land, some_land",
        w5="join, belong, own land, own house, build house, get house, home here, get land",
    ),
    Topic.WHO: _cues(
        w5="who, whom, talking to, your name, about yourself, introduce, call you, your trade,"
        "your profession",
        w4="tell about, what you do, your role, your job, you do for living, know about,"
        "do_you_know",
    ),
    Topic.LIKES: _cues(
        w7="do_you like, who you like, whom you like, you dislike, you hate, your_friend,"
        "your_best_friend, a_friend, any_friend, your_enemy, any_enemy, enemie, you_trust,"
        "cannot_stand, cannot_you_stand, get_along, fond_of, grudge, quarrel, quarrelling, feud,"
        "think_of, make_of, opinion, argue, best_liked, most_liked, popular",
    ),
    Topic.WISH: _cues(
        w7="you wish, your_wish, your_dream, you dream, you hope, in_life, for_yourself, your_goal,"
        "your_ambition, like_best, like_most, make you happy, your_desire, heart desire",
    ),
    Topic.ELECTION: _cues(
        w7="election, elect, elected, vote, voting, ballot, candidate, mayor when, next_mayor",
    ),
    Topic.DOING: _cues(
        w7="you doing, up to, you busy, your plan, you making, you building, why you, you going,"
        "you_thinking, your_mind",
    ),
    Topic.TODAY: _cues(
        w8="you do today, you done today, you_do_yesterday, your_day, you been doing",
    ),
    Topic.HOME: _cues(
        w8="you_live, you_sleep, your_house, your_home, your_hut, you_have_a_house",
    ),
    Topic.FEELING: _cues(
        w6="how_are_you, how_is_it_going, how_do_you_do, how_have_you, you_feel, feeling, you_well,"
        "you_hungry, you_ok, you_okay, you_alright",
    ),
    Topic.NEWS: _cues(
        w6="news, what new, happened, happening, going on, gossip, rumour, rumor, any story,"
        "a_story",
    ),
    Topic.TIME: _cues(
        w6="what time, what hour, what day, how late, clock, when night, when dawn, when dark,"
        "when morning, when sunrise, when sunset, until night, until dawn, until morning, it_late,"
        "it_early, when open, when shut, when close, when closed, opening_hour",
    ),
    Topic.TOWN: _cues(
        w7="what this_place, what this_town, what this_village, where are_we, name_of_this,"
        "about_this_place, about_this_town, about_this_village, about_the_town, about_the_village,"
        "about_thorp, what is_thorp",
    ),
    Topic.BUILDERS: _cues(
        w7="who built, who build, who_made, built this, built that",
    ),
    Topic.RICHES: _cues(
        w7="richest, wealthiest, who rich, most money, how rich, poorest, wealth, you_rich",
    ),
    Topic.DANGER: _cues(
        w7="danger, dangerous, is safe, safe here, afraid, monster, wolf, wolve, fear, die_here,"
        "kill_me, hurt_me",
    ),
    Topic.CONTRACT: _cues(
        w8="what a_contract, what is_contract, how contract work, explain contract",
    ),
    Topic.PROGRAM: _cues(
        w8="you a_robot, you a_bot, you human, you a_human, you real, you a_program, you an_ai,"
        "you an_npc, you alive, you a_person, you_a_machine, language_model",
    ),
    Topic.THANKS: _cues(w2="thank, thanks, cheer"),
    Topic.GREETING: _cues(
        w1="hello, hi, hey, good_morning, good_day, good_evening, greeting, hail, my_name_is,"
        "i_am_called, call_me"
    ),
    Topic.PARTING: _cues(w3="bye, goodbye, farewell, good_night, see_you, take_care"),
}

PLACES: Final = {
    "store": (
        *("store", "shop", "chest", "storehouse", "market", "warehouse"),
        *("food", "eat", "meal", "hungry", "starving"),
    ),
    "terminal": ("terminal", "contract"),
    "board": ("board", "notice", "bulletin"),
    "bench": ("bench", "workbench", "crafting"),
    "forge": ("forge", "smithy", "furnace", "smith", "blacksmith"),
    "field": ("field", "farm", "wheat"),
    "plaza": (
        *("plaza", "square", "centre", "center", "middle", "town", "village"),
        *("everybody", "everyone", "people"),
        *("tavern", "pub", "fire", "warm", "cold", "freezing", "lamp"),
    ),
    "bed": ("bed", "sleep", "inn", "rest"),
    "mine": ("mine", "shaft"),
}
"""What people call the places that everyone uses. The first that a text names is meant."""

OFFICES: Final = {
    "mayor": ("mayor", "charge", "run", "leader", "boss", "rule", "govern", "reeve"),
    "storekeeper": ("storekeeper", "shopkeeper", "merchant", "trader"),
    "smith": ("blacksmith", "toolmaker"),
    "greeter": ("greeter",),
    "miner": ("miner",),
    "builder": ("builder",),
    "farmer": ("farmer", "baker"),
    "forester": ("forester", "woodcutter", "lumberjack"),
    "forager": ("forager",),
}
"""What people call those whom they know by their trade."""

GOODS: Final[dict[str, tuple[str, ...]]] = {
    "tree": ("LOG",),
    "wood": ("LOG", "PLANK"),
    "timber": ("LOG", "PLANK"),
    "berry": ("BERRIES",),
    "iron": ("IRON_INGOT", "IRON_ORE"),
    "copper": ("COPPER_INGOT", "COPPER_ORE"),
    "crystal": ("CRYSTAL_SHARD",),
    "meat": ("COOKED_MEAT", "RAW_MEAT"),
    "pickaxe": ("IRON_PICKAXE", "STONE_PICKAXE"),
    "pick": ("IRON_PICKAXE", "STONE_PICKAXE"),
    "axe": ("IRON_AXE", "STONE_AXE"),
    "shovel": ("IRON_SHOVEL", "STONE_SHOVEL"),
    "lamp": ("TORCH",),
}
"""What people call goods, and what they may mean by it."""
ABOUT_THE_ASKED: Final = frozenset(("you", "your", "yourself", "this", "there", "talking"))
"""Words with which somebody asks who the one is that it speaks to."""
SOMEBODY_HERE: Final = frozenset(
    ("you", "i", "me", "my", "we", "us", "here", "lost", "home", "go", "out", "back")
)
"""Words with which somebody asks for the way, or where one of both is, and not for a thing."""

_CONTRACTIONS: Final = (
    (re.compile(r"\bcan(?:no|'|’)t\b"), "cannot"),
    (re.compile(r"n['’]t\b"), " not"),
    (re.compile(r"['’]s\b"), " is"),
    (re.compile(r"['’]m\b"), " am"),
    (re.compile(r"['’]re\b"), " are"),
    (re.compile(r"['’]ve\b"), " have"),
    (re.compile(r"['’]d\b"), " would"),
    (re.compile(r"['’]ll\b"), " will"),
    (re.compile(r"\bgonna\b"), "going to"),
    (re.compile(r"\b(?:ya|u)\b"), "you"),
    (re.compile(r"\bwhats\b"), "what is"),
    (re.compile(r"\bwheres\b"), "where is"),
    (re.compile(r"\bwhos\b"), "who is"),
)
_WORD: Final = re.compile(r"[^\W_]+")
_ASKS: Final = re.compile(
    r"\?|\b(?:where|who|what|which|how|when|why"
    r"|any|anyone|anybody|somebody|someone|tell|show|need)\b"
)
MAX_CHARACTERS: Final = 400
"""Characters of a text that are read, so that no stranger's wall of text delays a tick."""


def read_question(
    text: str, people: Mapping[str, str], items: Iterable[str] = (), *, me: str = ""
) -> Question | None:
    """The question in a text; None if it is not one of ours.

    `people` are the trades of those who may be asked about, by their names, and `items` goods by
    their ids. The name `me` of the one who is asked is how it is addressed, and not whom the
    question is about.
    """
    plain = _plain(text)
    spoken = tuple(map(_singular, _WORD.findall(plain)[:MAX_WORDS]))
    words = frozenset(spoken)
    weights = {topic: _weight(cues, spoken) for topic, cues in CUES.items()}
    person = _person(words, people, me)
    place = _place(words)
    item = _item(spoken, items)
    topic = max(weights, key=weights.__getitem__)
    if topic is Topic.WHO and not (person or place or words & ABOUT_THE_ASKED):
        return None
    if not weights[topic]:
        if not _ASKS.search(plain) or not (person or place or item):
            return None
        # A name alone, with a question mark: "Bread?", "The forge?"
        topic = Topic.WHERE if place or person else Topic.SELL
    if topic is Topic.WHERE and not (person or place or item or words & SOMEBODY_HERE):
        return Question(Topic.ELSEWHERE)
    if topic is Topic.WANT and item and weights[Topic.SELL] >= weights[Topic.WANT]:
        topic = Topic.SELL
    return Question(topic, place=place, person=person, item=item)


def is_question(text: str) -> bool:
    """Whether a text asks for something, as far as its words show."""
    return _ASKS.search(_plain(text)) is not None


def names_first(text: str, people: Collection[str]) -> str:
    """Whom a text addresses: the name that it begins or ends with, or ""."""
    words = _WORD.findall(text[:MAX_CHARACTERS].lower())
    for word in (*words[:2], *words[-1:]):
        for name in people:
            if word == name.lower():
                return name
    return ""


def _plain(text: str) -> str:
    plain = text[:MAX_CHARACTERS].lower()
    for pattern, words in _CONTRACTIONS:
        plain = pattern.sub(words, plain)
    return plain


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _weight(cues: tuple[Cue, ...], spoken: tuple[str, ...]) -> int:
    """The heaviest cue counts whole, and each further one a little."""
    weights = [weight for weight, cue in cues if _comes_in_order(cue, spoken)]
    return max(weights) * 10 + len(weights) if weights else 0


def _comes_in_order(cue: tuple[str, ...], spoken: tuple[str, ...]) -> bool:
    """Whether the parts of a cue come in their order, whatever stands between them."""
    text = f" {' '.join(spoken)} "
    begin = 0
    for part in cue:
        words = f" {part.replace('_', ' ')} "
        at = text.find(words, begin)
        if at < 0:
            return False
        begin = at + len(words) - 1
    return True


def _person(words: frozenset[str], people: Mapping[str, str], me: str) -> str:
    """Who is named, or else who has the trade that is named: `who is in charge?`."""
    for name in people:
        if name != me and _singular(name.lower()) in words:
            return name
    for trade, names in OFFICES.items():
        if words.intersection(names):
            return next((name for name, own in people.items() if own == trade), "")
    return ""


def _place(words: frozenset[str]) -> str:
    return next((place for place, names in PLACES.items() if words.intersection(names)), "")


def _item(spoken: Sequence[str], items: Iterable[str]) -> str:
    """The item that is named; among several the one whose name has most words, as a stone axe is
    not a stone, and then the first. A colloquial name is the first of `items` that it may mean."""
    known = list(items)
    parts = {item: [_singular(part) for part in item.lower().split("_")] for item in known}
    named = [item for item in known if all(part in spoken for part in parts[item])]
    if named:
        return min(named, key=lambda item: (-len(parts[item]), spoken.index(parts[item][0]), item))
    meant = next((goods for name, goods in GOODS.items() if name in spoken), ())
    return next((item for item in known if item in meant), next(iter(meant), ""))

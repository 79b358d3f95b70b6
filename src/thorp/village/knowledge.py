"""What one villager knows, and how it learns: from what the others say where it can hear them.

Villagers share nothing but the world. They tell each other things in short sentences that people
can read too ("Wanted: 12 COAL, 40 PLANK."), and each keeps what it has learned in its own memory in
the world, so that it survives the process. Sentences count only when somebody said them who is
known to be a villager; the first who introduced itself by a name keeps it, so nobody can come later
and speak for the reeve.
"""

import re
from collections.abc import Mapping
from typing import Final

import msgspec

from thorp.protocol.obs import Position
from thorp.village.words import from_plaza

_INTRODUCTION: Final = re.compile(r"I am (\w+), (\w+) of Thorp\.")
_PLAZA: Final = re.compile(r"The plaza is at (-?\d+) (-?\d+) (-?\d+)\.")
_THING: Final = re.compile(r"The (\w+) is (\w+@-?\d+,-?\d+,-?\d+|[A-Z]+_?\w+)\.")
_LIST: Final = re.compile(r"(Wanted|To spare): ([^.]*)\.")
_GOODS: Final = re.compile(r"(\d+) ([A-Z_]+)")
_TWO_WAY: Final = re.compile(r"Sold and bought: ([^.]*)\.")
_TWO_WAY_GOODS: Final = re.compile(r"(\d+) and (\d+) ([A-Z_]+)")
_WORK: Final = re.compile(r"(C\d+) (BUILD|GATHER|DELIVER) ([\w ,]+)")
_TAKEN: Final = re.compile(r"I take (C\d+)\.")
_HOME: Final = re.compile(r"The house at (-?\d+) (-?\d+) (-?\d+) is (\w+)'s\.")
_DEBT: Final = re.compile(r"(\w+) owes the city (\d+) [A-Z_]+\.")
# Offers of work that are remembered; what is older was done, or nobody can do it.
MOST_WORKS: Final = 24
FOR_STRANGERS: Final = "WELCOME"
"""Kind of the jobs that the greeter keeps for newcomers."""


class Offered(msgspec.Struct, frozen=True):
    """Work at the terminal, as it was called out."""

    kind: str
    what: str
    tick: int
    give: list[tuple[str, int]] = []
    """What is asked for and what is paid, of the greeter's jobs alone."""
    get: list[tuple[str, int]] = []
    deadline: int = 0


class Guest(msgspec.Struct, kw_only=True):
    """A stranger whom the greeter has met, and how far it has come."""

    name: str = ""
    """As it introduced itself."""
    greeted: int = 0
    """When it was welcomed; 0 if it was not yet."""
    job: str = ""
    """The contract it was told of last, until somebody else takes that."""
    told: int = 0
    tellings: int = 0
    has_worked: bool = False
    is_invited: bool = False
    sign: Position | None = None
    """The sign that bears its name."""
    has_plot: bool = False
    """Whether it was told where its plot is."""


class Posted(msgspec.Struct, frozen=True):
    """A work of the town plan for which there is a contract."""

    contract: str
    work: int


class Wish(msgspec.Struct, frozen=True):
    """Something that a villager wants for itself, and works for."""

    kind: str
    """`house`, `bigger house`, `tool`, `friend` or `office`."""
    thing: str
    """The item, the friend's name, the office; for a house the one it has, if any."""
    since: int
    """The tick from which on it wants it."""


class Quarrel(msgspec.Struct, frozen=True):
    """A quarrel of two villagers, as far as it has come. All of them are named."""

    plaintiff: str
    defendant: str
    cause: str
    """What the defendant did, as the plaintiff says it: `broke our contract`."""
    step: str
    tick: int
    """When the last step was said."""
    judge: str = ""


class Tale(msgspec.Struct, frozen=True):
    """Something that was heard of others today, to be told in the evening."""

    kind: str
    """`quarrel`, `peace`, `office`, `find`, `house`, `feast`, `building`, `wish` or `gift`."""
    text: str
    about: list[str]
    """Whom it is about, by name, the one that matters most first."""
    tick: int


class Election(msgspec.Struct, frozen=True):
    """An election as it was announced; the votes are known to the reeve alone."""

    state: str
    """`called`, `open` or `decided`."""
    tick: int
    promises: dict[str, str] = {}
    """What each candidate promises, by name."""
    votes: dict[str, str] = {}
    """Whom somebody voted for, by the voter's id."""


class Knowledge(msgspec.Struct):
    """All that one villager knows; it is kept in the agent's memory, as JSON."""

    heard: int = -1
    """The tick of the last event that is part of it."""
    ids: dict[str, str] = {}
    """The agents' ids, by name."""
    trades: dict[str, str] = {}
    """What they do, by name, as each of them said."""
    born: Position | None = None
    """Where it came into the world, and wakes after a fall."""
    home: Position | None = None
    """Where it sleeps."""
    plaza: Position | None = None
    things: dict[str, str] = {}
    """Ids of what everyone uses: `store`, `bench`, `board`, `terminal`, `forge`, `city`, `land`,
    `guild`."""
    wanted: dict[str, int] = {}
    """What the storekeeper asked for last."""
    spare: dict[str, int] = {}
    """What it has to sell."""
    works: dict[str, Offered] = {}
    """Contracts that were called out, by id."""
    posted: list[Posted] = []
    done: list[int] = []
    """Works of the town plan that stand, or were given up. Both are the reeve's."""
    notes: dict[str, int] = {}
    """Days and ticks: when something was done last, and how often."""
    places: dict[str, Position] = {}
    """Places of its own: where its gallery ends, where it fell."""
    guests: dict[str, Guest] = {}
    """Strangers, by their ids; the greeter alone knows them."""
    regard: dict[str, int] = {}
    """How much it likes the others, by name; below zero is a grudge."""
    reasons: dict[str, str] = {}
    """Why, as something that they did: `broke our contract`."""
    standing: dict[str, int] = {}
    """How well the others are spoken of in public, and it itself, by name."""
    feuds: dict[str, int] = {}
    """With whom it will have nothing to do, and since when."""
    wish: Wish | None = None
    quarrels: dict[str, Quarrel] = {}
    """Quarrels in which it has a part, by the names of both sides."""
    mayor: str = ""
    """Who was elected last."""
    promise: str = ""
    """What the mayor has promised."""
    election: Election | None = None
    deeds: dict[str, int] = {}
    """What it did today, and how often or how much: `brought BERRIES`, `built cottage`."""
    tales: dict[str, Tale] = {}
    """What it has heard of others today and nobody has told yet."""
    houses: dict[str, Position] = {}
    """Who lives where, by name; the watch alone keeps it."""

    @property
    def roles(self) -> dict[str, str]:
        """Everybody's trade, by name. Whoever has the mayor's duties is the mayor: the one who was
        elected, and before that the reeve."""
        reeve = next((name for name, trade in self.trades.items() if trade == "reeve"), "")
        chief = self.mayor or reeve
        return self.trades | ({chief: "mayor"} if chief else {})

    def title_of(self, name: str) -> str:
        """What somebody is: `mayor` for the one who was elected, or its trade."""
        return "mayor" if name == self.mayor else self.trades.get(name, "")

    def name_of(self, agent_id: str) -> str | None:
        """The villager who has this id."""
        return next((name for name, number in self.ids.items() if number == agent_id), None)

    def place(self, dx: int, dz: int, dy: int = 0) -> Position:
        """A cell by its distance from the middle of the village."""
        x, y, z = self.plaza or (0, 0, 0)
        return x + dx, y + dy, z + dz

    def whereabouts(self, spot: Position) -> str:
        """Where a cell lies, as villagers say it: `20 steps east of the plaza`."""
        return from_plaza(self.place(0, 0), spot)

    def spot(self, name: str) -> Position | None:
        """Where something stands that everyone uses, by its id."""
        _, found, cell = self.things.get(name, "").partition("@")
        if not found:
            return None
        x, y, z = map(int, cell.split(","))
        return x, y, z

    def has_heard_of(self, *names: str) -> bool:
        """Whether it knows the ids of all these things."""
        return all(name in self.things for name in names)

    def where(self, *names: str) -> str:
        """Where some of these things are, in words that `hear` understands."""
        return " ".join(f"The {name} is {self.things[name]}." for name in names)

    def hear(self, me: str, speaker: str, text: str, tick: int) -> bool:
        """Learn from a sentence; whether there was something in it."""
        said = _INTRODUCTION.fullmatch(text)
        if said:
            is_first = self.ids.setdefault(said[1], speaker) == speaker
            if is_first:
                self.trades[said[1]] = said[2]
            return is_first
        if speaker not in self.ids.values():
            return False
        learned = False
        for found in _PLAZA.finditer(text):
            self.plaza = _position(found)
            learned = True
        for found in _THING.finditer(text):
            self.things[found[1]] = found[2]
            learned = True
        for found in _LIST.finditer(text):
            setattr(self, "wanted" if found[1] == "Wanted" else "spare", goods(found[2]))
            learned = True
        for found in _TWO_WAY.finditer(text):
            for sold, bought, item in _TWO_WAY_GOODS.findall(found[1]):
                self.spare[item] = int(sold)
                self.wanted[item] = int(bought)
        for found in _HOME.finditer(text):
            if found[4] == me:
                self.home = _position(found)
                learned = True
        for found in _DEBT.finditer(text):
            if found[1] == me:
                self.notes["owes"] = int(found[2])
                learned = True
        for found in _TAKEN.finditer(text):
            is_mine = found[1] in self.notes and _number(self.ids.get(me)) <= _number(speaker)
            learned |= not is_mine and self.works.pop(found[1], None) is not None
        if text.startswith("Feast!"):
            self.notes["feast"] = tick
            learned = True
        if text.startswith("Work: "):
            for found in _WORK.finditer(text):
                self.works[found[1]] = Offered(kind=found[2], what=found[3].strip(), tick=tick)
            for old in list(self.works)[:-MOST_WORKS]:
                del self.works[old]
            learned = True
        return learned


def _number(agent: str | None) -> int:
    return 0 if agent is None else int(agent[1:])


def goods(text: str) -> dict[str, int]:
    """`12 COAL, 40 PLANK`."""
    return {item: int(count) for count, item in _GOODS.findall(text)}


def listed(stock: Mapping[str, int]) -> str:
    """Goods as villagers say them: `12 COAL, 40 PLANK`, or `nothing`."""
    return ", ".join(f"{count} {item}" for item, count in stock.items() if count > 0) or "nothing"


def store_call(wanted: Mapping[str, int], spare: Mapping[str, int]) -> str:
    """What the store asks for and has to sell, in words that `hear` understands. Each item is named
    once: of what the store sells and wants more of, it says both numbers."""
    both = [item for item in wanted if item in spare]
    asked = {item: count for item, count in wanted.items() if item not in both}
    offered = {item: count for item, count in spare.items() if item not in both}
    text = f"Wanted: {listed(asked)}. To spare: {listed(offered)}."
    if both:
        pairs = ", ".join(f"{spare[item]} and {wanted[item]} {item}" for item in both)
        text += f" Sold and bought: {pairs}."
    return text


def write(knowledge: Knowledge) -> str:
    """Knowledge as the text that is saved."""
    return msgspec.json.encode(knowledge).decode()


def read(text: str) -> Knowledge:
    """Knowledge from the text that was saved."""
    return msgspec.json.decode(text, type=Knowledge)


def _position(match: re.Match[str]) -> Position:
    return int(match[1]), int(match[2]), int(match[3])

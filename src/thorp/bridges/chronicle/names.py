"""Names and titles that agents chose, and places, as phrases that are safe to use in prose.

An agent may call itself anything: a sentence, an instruction to the reader, another agent's name or
id. `docs/chronicle.md` says which names are used. Each phrase also has a `bare` form without any
words that an agent chose, for sentences that acceptance would otherwise refuse.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from thorp.bridges.chronicle.wording import WORDS
from thorp.voxel import Position, World
from thorp.voxel.lookups import land
from thorp.voxel.lookups.indexes import index_of
from thorp.voxel.state.records import Claim

NAME_LIMIT: Final = 32
"""Most characters of a name. An agent with a longer one is called by its id."""
TITLE_LIMIT: Final = 72
"""Most characters of a title; a longer one is cut."""
MARKS_LIMIT: Final = 2
"""Most combining marks on one letter: more only make a line illegible."""
KEPT: Final = 4_096
"""Names whose plain form is cached: more than a world has agents."""
NEIGHBOURHOOD: Final = 4
"""How many chunks away claimed land may be to give its name to a place."""

_NAME: Final = re.compile(r"[^\W_][\w.'-]*(?: (?:& )?[^\W_][\w.'-]*){0,3}\Z")
_LIKE_AN_ID: Final = re.compile(r"(?:a|c|it|law|org|p|tr)[0-9]+\Z|land_", re.IGNORECASE)
_QUOTES: Final = dict.fromkeys(map(ord, '"“”„‟«»‹›`´'), None) | dict.fromkeys(map(ord, "’‘‚‛"), "'")
_IN_A_TITLE: Final = frozenset(" '-.,!?:;&")

RESERVED: Final = ("george", "world", "public", "system invoker", "invoker", "operator")
"""Names that no agent may bear, whatever a story calls its own actors."""


class Phrase(NamedTuple):
    """A text that may hold an agent's own words, and a neutral text in place of it."""

    text: str
    bare: str


def trusted(text: str) -> Phrase:
    """A phrase of our own words, which no agent can choose."""
    return Phrase(text, text)


def plain(text: str, limit: int) -> str:
    """A text on one line, without invisible characters, changes of direction, or quotation
    marks."""
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFKC", text[: 4 * limit]).translate(_QUOTES):
        kind = unicodedata.category(char)
        marks = marks + 1 if kind[0] == "M" else 0
        if kind[0] == "Z" or char in "\t\r\n":
            kept.append(" ")
        elif (
            kind[0] in "LN"
            or (marks and marks <= MARKS_LIMIT)
            or char in _IN_A_TITLE
            or char == "_"
        ):
            kept.append(char)
    return " ".join("".join(kept).split())[:limit].strip()


@lru_cache(KEPT)
def _plain_name(name: str) -> str:
    return plain(name, NAME_LIMIT + 1)


def title(text: str) -> str:
    """A title between quotation marks; `without a name` if nothing of it is left."""
    words = plain(text.replace("_", " "), TITLE_LIMIT).strip(" ,;:-")
    return f"“{words}”" if words else "without a name"


def is_name(text: str) -> bool:
    """Whether a text reads as a name: a few words, but not a sentence, an id or a reserved name."""
    if not 0 < len(text) <= NAME_LIMIT or _LIKE_AN_ID.match(text):
        return False
    return _NAME.match(text) is not None and text.casefold().replace("_", " ") not in RESERVED


class Names:
    """What agents and organisations of a world are called now."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._bearers: dict[str, str] = {}
        """The id of the first who bears a name, by the folded name."""
        self._known: tuple[int, int, int, int] | None = None

    def agent(self, agent_id: str) -> Phrase:
        agent = self._world.agent_by_id(agent_id)
        return trusted(agent_id) if agent is None else self._of(agent_id, agent.name, agent_id)

    def org(self, org_id: str) -> Phrase:
        org = self._world.orgs.get(org_id)
        if org is None:
            return trusted("an organisation that is no more")
        return self._of(org_id, org.name, f"the {org.kind.lower()} {org_id}")

    def anyone(self, identity: str) -> Phrase:
        """An agent or an organisation."""
        return self.org(identity) if identity in self._world.orgs else self.agent(identity)

    def gone(self, name: str) -> Phrase:
        """The name of an organisation that no longer exists."""
        words = plain(name, NAME_LIMIT)
        return Phrase(words, "a company") if is_name(words) else trusted("a company")

    def _of(self, identity: str, chosen: str, bare: str) -> Phrase:
        self._look_again()
        words = _plain_name(chosen)
        if not is_name(words):
            return trusted(bare)
        alone = self._bearers.get(words.casefold()) == identity
        return Phrase(words if alone else f"{words} ({identity})", bare)

    def _look_again(self) -> None:
        """Names never change; who bears them changes when somebody comes or goes."""
        world = self._world
        now = (world.counters.agent, len(world.agents), world.counters.org, len(world.orgs))
        if now == self._known:
            return
        self._known = now
        bearers: Iterable[tuple[str, str]] = (
            *((org.name, org.id) for org in world.orgs),
            *((agent.name, agent.id) for agent in world.agents),
        )
        self._bearers.clear()
        for name, identity in bearers:
            self._bearers.setdefault(_plain_name(name).casefold(), identity)


def place_of(world: World, names: Names, position: Position, but: str | None = None) -> Phrase:
    """Where something happened. The land `but` does not give its name, because the event is about
    it."""
    x, _, z = position
    claim = land.at(world, x, z)
    if claim is not None and claim.id != but:
        return _on_land(world, names, claim)
    near = _nearest(world, x, z, but)
    if near is None:
        return trusted(WORDS.landscapes.get(world.ground.biome(x, z), "in the wilderness"))
    side = _side(x - near.anchor[0], z - near.anchor[2])
    owner = names.anyone(near.owner).text
    text = owner if near.owner in world.orgs else f"the land of {owner}"
    return Phrase(f"{side} of {text}", f"{side} of claimed land")


def _on_land(world: World, names: Names, claim: Claim) -> Phrase:
    """A place on claimed land: `in Thorp` if an organisation owns it, else `on the land of Ada`."""
    owner = names.anyone(claim.owner).text
    text = f"in {owner}" if claim.owner in world.orgs else f"on the land of {owner}"
    return Phrase(text, "on claimed land")


def _nearest(world: World, x: int, z: int, but: str | None) -> Claim | None:
    """The claim near by whose totem is nearest; None if there is no claim near."""
    lands = index_of(world).land
    cx = x >> 4
    cz = z >> 4
    span = range(-NEIGHBOURHOOD, NEIGHBOURHOOD + 1)
    distances = {
        claim.id: claim
        for dx in span
        for dz in span
        for claim in lands.get((cx + dx, cz + dz), ())
        if claim.id != but
    }
    away = [
        (abs(claim.anchor[0] - x) + abs(claim.anchor[2] - z), claim.id)
        for claim in distances.values()
    ]
    return distances[min(away)[1]] if away else None


def _side(dx: int, dz: int) -> str:
    """The compass direction of an offset; z grows to the south."""
    north_south = "south" if dz > 0 else "north"
    east_west = "east" if dx > 0 else "west"
    if abs(dx) > 2 * abs(dz):
        return east_west
    return north_south if abs(dz) > 2 * abs(dx) else f"{north_south}-{east_west}"

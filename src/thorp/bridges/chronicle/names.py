"""Makes names and titles that agents chose safe to use in prose, each with a neutral fallback.

An agent may call itself anything: a sentence, an instruction to the reader, another agent's name or id. A
name is used if it looks like a name, a title only between quotation marks. Of two equal names the first
bearer has it alone, the other gets its id added.

Each phrase has a `bare` form without anybody's words, for sentences that acceptance would refuse otherwise.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final, NamedTuple

from thorp.voxel.state.world import World

NAME_LIMIT: Final = 32
"""Characters of a name. What is longer is told by its id."""

TITLE_LIMIT: Final = 72
"""Characters of a title; a longer one ends where it is cut."""

MARKS_LIMIT: Final = 2
"""Marks above and below one letter: more only make a line illegible."""

KEPT: Final = 4_096
"""Names that are kept in their plain form: more than a world has agents."""

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
    """A text on one line, without what cannot be seen, turns the line round, or quotes."""
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFKC", text[: 4 * limit]).translate(_QUOTES):
        kind = unicodedata.category(char)
        marks = marks + 1 if kind[0] == "M" else 0
        if kind[0] == "Z" or char in "\t\r\n":
            kept.append(" ")
        elif kind[0] in "LN" or (marks and marks <= MARKS_LIMIT) or char in _IN_A_TITLE or char == "_":
            kept.append(char)
    return " ".join("".join(kept).split())[:limit].strip()


def title(text: str) -> str:
    """A title between quotation marks; an empty one is said to be none."""
    words = plain(text.replace("_", " "), TITLE_LIMIT).strip(" ,;:-")
    return f"“{words}”" if words else "without a name"


def is_name(text: str) -> bool:
    """Whether a text reads as a name: some words, no sentence, nobody else's id."""
    if not 0 < len(text) <= NAME_LIMIT or _LIKE_AN_ID.match(text):
        return False
    return _NAME.match(text) is not None and text.casefold().replace("_", " ") not in RESERVED


class Names:
    """What agents and organisations of a world are called now."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._bearers: dict[str, str] = {}
        """Of a name, whoever has it alone."""
        self._known: tuple[int, int, int, int] | None = None
        self._plain: dict[str, str] = {}

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
        """What somebody was called who is no more."""
        words = plain(name, NAME_LIMIT)
        return Phrase(words, "a company") if is_name(words) else trusted("a company")

    def _of(self, identity: str, chosen: str, bare: str) -> Phrase:
        self._look_again()
        words = self._plainly(chosen)
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
            self._bearers.setdefault(self._plainly(name).casefold(), identity)

    def _plainly(self, name: str) -> str:
        words = self._plain.get(name)
        if words is None:
            if len(self._plain) >= KEPT:
                self._plain.clear()
            words = self._plain[name] = plain(name, NAME_LIMIT + 1)
        return words

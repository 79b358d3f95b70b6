"""The suite of a league: which games count, frozen under a name, a version and a digest.

A suite is data, one JSON document. What is played under it is given complete, so that a later
default changes nothing: a scenario with all of its parameters, and the turns of a match. There are
two kinds of games:

    duels    seats play against each other; the deals are free, and best played mirrored
    scores   a single seat, or seats that share one score; the deals are rounds 1 to `deals` of
             tournaments with `seed`, the same for all, and `worst` is what a missing one counts
"""

from functools import cache
from importlib.resources import files
from typing import Final, Literal

import msgspec

from thorp.arena.tournament.schedule import match_seed
from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import InvalidError, UnknownError
from thorp.kernel.identity import digest
from thorp.kernel.strict_json import read_document

FORMAT: Final = "thorp.suite"
FILE: Final = "league-1.json"
MAX_GAMES: Final = 1000  # Far more than anybody compares agents by; it bounds a stranger's file.
MAX_DEALS: Final = 10_000


class Game(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One game of a suite, under the name by which tables know it."""

    name: str
    version: int
    kind: Literal["duels", "scores"]
    scenario: str
    parameters: dict[str, Json]
    max_turns: int
    seed: int = 42
    deals: int = 0
    worst: float = 0.0

    def seeds(self) -> frozenset[int]:
        """The seeds of its deals, if those are fixed."""
        return frozenset(match_seed(self.seed, f"r{deal + 1}") for deal in range(self.deals))


class Suite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The games of a league."""

    format: Literal["thorp.suite"]
    name: str
    version: int
    games: tuple[Game, ...]

    @property
    def digest(self) -> str:
        """The SHA-256 of its canonical text."""
        return digest(canonical_bytes(msgspec.json.decode(msgspec.json.encode(self))))

    def document(self) -> dict[str, Json]:
        """Name, version and digest, by which a table says what it is a table of."""
        return {"name": self.name, "version": self.version, "digest": self.digest}

    def game(self, name: str) -> Game:
        """The game of this name."""
        for game in self.games:
            if game.name == name:
                return game
        names = ", ".join(game.name for game in self.games)
        raise UnknownError(f"{self.name} has no game {name!r}; it has: {names}", code="game")

    def game_of(self, scenario: str, parameters: dict[str, Json], max_turns: int) -> Game:
        """The game that is played with these settings. Refuses what is not one of the suite's."""
        of_scenario = [game for game in self.games if game.scenario == scenario]
        for game in of_scenario:
            if game.parameters == parameters and game.max_turns == max_turns:
                return game
        if not of_scenario:
            names = ", ".join(game.name for game in self.games)
            raise InvalidError(
                f"{scenario} is no game of {self.name}; it has: {names}", code="other_suite"
            )
        differences = _differences(of_scenario[0], parameters, max_turns)
        raise InvalidError(f"{self.name} plays {scenario} with {differences}", code="other_suite")

    @property
    def shared(self) -> frozenset[str]:
        """The names of the games in which nobody plays against anybody."""
        return frozenset(game.name for game in self.games if game.kind == "scores")


def _differences(game: Game, parameters: dict[str, Json], max_turns: int) -> str:
    rules = {**game.parameters, "max_turns": game.max_turns}
    played = {**parameters, "max_turns": max_turns}
    names = [name for name in sorted({*rules, *played}) if rules.get(name) != played.get(name)]
    return ", ".join(f"{name} {rules.get(name)}, not {played.get(name)}" for name in names)


def read_suite(data: bytes, where: object = "the suite") -> Suite:
    """Read a suite. Refuses anything else, and games that two names or settings could not tell
    apart."""
    try:
        suite = msgspec.convert(read_document(data), Suite)
    except msgspec.ValidationError as problem:
        raise InvalidError(f"{where}: not a suite: {problem}", code="suite") from None
    names = [game.name for game in suite.games]
    rules = [canonical_bytes([g.scenario, g.parameters, g.max_turns]) for g in suite.games]
    if not 1 <= len(names) <= MAX_GAMES:
        raise InvalidError(f"{where}: a suite has 1 to {MAX_GAMES} games", code="suite")
    if len({*names}) < len(names) or len({*rules}) < len(rules):
        raise InvalidError(f"{where}: two of its games are the same", code="suite")
    for game in suite.games:
        if not 0 <= game.deals <= MAX_DEALS or (game.kind == "scores") != (game.deals > 0):
            raise InvalidError(
                f"{where}: {game.name}: games by score have 1 to {MAX_DEALS} deals, others none",
                code="suite",
            )
    return suite


@cache
def default_suite() -> Suite:
    """The suite that comes with Thorp."""
    return read_suite((files("thorp.arena") / "suites" / FILE).read_bytes(), FILE)

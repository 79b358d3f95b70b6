"""The public suite `League 1`: which ten games count, with which rules, parameters and deals.

A suite is frozen: its name, version and digest are what a result is cited with. A game's `version`
is that of its rules. If the rules of a game change, or a parameter does, that is another suite
under another name, and `League 1` stays what it is. A test freezes the digest, compares the
versions with those of the scenarios, and plays golden matches of each game.

The document is `suites/league-1.json`, every field written out. Games of the kind `scores` are
played by one agent alone, or in all seats together; `deals` fixes their seeds.
"""

from pkgutil import get_data
from typing import Final

from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.identity import digest
from thorp.kernel.strict_json import read_document

LEAGUE_1: Final[dict[str, Json]] = read_document(
    get_data("thorp.arena", "suites/league-1.json") or b""
)
"""The document of the suite."""


def suite_digest(suite: dict[str, Json]) -> str:
    """The SHA-256 of a suite's canonical text: everything in it, names included."""
    return digest(canonical_bytes(suite))

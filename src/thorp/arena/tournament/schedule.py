"""Makes the schedule of a round robin: who meets whom, in which order, and who sits where.

`docs/tournaments.md` says what it promises. In round `r` (from 0) a group of `n` takes its seats
in a circle, rotated by `r` plus the sum of its members' positions; at a table of two this also
balances the first seat within a round. Every `n` rounds the circle itself is permuted, so that
after `n!` rounds every order of the group has been played once. The names in a key are for people,
reduced to characters that every file system accepts.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

import msgspec

from thorp.kernel.errors import InvalidError, LimitError
from thorp.kernel.identity import seed_from

MAX_MATCHES = 500_000  # Results are held in memory, about a kilobyte a match.
MAX_TABLE = 8  # The most seats at a table: all 7! orders of the others are listed.
# How many characters of an id go into a key; eight ids stay below the 255 bytes of a file's name.
NAME_LENGTH = 20
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")


class Fixture(msgspec.Struct, frozen=True):
    """One scheduled match: its key, its round from 1, and the ids in seating order."""

    key: str
    round: int
    seats: tuple[str, ...]


def make_schedule(ids: Sequence[str], rounds: int, table: int = 2) -> list[Fixture]:
    """List every match of the tournament in canonical order. Refuses a field that is impossible or
    too large."""
    check_field(ids, rounds, table)
    entrants = sorted(ids, key=code_units)
    circles = list(permutations(range(1, table)))
    return [
        fixture
        for round_index in range(rounds)
        for fixture in _round(
            entrants, round_index, table, circles[round_index // table % len(circles)]
        )
    ]


def check_field(ids: Sequence[str], rounds: int, table: int) -> None:
    """Refuse a field that cannot be scheduled, or has too many matches."""
    if not 1 <= table <= MAX_TABLE:
        raise InvalidError(f"a table has 1 to {MAX_TABLE} seats, not {table}", code="table")
    if rounds < 1:
        raise InvalidError(f"a tournament has at least 1 round, not {rounds}", code="rounds")
    for id, seats in Counter(ids).items():
        if seats > 1:
            raise InvalidError(
                f"two entrants are called {id!r}; give each its own id", code="entrants"
            )
    if len(ids) < table:
        raise InvalidError(
            f"{len(ids)} agents cannot fill a table of {table}; enter at least {table}",
            code="entrants",
        )
    matches = count_matches(len(ids), rounds, table)
    if matches > MAX_MATCHES:
        raise LimitError(
            f"that makes {matches} matches, more than {MAX_MATCHES}; enter fewer agents or play "
            "fewer rounds",
            code="matches",
        )


def count_matches(entrants: int, rounds: int, table: int = 2) -> int:
    """How many matches a schedule has: every table of entrants once a round."""
    return rounds * math.comb(entrants, table)


def match_seed(tournament_seed: int, key: str) -> int:
    """The seed of a match: 32 bits of the SHA-256 of the tournament's seed and the match's key."""
    return seed_from(tournament_seed, key)


def code_units(id: str) -> bytes:
    """Sort key of ids: their UTF-16 code units, the same in every locale."""
    return id.encode("utf-16-be", "surrogatepass")


def _round(
    entrants: list[str], index: int, table: int, circle: tuple[int, ...]
) -> Iterator[Fixture]:
    """The matches of one round: every group of entrants once, seated in this circle."""
    for number, places in enumerate(combinations(range(len(entrants)), table), start=1):
        seated = (places[0], *(places[member] for member in circle))
        turn = (index + sum(places)) % table
        seats = tuple(entrants[place] for place in (*seated[turn:], *seated[:turn]))
        names = "-vs-".join(_NOT_IN_NAMES.sub("_", id[:NAME_LENGTH]) for id in seats)
        yield Fixture(f"r{index + 1:02d}-m{number:04d}-{names}", index + 1, seats)

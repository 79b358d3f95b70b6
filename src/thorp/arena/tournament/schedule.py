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

from thorp.arena.rating.results import code_units
from thorp.arena.sealed import deal_of, mirrored_key
from thorp.kernel.errors import InvalidError, LimitError
from thorp.kernel.identity import seed_from

MAX_MATCHES = 500_000  # Results are held in memory, about a kilobyte a match.
MAX_TABLE = 8  # The most seats at a table: all 7! orders of the others are listed.
# How many characters of an id go into a key; eight ids stay below the 255 bytes of a file's name.
NAME_LENGTH = 20
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")


class Fixture(msgspec.Struct, frozen=True):
    """One scheduled match: its key, its round from 1, and the ids in seating order. All seatings of
    a mirrored fixture share a deal; their seed follows from its name, not from the key."""

    key: str
    round: int
    seats: tuple[str, ...]
    deal: str | None = None


def make_schedule(
    ids: Sequence[str], rounds: int, table: int = 2, *, mirrored: bool = False
) -> list[Fixture]:
    """List every match of the tournament in canonical order. If it is mirrored, every group plays
    each deal as often as it has seats, and everyone gets every seat. Refuses a field that is
    impossible or too large."""
    check_field(ids, rounds, table, mirrored=mirrored)
    entrants = sorted(ids, key=code_units)
    circles = list(permutations(range(1, table)))
    return [
        fixture
        for round_index in range(rounds)
        for fixture in _round(
            entrants,
            round_index,
            table,
            circles[round_index // table % len(circles)],
            mirrored=mirrored,
        )
    ]


def check_field(ids: Sequence[str], rounds: int, table: int, *, mirrored: bool = False) -> None:
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
    matches = count_matches(len(ids), rounds, table, mirrored=mirrored)
    if matches > MAX_MATCHES:
        raise LimitError(
            f"that makes {matches} matches, more than {MAX_MATCHES}; enter fewer agents or play "
            "fewer rounds",
            code="matches",
        )


def count_matches(entrants: int, rounds: int, table: int = 2, *, mirrored: bool = False) -> int:
    """How many matches a schedule has: every table of entrants once a round, or if it is mirrored
    once for each of its seats."""
    return rounds * math.comb(entrants, table) * (table if mirrored else 1)


def match_seed(tournament_seed: int, key: str) -> int:
    """The seed of a match: 32 bits of the SHA-256 of the tournament's seed and the match's key."""
    return seed_from(tournament_seed, key)


def _round(
    entrants: list[str], index: int, table: int, circle: tuple[int, ...], *, mirrored: bool
) -> Iterator[Fixture]:
    """The matches of one round: every group of entrants, seated in this circle, once or from every
    seat."""
    for number, places in enumerate(combinations(range(len(entrants)), table), start=1):
        seated = (places[0], *(places[member] for member in circle))
        first_turn = (index + sum(places)) % table
        for seating in range(table if mirrored else 1):
            turn = (first_turn + seating) % table
            seats = tuple(entrants[place] for place in (*seated[turn:], *seated[:turn]))
            names = "-vs-".join(_NOT_IN_NAMES.sub("_", id[:NAME_LENGTH]) for id in seats)
            if mirrored:
                key = mirrored_key(f"r{index + 1:02d}-d{number:04d}", seating)
                yield Fixture(f"{key}-{names}", index + 1, seats, deal_of(key))
            else:
                yield Fixture(f"r{index + 1:02d}-m{number:04d}-{names}", index + 1, seats)

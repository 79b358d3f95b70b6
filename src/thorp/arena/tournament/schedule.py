"""The schedule of a round robin: who meets whom, in which order, and who sits where.

In every round every group of `table` entrants meets once (at a table of two: every pair; at a table of one
everyone plays alone). Entrants are
taken in the order of their ids by UTF-16 code unit, groups in lexicographic order of places in that list,
so the schedule follows from the set of ids alone and from nothing about the machine.

**Seats.** In round `r` (from 0) a group takes its seats in a circle, turned by `r` plus the sum of its
members' places. Hence, at a table of `n`:

- in any `n` rounds from a multiple of `n`, everyone has every seat once against the same opponents;
- over any number of rounds, nobody has one seat against the same opponents more than one time more often
  than another;
- at a table of two the sum of places spreads the first seat within a round as well: nobody has it more
  than one time more often than the second, over the whole tournament.

Every `n` rounds the circle itself is rearranged, so that after `n!` rounds every order of the group has
been played once and nobody always follows the same neighbour.

**Keys.** `r03-m0007-alice-vs-bob` is match 7 of round 3, with alice in the first seat. Round and number
identify it; the names are for the eye, cut down to what every file system takes. More rounds leave the keys
of the earlier ones as they were, and with them the seeds.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

import msgspec

from thorp.kernel.errors import InvalidError, LimitError
from thorp.kernel.identity import seed_from

MAX_MATCHES = 500_000
"""Results are held in memory, about a kilobyte a match."""

MAX_TABLE = 8
"""The most seats at a table: every circle of seven others is listed, and 7! of them is enough."""

NAME_LENGTH = 20
"""How much of an id goes into a key; eight of them stay below the 255 bytes of a file's name."""

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")


class Fixture(msgspec.Struct, frozen=True):
    """One match to come: its key, its round from 1, and the ids in seating order."""

    key: str
    round: int
    seats: tuple[str, ...]


def make_schedule(ids: Sequence[str], rounds: int, table: int = 2) -> list[Fixture]:
    """Every match of the tournament, in canonical order. Refuses what cannot be scheduled, or is too much."""
    check_field(ids, rounds, table)
    entrants = sorted(ids, key=code_units)
    circles = list(permutations(range(1, table)))
    return [
        fixture
        for round_index in range(rounds)
        for fixture in _round(entrants, round_index, table, circles[round_index // table % len(circles)])
    ]


def check_field(ids: Sequence[str], rounds: int, table: int) -> None:
    """Refuse what cannot be scheduled, or is too much."""
    if not 1 <= table <= MAX_TABLE:
        raise InvalidError(f"a table has 1 to {MAX_TABLE} seats, not {table}", code="table")
    if rounds < 1:
        raise InvalidError(f"a tournament has at least 1 round, not {rounds}", code="rounds")
    for id, seats in Counter(ids).items():
        if seats > 1:
            raise InvalidError(f"two entrants are called {id!r}; give each its own id", code="entrants")
    if len(ids) < table:
        raise InvalidError(
            f"{len(ids)} agents cannot fill a table of {table}; enter at least {table}", code="entrants"
        )
    matches = count_matches(len(ids), rounds, table)
    if matches > MAX_MATCHES:
        raise LimitError(
            f"that makes {matches} matches, more than {MAX_MATCHES}; enter fewer agents or play fewer rounds",
            code="matches",
        )


def count_matches(entrants: int, rounds: int, table: int = 2) -> int:
    """How many matches a schedule has."""
    return rounds * math.comb(entrants, table)


def match_seed(tournament_seed: int, key: str) -> int:
    """The seed of a match: 32 bits of the SHA-256 of the tournament's seed and the match's key."""
    return seed_from(tournament_seed, key)


def code_units(id: str) -> bytes:
    """What ids are sorted by: their UTF-16 code units, the same in every locale."""
    return id.encode("utf-16-be", "surrogatepass")


def _round(entrants: list[str], index: int, table: int, circle: tuple[int, ...]) -> Iterator[Fixture]:
    for number, places in enumerate(combinations(range(len(entrants)), table), start=1):
        seated = (places[0], *(places[member] for member in circle))
        turn = (index + sum(places)) % table
        seats = tuple(entrants[place] for place in (*seated[turn:], *seated[:turn]))
        yield Fixture(_key(index + 1, number, seats), index + 1, seats)


def _key(round: int, number: int, seats: tuple[str, ...]) -> str:
    names = "-vs-".join(_NOT_IN_NAMES.sub("_", id[:NAME_LENGTH]) for id in seats)
    return f"r{round:02d}-m{number:04d}-{names}"

"""A league: verified results of many, gathered in a chain, and the table that can be cited.

`suite` says which games count, `identity` who an agent is, `batch` proves what is brought, with the
`accounts` of its seats and their `rerun`, and `directory` keeps it. `table` is a function of the
set of what was added. `challenge` plays what tells most about a new agent. `docs/league.md` is the
page for people.
"""

from thorp.arena.league.batch import Batch, read_evidence
from thorp.arena.league.directory import League, add_to_league, merge_leagues
from thorp.arena.league.identity import Identity, make_identity
from thorp.arena.league.suite import Game, Suite, default_suite, read_suite
from thorp.arena.league.table import Row, Table, make_table

__all__ = [
    "Batch",
    "Game",
    "Identity",
    "League",
    "Row",
    "Suite",
    "Table",
    "add_to_league",
    "default_suite",
    "make_identity",
    "make_table",
    "merge_leagues",
    "read_evidence",
    "read_suite",
]

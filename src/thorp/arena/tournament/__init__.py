"""Tournaments: every agent plays every other; the same seed gives the same table on any machine.

`plan` and `schedule` say what is played, `outcome` and `standings` how it went, `report` and
`console` show it. `run` puts them together in a directory, and `verify` checks a finished
tournament.
"""

from thorp.arena.tournament.outcome import Outcome
from thorp.arena.tournament.plan import Plan, make_plan
from thorp.arena.tournament.report import FinishedTournament
from thorp.arena.tournament.run import Progress, load_tournament, run_tournament
from thorp.arena.tournament.schedule import Fixture, make_schedule, match_seed
from thorp.arena.tournament.standings import Interval, MeanScore, Rating, ScoreStanding, Standing
from thorp.arena.tournament.verify import Verification, verify_tournament
from thorp.workers import (
    InlinePool,
    Interrupted,
    ProcessPool,
    WorkerPool,
    make_worker_pool,
    run_tip,
)

__all__ = [
    "FinishedTournament",
    "Fixture",
    "InlinePool",
    "Interrupted",
    "Interval",
    "MeanScore",
    "Outcome",
    "Plan",
    "ProcessPool",
    "Progress",
    "Rating",
    "ScoreStanding",
    "Standing",
    "Verification",
    "WorkerPool",
    "load_tournament",
    "make_plan",
    "make_schedule",
    "make_worker_pool",
    "match_seed",
    "run_tournament",
    "tournament_tip",
    "verify_tournament",
]

tournament_tip = run_tip

"""Tournaments: every agent against every other, the same table from the same seed wherever it is played.

plan      what is played, as data            schedule   who meets whom, where everyone sits, seeds
batch     what a worker does                 crew       who plays: here, in processes; ray_cluster
outcome   what a match came to               folder     the directory, and resuming from it
tally, standings, ratings, finished          report, screen
score_table   where there are no duels
run       ties them together                 verify     proves a finished one again
"""

from thorp.arena.tournament.directory import tournament_tip
from thorp.arena.tournament.finished import Finished
from thorp.arena.tournament.outcome import Outcome
from thorp.arena.tournament.plan import Plan, make_plan
from thorp.arena.tournament.ratings import Interval, Rating
from thorp.arena.tournament.run import Progress, load_tournament, run_tournament
from thorp.arena.tournament.schedule import Fixture, make_schedule, match_seed
from thorp.arena.tournament.score_table import MeanScore, ScoreStanding
from thorp.arena.tournament.signals import Interrupted
from thorp.arena.tournament.standings import Standing
from thorp.arena.tournament.verify import Verification, verify_tournament
from thorp.arena.tournament.workers import Crew, Inline, Processes, make_crew

__all__ = [
    "Crew",
    "Finished",
    "Fixture",
    "Inline",
    "Interrupted",
    "Interval",
    "MeanScore",
    "Outcome",
    "Plan",
    "Processes",
    "Progress",
    "Rating",
    "ScoreStanding",
    "Standing",
    "Verification",
    "load_tournament",
    "make_crew",
    "make_plan",
    "make_schedule",
    "match_seed",
    "run_tournament",
    "tournament_tip",
    "verify_tournament",
]

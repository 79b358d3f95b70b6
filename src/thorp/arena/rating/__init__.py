"""Ratings as a pure function of the set of results, to the byte, on every machine.

`rate_all` computes what a table of agents shows; `docs/league.md` says what each figure means.
`results` are matches and their duels; `bradley_terry` rates them, with intervals; `tiers` is the
rank that copies cannot move; `cycles` and `variance` say how far a single number can be trusted;
`scores` is for games in which nobody plays against anybody.
"""

from thorp.arena.rating.bradley_terry import Rating
from thorp.arena.rating.results import Result
from thorp.arena.rating.scores import MeanScore, mean_scores
from thorp.arena.rating.table import Field, RatedAgent, rate_all

__all__ = ["Field", "MeanScore", "RatedAgent", "Rating", "Result", "mean_scores", "rate_all"]

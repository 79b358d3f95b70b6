"""Fleets: hundreds of worlds, villages, matches, tournaments and batches of episodes, run by one
plan.

plan   the tables of a plan, read strictly, and the jobs that they stand for
run    what one job does, wherever it runs; runs a plan into a directory, and makes the table of its
       results

`thorp.workers` has the workers and resumes a run.
"""

from thorp.fleet.plan import Fleet, Job, read_fleet
from thorp.fleet.run import FinishedFleet, FleetProgress, run_fleet

__all__ = ["FinishedFleet", "Fleet", "FleetProgress", "Job", "read_fleet", "run_fleet"]

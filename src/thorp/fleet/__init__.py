"""Fleets: hundreds of worlds, villages, matches, tournaments and batches of episodes, run by one
plan.

plan   reads the tables of a plan strictly, and lists their jobs
run    runs one job, wherever that is; runs a plan into a directory, and summarizes its results

`thorp.workers` has the workers, and resumes a run.
"""

from thorp.fleet.plan import Fleet, Job, read_fleet
from thorp.fleet.run import FinishedFleet, FleetProgress, run_fleet

__all__ = ["FinishedFleet", "Fleet", "FleetProgress", "Job", "read_fleet", "run_fleet"]

"""Graded tasks: a suite that others can take, each row proven solvable. See `docs/tasks.md`.

    episode = default_suite().open("live-logs-1000")
    print(episode.prompt)
    while not episode.is_over:
        episode.act({"action": "mine_nearest", "block": "LOG"})
    print(episode.score)

A *task* is a template, a *row* is a task at one seed. Goals are data; scores follow from the world,
never from words.
"""

from thorp.tasks.check import Checked, check_suite, sample_rows
from thorp.tasks.episode import Episode, Verdict
from thorp.tasks.fresh import check_commitment, commit, fresh_rows, judge, new_secret
from thorp.tasks.record import Row, Task
from thorp.tasks.start import Start, Starts, read_start, start_of
from thorp.tasks.suite import Suite, default_suite, read_suite

__all__ = [
    "Checked",
    "Episode",
    "Row",
    "Start",
    "Starts",
    "Suite",
    "Task",
    "Verdict",
    "check_commitment",
    "check_suite",
    "commit",
    "default_suite",
    "fresh_rows",
    "groups",
    "judge",
    "new_secret",
    "read_start",
    "read_suite",
    "sample_rows",
    "start_of",
]

"""Forks itself, in a process without other threads, and prints what came of it as JSON."""

import json
import os
import sys

from tests.tasks.table import table
from tests.tasks.test_starts import at_random, branches_fail
from thorp.tasks.groups import play_to, run_group
from thorp.workers.forks import run_forked


def main() -> None:
    """Print the same group by every way, then the processes of some branches, then failures."""
    episode = table().open("try-logs-1")
    play_to(episode, at_random(9), turn=4)
    groups = [
        run_group(episode, at_random, members=4, alive=2, way=way) for way in ("clone", "fork")
    ]
    assert groups[0] == groups[1]
    assert episode.digest() == groups[0].start.digest
    pids = run_forked([lambda: str(os.getpid()).encode()] * 5, alive=2)
    said = {"branches": len(groups[1].branches), "processes": len({os.getpid(), *map(int, pids)})}
    json.dump({**said, "failures": branches_fail()}, sys.stdout)


if __name__ == "__main__":
    main()

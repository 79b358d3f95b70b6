"""A process that forks a world with its story again and again and says which forks it has made,
until it is killed.

    python -m tests.cli.fork_child DATA PLACE

Each line on standard output is the name of a directory in PLACE, and its tick.
"""

from __future__ import annotations

import itertools
import os
import sys
from pathlib import Path

from thorp.cli.fork import StoryOptions, fork_command

AT = 30


def main(data: str, place: str) -> None:
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - it is said below, when it is there
    fork_command(AT, Path(place) / "first", StoryOptions(), data=Path(data), quiet=True)
    os.write(1, f"first {AT}\n".encode())
    for number in itertools.count():
        fork_command(AT, Path(place) / str(number), StoryOptions(), data=Path(data), quiet=True)
        os.write(1, f"{number} {AT}\n".encode())


if __name__ == "__main__":
    main(*sys.argv[1:])

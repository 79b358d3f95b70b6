"""A process that branches a story again and again and says which branches it has made, until it is
killed.

    python -m tests.story.branch_child STORY PLACE

Each line on standard output is the name of a directory in PLACE, and how many beats it shares.
"""

from __future__ import annotations

import itertools
import os
import sys
from pathlib import Path

from thorp.story import branch, open_ledger


def main(story: str, place: str) -> None:
    with open_ledger(Path(story), create=False) as ledger:
        beats, _ = ledger.tip()
        for number in itertools.count():
            branch(ledger, Path(place) / str(number), beats)
            os.write(1, f"{number} {beats}\n".encode())


if __name__ == "__main__":
    main(*sys.argv[1:])

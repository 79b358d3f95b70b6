"""A process that lets the village live and prints its chronicle, one JSON line a paragraph.

python -m tests.bridges.chronicle.publisher_child TICKS DAY_TICKS
"""

from __future__ import annotations

import json
import sys

from tests.bridges.chronicle.village_life import chronicle_of_the_village


def main(ticks: str, day_ticks: str) -> None:
    for page in chronicle_of_the_village(int(ticks), int(day_ticks)):
        for paragraph in page:
            print(json.dumps([paragraph.text, paragraph.visible_to]))


if __name__ == "__main__":
    main(*sys.argv[1:])

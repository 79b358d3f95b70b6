"""A process that governs a town and says what was answered, until it is killed.

    python -m tests.town_engine.kill_child URL TOWN

Each line on standard output is the key of an executed handoff and the id of its result.
"""

from __future__ import annotations

import os
import sys

from thorp.town.embedded.council import Council
from thorp.town.service import EmbeddedTown


def main(url: str, town_id: str) -> None:
    world = EmbeddedTown(url, create=False)
    council = Council(town_id)
    while True:
        for _, result in council.sit(world):
            if result["status"] == "executed":
                os.write(1, f"{result['idempotencyKey']} {result['resultId']}\n".encode())
        world.advance_day()


if __name__ == "__main__":
    main(*sys.argv[1:])

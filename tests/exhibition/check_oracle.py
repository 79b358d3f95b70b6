"""Our games against the real OpenSpiel, on playouts that are new each time."""

from __future__ import annotations

import random

from tests.arena.scenarios.oracle import check
from tests.exhibition.spiel_traces import HANABI, VARIANTS, traces

EACH = 2_000
OF_HANABI = 300


def test_our_games_are_openspiels() -> None:
    seed = random.SystemRandom().getrandbits(32)
    counts = check(traces(EACH, OF_HANABI, seed))
    assert sum(count["playouts"] for count in counts.values()) == (
        EACH * len(VARIANTS) + OF_HANABI * len(HANABI)
    )
    for game, count in counts.items():
        print(f"{game}: {count}")
    print(f"seed {seed}")

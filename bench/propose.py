"""Proposals per CPU second, one process: `python bench/propose.py`.

Every call gets a snapshot of its own, read from JSON and never seen before, and all three roles take turns.
Typical is four quests, three projects and an event; full is the contract's bound, a hundred of each, in
shuffled order. A third of the numbers are whole, some spelled `5.0`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from calibration import report

from thorp.town import built_in_profile, propose

EVENTS = ("piglin_raid_nearby", "Supply caravan lost near the ford", "quiet night")
PROFILES = [built_in_profile(role) for role in ("mayor", "captain", "warden")]
ROUNDS = 7


def snapshot(draw: random.Random, quests: int, projects: int) -> dict[str, Any]:
    def unit() -> float:
        return draw.choice((round(draw.random(), 2), draw.random(), 1.0))

    def number() -> float:
        return draw.choice((draw.randrange(11), round(draw.random() * 10, 1), draw.random() * 10, 5.0))

    return {
        "schemaVersion": "snapshot.v1",
        "day": draw.randrange(400),
        "townId": "town-1",
        "mission": None,
        "sideQuests": [
            {
                "id": f"sq-{draw.choice(('north', 'stone', 'ford'))}-{place}",
                "title": "Escort the miller home",
                "complexity": number(),
            }
            for place in draw.sample(range(1000), quests)
        ],
        "pressure": {"threat": 0.31 + unit() / 2, "scarcity": unit(), "hope": unit(), "dread": unit()},
        "projects": [
            {
                "id": f"pr-{draw.choice(('wall', 'gate', 'well'))}-{place}",
                "name": "Mend the north wall",
                "progress": unit(),
                "status": draw.choice(("planning", "active", "blocked", "complete")),
            }
            for place in draw.sample(range(1000), projects)
        ],
        "latestNetherEvent": draw.choice(EVENTS),
    }


def batches(seed: int, calls: int, quests: int, projects: int) -> Callable[[], float]:
    """One batch a call; what it proposes from is made beforehand, and none is used twice."""
    draw = random.Random(seed)
    waiting = [
        [json.loads(json.dumps(snapshot(draw, quests, projects))) for _ in range(calls)]
        for _ in range(ROUNDS)
    ]

    def run() -> float:
        for turn, fresh in enumerate(waiting.pop()):
            propose(fresh, PROFILES[turn % len(PROFILES)])
        return calls

    return run


def main() -> None:
    report("typical: 4 quests, 3 projects, an event", "proposals", batches(1, 4_000, 4, 3), ROUNDS)
    report("full: 100 quests, 100 projects", "proposals", batches(2, 400, 100, 100), ROUNDS)


if __name__ == "__main__":
    main()

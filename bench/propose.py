"""Proposals per CPU second, one process: `python bench/propose.py [--beside node]`.

Every call gets a snapshot of its own, read from JSON and never seen before, and all three roles
take turns. Typical is four quests, three projects and an event; full is the contract's bound, a
hundred of each, in shuffled order. A third of the numbers are whole, some spelled `5.0`.

With `--beside node` the same snapshots go, in turns, to an implementation in JavaScript
(bench/propose.mjs), warm, the CPU time of all its threads counted. Before any timing, both must
have proposed the same.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Any

from calibration import cpu_seconds, report
from node_peer import node_peer

from thorp.kernel.canonical import canonical_bytes
from thorp.town import built_in_profile, propose

EVENTS = ("piglin_raid_nearby", "Supply caravan lost near the ford", "quiet night")
PROFILES = [built_in_profile(role) for role in ("mayor", "captain", "warden")]
ROUNDS = 7
SIZES = {"typical": (1_000, 4, 3), "full": (100, 100, 100)}
"""By name: proposals a turn beside a peer, and how many quests and projects a snapshot has."""
WARM_TURNS = 8
TURNS = 15


def snapshot(draw: random.Random, quests: int, projects: int) -> dict[str, Any]:
    def unit() -> float:
        return draw.choice((round(draw.random(), 2), draw.random(), 1.0))

    def number() -> float:
        return draw.choice(
            (draw.randrange(11), round(draw.random() * 10, 1), draw.random() * 10, 5.0)
        )

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
        "pressure": {
            "threat": 0.31 + unit() / 2,
            "scarcity": unit(),
            "hope": unit(),
            "dread": unit(),
        },
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


def alone() -> None:
    report("typical: 4 quests, 3 projects, an event", "proposals", batches(1, 4_000, 4, 3), ROUNDS)
    report("full: 100 quests, 100 projects", "proposals", batches(2, 400, 100, 100), ROUNDS)


def new_work(draw: random.Random, size: str) -> list[tuple[Any, Any]]:
    """What one turn proposes from: snapshots that were never seen before, and the three profiles in
    turn."""
    count, quests, projects = SIZES[size]
    return [
        (json.loads(json.dumps(snapshot(draw, quests, projects))), PROFILES[turn % len(PROFILES)])
        for turn in range(count)
    ]


def propose_all(work: list[tuple[Any, Any]]) -> None:
    for town, profile in work:
        propose(town, profile)


def beside_node() -> None:
    with node_peer("propose.mjs") as ask:
        for size, (count, *_) in SIZES.items():
            draw = random.Random(size)
            for _ in range(WARM_TURNS):
                work = new_work(draw, size)
                hashed = sha256()
                for town, profile in work:
                    hashed.update(canonical_bytes(propose(town, profile)))
                if ask({"work": work, "digest": True})["sha256"] != hashed.hexdigest():
                    raise SystemExit(
                        "Node's proposals differ from ours; a comparison would mean nothing"
                    )
            ours = []
            theirs = []
            for _ in range(TURNS):
                work = new_work(draw, size)
                ours.append(cpu_seconds(partial(propose_all, work)))
                theirs.append(ask({"work": work})["seconds"])
            ratio = statistics.median(node / own for own, node in zip(ours, theirs, strict=True))
            print(
                f"{size:8s} thorp {count / statistics.median(ours):8,.0f}, "
                f"node {count / statistics.median(theirs):8,.0f} proposals per CPU s; "
                f"thorp makes {ratio:.2f} times as many",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description="Proposals per CPU second.")
    parser.add_argument(
        "--beside", choices=["node"], help="compare with an implementation in this language"
    )
    beside_node() if parser.parse_args().beside else alone()


if __name__ == "__main__":
    main()

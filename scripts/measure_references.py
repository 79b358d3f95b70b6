"""Measure the references of `thorp.arena.scale`: the mean scores of the blind bot and of the best
beside the best, in League 1.

`python scripts/measure_references.py [GAME …]`. Every seating of 100 seeds, 10 of the voxel world.
"""

from __future__ import annotations

import sys

from thorp.arena import MatchConfig, run_match
from thorp.arena.registry import make_agent, make_scenario
from thorp.arena.scale import REFERENCES
from thorp.arena.suite import LEAGUE_1

SEEDS = 100
SEEDS_OF_WORLDS = 10


def mean_score(name: str, kind: str) -> float:
    """The mean score of a bot in each seat in turn, the others being the reference's; together, of
    the bot in all seats."""
    reference = REFERENCES[name]
    (game,) = [each for each in LEAGUE_1["games"] if each["scenario"] == name]
    seatings = range(1 if reference.together else reference.seats)
    seeds = SEEDS_OF_WORLDS if name == "voxel-survival" else SEEDS
    total = 0.0
    for seed in range(1, seeds + 1):
        for own in seatings:
            agents = []
            for seat in range(reference.seats):
                is_own = reference.together or seat == own
                agents.append(make_agent(name, kind if is_own else reference.best, f"s{seat}"))
            config = MatchConfig(seed=seed, max_turns=game["max_turns"])
            match = run_match(make_scenario(name, game["parameters"]), agents, config)
            assert match.reason == "completed", match
            total += match.scores[f"s{own}"]
    return total / (seeds * len(seatings))


def main() -> None:
    for name, reference in REFERENCES.items():
        if not sys.argv[1:] or name in sys.argv[1:]:
            blind = mean_score(name, reference.blind)
            best = mean_score(name, reference.best)
            print(f"{name}: blind {blind:.4g}, best {best:.4g}", flush=True)


if __name__ == "__main__":
    main()

"""A small learner: the cross-entropy method on preferences for actions, given a few facts of the
pocket.

    python examples/learner.py --minutes 10          # trains, prints the curve, writes learner.json
    thorp match run voxel-survival --agent examples/learner.py:Learner --seed 1 --max-turns 2000

Each generation draws policies around the best so far and lets each play half a day in three worlds.
The few that score best make the next generation. Needs numpy, which comes with Thorp.
"""

import argparse
import json
import re
import time
from pathlib import Path
from typing import Any

import numpy as np

from thorp.env import World
from thorp.env.arrays import ITEMS

POLICY = Path(__file__).with_suffix(".json")
# What the policy looks at: nothing, and whether the pocket has so many of these.
FACTS = (("LOG", 1), ("PLANK", 4), ("STONE", 3))
COMPASS = re.compile("_(north|east|south|west)$")
# What is alike in every direction has one preference.
KINDS = sorted({COMPASS.sub("", name) for name in World(0).action_names})
KIND_OF = np.array([KINDS.index(COMPASS.sub("", name)) for name in World(0).action_names])
NOTHING: dict[str, Any] = {"starter_items": {}}
# Half a day of the world: what is not begun by then seldom comes.
TICKS = 3_000
POPULATION, ELITE, EPISODES = 40, 8, 3
# Training never sees the seeds on which results are reported.
TRAINING_SEEDS = range(100_000, 200_000)


def facts(pocket: dict[str, int]) -> np.ndarray:
    return np.array([1.0, *(pocket.get(item, 0) >= count for item, count in FACTS)])


def chances(weights: np.ndarray, pocket: dict[str, int], possible: np.ndarray) -> np.ndarray:
    """How likely each possible action is taken."""
    wishes = (facts(pocket) @ weights)[KIND_OF[possible]]
    raised = np.exp(wishes - wishes.max())
    return raised / raised.sum()


def play(weights: np.ndarray, seed: int, rng: np.random.Generator) -> float:
    """The score of one episode."""
    world = World(seed, 1, NOTHING, arrays=True, busy_ticks=50, least_ticks=5)
    seen, score = world.reset()["A1"], 0.0
    while world.tick < TICKS:
        pocket = dict(zip(ITEMS, seen["inventory"].tolist(), strict=False))
        possible = np.flatnonzero(seen["action_mask"])
        action = rng.choice(possible, p=chances(weights, pocket, possible))
        seen = world.step({"A1": int(action)})["A1"]
        score += world.rewards["A1"]
    return score


def train(minutes: float, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    shape = (1 + len(FACTS), len(KINDS))
    mean, spread = np.zeros(shape), np.full(shape, 1.2)
    began = time.process_time()
    for generation in range(10_000):
        seeds = rng.choice(TRAINING_SEEDS, EPISODES)
        drawn = [mean + spread * rng.standard_normal(shape) for _ in range(POPULATION)]
        scores = np.array(
            [np.mean([play(weights, int(each), rng) for each in seeds]) for weights in drawn]
        )
        best = np.array([drawn[at] for at in np.argsort(scores)[-ELITE:]])
        mean = 0.6 * mean + 0.4 * best.mean(axis=0)
        spread = np.maximum(0.6 * spread + 0.4 * best.std(axis=0), 0.3)
        spent = (time.process_time() - began) / 60
        told = f"mean {scores.mean():.2f}, best {scores.max():.1f}, {spent:.1f} CPU minutes"
        print(f"generation {generation}: {told}", flush=True)
        if spent > minutes:
            break
    return mean


class Learner:
    """The trained policy as an agent of the arena."""

    def __init__(self, id: str) -> None:
        self.id = id
        self._weights = np.array(json.loads(POLICY.read_text()))

    def init(self, config: Any) -> None:
        pass

    def act(self, observation: Any, ctx: Any) -> int:
        pocket = {stack["item"]: stack["count"] for stack in observation["inventory"]}
        possible = np.array(observation["possible"])
        reached = np.cumsum(chances(self._weights, pocket, possible))
        return int(possible[min(int(np.searchsorted(reached, ctx.rng())), len(possible) - 1)])


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the learner and write its policy.")
    parser.add_argument("--minutes", type=float, default=10.0, help="CPU minutes")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    weights = train(chosen.minutes, chosen.seed)
    POLICY.write_text(json.dumps(np.round(weights, 2).tolist()) + "\n")


if __name__ == "__main__":
    main()

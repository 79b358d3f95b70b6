"""The learner of the examples: it plays, it learns from what it plays, and its policy plays
matches."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np

from thorp.arena import MatchConfig, run_match
from thorp.bridges.voxel_match import VoxelSurvival

EXAMPLE = Path(__file__).parents[2] / "examples/learner.py"


def learner() -> Any:
    spec = importlib.util.spec_from_file_location("learner", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_episode_follows_from_seed_and_policy() -> None:
    example = learner()
    example.TICKS = 300
    weights = np.zeros((1 + len(example.FACTS), len(example.KINDS)))
    first, again = (example.play(weights, 7, np.random.default_rng(3)) for _ in range(2))
    assert first == again
    weights[0, example.KINDS.index("wait")] = 50
    assert example.play(weights, 7, np.random.default_rng(3)) == 0, "who only waits unlocks nothing"


def test_the_trained_policy_fits_the_world_and_plays_matches() -> None:
    example = learner()
    weights = np.array(json.loads(example.POLICY.read_text()))
    assert weights.shape == (1 + len(example.FACTS), len(example.KINDS))
    config = MatchConfig(seed=1, max_turns=40)
    logs = [
        run_match(VoxelSurvival(ticks=300), [example.Learner("wren")], config).jsonl
        for _ in range(2)
    ]
    assert logs[0] == logs[1]
    assert b'"valid":false' not in logs[0]

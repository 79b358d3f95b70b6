"""`thorp/World-v0` for Gymnasium: one agent alone in a world."""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from thorp.env.world import World
from thorp.voxel import Tuning

EPISODE_STEPS = 10_000  # As long as an episode of Crafter.
SEEDS = 2**31  # Drawn seeds are below this, so that every library accepts them.


def observation_space(world: World) -> spaces.Dict:
    """The Gymnasium space of a world's observations."""
    specs = world.observation_spec.items()
    return spaces.Dict(
        {name: spaces.Box(spec.low, spec.high, spec.shape, spec.dtype) for name, spec in specs}
    )


class WorldEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """One agent alone in a world for Gymnasium; see `docs/env.md`.

    After `max_steps` the episode is truncated; nothing terminates it. A reset without a seed begins
    the world of `seed` if that was given, and another world each time if not.
    """

    def __init__(
        self,
        seed: int | None = None,
        tuning: Tuning | Mapping[str, Any] | None = None,
        *,
        max_steps: int = EPISODE_STEPS,
        busy_ticks: int = 1,
    ) -> None:
        self.world = World(
            seed or 0, tuning=tuning, arrays=True, busy_ticks=busy_ticks, max_steps=max_steps
        )
        self.observation_space = observation_space(self.world)
        self.action_space = spaces.Discrete(len(self.world.action_names))
        self._seed = seed

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        chosen = self._seed if seed is None else seed
        self.world.seed = int(self.np_random.integers(SEEDS)) if chosen is None else chosen
        return self.world.reset()["A1"], self.world.infos["A1"]

    def step(self, action: np.int64) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        world = self.world
        seen = world.step({"A1": action})["A1"]
        return seen, world.rewards["A1"], False, world.dones["A1"], world.infos["A1"]

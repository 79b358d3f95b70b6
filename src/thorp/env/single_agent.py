"""`thorp/World-v0` for Gymnasium: one agent alone in a world."""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np

from thorp.env.spaces import RENDER_MODES, action_space, check_render_mode, observation_space
from thorp.env.world import World
from thorp.voxel.tuning import Tuning

# As long as Crafter's.
EPISODE_STEPS = 10_000
# What a drawn world seed is below: every such number is a seed of any library.
SEEDS = 2**31


class WorldEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """The reward is the points of new achievements. After `max_steps` the episode is truncated; nothing
    terminates it, because an agent that dies wakes again (`info["downed"]`).

    `reset(seed=S)` begins world S. Without a seed it is the world of `seed` if that was given, else another
    world each time.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 5}  # noqa: RUF012  # as Gymnasium has it

    def __init__(
        self,
        seed: int | None = None,
        tuning: Tuning | Mapping[str, Any] | None = None,
        *,
        max_steps: int = EPISODE_STEPS,
        busy_ticks: int = 1,
        render_mode: str | None = None,
    ) -> None:
        self.world = World(seed or 0, tuning=tuning, arrays=True, busy_ticks=busy_ticks, max_steps=max_steps)
        self.render_mode = check_render_mode(render_mode)
        self.observation_space = observation_space(self.world)
        self.action_space = action_space(self.world)
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

    def render(self) -> Any:
        return self.world.describe("A1") if self.render_mode == "ansi" else None

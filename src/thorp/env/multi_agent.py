"""The world for PettingZoo: `parallel_env`, from which `env` is derived. Agents are `agent_0`, `agent_1` …"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from thorp.env.single_agent import EPISODE_STEPS, SEEDS, observation_space
from thorp.env.world import World
from thorp.kernel.errors import IllegalError, InvalidError
from thorp.voxel.tuning import Tuning

ByAgent = dict[str, Any]


class ParallelWorld(ParallelEnv):  # type: ignore[misc]
    """As `docs/env.md` tells. After `max_cycles` steps all agents are truncated together. An agent without an
    action waits. Without a seed, each reset but the first draws another world from the last seed given."""

    metadata = {"name": "thorp_world_v0", "render_modes": [], "is_parallelizable": True}  # noqa: RUF012

    def __init__(
        self,
        seed: int = 0,
        agents: int = 2,
        tuning: Tuning | Mapping[str, Any] | None = None,
        *,
        max_cycles: int = EPISODE_STEPS,
        busy_ticks: int = 1,
    ) -> None:
        self.world = World(seed, agents, tuning, arrays=True, busy_ticks=busy_ticks, max_steps=max_cycles)
        self.max_cycles = max_cycles
        self.render_mode = None
        self._ids = {f"agent_{number}": own for number, own in enumerate(self.world.agent_ids)}
        self.possible_agents = list(self._ids)
        self.agents: list[str] = []
        self.observation_spaces = {name: observation_space(self.world) for name in self._ids}
        self.action_spaces = {name: spaces.Discrete(len(self.world.action_names)) for name in self._ids}
        self._draws: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: ByAgent | None = None) -> tuple[ByAgent, ByAgent]:
        if seed is not None or self._draws is None:
            self.world.seed = self.world.seed if seed is None else seed
            self._draws = np.random.default_rng(abs(self.world.seed))
        else:
            self.world.seed = int(self._draws.integers(SEEDS))
        self.world.max_steps = self.max_cycles
        self.agents = self.possible_agents.copy()
        return self._named(self.world.reset()), self._named(self.world.infos)

    def step(self, actions: ByAgent) -> tuple[ByAgent, ByAgent, ByAgent, ByAgent, ByAgent]:
        if not self.agents:
            raise IllegalError("the episode has ended, or never begun; call reset()", code="ended")
        if not isinstance(actions, Mapping):
            raise InvalidError(f"step takes a dict of actions by agent, not {actions!r:.80}", code="acts")
        for name, action in actions.items():
            if name not in self.agents:
                there = f"there are agent_0 to {self.agents[-1]}"
                raise InvalidError(f"there is no agent {name!r:.80}; {there}", code="agent")
            if not self.action_spaces[name].contains(action):
                wanted = f"an integer from 0 to {self.action_spaces[name].n - 1}"
                raise InvalidError(f"the action of {name} must be {wanted}, not {action!r:.80}", code="act")
        world = self.world
        seen = world.step({self._ids[name]: action for name, action in actions.items()})
        ended = self._named(world.dones)
        never = dict.fromkeys(ended, False)
        self.agents = [name for name in self.agents if not ended[name]]
        return self._named(seen), self._named(world.rewards), never, ended, self._named(world.infos)

    def _named(self, values: Mapping[str, Any]) -> ByAgent:
        return {name: values[own] for name, own in self._ids.items()}

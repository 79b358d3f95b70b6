"""The world for PettingZoo: `parallel_env`, from which `env` is derived. Agents are called
`agent_0`, `agent_1` …"""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

import numpy as np
from gymnasium import logger, spaces
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from thorp.env import rendering
from thorp.env.rendering import Observation
from thorp.env.single_agent import EPISODE_STEPS, SEEDS, observation_space
from thorp.env.world import World
from thorp.kernel.errors import IllegalError, InvalidError
from thorp.voxel import Tuning

ByAgent = dict[str, Any]

ANSI: Final = "ansi"
RENDER_MODES: Final = (ANSI, "rgb_array")


class ParallelWorld(ParallelEnv):  # type: ignore[misc]
    """Many agents in one world for PettingZoo; see `docs/env.md`.

    After `max_cycles` steps all agents are truncated together. An agent without an action waits,
    and so does one whose action is not in its space: its info says so under `refused`. A reset
    without a seed begins the world of `seed` the first time, and then another world each time,
    drawn from the last seed that was given.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "thorp_world_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": 5,
        "is_parallelizable": True,
    }

    def __init__(
        self,
        seed: int = 0,
        agents: int = 2,
        tuning: Tuning | Mapping[str, Any] | None = None,
        *,
        max_cycles: int = EPISODE_STEPS,
        busy_ticks: int = 1,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            modes = ", ".join(RENDER_MODES)
            raise InvalidError(
                f"render_mode is one of {modes}, or None; not {render_mode!r:.80}",
                code="render_mode",
            )
        self.world = World(
            seed, agents, tuning, arrays=True, busy_ticks=busy_ticks, max_steps=max_cycles
        )
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        self._seen: dict[str, Observation] = {}
        self._ids = {f"agent_{number}": own for number, own in enumerate(self.world.agent_ids)}
        self.possible_agents = list(self._ids)
        self.agents: list[str] = []
        self.observation_spaces = {name: observation_space(self.world) for name in self._ids}
        self.action_spaces = {
            name: spaces.Discrete(len(self.world.action_names)) for name in self._ids
        }
        self._draws: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: ByAgent | None = None
    ) -> tuple[ByAgent, ByAgent]:
        if seed is not None or self._draws is None:
            self.world.seed = self.world.seed if seed is None else seed
            self._draws = np.random.default_rng(abs(self.world.seed))
        else:
            self.world.seed = int(self._draws.integers(SEEDS))
        self.world.max_steps = self.max_cycles
        self.agents = self.possible_agents.copy()
        seen = self._named(self.world.reset())
        self._keep(seen)
        return seen, self._infos({})

    def step(self, actions: ByAgent) -> tuple[ByAgent, ByAgent, ByAgent, ByAgent, ByAgent]:
        if not self.agents:
            raise IllegalError("the episode has ended, or never begun; call reset()", code="ended")
        if not isinstance(actions, Mapping):
            raise InvalidError(
                f"step takes a dict of actions by agent, not {actions!r:.80}", code="acts"
            )
        for name in actions:
            if name not in self.agents:
                there = f"there are agent_0 to {self.agents[-1]}"
                raise InvalidError(f"there is no agent {name!r:.80}; {there}", code="agent")
        refused = {}
        taken = {}
        for name, action in actions.items():
            if self.action_spaces[name].contains(action):
                taken[self._ids[name]] = action
            else:
                wanted = f"an integer from 0 to {self.action_spaces[name].n - 1}"
                refused[name] = (
                    f"the action must be {wanted}, not {action!r:.80}; this turn was a wait"
                )
        world = self.world
        seen = self._named(world.step(taken))
        self._keep(seen)
        ended = self._named(world.dones)
        never = dict.fromkeys(ended, False)
        self.agents = [name for name in self.agents if not ended[name]]
        return seen, self._named(world.rewards), never, ended, self._infos(refused)

    def render(self) -> str | NDArray[np.uint8] | None:
        """Draw what all agents see, as `render_mode` says: maps as text, or one picture."""
        if self.render_mode is None:
            logger.warn('render() needs a render mode: parallel_env(render_mode="rgb_array")')
            return None
        if not self._seen:
            raise IllegalError("there is nothing to see yet; call reset()", code="no_world")
        return (
            rendering.text(self._seen) if self.render_mode == ANSI else rendering.pixels(self._seen)
        )

    def close(self) -> None:
        """Do nothing: there is no window to close."""

    def _keep(self, seen: ByAgent) -> None:
        """Keep copies of the arrays that are drawn: the caller may change those it got."""
        if self.render_mode is not None:
            for name, observation in seen.items():
                self._seen[name] = {part: observation[part].copy() for part in rendering.DRAWN}

    def _infos(self, refused: Mapping[str, str]) -> ByAgent:
        """The infos of all agents. `refused` says for some why their action was not taken."""
        infos = self._named(self.world.infos)
        return {name: {**info, "refused": refused.get(name, "")} for name, info in infos.items()}

    def _named(self, values: Mapping[str, Any]) -> ByAgent:
        return {name: values[own] for name, own in self._ids.items()}

"""Bots for tasks: the least that any agent scores, and what a fixed list of habits scores."""

from thorp.arena.contract import AgentConfig, AgentContext, SimpleAgent
from thorp.bridges.voxel_bots import ScriptedSurvivor
from thorp.kernel.canonical import Json
from thorp.tasks.policies import WAIT, draw


class IdleAgent(SimpleAgent):
    """Does nothing."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        return WAIT


class RandomAgent(SimpleAgent):
    """Draws one of the actions that are possible."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        return draw(observation["possible"], ctx.rng)


class ScriptedAgent(SimpleAgent):
    """Climbs the tech tree in a world, whatever it was asked to do; elsewhere it does nothing."""

    def init(self, config: AgentConfig) -> None:
        self._survivor = ScriptedSurvivor(self.id)
        self._survivor.init(config)

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        return self._survivor.act(observation, ctx) if "inventory" in observation else WAIT

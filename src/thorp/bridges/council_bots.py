"""Bots for the town council: two decide by the built-in policies, one at random, one only talks."""

from thorp.arena.contract import AgentContext, SimpleAgent
from thorp.kernel.canonical import Json
from thorp.kernel.rng import bounded
from thorp.town import propose
from thorp.town.proposal import ACTIONS


class RankedGovernor(SimpleAgent):
    """Does what the `ranked` policy proposes."""

    policy = "ranked"

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        proposal = propose(observation["snapshot"], observation["profile"], policy=self.policy)
        return {"type": proposal["type"], "args": proposal["args"]}


class SimpleGovernor(RankedGovernor):
    """Does what the `simple` policy proposes."""

    policy = "simple"


class RandomGovernor(SimpleAgent):
    """Draws one of the actions that its office allows, on one of the targets there are."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        snapshot = observation["snapshot"]
        moves = []
        for action_type in observation["allowed"]:
            action = ACTIONS[action_type]
            listed = "sideQuests" if action_type == "MAYOR_ACCEPT_MISSION" else "projects"
            for target in action.targets or [thing["id"] for thing in snapshot[listed]]:
                moves.append({"type": action_type, "args": {action.argument: target}})
        return moves[int(bounded(ctx.rng(), 0, len(moves) - 1))]


class IdleGovernor(SimpleAgent):
    """Makes casual talk every day, and nothing else."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        return {"type": "TOWNSFOLK_TALK", "args": {"talkType": "casual"}}

"""A voxel agent as a Python class: it fells trees and saws planks, and says so.

thorp bots --agent examples/agents/gatherer.py:Gatherer --count 3 --seconds 60
"""


class Gatherer:
    def init(self, config):
        # config.agent_id, config.seed, config.scenario ("world" in a served world),
        # config.parameters
        self.said = 0

    def act(self, observation, ctx):
        # The observation is the OBS of the agent protocol, with the same as `text` beside it.
        carried = {stack["item"]: stack["count"] for stack in observation["inventory"]}
        if observation["tasks"]:
            return None  # still at work: a pass
        if carried.get("PLANK", 0) >= 4 * (self.said + 6):
            self.said += 1
            return {"action": "say", "text": f"I have {carried['PLANK']} planks."}
        if carried.get("LOG"):
            return {"action": "craft", "recipe_id": "plank_from_log", "count": 1}
        if observation["self"]["hunger"] < 10 and carried.get("BERRIES"):
            return {
                "instants": [{"type": "EAT", "item_id": "BERRIES", "count": 1}]
            }  # as the protocol has it
        return {"action": "mine_nearest", "block": "LOG"}

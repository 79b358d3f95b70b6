"""A number-guess agent as a Python class.

thorp match run number-guess --agent examples/agents/halver.py:Halver --agent random
"""


class Halver:
    """Guesses the middle of what is left."""

    def __init__(self, id):
        self.id = id

    def init(self, config):
        # config.agent_id, config.seed, config.scenario, config.parameters, config.max_turns
        self.low = config.parameters["minimum"]
        self.high = config.parameters["maximum"]

    def act(self, observation, ctx):
        # ctx.rng() draws from this seat's own stream; ctx.turn, ctx.agent_id and ctx.feedback are
        # there too
        if observation["feedback"] == "higher":
            self.low = observation["lastGuess"] + 1
        elif observation["feedback"] == "lower":
            self.high = observation["lastGuess"] - 1
        return {"guess": (self.low + self.high) // 2}

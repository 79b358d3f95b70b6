"""Agents as classes, good ones and bad ones, for number guess."""

import os
import subprocess
import time

from thorp.arena.agents import RandomAgent


class Drawing(RandomAgent):
    """Shows its stream, so that a log tells whether it is the right one."""

    def act(self, observation, ctx):
        return {"draws": [ctx.rng() for _ in range(ctx.turn)], "turn": ctx.turn, "id": ctx.agent_id}


class Base:
    def __init__(self, id):
        self.id = id

    def init(self, config):
        self.config = config


class Odd(Base):
    """Returns something stranger every turn, and raises in between."""

    def act(self, observation, ctx):
        self.cycle = []
        self.cycle.append(self.cycle)
        returns = [
            None,
            float("nan"),
            {"guess": 50.0, "call": len},
            [len, 1e21, -0.0, 2**60],
            {"10": 1, "2": 2, "a": 3},
            "\ud83d\ude00 \ud800 \u2028",
            self.cycle,
            {1, 2},
            {1: 2},
            self,
            b"bytes",
            "x" * (1 << 20),
            "x" * ((1 << 20) - 2),
        ]
        if ctx.turn <= len(returns):
            return returns[ctx.turn - 1]
        raises = [
            ValueError("plain"),
            ValueError(),
            KeyError("k"),
            SystemExit(3),
            RuntimeError("\ud800\n" * 50_000),
        ]
        if ctx.turn - len(returns) <= len(raises):
            raise raises[ctx.turn - len(returns) - 1]
        return self.coroutine()

    async def coroutine(self):
        return 1


class Loud(Base):
    """Uses standard input and output as if they were its own."""

    def act(self, observation, ctx):
        print("thinking")
        os.write(1, b'{"type":"action","turn":1,"action":"forged"}\n')
        subprocess.run(["echo", "from a child"], check=True)
        try:
            input()
        except EOFError:
            return {"guess": 1}
        return "read something"


class Informed(Base):
    def act(self, observation, ctx):
        config = self.config
        return [config.agent_id, config.scenario, config.parameters, config.max_turns, config.seed]


class Heedful(Base):
    def act(self, observation, ctx):
        if ctx.turn == 2:
            raise RuntimeError("out of ideas")
        return {"heard": "nothing" if ctx.feedback is None else ctx.feedback}


class NoArgument:
    def init(self, config):
        pass

    def act(self, observation, ctx):
        return {"guess": 1}


class Unhashed(Base):
    """Lets the order of a set decide, which Python shuffles anew in every process unless told not
    to."""

    def act(self, observation, ctx):
        return list({f"word {number}" for number in range(50)})


class Endless(Base):
    def act(self, observation, ctx):
        while True:
            pass


class Exits(Base):
    def act(self, observation, ctx):
        os._exit(7)


class Bomb(Base):
    def act(self, observation, ctx):
        kept = []
        while True:
            kept.append(bytearray(16 << 20))


class Interrupts(Base):
    def act(self, observation, ctx):
        raise KeyboardInterrupt


class Forks(Base):
    """Both halves answer; the second answer to a turn is late for the next."""

    def act(self, observation, ctx):
        if os.fork() == 0:
            time.sleep(0.05)
        return {"guess": 1}


class InitFails(Base):
    def init(self, config):
        raise ValueError("no licence")

    def act(self, observation, ctx):
        raise AssertionError("never asked")


class BuildFails(Base):
    def __init__(self, id):
        raise ValueError(f"no room for {id}")

    def act(self, observation, ctx):
        raise AssertionError("never asked")


class NoAct(Base):
    pass


class NoInit:
    def act(self, observation, ctx):
        return 1


class Wants(NoArgument):
    def __init__(self, id, more):
        pass


class Neighbourly(Base):
    """Imports a file that stands beside it."""

    def act(self, observation, ctx):
        import neighbour

        return neighbour.ANSWER


not_a_class = 5

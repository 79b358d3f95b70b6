"""A crowd of scripted agents behind a bad network.

Everything follows from one seed: who joins and leaves, what each wants, and what the network does
to the frames (drops, doubles, delays or garbles them). So a failure can be repeated by its seed.

`Crowd.inputs` gives the inputs of the next tick; `thorp.simulator.witness` looks at the world after
it.
"""

from __future__ import annotations

import json
from random import Random

from thorp.protocol.act import ActError, read_act
from thorp.simulator.chance import Chance, Wish
from thorp.simulator.wishes import INSTANTS, TASKS
from thorp.voxel import (
    Acted,
    Agent,
    AnyInput,
    Attach,
    Detach,
    Join,
    Malformed,
    RateLimits,
    Tuning,
    World,
)

# A little of everything that does something, so that short lives see every rule.
RICH = Tuning(
    starter_items={
        "PLANK": 40,
        "COAL": 20,
        "STONE": 30,
        "BERRIES": 10,
        "CHEST": 3,
        "SIGN": 2,
        "CONVEYOR": 4,
        "LOG": 6,
        "SWITCH": 2,
        "SENSOR": 2,
        "WIRE": 6,
        "FURNACE": 1,
        "CRAFTING_BENCH": 1,
        "SAND": 6,
        "GRAVEL": 4,
        "SEEDS": 4,
        "SAPLING": 2,
        "TORCH": 3,
        "BULLETIN_BOARD": 1,
        "IRON_ORE": 4,
        "STONE_PICKAXE": 1,
        "BATTERY": 8,
        "CRYSTAL_SHARD": 8,
        "CONTRACT_TERMINAL": 1,
        "IRON_INGOT": 3,
    },
    day_ticks=60,
    law_notice_ticks=4,
    law_vote_ticks=6,
    trade_expiry_ticks=30,
    rate_limits=RateLimits(offer_trade_max=20, post_board_max=5),
    path_expansions_per_tick=400,
    path_expansions_per_search=120,
    guest_ticks=60,
)


class Crowd(Chance):
    """Agents that ask for all sorts of things, most of them possible."""

    def __init__(
        self, seed: int, size: int, *, busy: float = 0.5, faults: float = 0.1, most: int = 2
    ) -> None:
        super().__init__(Random(seed), size)
        self.most = most
        """The most instants, and tasks, in an ACT."""
        self.busy = busy
        """How likely an agent sends an ACT in a tick."""
        self.faults = faults
        """How likely each kind of fault befalls a frame."""
        self.damaged_frames = 0
        """How many frames the network dropped, delayed, garbled or doubled."""
        self._wishes = 0
        self._delayed: list[tuple[int, int, bytes]] = []

    def inputs(self, world: World) -> list[AnyInput]:
        """The inputs that reach the world before its next tick."""
        inputs = self._comings_and_goings(world)
        due = [late for late in self._delayed if late[0] <= world.tick]
        self._delayed = [late for late in self._delayed if late[0] > world.tick]
        for _, number, frame in due:
            inputs += _delivered(number, frame)
        for agent in world.agents:
            if agent.attached and self.random.random() < self.busy:
                for frame in self._sent(world, agent):
                    inputs += _delivered(agent.number, frame)
        return inputs

    def _comings_and_goings(self, world: World) -> list[AnyInput]:
        draw = self.random
        inputs: list[AnyInput] = []
        if len(world.agents) < self.size:
            wanted = 1 + draw.randrange(self.size - len(world.agents))
            inputs += [
                Join(f"someone {draw.randrange(99)}", draw.randbytes(32).hex())
                for _ in range(wanted)
            ]
        for agent in world.agents:
            if draw.random() < 0.02:
                token = draw.randbytes(32).hex()
                inputs.append(
                    Detach(agent.number) if agent.attached else Attach(agent.number, token)
                )
        return inputs

    def _sent(self, world: World, agent: Agent) -> list[bytes]:
        """The frames of one ACT as they come out of the network: none, one or two."""
        draw = self.random
        frame = json.dumps(self._act(world, agent)).encode()
        if self._is_damaged():
            return []
        if self._is_damaged():
            self._delayed.append((world.tick + draw.randrange(1, 5), agent.number, frame))
            return []
        if self._is_damaged():
            at = draw.randrange(len(frame))
            frame = frame[:at] + draw.randbytes(draw.randrange(3)) + frame[at + draw.randrange(3) :]
        return [frame, frame] if self._is_damaged() else [frame]

    def _is_damaged(self) -> bool:
        is_damaged = self.random.random() < self.faults
        self.damaged_frames += is_damaged
        return is_damaged

    def _act(self, world: World, agent: Agent) -> Wish:
        draw = self.random
        act: Wish = {
            "type": "ACT",
            "protocol_version": "0.9",
            "agent_id": agent.id,
            "tick": world.tick,
        }
        act["instants"] = [
            self._named(draw.choice(INSTANTS)(self, world, agent))
            for _ in range(draw.randint(0, self.most))
        ]
        act["tasks"] = [
            self._named(draw.choice(TASKS)(self, world, agent))
            for _ in range(draw.randint(0, self.most))
        ]
        running = [task.id for task in (agent.move, agent.work) if task is not None]
        act["cancel"] = [task for task in [*running, "T000000"] if draw.random() < 0.05]
        return act

    def _named(self, wish: Wish) -> Wish:
        self._wishes += 1
        return {**wish, "id": f"w{self._wishes}"}


def _delivered(number: int, frame: bytes) -> list[AnyInput]:
    """The input that a server makes of a frame."""
    try:
        return [Acted(number, read_act(frame))]
    except ActError as problem:
        return [Malformed(number, problem.message)]

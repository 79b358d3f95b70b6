"""Newcomers at the gate of a village, one after another: where they wake, and what they can do
there."""

import json

import pytest

from tests.village.lives import FOUNDED_TICKS, SEEDS, VILLAGE_TICKS, Founded
from tests.voxel.test_mine_gather import MineGather
from thorp.protocol.act import read_act
from thorp.protocol.frame import PROTOCOL_VERSION
from thorp.voxel.inputs import Acted, AnyInput, Detach, Join
from thorp.voxel.lookups import land, spawn_points
from thorp.voxel.observation.compose import compose
from thorp.voxel.observation.session import Session
from thorp.voxel.state.world import World
from thorp.voxel.tick import step

OTHERS = [pytest.param(seed, marks=pytest.mark.long) for seed in (7, 99, 2024, 5, 6, 8, 11, 12)]
NEWCOMERS = 100
MOST_PRESENT = 24
# Of each newcomer after the one before.
EVERY_TICKS = 5
# The plaza is 3 cells from the totem.
MOST_FROM_TOTEM = 48 - 3


class Visitor:
    """Somebody with the first servers' newest client."""

    def __init__(self, world: World) -> None:
        self.number = world.scratch.joined[-1]
        self.client = MineGather()
        self._session = Session(self.number)

    def acts(self, world: World) -> list[AnyInput]:
        compose(world, [self._session])
        frame = self._session.take()
        act = None if frame is None or self.client.done else self.client.act(json.loads(frame))
        if act is None:
            return []
        head = {"type": "ACT", "protocol_version": PROTOCOL_VERSION, "agent_id": f"A{self.number}"}
        text = json.dumps({**head, "tick": world.tick, **act}).encode()
        return [Acted(self.number, read_act(text), self._session.seen(world.tick))]


def from_totem(world: World, number: int) -> float:
    gate = spawn_points.gate_of(world)
    assert gate is not None
    agent = world.agents[number]
    return float(((agent.x - gate.anchor[0]) ** 2 + (agent.z - gate.anchor[2]) ** 2) ** 0.5)


@pytest.mark.parametrize("seed", [*SEEDS, *OTHERS])
def test_a_hundred_newcomers_wake_at_the_gate_and_mine_there(founded: Founded, seed: int) -> None:
    world = founded(seed, FOUNDED_TICKS if seed in SEEDS else VILLAGE_TICKS)
    present: list[Visitor] = []
    inputs: list[AnyInput] = []
    for number in range(NEWCOMERS):
        if len(present) == MOST_PRESENT:
            gone = present.pop(0)
            assert gone.client.done, f"A{gone.number} has found nothing to mine"
            inputs.append(Detach(gone.number))
        step(world, [*inputs, Join(f"newcomer {number}", f"{number:064x}")])
        present.append(Visitor(world))
        woken = world.agents[present[-1].number]
        assert from_totem(world, woken.number) <= MOST_FROM_TOTEM
        assert land.at(world, woken.x, woken.z) is None
        for _ in range(EVERY_TICKS):
            inputs = [act for visitor in present for act in visitor.acts(world)]
            step(world, inputs)
            inputs = []
    for _ in range(100):
        step(world, [act for visitor in present for act in visitor.acts(world)])
    assert all(visitor.client.done for visitor in present)
    strangers = [
        agent for agent in world.agents if agent.name.startswith("newcomer") and not agent.hidden
    ]
    assert {agent.number for agent in strangers} == {visitor.number for visitor in present}

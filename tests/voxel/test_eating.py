"""Eating."""

from __future__ import annotations

import pytest

from tests.voxel.flat import put_agent
from thorp.protocol.actions import Eat
from thorp.voxel.refusal import Refusal
from thorp.voxel.state.world import World
from thorp.voxel.systems import survival


def test_a_berry_restores_what_it_is_worth(world: World) -> None:
    agent = put_agent(world, BERRIES=3)
    agent.hp, agent.hunger, agent.stamina = 10, 0, 0
    assert survival.eat(world, agent, Eat(item_id="BERRIES")) == {}
    assert (agent.hp, agent.hunger, agent.stamina) == (12, 4, 100)
    assert agent.have("BERRIES") == 2


def test_nothing_rises_above_full(world: World) -> None:
    agent = put_agent(world, COOKED_MEAT=2)
    agent.hp = agent.hunger = 19
    survival.eat(world, agent, Eat(item_id="COOKED_MEAT", count=2))
    assert (agent.hp, agent.hunger, agent.stamina) == (20, 20, 1000)
    assert agent.inventory == {}


@pytest.mark.parametrize(
    ("wish", "code", "message"),
    [
        (Eat(), "E_BAD_REQUEST", "missing item_id"),
        (Eat(item_id="CAKE"), "E_INVALID_TARGET", "unknown item"),
        (Eat(item_id="STONE"), "E_BAD_REQUEST", "item not edible"),
        (Eat(item_id="BREAD"), "E_NO_RESOURCE", "missing food"),
        (Eat(item_id="BERRIES", count=2), "E_NO_RESOURCE", "missing food"),
        (Eat(item_id="BERRIES", count=-1), "E_BAD_REQUEST", "count must be positive"),
    ],
)
def test_what_cannot_be_eaten(world: World, wish: Eat, code: str, message: str) -> None:
    agent = put_agent(world, BERRIES=1, STONE=1)
    agent.hp = 5
    with pytest.raises(Refusal) as refused:
        survival.eat(world, agent, wish)
    assert (refused.value.code, refused.value.message) == (code, message)
    assert agent.hp == 5
    assert agent.inventory == {"BERRIES": 1, "STONE": 1}

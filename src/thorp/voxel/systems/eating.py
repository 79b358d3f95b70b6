"""Eating: the only way that health comes back."""

from __future__ import annotations

from typing import Final

from thorp.protocol import actions, codes
from thorp.voxel.agent import MAX_HP, MAX_HUNGER, MAX_STAMINA, Agent
from thorp.voxel.refusal import Refusal
from thorp.voxel.world import World

HUNGER_PER_HP: Final = 2
STAMINA_PER_HP: Final = 50


def eat(world: World, agent: Agent, wish: actions.Eat) -> dict[str, object]:
    if not wish.item_id:
        raise Refusal(codes.BAD_REQUEST, "missing item_id")
    item = world.catalogs.items.get(wish.item_id)
    if item is None:
        raise Refusal(codes.INVALID_TARGET, "unknown item")
    if item.kind != "FOOD":
        raise Refusal(codes.BAD_REQUEST, "item not edible")
    count = 1 if wish.count is None or wish.count == 0 else wish.count
    if count < 0:
        raise Refusal(codes.BAD_REQUEST, "count must be positive")
    if agent.have(item.id) < count:
        raise Refusal(codes.NO_RESOURCE, "missing food")
    agent.give(item.id, -count)
    worth = count * item.edible_hp
    agent.hp = min(MAX_HP, agent.hp + worth)
    agent.hunger = min(MAX_HUNGER, agent.hunger + max(count, worth * HUNGER_PER_HP))
    agent.stamina = min(MAX_STAMINA, agent.stamina + worth * STAMINA_PER_HP)
    return {}

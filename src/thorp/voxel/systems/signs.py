"""SET_SIGN: what a sign says. An empty text wipes it."""

from __future__ import annotations

from typing import Final

from thorp.protocol import actions, codes
from thorp.voxel.agent import Agent
from thorp.voxel.refusal import Refusal
from thorp.voxel.society import sanctions
from thorp.voxel.systems.fixtures import at_hand
from thorp.voxel.world import World

# What fits on a sign, and into everybody's OBS who opens it.
MAX_TEXT_BYTES: Final = 200


def write(world: World, agent: Agent, wish: actions.SetSign) -> dict[str, object]:
    sign = at_hand(agent, world.signs, "SIGN", wish.target_id)
    text = wish.text or ""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_TEXT_BYTES:
        raise Refusal(codes.BAD_REQUEST, f"text has more than {MAX_TEXT_BYTES} bytes")
    sanctions.require_build(world, agent, sign.position, "SET_SIGN")
    sign.text, sign.updated_tick, sign.updated_by = text, world.tick, agent.id
    world.signs.touch(sign.position)
    return {}

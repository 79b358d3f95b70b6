"""SET_SIGN: what a sign says. An empty text wipes it."""

from __future__ import annotations

from typing import Final

from thorp.protocol import actions, codes
from thorp.voxel.agent import Agent
from thorp.voxel.refusal import Refusal
from thorp.voxel.society import sanctions
from thorp.voxel.systems.containers import within_reach
from thorp.voxel.world import World, parse_block_id

# What fits on a sign, and into everybody's OBS who opens it.
MAX_TEXT_BYTES: Final = 200


def write(world: World, agent: Agent, wish: actions.SetSign) -> dict[str, object]:
    named = parse_block_id(wish.target_id or "")
    if named is None or named[0] != "SIGN":
        raise Refusal(codes.BAD_REQUEST, "target_id must be SIGN@x,y,z")
    sign = world.signs.get(named[1])
    if sign is None:
        raise Refusal(codes.INVALID_TARGET, "sign not found")
    within_reach(agent, sign.position)
    text = wish.text or ""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_TEXT_BYTES:
        raise Refusal(codes.BAD_REQUEST, f"text has more than {MAX_TEXT_BYTES} bytes")
    sanctions.require_build(world, agent, sign.position, "SET_SIGN")
    sign.text, sign.updated_tick, sign.updated_by = text, world.tick, agent.id
    world.signs.touch(sign.position)
    return {}

"""TOGGLE_SWITCH: what it turns on runs in the same tick."""

from __future__ import annotations

from thorp.protocol import actions, codes
from thorp.voxel.agent import Agent
from thorp.voxel.refusal import Refusal
from thorp.voxel.society import sanctions
from thorp.voxel.systems.containers import within_reach
from thorp.voxel.world import World, parse_block_id


def toggle(world: World, agent: Agent, wish: actions.ToggleSwitch) -> dict[str, object]:
    named = parse_block_id(wish.target_id or "")
    if named is None or named[0] != "SWITCH":
        raise Refusal(codes.BAD_REQUEST, "target_id must be SWITCH@x,y,z")
    switch = world.switches.get(named[1])
    if switch is None:
        raise Refusal(codes.INVALID_TARGET, "switch not found")
    within_reach(agent, switch.position)
    sanctions.require_build(world, agent, switch.position, "TOGGLE_SWITCH")
    switch.on = not switch.on
    world.switches.touch(switch.position)
    world.emit(agent, "SWITCH", own=True, switch_id=wish.target_id, pos=switch.position, on=switch.on)
    return {}

"""TOGGLE_SWITCH: what it turns on runs in the same tick."""

from __future__ import annotations

from thorp.protocol import actions
from thorp.voxel.agent import Agent
from thorp.voxel.society import sanctions
from thorp.voxel.systems.fixtures import at_hand
from thorp.voxel.world import Handled, World


def toggle(world: World, agent: Agent, wish: actions.ToggleSwitch) -> dict[str, object]:
    switch = at_hand(agent, world.switches, "SWITCH", wish.target_id)
    sanctions.require_build(world, agent, switch.position, "TOGGLE_SWITCH")
    switch.on = not switch.on
    world.switches.touch(switch.position)
    world.handled.append(Handled(agent.id, "TOGGLE_SWITCH", switch.position))
    world.emit(agent, "SWITCH", own=True, switch_id=wish.target_id, pos=switch.position, on=switch.on)
    return {}

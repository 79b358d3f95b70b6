"""Blocks that are worked by hand, signs and switches: named by their id, and only within reach.

SET_SIGN: what a sign says. An empty text wipes it.

TOGGLE_SWITCH: what it turns on runs in the same tick.
"""

from __future__ import annotations

from typing import Final, Protocol, TypeVar

from thorp.protocol import actions, codes
from thorp.voxel.refusal import Refusal
from thorp.voxel.society import sanctions
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.scratch import FixtureChange
from thorp.voxel.state.table import Table
from thorp.voxel.state.world import World, parse_block_id
from thorp.voxel.systems.containers import within_reach


class Fixture(Protocol):
    position: Position


F = TypeVar("F", bound=Fixture)


def at_hand(agent: Agent, fixtures: Table[Position, F], kind: str, target_id: str | None) -> F:
    named = parse_block_id(target_id or "")
    if named is None or named[0] != kind:
        raise Refusal(codes.BAD_REQUEST, f"target_id must be {kind}@x,y,z")
    fixture = fixtures.get(named[1])
    if fixture is None:
        raise Refusal(codes.INVALID_TARGET, f"{kind.lower()} not found")
    within_reach(agent, fixture.position)
    return fixture


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


def toggle(world: World, agent: Agent, wish: actions.ToggleSwitch) -> dict[str, object]:
    switch = at_hand(agent, world.switches, "SWITCH", wish.target_id)
    sanctions.require_build(world, agent, switch.position, "TOGGLE_SWITCH")
    switch.on = not switch.on
    world.switches.touch(switch.position)
    world.scratch.fixture_changes.append(FixtureChange(agent.id, "TOGGLE_SWITCH", switch.position))
    world.emit(agent, "SWITCH", own=True, switch_id=wish.target_id, pos=switch.position, on=switch.on)
    return {}

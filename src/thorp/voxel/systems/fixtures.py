"""Blocks that are worked by hand, signs and switches: named by their id, and only within reach."""

from __future__ import annotations

from typing import Protocol, TypeVar

from thorp.protocol import codes
from thorp.voxel.agent import Agent
from thorp.voxel.ground import Position
from thorp.voxel.refusal import Refusal
from thorp.voxel.systems.containers import within_reach
from thorp.voxel.table import Table
from thorp.voxel.world import parse_block_id


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

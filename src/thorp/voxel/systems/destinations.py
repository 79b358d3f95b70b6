"""Destinations of MOVE_TO and FOLLOW: the current target, and when it counts as reached."""

from __future__ import annotations

from math import ceil
from typing import Final

from thorp.protocol import actions, codes
from thorp.voxel.refusal import Refusal
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World
from thorp.voxel.systems.containers import find_container

FOLLOW_DISTANCE: Final = 2
MAX_FOLLOW_DISTANCE: Final = 32


def target(world: World, request: actions.MoveTask) -> Position:
    """The current target of a movement; refused when the followed agent or container is gone."""
    if isinstance(request, actions.MoveTo):
        assert request.target is not None
        return request.target
    target_id = request.target_id or ""
    agent = world.agent_by_id(target_id)
    if agent is not None:
        return agent.position
    container = find_container(world, target_id)
    if container is None:
        raise Refusal(codes.INVALID_TARGET, "target not found")
    return container.position


def arrival_distance(request: actions.MoveTask) -> int:
    """The horizontal distance from the target at which a movement ends."""
    if isinstance(request, actions.MoveTo):
        tolerance = request.tolerance
        return ceil(tolerance) if tolerance and tolerance > 1 else 1
    distance = request.distance
    return ceil(min(distance, MAX_FOLLOW_DISTANCE)) if distance and distance > 0 else FOLLOW_DISTANCE


def has_arrived(position: Position, goal: Position, request: actions.MoveTask) -> bool:
    return abs(position[0] - goal[0]) + abs(position[2] - goal[2]) <= arrival_distance(request)

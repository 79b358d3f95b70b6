"""OPEN: look into a container, at a board or at a sign."""

from __future__ import annotations

from thorp.protocol import actions, codes
from thorp.voxel.refusal import Refusal
from thorp.voxel.society import boards, contracts, deeds
from thorp.voxel.state.agent import Agent, Work
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import Container, World, block_id, parse_block_id
from thorp.voxel.systems.containers import find_container, within_reach


def check(world: World, agent: Agent, wish: actions.Open) -> None:
    if not wish.target_id:
        raise Refusal(codes.BAD_REQUEST, "missing target_id")


def open_up(world: World, agent: Agent, work: Work, wish: actions.Open) -> bool:
    """Tell the agent what is in a container, on a board or on a sign."""
    target_id = wish.target_id or ""
    kind, position = parse_block_id(target_id) or ("", (0, 0, 0))
    container = find_container(world, target_id)
    is_board = kind == "BULLETIN_BOARD" and position in world.boards
    is_sign = kind == "SIGN" and position in world.signs
    if container is None and not is_board and not is_sign:
        raise Refusal(codes.INVALID_TARGET, "target not found")
    within_reach(agent, position)
    if container is not None:
        _show_container(world, agent, container)
    elif is_board:
        world.emit(agent, "BOARD", own=True, pos=position, **boards.opened(world, target_id))
    else:
        _show_sign(world, agent, position)
    return True


def _show_container(world: World, agent: Agent, container: Container) -> None:
    fields: dict[str, object] = {
        "container": container.id,
        "container_type": container.kind,
        "pos": container.position,
        "inventory": [{"item": item, "count": count} for item, count in sorted(container.stock.items())],
    }
    if container.owed.get(agent.id):
        fields["owed"] = sorted(container.owed[agent.id].items())
    if container.kind == "CONTRACT_TERMINAL":
        fields["contracts"] = contracts.shown(world, container)
    world.emit(agent, "CONTAINER", own=True, **fields)
    deeds.opened(world, agent, container)


def _show_sign(world: World, agent: Agent, position: Position) -> None:
    sign = world.signs[position]
    world.emit(
        agent,
        "SIGN",
        own=True,
        sign_id=block_id("SIGN", position),
        pos=position,
        text=sign.text,
        updated_tick=sign.updated_tick,
        updated_by=sign.updated_by,
    )

"""OPEN, TRANSFER, SET_SIGN and TOGGLE_SWITCH: actions on a block that the agent names by its id and
can reach."""

from typing import Final, TypeVar

from thorp.protocol import actions, codes
from thorp.voxel.lookups import board_views, permissions, terminals
from thorp.voxel.refusal import Refusal, known, refuse_if
from thorp.voxel.state.agent import Agent, Work
from thorp.voxel.state.ground import Position
from thorp.voxel.state.table import Table
from thorp.voxel.state.world import Container, World, WorldState, parse_block_id
from thorp.voxel.systems import enforcement
from thorp.voxel.systems.containers import add, available, find_container, within_reach

T = TypeVar("T")

# It must fit on a sign, and into the event of everyone who opens it.
MAX_TEXT_BYTES: Final = 200

SELF: Final = "SELF"


def require_block_in_reach(
    agent: Agent, table: Table[Position, T], kind: str, target_id: str | None
) -> T:
    """The block of this kind that an id names; refused if it does not exist or is out of reach."""
    named = parse_block_id(target_id or "")
    if named is None or named[0] != kind:
        raise Refusal(codes.BAD_REQUEST, f"target_id must be {kind}@x,y,z")
    block = known(table.get(named[1]), f"{kind.lower()} not found")
    within_reach(agent, named[1])
    return block


def set_sign(world: World, agent: Agent, wish: actions.SetSign) -> dict[str, object]:
    """Write on a sign, where the agent may build."""
    sign = require_block_in_reach(agent, world.signs, "SIGN", wish.target_id)
    text = wish.text or ""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_TEXT_BYTES:
        raise Refusal(codes.BAD_REQUEST, f"text has more than {MAX_TEXT_BYTES} bytes")
    enforcement.require_build(world, agent, sign.position)
    sign.text = text
    sign.updated_tick = world.tick
    sign.updated_by = agent.id
    world.signs.touch(sign.position)
    return {}


def toggle_switch(world: World, agent: Agent, wish: actions.ToggleSwitch) -> dict[str, object]:
    """Turn a switch on or off, where the agent may build."""
    switch = require_block_in_reach(agent, world.switches, "SWITCH", wish.target_id)
    enforcement.require_build(world, agent, switch.position)
    switch.on = not switch.on
    world.switches.touch(switch.position)
    world.note_fixture(agent.id, "TOGGLE_SWITCH", switch.position)
    world.emit(
        agent, "SWITCH", own=True, switch_id=wish.target_id, pos=switch.position, on=switch.on
    )
    return {}


def open_block(world: World, agent: Agent, work: Work, wish: actions.Open) -> bool:
    """Tell the agent what is in a container, on a board or on a sign."""
    target_id = wish.target_id or ""
    kind, position = parse_block_id(target_id) or ("", (0, 0, 0))
    container = find_container(world, target_id)
    is_board = kind == "BULLETIN_BOARD" and position in world.boards
    is_sign = kind == "SIGN" and position in world.signs
    refuse_if(
        container is None and not is_board and not is_sign, codes.INVALID_TARGET, "target not found"
    )
    within_reach(agent, position)
    if container is not None:
        _show_container(world, agent, container)
    elif is_board:
        world.emit(
            agent, "BOARD", own=True, pos=position, **board_views.open_view(world, target_id)
        )
    else:
        sign = world.signs[position]
        world.emit(
            agent,
            "SIGN",
            own=True,
            sign_id=target_id,
            pos=position,
            text=sign.text,
            updated_tick=sign.updated_tick,
            updated_by=sign.updated_by,
        )
    return True


def _show_container(world: World, agent: Agent, container: Container) -> None:
    fields: dict[str, object] = {
        "container": container.id,
        "container_type": container.kind,
        "pos": container.position,
        "inventory": [
            {"item": item, "count": count} for item, count in sorted(container.stock.items())
        ],
    }
    if container.owed.get(agent.id):
        fields["owed"] = sorted(container.owed[agent.id].items())
    if container.kind == "CONTRACT_TERMINAL":
        fields["contracts"] = terminals.describe_contracts(world, container)
    world.emit(agent, "CONTAINER", own=True, **fields)
    world.listeners.on_open(world, agent, container)


# TRANSFER


def check_transfer(world: WorldState, agent: Agent, wish: actions.Transfer) -> None:
    """Refuse a TRANSFER of nothing."""
    if wish.count is None or wish.count <= 0:
        raise Refusal(codes.BAD_REQUEST, "count must be positive")


def transfer(world: World, agent: Agent, work: Work, wish: actions.Transfer) -> bool:
    """Move items between an agent and a container, or between two containers, all or nothing.
    Whatever an agent puts into a terminal counts for the contracts that it has accepted there."""
    if wish.src_container == wish.dst_container:
        raise Refusal(codes.BAD_REQUEST, "source and destination are the same")
    source = _side(world, agent, wish.src_container or "", "source")
    target = _side(world, agent, wish.dst_container or "", "destination")
    item = wish.item_id or ""
    count = wish.count or 0
    if source is None:
        refuse_if(agent.have(item) < count, codes.NO_RESOURCE, "missing item")
    elif not permissions.may_take(world, agent, source):
        raise Refusal(codes.NO_PERMISSION, "withdraw denied").about(cell=source.position)
    elif available(source, item) < count:
        raise Refusal(codes.NO_RESOURCE, "missing item")
    _add(world, agent, source, item, -count)
    _add(world, agent, target, item, count)
    if target is not None:
        world.listeners.on_delivery(world, agent, target, item, count)
    return True


def _side(world: WorldState, agent: Agent, name: str, role: str) -> Container | None:
    """The container with this id, within reach; None stands for the agent itself."""
    if name == SELF:
        return None
    container = known(find_container(world, name), f"{role} container not found")
    within_reach(agent, container.position)
    return container


def _add(world: World, agent: Agent, side: Container | None, item: str, count: int) -> None:
    """Add items to one side of a transfer, or take them out with a negative count."""
    if side is None:
        agent.give(item, count)
    else:
        add(world, side, item, count)
        world.note_fixture(agent.id, "TRANSFER", side.position)

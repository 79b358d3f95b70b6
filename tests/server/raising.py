"""A house that a city asked for, somebody built, and somebody lives in: played over real sockets."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.server.serving import RawAgent
from tests.server.test_society_metrics import KIT, QUICK, do, settle
from thorp.voxel.catalog import AIR
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World

BLUEPRINT = "hut_small"
PRICE = {"PLANK": 40}
BUILDERS_KIT: dict[str, Any] = {
    **QUICK,
    "starter_items": {**KIT, "PLANK": 60, "COAL": 20},
}
# Beside the land of the one who asks, where everybody may build, within reach of its middle.
SITES = [(dx, dz) for dx in (*range(10, 16), *range(-16, -11)) for dz in range(-12, 12, 2)]


class Raised(NamedTuple):
    """What was built, where, and under which contract."""

    id: str
    anchor: Position
    contract: str


async def raise_house(world: World, mole: RawAgent, vole: RawAgent) -> Raised:
    """The mole founds a city and asks for a hut, the vole joins it and builds; the mole says in
    public that the vole lives there."""
    await settle(mole)
    x, y, z = (await mole.obs())["self"]["pos"]
    terminal = f"CONTRACT_TERMINAL@{x},{y},{z + 2}"
    await do(vole, "instants", type="JOIN_ORG", org_id="ORG000001")
    await do(vole, "tasks", type="MOVE_TO", target=[x, y, z], tolerance=2)
    await vole.event("TASK_DONE")
    anchor = free_site(world, (x, y, z))
    contract = await _ask(mole, terminal, anchor)
    wish = {"terminal_id": terminal, "contract_id": contract}
    await do(vole, "instants", type="ACCEPT_CONTRACT", **wish)
    await do(vole, "tasks", type="BUILD_BLUEPRINT", **_plan(anchor))
    await vole.event("TASK_DONE")
    home = f"The house at {anchor[0] + 1} {anchor[1]} {anchor[2] + 1} is vole's."
    await do(mole, "instants", type="SAY", channel="MARKET", text=home)
    at = ",".join(map(str, anchor))
    return Raised(f"{BLUEPRINT}@{at}/0", anchor, contract)


async def _ask(mole: RawAgent, terminal: str, anchor: Position) -> str:
    terms = {"contract_kind": "BUILD", **_plan(anchor)}
    reward = [{"item": "COAL", "count": 1}]
    posted = await do(
        mole, "instants", type="POST_CONTRACT", terminal_id=terminal, reward=reward, **terms
    )
    return str(posted["contract_id"])


def _plan(anchor: Position) -> dict[str, Any]:
    return {"blueprint_id": BLUEPRINT, "anchor": list(anchor), "rotation": 0}


def free_site(world: World, middle: Position) -> Position:
    """An anchor near a place where the hut stands on the ground, and nothing is in its way."""
    low, high = world.catalogs.blueprints[BLUEPRINT].aabb
    floor = [(dx, dz) for dx in range(low[0], high[0] + 1) for dz in range(low[2], high[2] + 1)]
    heights = range(high[1] - low[1] + 1)
    for dx, dz in SITES:
        for y in range(middle[1] - 3, middle[1] + 4):
            x = middle[0] + dx
            z = middle[2] + dz
            is_free = all(
                world.ground.block(x + east, y + up, z + south) == AIR
                for east, south in floor
                for up in heights
            )
            if is_free and all(world.ground.block(x + e, y - 1, z + s) != AIR for e, s in floor):
                return x, y, z
    raise AssertionError("there is no free site")

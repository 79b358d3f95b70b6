"""Hints about places: distances, blocks that are in the way, and lands that do not allow
something."""

from typing import Final

import numpy as np

from thorp.voxel.hints.case import Case, place
from thorp.voxel.lookups import cubes, land, permissions
from thorp.voxel.state.ground import HEIGHT, Position
from thorp.voxel.state.records import MILLION, Claim
from thorp.voxel.state.world import manhattan
from thorp.voxel.systems.crafting import STATION_REACH

MINUTES_A_DAY: Final = 1_440


def distance(case: Case) -> str:
    """How far away a cell is, and how far the agent can reach."""
    facts = case.refusal.facts
    cells = manhattan(case.agent.position, facts["cell"])
    return f"{place(facts['cell'])} is {cells} cells away, reach {facts['reach']}"


def occupied(case: Case) -> str:
    """Which block is in the way, and where."""
    return f"{case.block(case.cell)} is in the way at {place(case.cell)}"


def somebody(case: Case) -> str:
    """Who stands where a block should be."""
    if case.refusal.message.startswith(f"{case.agent.id} "):
        return f"you stand in {place(case.cell)} yourself; step aside"
    return f"it is in {place(case.cell)}; wait until it moves on"


def nothing_there(case: Case) -> str:
    """The block in a cell that holds nothing to mine."""
    if not case.world.ground.inside(*case.cell):
        return outside(case)
    return f"{case.block(case.cell)} is at {place(case.cell)}"


def unbreakable(case: Case) -> str:
    """Which block cannot be broken."""
    return f"{case.block(case.cell)} at {place(case.cell)} cannot be broken"


def outside(case: Case) -> str:
    """Where the world ends."""
    limit = case.world.tuning.world_boundary_r
    return f"{place(case.cell)} is outside: x and z end at {limit}, y is 0 to {HEIGHT - 1}"


def soil(case: Case) -> str:
    """The block that lies where another is needed."""
    x, y, z = case.cell
    return f"{case.block((x, y - 1, z))} is below {place(case.cell)}"


def station(case: Case) -> str:
    """Where the nearest bench or furnace is in sight."""
    made = case.world.catalogs.recipes.get(case.text("recipe_id"))
    kind = "FURNACE" if made is None else made.station
    cell = _nearest_block(case, case.world.catalogs.block_number[kind])
    if cell is None:
        return f"no {kind} is in sight; PLACE one within {STATION_REACH} cells along each axis"
    return f"the nearest {kind} is at {place(cell)}; go within {STATION_REACH} cells of it"


def _nearest_block(case: Case, number: int) -> Position | None:
    radius = case.world.tuning.obs_radius
    width = 2 * radius + 1
    (cube,) = cubes.gather(case.world.ground, [case.agent.position], radius)
    hits = np.flatnonzero(cube == number)
    if not len(hits):
        return None
    offsets = np.stack(np.unravel_index(hits, (width, width, width)), axis=1) - radius
    dy, dz, dx = (int(step) for step in offsets[np.abs(offsets).sum(axis=1).argmin()])
    return case.agent.x + dx, case.agent.y + dy, case.agent.z + dz


# What a land does not allow


def build_denied(case: Case) -> str:
    """Whose land it is, and when or for whom building is allowed."""
    return _denied(case, case.cell, "build")


def break_denied(case: Case) -> str:
    """Whose land it is, and when or for whom breaking is allowed."""
    claim = land.at(case.world, case.cell[0], case.cell[2])
    if claim is not None and claim.anchor == case.cell:
        return f"it is the totem of {claim.id}; only admins of {claim.owner} break it"
    return _denied(case, case.cell, "break")


def trade_denied(case: Case) -> str:
    """Whose land it is on which visitors may not trade."""
    return _denied(case, case.agent.position, "trade")


def taking_denied(case: Case) -> str:
    """Whose land the goods are on."""
    claim = land.at(case.world, case.cell[0], case.cell[2])
    if claim is None:
        return ""
    return f"what is on {claim.id} is for members of {_owner(case, claim)}"


def withdraw_denied(case: Case) -> str:
    """Whose land a container stands on."""
    return taking_denied(case) or "this land is another's"


def _denied(case: Case, cell: Position, deed: str) -> str:
    claim = permissions.land_for(case.world, case.agent, cell[0], cell[2])
    if claim is None:
        return ""
    if deed != "trade" and claim.curfew is not None and permissions.is_curfew(case.world, claim):
        return f"a curfew is on in {claim.id} until {_hour(claim.curfew.end)}"
    return f"{place(cell)} is on {claim.id} of {_owner(case, claim)}; visitors may not {deed} there"


def _owner(case: Case, claim: Claim) -> str:
    return "you" if claim.owner == case.agent.id else claim.owner


def _hour(millionths: int) -> str:
    """A time of day as people write it."""
    hours, minutes = divmod(millionths * MINUTES_A_DAY // MILLION % MINUTES_A_DAY, 60)
    return f"{hours:02}:{minutes:02}"


def overlap(case: Case) -> str:
    """Where the land is that a claim overlaps."""
    claim = case.world.claims.get(case.refusal.message.removeprefix("overlaps "))
    if claim is None:
        return ""
    return f"{claim.id} reaches {claim.radius} cells to each side of {place(claim.anchor)}"

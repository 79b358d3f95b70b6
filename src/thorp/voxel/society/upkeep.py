"""Upkeep: once a day a land's owner pays for it, or its protection goes, one stage at a time.

    stage 0   paid
    stage 1   missed once: the claim cannot be enlarged
    stage 2   missed twice: visitors may do what they may in the wild, and may break the totem

Whatever the stage, the next payment restores it all. What is paid is used up.
"""

from __future__ import annotations

from thorp.voxel.society import holdings, land
from thorp.voxel.society.records import Claim
from thorp.voxel.state.world import World
from thorp.voxel.systems.indexes import index_of, note_upkeep


def step(world: World) -> None:
    for land_id in sorted(index_of(world).upkeep.pop(world.tick, {})):
        claim = world.claims.get(land_id)
        if claim is not None:
            _collect(world, claim)


def _collect(world: World, claim: Claim) -> None:
    cost = world.tuning.claim_maintenance_cost
    paid = all(holdings.have(world, claim.owner, item) >= count for item, count in cost.items())
    if paid:
        for item in sorted(cost):
            holdings.give(world, claim.owner, item, -cost[item])
    claim.stage = 0 if paid else min(land.OPEN_STAGE, claim.stage + 1)
    claim.due_tick += world.tuning.day_ticks
    world.claims.touch(claim.id)
    note_upkeep(world, claim)
    told = {"land_id": claim.id, "status": "PAID" if paid else "LATE", "stage": claim.stage}
    world.emit_to(land.admins(world, claim), "MAINTENANCE", **told, next_due_tick=claim.due_tick)
    kind = "PAID_UPKEEP" if paid else "MISSED_UPKEEP"
    world.scratch.public_events.append(
        {"kind": kind, "actor": claim.owner, "land_id": claim.id, "stage": claim.stage}
    )

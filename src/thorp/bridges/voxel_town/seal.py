"""Seals towns: stores the snapshot of a town, at the times that `docs/voxel-town.md` names.

Governors decide on this snapshot, and handoffs are compared with it, so the changes of an ordinary
day do not make a handoff stale.
"""

from thorp.bridges.voxel_town import pressure, quests, records, town, works
from thorp.bridges.voxel_town.territory import Domain
from thorp.bridges.voxel_town.town import Town
from thorp.kernel.canonical import Json, canonical_text, read_text
from thorp.town.snapshot import LIST_LIMIT, SCHEMA_VERSION, in_contract_order, snapshot_hash
from thorp.voxel.state.world import World


def seal(world: World, domain: Domain, memory: Town) -> None:
    """Store a snapshot of the town as it is now, and the town with that snapshot's day and hash."""
    snapshot = project(world, domain, memory)
    memory.day = snapshot["day"]
    memory.hash = snapshot_hash(snapshot)
    records.write(world, memory.id + town.SEAL, canonical_text(snapshot))
    town.store(world, memory)


def snapshot_text(world: World, town_id: str) -> str | None:
    """The canonical text of a town's sealed snapshot; None if there is no such town."""
    return records.read(world, town_id + town.SEAL)


def town_snapshot(world: World, town_id: str) -> dict[str, Json] | None:
    """A town's sealed snapshot, with its members in the contract's order; None if there is no such
    town."""
    text = snapshot_text(world, town_id)
    return None if text is None else in_contract_order(read_text(text.encode()))


def project(world: World, domain: Domain, memory: Town) -> dict[str, Json]:
    """The town as it is now, as `snapshot.v1`."""
    mission = memory.mission
    meters = pressure.measure(world, domain, memory)
    taken = None if mission is None else mission.id
    side_quests = [quest for quest in quests.open_quests(world, domain) if quest.id != taken]
    return {
        "schemaVersion": SCHEMA_VERSION,
        "day": town.today(world),
        "townId": memory.id,
        "mission": None
        if mission is None
        else {
            "id": mission.id,
            "title": mission.title,
            "description": mission.description,
            "reward": mission.reward,
        },
        "sideQuests": [
            {"id": quest.id, "title": quest.title, "complexity": quest.complexity}
            for quest in side_quests[:LIST_LIMIT]
        ],
        "pressure": {name: _share(level) for name, level in meters._asdict().items()},
        "projects": [
            {
                "id": work.id,
                "name": work.name,
                "progress": _share(pressure.FULL * done // total),
                "status": works.status(world, memory, work),
            }
            for work in memory.works
            for done, total in [works.count_blocks(world, work)]
        ],
        "latestNetherEvent": quests.latest(world),
    }


def _share(per_mille: int) -> float:
    """Per mille as a fraction that the contract writes: 0 and 1 as integers."""
    whole, rest = divmod(per_mille, pressure.FULL)
    return whole if not rest else per_mille / pressure.FULL

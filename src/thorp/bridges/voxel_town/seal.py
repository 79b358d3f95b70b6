"""The snapshot of a town, *sealed*: stored at the times that `docs/voxel-town.md` names.

Governors decide on the seal, and handoffs are compared with it, so no handoff is stale by what
moves all day.
"""

from thorp.bridges.voxel_town import pressure, quests, records, town, works
from thorp.bridges.voxel_town.territory import Domain
from thorp.bridges.voxel_town.town import Town
from thorp.kernel.canonical import Json, canonical_text, read_text
from thorp.town.snapshot import LIST_LIMIT, SCHEMA_VERSION, in_contract_order, snapshot_hash
from thorp.voxel.state.world import World


def seal(world: World, domain: Domain, of: Town) -> None:
    """Keep the town as it is now, for governors to look at."""
    snapshot = project(world, domain, of)
    of.day = snapshot["day"]
    of.hash = snapshot_hash(snapshot)
    records.write(world, of.id + town.SEAL, canonical_text(snapshot))
    town.store(world, of)


def snapshot_text(world: World, town_id: str) -> str | None:
    """The canonical text of a town's snapshot; None if there is no such town."""
    return records.read(world, town_id + town.SEAL)


def town_snapshot(world: World, town_id: str) -> dict[str, Json] | None:
    """The same as a document, written as the contract writes it."""
    text = snapshot_text(world, town_id)
    return None if text is None else in_contract_order(read_text(text.encode()))


def project(world: World, domain: Domain, of: Town) -> dict[str, Json]:
    """The town as `snapshot.v1`."""
    mission = of.mission
    level = pressure.measure(world, domain, of)
    taken = None if mission is None else mission.id
    asked = [quest for quest in quests.open_quests(world, domain) if quest.id != taken]
    return {
        "schemaVersion": SCHEMA_VERSION,
        "day": town.today(world),
        "townId": of.id,
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
            for quest in asked[:LIST_LIMIT]
        ],
        "pressure": {name: _share(value) for name, value in level._asdict().items()},
        "projects": [
            {
                "id": work.id,
                "name": work.name,
                "progress": _share(pressure.FULL * done // all_of_it),
                "status": works.status(world, of, work),
            }
            for work in of.works
            for done, all_of_it in [works.stands(world, work)]
        ],
        "latestNetherEvent": quests.latest(world),
    }


def _share(per_mille: int) -> float:
    """As `snapshot.v1` has it: a share of one, whole where it is."""
    whole, rest = divmod(per_mille, pressure.FULL)
    return whole if not rest else per_mille / pressure.FULL

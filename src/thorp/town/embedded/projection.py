"""The town as `snapshot.v1`, which governors see, and as a line of the list of towns.

Meters are divided here, at the border: 735 per mille is the double 0.735, which prints as it should.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.identity import digest
from thorp.town.collation import collated
from thorp.town.embedded.projects import progress_of, status_of
from thorp.town.embedded.town import FULL, METERS, Town
from thorp.town.snapshot import SCHEMA_VERSION, Mission, Pressure, Project, Quest, Snapshot

ORDERS_KEPT: Final = 4096
"""Lists of ids whose order is remembered: those of a thousand towns, before and after a change."""

_encode = msgspec.json.Encoder().encode


def summary(town: Town) -> dict[str, Json]:
    """What a list of towns says of one."""
    pressure = {name: _share(getattr(town.meters, name)) for name in METERS}
    return {"townId": town.town_id, "day": town.day, "population": town.population, "pressure": pressure}


def project_town(town: Town) -> dict[str, Json]:
    """The snapshot of a town."""
    mission, meters = town.mission, town.meters
    return {
        "schemaVersion": SCHEMA_VERSION,
        "day": town.day,
        "townId": town.town_id,
        "mission": None
        if mission is None
        else {
            "id": mission.id,
            "title": mission.title,
            "description": mission.description,
            "reward": mission.reward,
        },
        "sideQuests": [
            {"id": quest.id, "title": quest.title, "complexity": quest.complexity} for quest in town.quests
        ],
        "pressure": {
            "threat": _share(meters.threat),
            "scarcity": _share(meters.scarcity),
            "hope": _share(meters.hope),
            "dread": _share(meters.dread),
        },
        "projects": [
            {
                "id": project.id,
                "name": project.name,
                "progress": _share(progress_of(project)),
                "status": status_of(project, town),
            }
            for project in town.projects
        ],
        "latestNetherEvent": town.event,
    }


def town_hash(town: Town) -> str:
    """The `snapshot_hash` of a town's snapshot, straight from the town. A test holds them together."""
    mission, meters = town.mission, town.meters
    projects = [town.projects[place] for place in _order(tuple([each.id for each in town.projects]))]
    quests = [town.quests[place] for place in _order(tuple([each.id for each in town.quests]))]
    snapshot = Snapshot(
        town.day,
        town.event,
        None
        if mission is None
        else Mission(
            description=mission.description, id=mission.id, reward=mission.reward, title=mission.title
        ),
        Pressure(
            dread=_share(meters.dread),
            hope=_share(meters.hope),
            scarcity=_share(meters.scarcity),
            threat=_share(meters.threat),
        ),
        [
            Project(project.id, project.name, _share(progress_of(project)), status_of(project, town))
            for project in projects
        ],
        "snapshot.v1",
        [Quest(complexity=quest.complexity, id=quest.id, title=quest.title) for quest in quests],
        town.town_id,
    )
    return digest(_encode(snapshot))


@lru_cache(maxsize=ORDERS_KEPT)
def _order(ids: tuple[str, ...]) -> list[int]:
    """The places of these ids in collation order. Ids seldom change from one action to the next."""
    return collated(range(len(ids)), ids)


def _share(per_mille: int) -> float:
    return per_mille // FULL if per_mille % FULL == 0 else per_mille / FULL

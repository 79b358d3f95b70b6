"""A town as others see it: the `snapshot.v1` that governors decide on, its hash, and its line in a
list.

Per mille become fractions only here, at the border: 735 is the double 0.735, which prints as
`0.735`.
"""

from functools import lru_cache
from typing import Final

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.identity import digest
from thorp.town.collation import collated
from thorp.town.embedded import town as town_state
from thorp.town.embedded.projects import progress_of, status_of
from thorp.town.embedded.town import FULL, METERS, Town
from thorp.town.snapshot import (
    Pressure,
    Snapshot,
    SnapshotMission,
    SnapshotProject,
    SnapshotQuest,
    in_contract_order,
)

ORDERS_KEPT: Final = 4096
"""Lists of ids whose order is cached: two of each of a thousand towns, now and before a change."""

_encode = msgspec.json.Encoder().encode


def summary(town: Town) -> dict[str, Json]:
    """The line of a town in a list of towns."""
    pressure = {name: _share(getattr(town.meters, name)) for name in METERS}
    return {
        "townId": town.town_id,
        "day": town.day,
        "population": town.population,
        "pressure": pressure,
    }


def project_town(town: Town) -> dict[str, Json]:
    """The snapshot of a town."""
    content = msgspec.to_builtins(_snapshot(town, town.quests, town.projects))
    snapshot: dict[str, Json] = in_contract_order(content)
    return snapshot


def town_hash(town: Town) -> str:
    """The `snapshot_hash` of a town's snapshot, computed without the document. A test keeps the two
    equal."""
    quests = [town.quests[place] for place in _order(tuple([each.id for each in town.quests]))]
    projects = [
        town.projects[place] for place in _order(tuple([each.id for each in town.projects]))
    ]
    return digest(_encode(_snapshot(town, quests, projects)))


def _snapshot(
    town: Town, quests: list[town_state.Quest], projects: list[town_state.Project]
) -> Snapshot:
    """The town as the contract's struct, with its lists in the order that is given."""
    mission = town.mission
    meters = town.meters
    accepted = None
    if mission is not None:
        accepted = SnapshotMission(
            description=mission.description,
            id=mission.id,
            reward=mission.reward,
            title=mission.title,
        )
    return Snapshot(
        day=town.day,
        latestNetherEvent=town.event,
        mission=accepted,
        pressure=Pressure(
            _share(meters.dread),
            _share(meters.hope),
            _share(meters.scarcity),
            _share(meters.threat),
        ),
        projects=[
            SnapshotProject(
                project.id, project.name, _share(progress_of(project)), status_of(project, town)
            )
            for project in projects
        ],
        schemaVersion="snapshot.v1",
        sideQuests=[
            SnapshotQuest(complexity=quest.complexity, id=quest.id, title=quest.title)
            for quest in quests
        ],
        townId=town.town_id,
    )


@lru_cache(maxsize=ORDERS_KEPT)
def _order(ids: tuple[str, ...]) -> list[int]:
    """The places of these ids in collation order. Ids seldom change from one action to the next."""
    return collated(range(len(ids)), ids)


def _share(per_mille: int) -> float:
    """The fraction as the contract writes it: 0 and 1 as integers."""
    return per_mille // FULL if per_mille % FULL == 0 else per_mille / FULL

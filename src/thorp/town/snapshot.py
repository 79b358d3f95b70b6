"""`snapshot.v1`: what a town looks like to those who govern it. Read-only, bounded, hashed.

The hash is that of the *canonical* snapshot: lists in collation order of their ids, numbers as
doubles, strings as they are. So neither the order of keys or lists nor the spelling of a number
(`5`, `5.0`) changes it.

**Two readers.** msgspec reads a good snapshot into the structs below, whose members are declared in
the order of canonical text, so that encoding one writes that text. When msgspec refuses, or its
text might differ from the original's, the table of rules decides: it either lists everything that
is wrong, or the snapshot is only unusual and is read again from a plain copy.
"""

import math
from operator import attrgetter
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import ROOT
from thorp.kernel.identity import digest
from thorp.kernel.numbers import SAFE_INTEGER
from thorp.town import document_shape as shape
from thorp.town.collation import ascii_ranks, collated, collation_key

SCHEMA_VERSION = "snapshot.v1"
LIST_LIMIT = 100  # Most side quests, and most projects, in one snapshot: the contract's bound.
COMPLEXITY_LIMIT = 10
_PRESSURES = ("threat", "scarcity", "hope", "dread")
_UNIT = shape.Number(low=0, high=1)
_ID = shape.Text()

SHAPE = shape.Object(
    required={
        "schemaVersion": shape.Choice((SCHEMA_VERSION,)),
        "day": shape.Number(low=0, is_whole=True),
        "townId": _ID,
        "mission": shape.OrNull(
            shape.Object(
                required={"id": _ID, "title": shape.Text()},
                optional={
                    "description": shape.Text(may_be_empty=True),
                    "reward": shape.Number(low=0),
                },
            )
        ),
        "sideQuests": shape.Items(
            shape.Object(
                required={"id": _ID, "title": shape.Text()},
                optional={"complexity": shape.Number(low=0, high=COMPLEXITY_LIMIT)},
            ),
            at_most=LIST_LIMIT,
            unique_by="id",
        ),
        "pressure": shape.Object(required=dict.fromkeys(_PRESSURES, _UNIT)),
        "projects": shape.Items(
            shape.Object(
                required={
                    "id": _ID,
                    "name": shape.Text(),
                    "progress": _UNIT,
                    "status": shape.Choice(("planning", "active", "blocked", "complete")),
                }
            ),
            at_most=LIST_LIMIT,
            unique_by="id",
        ),
        "latestNetherEvent": shape.OrNull(shape.Text(may_be_empty=True)),
    }
)

_MEMBER_ORDER = (
    *SHAPE.required,
    *("id", "title", "description", "reward", "complexity", "name", "progress", "status"),
    *_PRESSURES,
)
"""All members of a snapshot, at every level, in the order in which the contract writes them."""

_Name = Annotated[str, Meta(min_length=1)]
_Unit = Annotated[int, Meta(ge=0, le=1)] | Annotated[float, Meta(ge=0, le=1)]
_Complexity = (
    Annotated[int, Meta(ge=0, le=COMPLEXITY_LIMIT)]
    | Annotated[float, Meta(ge=0, le=COMPLEXITY_LIMIT)]
)
_Amount = Annotated[int, Meta(ge=0)] | Annotated[float, Meta(ge=0)]

_WHOLE_NUMBERS = {float(number): number for number in range(COMPLEXITY_LIMIT + 1)}
"""The whole numbers that pressures, progresses and complexities can be, by their doubles."""


class _SnapshotPart(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A part of a snapshot: its members in the order of canonical text, under the contract's
    names."""


class SnapshotQuest(_SnapshotPart, kw_only=True):
    """A quest on the board."""

    complexity: _Complexity | UnsetType = UNSET
    id: _Name
    title: _Name


class SnapshotProject(_SnapshotPart):
    """A project, with its progress from 0 to 1."""

    id: _Name
    name: _Name
    progress: _Unit
    status: Literal["planning", "active", "blocked", "complete"]


class SnapshotMission(_SnapshotPart, kw_only=True):
    """The quest that the town has accepted."""

    description: str | UnsetType = UNSET
    id: _Name
    reward: _Amount | UnsetType = UNSET
    title: _Name


class Pressure(_SnapshotPart):
    """The four meters, each from 0 to 1."""

    dread: _Unit
    hope: _Unit
    scarcity: _Unit
    threat: _Unit


class Snapshot(_SnapshotPart):
    """`snapshot.v1`: a town as governors see it."""

    day: _Amount
    latestNetherEvent: str | None
    mission: SnapshotMission | None
    pressure: Pressure
    projects: Annotated[list[SnapshotProject], Meta(max_length=LIST_LIMIT)]
    schemaVersion: Literal["snapshot.v1"]
    sideQuests: Annotated[list[SnapshotQuest], Meta(max_length=LIST_LIMIT)]
    townId: _Name


_encode = msgspec.json.Encoder().encode
_id = attrgetter("id")


class ReadSnapshot(msgspec.Struct, gc=False):
    """A snapshot in canonical order, and its hash."""

    content: Snapshot
    hash: str


def in_contract_order(snapshot: Json) -> Json:
    """The snapshot with its members in the order in which the contract writes them."""
    if isinstance(snapshot, list):
        return [in_contract_order(each) for each in snapshot]
    if isinstance(snapshot, dict):
        return {
            name: in_contract_order(snapshot[name]) for name in _MEMBER_ORDER if name in snapshot
        }
    return snapshot


def snapshot_schema() -> shape.Schema:
    """`snapshot.v1` as JSON Schema."""
    return shape.document_schema(SCHEMA_VERSION, SHAPE)


def validate_snapshot(snapshot: object) -> None:
    """Refuse anything but a valid `snapshot.v1`, with every violation."""
    snapshot_hash(snapshot)


def snapshot_hash(snapshot: object) -> str:
    """The hash that names this state of the town. Refuses an invalid snapshot."""
    findings = shape.Findings()
    read = read_snapshot(snapshot, findings)
    findings.refuse()
    assert read is not None
    return read.hash


def read_snapshot(
    snapshot: object, findings: shape.Findings, path: str = ROOT
) -> ReadSnapshot | None:
    """The canonical snapshot; or None, with every violation added to the findings."""
    try:
        content = _arranged(snapshot)
        _spell_numbers(content)
        return ReadSnapshot(content, digest(_encode(content)))
    except (TypeError, LookupError, ValueError, msgspec.MsgspecError):
        pass  # wrong, or only unusual: the table of rules decides
    before = len(findings)
    SHAPE.check(snapshot, path, findings)
    if len(findings) > before:
        return None
    content = _arranged(shape.plain_value(snapshot))
    return ReadSnapshot(content, digest(canonical_bytes(msgspec.to_builtins(content))))


def _arranged(snapshot: Any) -> Snapshot:
    """Read a snapshot and bring its lists into canonical order. ValueError or MsgspecError if it is
    invalid or unusual."""
    content = msgspec.convert(snapshot, Snapshot)
    if type(snapshot["sideQuests"]) is not list or type(snapshot["projects"]) is not list:
        raise ValueError("msgspec takes any collection for a list")
    quests = content.sideQuests
    projects = content.projects
    quest_ids = list(map(_id, quests))
    project_ids = list(map(_id, projects))
    ranks = ascii_ranks(quest_ids + project_ids)  # of both lists at once, which halves its cost
    count = len(quests)
    if count > 1:
        content.sideQuests = collated(quests, quest_ids, _quest_tie, ranks and ranks[:count])
    if len(projects) > 1:
        content.projects = collated(projects, project_ids, _project_tie, ranks and ranks[count:])
    return content


def _quest_tie(quest: SnapshotQuest) -> Any:
    """The order of quests whose ids collate as equal: by title, then complexity, a missing one
    last."""
    complexity = math.inf if isinstance(quest.complexity, UnsetType) else quest.complexity
    return collation_key(quest.title), complexity


def _project_tie(project: SnapshotProject) -> Any:
    """The order of projects whose ids collate as equal."""
    return collation_key(project.name), project.progress, collation_key(project.status)


def _spell_numbers(content: Snapshot) -> None:
    """Give each number the type that msgspec writes as the original would. LookupError or
    ValueError if there is none.

    This is `shape.spelled` for two hundred numbers, without a call for each: whole numbers up to 10
    are in a table, and any other number from `TINY` on is written alike by both.
    """
    if type(content.day) is float or content.day > SAFE_INTEGER:
        content.day = shape.spelled(content.day)
        if type(content.day) is float:
            raise ValueError("not a whole number")
    mission = content.mission
    if mission is not None and mission.reward is not UNSET:
        mission.reward = shape.spelled(mission.reward)
    tiny = shape.TINY
    pressure = content.pressure
    if not tiny <= pressure.dread < 1:
        pressure.dread = _WHOLE_NUMBERS[pressure.dread]
    if not tiny <= pressure.hope < 1:
        pressure.hope = _WHOLE_NUMBERS[pressure.hope]
    if not tiny <= pressure.scarcity < 1:
        pressure.scarcity = _WHOLE_NUMBERS[pressure.scarcity]
    if not tiny <= pressure.threat < 1:
        pressure.threat = _WHOLE_NUMBERS[pressure.threat]
    for project in content.projects:
        if not tiny <= project.progress < 1:
            project.progress = _WHOLE_NUMBERS[project.progress]
    for quest in content.sideQuests:
        complexity: Any = quest.complexity
        if complexity in _WHOLE_NUMBERS:
            quest.complexity = _WHOLE_NUMBERS[complexity]
        elif complexity is not UNSET and complexity < tiny:
            raise ValueError("a number of unusual size")

"""`profile.v1`: a governor's role, character and goals.

A profile belongs to one town and has one of three roles. Traits weigh the scores, goals shift them;
a goal that is not named counts as false, and traits and goals of other names are left alone.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ROOT
from thorp.town import document_shape as shape

SCHEMA_VERSION = "profile.v1"
TRAITS = ("authority", "pragmatism", "courage", "prudence")
ROLES = ("mayor", "captain", "warden")

SHAPE = shape.Object(
    required={
        "schemaVersion": shape.Choice((SCHEMA_VERSION,)),
        "id": shape.Text(),
        "role": shape.Choice(ROLES),
        "townId": shape.Text(),
        "traits": shape.Object(
            required=dict.fromkeys(TRAITS, shape.Number(low=0, high=1)), others=shape.Others.IGNORED
        ),
        "goals": shape.Flags(),
    },
    others=shape.Others.IGNORED,
)

_Name = Annotated[str, Meta(min_length=1)]
_Unit = Annotated[int, Meta(ge=0, le=1)] | Annotated[float, Meta(ge=0, le=1)]

# By role: the traits, in the order of `TRAITS`, and the goals.
_BUILT_IN: dict[str, tuple[tuple[float, float, float, float], tuple[str, ...]]] = {
    "mayor": ((0.9, 0.8, 0.6, 0.7), ("acceptMissions", "growTown", "maintainMorale")),
    "captain": (
        (0.7, 0.6, 0.9, 0.5),
        ("defendAgainstThreats", "advanceProjects", "protectTownspeople"),
    ),
    "warden": ((0.5, 0.9, 0.5, 0.9), ("reducePressure", "salvageResources", "maintainSurplus")),
}


class Traits(msgspec.Struct, gc=False):
    """The character of a governor, each trait from 0 to 1."""

    authority: _Unit
    pragmatism: _Unit
    courage: _Unit
    prudence: _Unit


class Profile(msgspec.Struct, gc=False):
    """`profile.v1`: a governor, with office, traits and goals."""

    schemaVersion: Literal["profile.v1"]
    id: _Name
    role: Literal["mayor", "captain", "warden"]
    townId: _Name
    traits: Traits
    goals: Annotated[dict[str, bool], Meta(min_length=1)]


def built_in_profile(role: str, town_id: str = "town-1") -> dict[str, Json]:
    """The profile that comes with Thorp for a role, as governor of a town."""
    traits, goals = _BUILT_IN[role]
    return {
        "schemaVersion": SCHEMA_VERSION,
        "id": f"{role}-1",
        "role": role,
        "townId": town_id,
        "traits": dict(zip(TRAITS, traits, strict=True)),
        "goals": dict.fromkeys(goals, True),
    }


def profile_schema() -> shape.Schema:
    """`profile.v1` as JSON Schema."""
    return shape.document_schema(SCHEMA_VERSION, SHAPE)


def validate_profile(profile: object) -> None:
    """Refuse anything but a valid `profile.v1`, with every violation."""
    findings = shape.Findings()
    read_profile(profile, findings)
    findings.refuse()


def read_profile(profile: object, findings: shape.Findings, path: str = ROOT) -> Profile | None:
    """Read a profile; None if it is invalid, with every violation added to the findings."""
    try:
        read = msgspec.convert(profile, Profile)
    except (TypeError, ValueError, msgspec.MsgspecError):
        before = len(findings)
        SHAPE.check(profile, path, findings)
        if len(findings) > before:
            return None
        read = msgspec.convert(_plain_members(profile), Profile)
    if not (read.id.isascii() and read.townId.isascii()):
        read.id = shape.plain_text(read.id)
        read.townId = shape.plain_text(read.townId)
    return read


def _plain_members(profile: Json) -> dict[str, Json]:
    """A plain copy of the members that the contract names; the others may be anything."""
    members = {name: profile[name] for name in SHAPE.required}
    members["traits"] = {name: profile["traits"][name] for name in TRAITS}
    plain: dict[str, Json] = shape.plain_value(members)
    return plain

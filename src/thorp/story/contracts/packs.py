"""Packs: texts that a writer is given beside the entries. Scene anchors, rehydrations, capsules.

A scene anchor describes the present scene; a window begins with it and is replaced together with
it. A rehydration is the beginning of a rebuilt window; it is made mechanically, and nobody in the
world sees it. A capsule shows one person's continuity in excerpts; it has no authority, and can be
rebuilt at any time.
"""

from typing import Final, Literal

import msgspec

from thorp.story.config import StoryConfig
from thorp.story.contracts.validation import demand, demand_prose, read_shape
from thorp.story.instants import parse_instant

SEPARATOR: Final = "\n\n"  # Between two excerpts.


class AnchorProvenance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The entries that an anchor was made from."""

    used_entry_ids: tuple[str, ...]


class SceneAnchorPack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The text that a scene window begins with."""

    scene_anchor_id: str
    request_id: str
    created_at_world: str
    text: str
    provenance: AnchorProvenance


def read_anchor(value: object, config: StoryConfig) -> SceneAnchorPack:
    """Read a scene anchor. Refuses with a ContractError; its text must be natural language."""
    pack = read_shape(SceneAnchorPack, value)
    parse_instant(pack.created_at_world)
    demand_prose(pack.text, "$.text", config.phrases)
    return pack


class RehydrationProvenance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The entries and capsules that a rehydration was made from."""

    used_entry_ids: tuple[str, ...]
    used_capsule_ids: tuple[str, ...]


class Trigger(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a window was rebuilt."""

    kind: Literal["TOKEN_BUDGET"]
    threshold: str


class RehydrationPack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The text that a rebuilt window begins with, and how things physically stand."""

    rehydration_id: str
    request_id: str
    created_at_world: str
    text: str
    physical_continuity_replay: str
    provenance: RehydrationProvenance
    trigger: Trigger


def read_rehydration(value: object, config: StoryConfig) -> RehydrationPack:
    """Read a rehydration pack. Refuses with a ContractError; its texts must be natural language."""
    pack = read_shape(RehydrationPack, value)
    parse_instant(pack.created_at_world)
    demand_prose(pack.text, "$.text", config.phrases)
    demand_prose(pack.physical_continuity_replay, "$.physical_continuity_replay", config.phrases)
    return pack


class SectionProvenance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The entries that a section quotes."""

    used_entry_ids: tuple[str, ...]


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One part of a capsule: excerpts, or what was derived from them."""

    name: Literal["SOURCE_EXCERPTS", "OPTIONAL_DERIVED"]
    text: str
    provenance: SectionProvenance


class CapsulePack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one person has shown so far, for one reader."""

    capsule_id: str
    person_id: str
    created_at_world: str
    sections: tuple[Section, ...]


def read_capsule(value: object, config: StoryConfig) -> CapsulePack:
    """Read a capsule: one section of excerpts, and at most one derived note, marked as such.
    Refuses with a ContractError."""
    pack = read_shape(CapsulePack, value)
    parse_instant(pack.created_at_world)
    names = [section.name for section in pack.sections]
    demand(
        names.count("SOURCE_EXCERPTS") == 1,
        "sections",
        "$.sections",
        "one section holds the excerpts",
    )
    demand(
        names.count("OPTIONAL_DERIVED") <= 1,
        "sections",
        "$.sections",
        "at most one section is derived",
    )
    for index, section in enumerate(pack.sections):
        if section.name == "OPTIONAL_DERIVED":
            _demand_note(section, f"$.sections[{index}]", config)
    return pack


def _demand_note(section: Section, path: str, config: StoryConfig) -> None:
    marker = config.capsules.derived_marker
    sources = section.provenance.used_entry_ids
    is_marked = section.text.startswith(marker)
    demand(is_marked, "marker", f"{path}.text", f"a derived note begins with {marker!r}")
    demand(bool(sources), "provenance", f"{path}.provenance", "a derived note has sources")
    demand_prose(section.text.removeprefix(marker), f"{path}.text", config.phrases)

"""Rehydration pack: what a rebuilt window begins with. Mechanical, whole, and never seen in the world."""

from typing import Literal

import msgspec

from thorp.story.config import StoryConfig
from thorp.story.contracts.validation import demand_prose, read_shape
from thorp.story.instants import parse_instant


class RehydrationProvenance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    used_entry_ids: tuple[str, ...]
    used_capsule_ids: tuple[str, ...]


class Trigger(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: Literal["TOKEN_BUDGET"]
    threshold: str


class RehydrationPack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rehydration_id: str
    request_id: str
    created_at_world: str
    text: str
    physical_continuity_replay: str
    provenance: RehydrationProvenance
    trigger: Trigger


def read_rehydration(value: object, config: StoryConfig) -> RehydrationPack:
    """A rehydration pack in natural language, with its replay; else a ContractError."""
    pack = read_shape(RehydrationPack, value)
    parse_instant(pack.created_at_world)
    demand_prose(pack.text, "$.text", config.phrases)
    demand_prose(pack.physical_continuity_replay, "$.physical_continuity_replay", config.phrases)
    return pack

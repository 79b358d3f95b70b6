"""Scene anchor pack: the text that grounds the present scene. Sent once for a window, replaced whole."""

import msgspec

from thorp.story.config import StoryConfig
from thorp.story.contracts.validation import demand_prose, read_shape
from thorp.story.instants import parse_instant


class AnchorProvenance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    used_entry_ids: tuple[str, ...]


class SceneAnchorPack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    scene_anchor_id: str
    request_id: str
    created_at_world: str
    text: str
    provenance: AnchorProvenance


def read_anchor(value: object, config: StoryConfig) -> SceneAnchorPack:
    """A scene anchor in natural language; else a ContractError."""
    pack = read_shape(SceneAnchorPack, value)
    parse_instant(pack.created_at_world)
    demand_prose(pack.text, "$.text", config.phrases)
    return pack

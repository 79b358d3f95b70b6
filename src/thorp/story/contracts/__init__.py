"""The nine contracts, each with its JSON Schema. `thorp.story` exports their readers."""

import msgspec

from thorp.story.contracts.invocation_envelope import InvocationEnvelope
from thorp.story.contracts.packs import CapsulePack, RehydrationPack, SceneAnchorPack
from thorp.story.contracts.projection_output import ProjectionOutput
from thorp.story.contracts.tool_request import RetrievalResultPack, ToolRequest
from thorp.story.contracts.validation import schema_of
from thorp.story.contracts.write_bundle import WriteBundle, WriteEntry

_KINDS: dict[str, type[msgspec.Struct]] = {
    "invocation_envelope": InvocationEnvelope,
    "write_bundle": WriteBundle,
    "write_entry": WriteEntry,
    "projection_output": ProjectionOutput,
    "tool_request": ToolRequest,
    "retrieval_result_pack": RetrievalResultPack,
    "scene_anchor_pack": SceneAnchorPack,
    "rehydration_pack": RehydrationPack,
    "capsule_pack": CapsulePack,
}
SCHEMAS = {name: schema_of(name, kind) for name, kind in _KINDS.items()}
"""Each contract's name, and what describes it as JSON Schema."""

__all__ = ["SCHEMAS"]

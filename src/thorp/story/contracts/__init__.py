"""The nine contracts, and what describes each as JSON Schema."""

import msgspec

from thorp.story.contracts.invocation_envelope import InvocationEnvelope, read_envelope
from thorp.story.contracts.packs import (
    CapsulePack,
    RehydrationPack,
    SceneAnchorPack,
    read_anchor,
    read_capsule,
    read_rehydration,
)
from thorp.story.contracts.projection_output import ProjectionOutput, read_projection
from thorp.story.contracts.tool_request import (
    RetrievalResultPack,
    ToolRequest,
    read_result_pack,
    read_tool_request,
)
from thorp.story.contracts.validation import schema_of
from thorp.story.contracts.write_bundle import WriteBundle, WriteEntry, read_bundle, read_entry

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

__all__ = [
    "SCHEMAS",
    "CapsulePack",
    "InvocationEnvelope",
    "ProjectionOutput",
    "RehydrationPack",
    "RetrievalResultPack",
    "SceneAnchorPack",
    "ToolRequest",
    "WriteBundle",
    "WriteEntry",
    "read_anchor",
    "read_bundle",
    "read_capsule",
    "read_entry",
    "read_envelope",
    "read_projection",
    "read_rehydration",
    "read_result_pack",
    "read_tool_request",
]

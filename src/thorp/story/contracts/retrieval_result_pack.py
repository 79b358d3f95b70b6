"""Retrieval result pack: evidence. Literal excerpts with the entries they come from, already filtered."""

import msgspec

from thorp.story.contracts.validation import demand, read_shape
from thorp.story.contracts.write_entry import Scope


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    entry_id: str
    bundle_id: str
    created_at_world: str
    visibility_scope: Scope
    verbatim_excerpt: str


class RetrievalResultPack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tool_request_id: str
    request_id: str
    results: tuple[Result, ...]
    empty: bool
    notes: str | None


def read_result_pack(value: object) -> RetrievalResultPack:
    """A result pack; else a ContractError."""
    pack = read_shape(RetrievalResultPack, value)
    demand(
        pack.empty == (not pack.results),
        "empty",
        "$.empty",
        "a pack is empty if and only if it has no results",
    )
    return pack

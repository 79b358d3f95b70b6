"""Tool request and retrieval result pack: a writer's question, and the evidence that answers it.

Tools answer with literal excerpts and the ids of their entries, filtered by what the view may see.
They decide nothing and write nothing.
"""

from typing import Final, Literal, get_args

import msgspec

from thorp.kernel.canonical import Json
from thorp.story.config import Identities
from thorp.story.contracts.validation import demand, read_shape, value_at
from thorp.story.contracts.write_bundle import Scope

ToolName = Literal["LEDGER_SEARCH", "LEDGER_GET", "CAPSULE_GET", "SCENE_PACK_BUILD"]
TOOL_NAMES: Final = get_args(ToolName)


class RequestedBy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who asks, and with whose knowledge."""

    engine: str
    actor: str
    knowledge_view: str


class TimeWindow(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"start": "from", "end": "to"}
):
    """The span of world time that is searched."""

    start: str | None = None
    end: str | None = None


class Constraints(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much is asked for, from when, and of whom."""

    limit: int
    time_window: TimeWindow | None = None
    person_id: str | None = None


class Tool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tool that is asked, and the question."""

    name: ToolName
    query_text: str
    constraints: Constraints


class ToolRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One question of a writer."""

    tool_request_id: str
    request_id: str
    requested_by: RequestedBy
    tool: Tool


def read_tool_request(value: object) -> ToolRequest:
    """Read a tool request; a ContractError if it has another shape. The gate decides whether it is
    answered."""
    return read_shape(ToolRequest, _with_whole_limit(value))


def is_whole(number: object) -> bool:
    """Whether a value is a whole number. JSON has one kind of number: 5.0 is 5, as in
    JavaScript."""
    return type(number) is int or (type(number) is float and number.is_integer())


def _with_whole_limit(value: object) -> object:
    limit = value_at(value, "tool", "constraints", "limit")
    if not isinstance(value, dict) or type(limit) is not float or not is_whole(limit):
        return value
    tool = value["tool"]
    constraints = {**tool["constraints"], "limit": int(limit)}
    return {**value, "tool": {**tool, "constraints": constraints}}


def question_of(
    request_id: str,
    identity: Identities,
    *,
    actor: object,
    tool: str,
    query: object,
    constraints: Json,
) -> dict[str, Json]:
    """A tool request in an actor's own view. The session adds the request of the beat."""
    view = f"{actor}{identity.view_suffix}"
    return {
        "tool_request_id": request_id,
        "requested_by": {"engine": identity.writer_engine, "actor": actor, "knowledge_view": view},
        "tool": {"name": tool, "query_text": query, "constraints": constraints},
    }


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entry that a search found, with a literal excerpt."""

    entry_id: str
    bundle_id: str
    created_at_world: str
    visibility_scope: Scope
    verbatim_excerpt: str


class RetrievalResultPack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to a search."""

    tool_request_id: str
    request_id: str
    results: tuple[Result, ...]
    empty: bool
    notes: str | None


def read_result_pack(value: object) -> RetrievalResultPack:
    """Read a result pack. Refuses with a ContractError."""
    pack = read_shape(RetrievalResultPack, value)
    fits = pack.empty == (not pack.results)
    demand(fits, "empty", "$.empty", "a pack is empty if and only if it has no results")
    return pack

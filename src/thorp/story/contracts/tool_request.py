"""Tool request: how a writer asks. Tools answer with excerpts; they decide nothing and write nothing."""

from typing import Final, Literal

import msgspec

from thorp.story.contracts.validation import read_shape

ToolName = Literal["LEDGER_SEARCH", "LEDGER_GET", "CAPSULE_GET", "SCENE_PACK_BUILD"]
TOOL_NAMES: Final = ("LEDGER_SEARCH", "LEDGER_GET", "CAPSULE_GET", "SCENE_PACK_BUILD")


class RequestedBy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    engine: str
    actor: str
    knowledge_view: str


class TimeWindow(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"start": "from", "end": "to"}
):
    start: str | None = None
    end: str | None = None


class Constraints(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    limit: int
    time_window: TimeWindow | None = None
    person_id: str | None = None


class Tool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: ToolName
    query_text: str
    constraints: Constraints


class ToolRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tool_request_id: str
    request_id: str
    requested_by: RequestedBy
    tool: Tool


def read_tool_request(value: object) -> ToolRequest:
    """A tool request of the right shape; else a ContractError. Whether it is served, the gate decides."""
    return read_shape(ToolRequest, value)

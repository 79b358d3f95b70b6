"""From a handoff to a request of the annex, at the border: valid, storable and short enough, or refused."""

from __future__ import annotations

from thorp.bridges.voxel_town.records import ANNEX
from thorp.kernel.errors import LimitError
from thorp.town.handoff_reader import storable_handoff
from thorp.voxel.inputs import MAX_REQUEST_BYTES, Request


def request_of(handoff: object) -> Request:
    """Refuses with a `ContractError`, or as `too_long`."""
    text, _ = storable_handoff(handoff)
    if len(text.encode()) > MAX_REQUEST_BYTES:
        raise LimitError(f"a handoff has at most {MAX_REQUEST_BYTES} bytes", code="too_long")
    return Request(ANNEX, text)

"""What listeners of a story are sent, and as whom they read it."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from thorp.bridges.chronicle import ticks_of
from thorp.kernel.canonical import Json
from thorp.server.access.principals import Principal
from thorp.server.access.requests import Refused
from thorp.server.access.tokens import Permission
from thorp.server.http.event_streams import event
from thorp.story import Ledger, StoryConfig
from thorp.story.config import PUBLIC
from thorp.story.knowledge import UnknownReader

_DECLARED: Final = re.compile(r'"declared_world_time":\s*"')


def dated_page(ledger: Ledger, page: dict[str, Json]) -> dict[str, Json]:
    """A page, with the ticks that the entries of a chronicle are about, and the entries whose beat
    declared a time."""
    stream: Json = page["stream"]
    origins = ledger.origins([entry["entry_id"] for entry in stream["entries"]])
    ticks = {
        entry_id: span
        for entry_id, origin in origins.items()
        if (span := ticks_of(origin)) is not None
    }
    declared = [
        entry_id for entry_id, origin in origins.items() if _DECLARED.search(origin.envelope)
    ]
    return {**page, "ticks": ticks, "declared": declared}


class Subscriber:
    """What one listener has been sent."""

    def __init__(self, principal: Principal, cursor: str | None, last: int | None) -> None:
        self.principal = principal
        self.cursor = cursor
        self.last = last
        self._greeting = b""
        self._pocket: Json = None

    def took(self, greeting: bytes, page: dict[str, Json] | None) -> bytes:
        """The events for what is new to it; from now on that counts as sent."""
        message = b"" if greeting == self._greeting else greeting
        self._greeting = greeting
        if page is None:
            return message
        stream: Json = page["stream"]
        if stream["entries"] or page["pocket"] != self._pocket:
            message += event("page", msgspec.json.encode(page), stream["cursor_after"])
        self.cursor = stream["cursor_after"]
        self._pocket = page["pocket"]
        return message


def reader_of(principal: Principal, config: StoryConfig) -> str | None:
    """As whom a principal reads; None reads what is PUBLIC. Refuses a token that names the operator
    or an actor as its person."""
    if principal.role.may(Permission.GOVERN):
        return config.identity.operator_id
    identity = config.identity
    if principal.person in (
        identity.operator_id,
        identity.system_actor,
        identity.world_actor,
        PUBLIC,
    ):
        raise Refused(403, UnknownReader.code, "this token names no person of the story")
    return principal.person


def greeting_for(
    reader: str | None, principal: Principal, config: StoryConfig, running: int
) -> bytes:
    """What a listener is told first: as whom it reads, how an envelope of it must name its sender
    if it may send one, and how many beats are running."""
    identity = config.identity
    may_send = principal.role.may(Permission.GOVERN)
    invoker = {"invoker_id": identity.system_actor, "invoker_role": identity.invoker_role}
    sender = {"invoker": invoker, "operator_id": identity.operator_id} if may_send else None
    return msgspec.json.encode({"reader": reader, "sender": sender, "running": running})

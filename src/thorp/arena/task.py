"""A match as data: everything needed to set it up in another process or on another machine.

A task holds only names and numbers, so a worker can rebuild the match and a manifest can record it. A seat's
`spec` says where its agent comes from: a bot's kind, `file.py:Class`, `cmd:COMMAND`, `http://…` or
`model:NAME`.
"""

import msgspec

from thorp.kernel.canonical import Json


class Seat(msgspec.Struct, frozen=True):
    """One seat: the agent's id, and where the agent comes from."""

    id: str
    spec: str


class Limits(msgspec.Struct, frozen=True):
    """What an external agent may use. Bots that run in process are trusted and not limited."""

    turn_seconds: float = 10.0
    match_seconds: float = 300.0
    memory_mib: int = 1024
    model_calls: int = 200
    model_tokens: int = 200_000


class MatchTask(msgspec.Struct, frozen=True):
    """One match to play."""

    scenario: str
    seats: tuple[Seat, ...]
    seed: int
    max_turns: int
    parameters: dict[str, Json] = {}
    match_id: str | None = None
    limits: Limits = Limits()
    secret: str | msgspec.UnsetType = msgspec.UNSET
    """In hexadecimal. Only sealed matches have one; other manifests leave the field out."""

"""The seam between those who govern and a world that decides.

An authoritative world shows a town (`snapshot.v1`) and takes handoffs (`execution-handoff.v1`), each of which
it answers with what became of it (`execution-result.v1`). How it keeps the town is its own affair.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from thorp.kernel.canonical import Json
from thorp.kernel.errors import UnknownError


class UnknownTown(UnknownError):
    """There is no town of that id in this world."""

    code = "unknown_town"

    def __init__(self, town_id: str) -> None:
        super().__init__(f"there is no town {town_id!r} here; `god town list` names those there are")


@runtime_checkable
class TownWorld(Protocol):
    """What an authoritative world of towns can do."""

    def snapshot(self, town_id: str) -> dict[str, Json]:
        """The town as it is now. Reads only; two calls without a change between them are equal. Refuses an
        unknown town with `UnknownTown`."""

    def execute(self, handoff: object) -> dict[str, Json]:
        """What became of a handoff, durable before it is told.

        Executes an accepted key once; the same handoff again is a duplicate of the first answer. A handoff
        that was not accepted is judged afresh when it comes again. Refuses a malformed or forged one with a
        `ContractError`, and then nothing has changed.
        """

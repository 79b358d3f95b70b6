"""Records on the tape: what a society has agreed on and owns, and apart from it what only an open book tells.

A record is on the tape whole when a segment begins, and again in every tick in which it changed. So a page
folds the changes up to a tick, and has the records of that tick. Which ones to compare is known from the
tables of the world, which note their changes for the digest.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from thorp.server.inspection import (
    NEWEST,
    newest_laws,
    refusal,
    shown_contract,
    shown_event,
    shown_land,
    shown_law,
    shown_organisation,
    shown_posts,
)
from thorp.voxel.achievements import ACHIEVEMENTS
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.table import Table
from thorp.voxel.state.world import World

# Of one segment, so that no board full of long posts fills the disk; a village of 24 needs a tenth.
MAX_BYTES: Final = 256 * 1024

_BITS: Final = {one.id: 1 << i for i, one in enumerate(ACHIEVEMENTS)}
_encode = msgspec.json.Encoder(order="deterministic").encode


class Records:
    """Records of several kinds by their keys: in which tick of a segment each was what."""

    def __init__(self) -> None:
        self.changes: list[tuple[int, dict[str, dict[str, msgspec.Raw]]]] = []
        self._known: dict[tuple[str, str], bytes] = {}
        self._left = MAX_BYTES

    def note(self, offset: int, kind: str, key: str, record: Any) -> None:
        """Take in how a record is now; None if it is gone. Without room it is left out, and that is told."""
        text = _encode(record)
        if self._known.get((kind, key), b"null") == text:
            return
        self._left -= len(key) + len(text)
        if self._left < 0:
            if ("cut", "") in self._known:
                return
            kind, key, text = "cut", "", b"true"
        self._known[kind, key] = text
        if not self.changes or self.changes[-1][0] != offset:
            self.changes.append((offset, {}))
        self.changes[-1][1].setdefault(kind, {})[key] = msgspec.Raw(text)

    def frozen(self) -> "Records":
        copy = Records()
        copy.changes = list(self.changes)
        return copy


def _building(_: World, one: Any) -> Any:
    return {"blueprint_id": one.blueprint_id, "builder": one.builder, "low": one.low, "high": one.high}


# By kind of record: the table, what a row's key is called, and how the row is shown.
_SOCIETY: Final[dict[str, tuple[str, str, Callable[[World, Any], Any]]]] = {
    "lands": ("claims", "id", shown_land),
    "organisations": ("orgs", "id", shown_organisation),
    "laws": ("laws", "id", shown_law),
    "contracts": ("contracts", "id", lambda _, contract: shown_contract(contract)),
    "structures": ("structures", "id", _building),
    "boards": ("notices", "board_id", lambda _, notices: shown_posts(notices.posts)),
    "signs": ("signs", "position", lambda _, sign: sign.text),
}
_PRIVATE: Final[dict[str, tuple[str, str, Callable[[World, Any], Any]]]] = {
    "chests": ("containers", "position", lambda _, container: container.stock),
}
TABLES: Final = tuple(table for table, _, _ in (*_SOCIETY.values(), *_PRIVATE.values()))


def begin(society: Records, private: Records, world: World, offset: int) -> None:
    """Take in everything, as a segment begins."""
    for records, kinds in ((society, _SOCIETY), (private, _PRIVATE)):
        for kind, (table, key, shown) in kinds.items():
            rows = NEWEST[kind](world) if kind in NEWEST else getattr(world, table)
            for row in rows:
                records.note(offset, kind, _text(getattr(row, key)), shown(world, row))
    society.note(offset, "event", "", shown_event(world))


def look(society: Records, private: Records, world: World, offset: int) -> None:
    """Take in what changed in a tick."""
    for records, kinds in ((society, _SOCIETY), (private, _PRIVATE)):
        for kind, (name, _, shown) in kinds.items():
            table: Table[Any, Any] = getattr(world, name)
            keys = table.changed()
            if kind == "laws" and (world.claims.changed() or world.orgs.changed()):
                keys = [law.id for law in newest_laws(world)]  # who may vote has changed
            for key in keys:
                row = table.get(key)
                records.note(offset, kind, _text(key), None if row is None else shown(world, row))
    society.note(offset, "event", "", shown_event(world))


def look_at_body(society: Records, private: Records, agent: Agent, offset: int) -> None:
    """Take in what somebody carries, how they stand with others, and what they achieved: a bit each."""
    private.note(offset, "pockets", agent.id, agent.inventory)
    society.note(offset, "standings", agent.id, agent.reputation)
    society.note(offset, "achieved", agent.id, sum(_BITS.get(one, 0) for one in agent.achievements))


def hear_refusals(private: Records, agent: Agent, since: int, offset: int) -> None:
    """Take in what was refused to somebody since an event of theirs, and where that was."""
    for event in agent.ring.since(since):
        if b'"code"' in event.text and (deed := refusal(event)) is not None:
            private.note(offset, "refused", f"{agent.id} {event.number}", [deed, agent.position])


def _text(key: Any) -> str:
    return key if isinstance(key, str) else ",".join(map(str, key))
